/* range.h: this process as the recorder of its own named ranges.

   The functions behind LP_RANGE (<lineprof.h>) write to an area (wire/ranges.h), if
   there is one: that of a kernprof, which puts it there from outside, or the
   process's own.  A thread takes a block of it with the first range that it
   records.  */

#ifndef LP_RANGE_H
#define LP_RANGE_H

#include <stdbool.h>

#include "base/error.h"
#include "collect/pool.h"
#include "wire/ranges.h"

/* Record the ranges of this process from now on: of EVERYONE, or of the threads that
   are on.  POOL (may be NULL): the blocks of its lines' counters, which lp_own_claim
   hands out.  Nothing is done where a kernprof does that already.  -1 with
   LP_ENOMEM.  */
int lp_range_record (const lp_pool *pool, bool everyone, lp_error *err);
/* The end of it.  ALONE: there is but one thread; else others may be in the middle of a
   range, and the memory stays, for the next time.  */
void lp_range_record_end (bool alone);

/* The calling thread's ranges are recorded.  */
void lp_range_thread_on (void);
/* They are no more; what is open ends here.  */
void lp_range_thread_off (void);
/* Forget what was recorded; no thread is on.  */
void lp_range_clear (void);

/* The process's own area, or NULL.  */
const lp_range_area *lp_range_own_area (void);

#endif
