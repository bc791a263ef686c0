/* own.h: this process as its own profiler: the same plans, clones and counters as
   for others, without a tracer.

   There is one engine in a process.  Once its functions are patched they stay so:
   what a thread counts, or whether, is a matter of the block that its slot points
   to.  Threads ask for theirs at their first entry of a profiled function
   (own_claim.c).  What cannot be cloned is not profiled: there is nobody who
   could handle its breakpoints.  */

#ifndef LP_OWN_H
#define LP_OWN_H

#include "record.h"

typedef struct lp_own
{
  lp_follow follow;
  lp_session_options options;
  lp_record record;
  lp_process *self;
  lp_member member;
  char **argv;			/* the process's, as /proc has it */
} lp_own;

/* Profile what SELECT selects in this process from now on: its patterns, entries
   (which live as long as the result) and `marked'.  EVERYONE: in all threads; else
   in those that are on (own_claim.h).  Nothing of this process's is changed when
   it fails: what lp_session_run fails with, or LP_EUNSUPPORTED: other threads run
   already, or another profiler is at work.  */
lp_own *lp_own_start (const lp_prepare_options *select, bool everyone,
		      lp_error *err);

/* Record nothing but the named ranges of all threads.  */
lp_own *lp_own_start_ranges (lp_error *err);

/* Take it out again.  -1 with LP_EUNSUPPORTED, and nothing was done: other threads
   could be in it.  */
int lp_own_stop (lp_own *own, lp_error *err);

/* Is there one in this process?  */
bool lp_own_active (void);

/* The run-time address ADDR as one of the executable's file.  -1 with LP_EUSAGE where
   it is none.  */
int lp_own_entry (uint64_t *addr, lp_error *err);

/* Has there been something to profile up to now?  -1 with what lp_own_start would have
   failed with; that of EVERYONE does not, because libraries may come that are
   marked.  */
int lp_own_check (const lp_own *own, lp_error *err);

/* What was counted up to now.  */
lp_profile *lp_own_profile (const lp_own *own, lp_error *err);

#endif
