/* move.h: threads that are inside profiled functions when these are patched, and
   inside clones when that is undone.  */

#ifndef LP_MOVE_H
#define LP_MOVE_H

#include "probe/clone.h"
#include "target/target.h"

/* All threads of PROC are stopped and TEXT is about to be patched in: let those
   whose program counter, or one saved in a signal frame, is at home go on in the
   clone.  */
int lp_move_in (lp_process *proc, lp_text *text, lp_error *err);

/* The reverse, before TEXT is undone.  *STAY counts the threads that could not be
   moved out: the clones must stay mapped then.  They leave by themselves.  */
int lp_move_out (lp_process *proc, lp_text *text, size_t *stay,
		 lp_error *err);

#endif
