/* move.h: threads that are inside profiled functions when these are patched, and
   inside clones when that is undone.  */

#ifndef LP_MOVE_H
#define LP_MOVE_H

#include "probe/clone.h"
#include "target/target.h"

/* What moving threads takes, got ahead: nothing is allocated afterwards.  */
typedef struct lp_mover
{
  const pid_t *tids;		/* which threads */
  size_t ntids;
  uint64_t *words;		/* room for a part of a stack */
  const lp_loaded *modules;	/* as lp_process_modules has them */
  size_t nmodules;
} lp_mover;

/* Get ready for PROC, and all threads that are known of it; -1 with LP_ENOMEM,
   LP_ETARGET.  PROC's modules must not be listed again before the end.  */
int lp_mover_begin (lp_mover *mover, lp_process *proc, lp_error *err);
void lp_mover_end (lp_mover *mover);

/* MOVER's threads of PROC are stopped and TEXT is about to be patched in: let those
   whose program counter, or one saved in a signal frame, is at home go on in the
   clone.  TEXT's places are sorted (lp_places_index).  */
int lp_move_in (lp_process *proc, lp_text *text, const lp_mover *mover,
		lp_error *err);

/* The reverse, before TEXT is undone.  *STAY counts the threads that could not be
   moved out: the clones must stay mapped then.  They leave by themselves.  */
int lp_move_out (lp_process *proc, lp_text *text, const lp_mover *mover,
		 size_t *stay, lp_error *err);

#endif
