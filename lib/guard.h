/* guard.h: the step engine's hold on a process.  The pages of the functions that
   are stepped through cannot be executed, so a thread that comes to one faults,
   however it comes: by a call, a return, a jump table, an exception, longjmp.
   The instruction then runs in its copy (probe/outofline.c), from which the
   thread comes back to the next one, and faults.  No byte of the text changes,
   and threads do not wait for each other.  */

#ifndef LP_GUARD_H
#define LP_GUARD_H

#include "prepare.h"
#include "probe/aside.h"
#include "target/target.h"

typedef struct lp_guard
{
  lp_aside aside;
  size_t room;			/* bytes that copies of the neighbours take at most */
  bool closed;			/* the pages cannot be executed now */
} lp_guard;

/* Find the pages of those of PREPARED's functions that are to be stepped through;
   its module is loaded at BIAS.  */
int lp_guard_plan (lp_guard *guard, const lp_prepared *prepared, uint64_t bias,
		   lp_error *err);
void lp_guard_free (lp_guard *guard);

/* Close the pages in PROC; open them, also in a fork.  Some thread of PROC is
   stopped where it can make system calls.  */
int lp_guard_close (lp_guard *guard, lp_process *proc, lp_error *err);
int lp_guard_open (lp_guard *guard, lp_process *proc, lp_error *err);

/* Is it because of closed pages that a thread with REGS faulted at run-time
   address ADDR?  */
bool lp_guard_stops (const lp_guard *guard, uint64_t addr,
		     const struct user_regs_struct *regs);
/* It is, in code that nobody asked for: let it go on, with 1.  -1: that code
   cannot be run.  */
int lp_guard_pass (lp_guard *guard, lp_text *text,
		   struct user_regs_struct *regs, lp_error *err);

#endif
