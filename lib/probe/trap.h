/* trap.h: what to do when a thread has run into one of our int3.  */

#ifndef LP_PROBE_TRAP_H
#define LP_PROBE_TRAP_H

#include <sys/user.h>

#include "probe/clone.h"
#include "wire/layout.h"

/* Order TEXT's traps for lp_trap_find.  */
void lp_trap_sort (lp_text *text);
/* The trap at run-time address ADDR, or NULL.  */
const lp_trap *lp_trap_find (const lp_text *text, uint64_t addr);
/* Is TRAP's instruction a system call?  */
bool lp_trap_calls_kernel (const lp_trap *trap);

/* The thread with REGS stands at TRAP, of TEXT.  Count and charge what the probe
   there would, in its BLOCK (or NULL), and send it on.  What the stop cost is
   not charged.  SHIFT: from its stack pointer to where that would be, had its stack
   never moved.  */
void lp_trap_run (const lp_text *text, const lp_trap *trap, lp_block *block,
		  struct user_regs_struct *regs, int64_t shift);

#endif
