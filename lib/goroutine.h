/* goroutine.h: which goroutine a thread runs.  */

#ifndef LP_GOROUTINE_H
#define LP_GOROUTINE_H

#include "target/target.h"

/* The address of the `g' of the thread of PROC with REGS, which is in Go's code, and in
   *TOP the end of the stack that it is on; 0: not known.  */
uint64_t lp_goroutine_find (lp_process *proc,
			    const struct user_regs_struct *regs, uint64_t *top);

#endif
