/* ranges.h: named ranges, from an area (wire/ranges.h) to a profile.  */

#ifndef LP_COLLECT_RANGES_H
#define LP_COLLECT_RANGES_H

#include "base/arena.h"
#include "collect/pool.h"
#include "profile/profile.h"
#include "wire/ranges.h"

/* Blocks that an area is made with, where there is room.  */
enum { LP_RANGES_BLOCKS = 1024, LP_RANGES_FEWEST = 4 };

/* The bytes of an area of NBLOCKS blocks.  */
size_t lp_ranges_size (size_t nblocks);
/* Make the zeroed memory at AREA one, and measure what a range costs here.  */
void lp_ranges_init (lp_range_area *area, size_t nblocks);
/* Threads have the address of their block of POOL at SLOT from fs:0, so that what
   probes cost can be subtracted.  */
void lp_ranges_use_counters (lp_range_area *area, const lp_pool *pool,
			     int32_t slot);

/* What was recorded under one name by one thread or process.  */
typedef struct lp_range_sum
{
  const char *name;
  pid_t pid, tid;
  lp_range_row row;
} lp_range_sum;

typedef struct lp_range_sums
{
  LP_VEC (lp_range_sum) list;
  bool threads_refused, names_refused, too_deep;
} lp_range_sums;

/* Add all of AREA to SUMS, what is open as if it ended at END ticks (0: now).  POOL as
   above, or NULL.  BY_THREAD: each thread by itself.  PID: of these processes, 0: of
   all.  What the program may have spoilt is left out.  Names are in STRINGS.  -1
   when out of memory.  */
int lp_ranges_add (lp_range_sums *sums, const lp_range_area *area,
		   size_t nblocks, const lp_pool *pool, pid_t pid,
		   bool by_thread, uint64_t end, lp_arena *strings);
/* Threads of PID (TID: this one alone, where not 0) are gone: end their ranges.  */
void lp_ranges_retire (lp_range_area *area, size_t nblocks,
		       const lp_pool *pool, pid_t pid, pid_t tid);
void lp_range_sums_free (lp_range_sums *sums);

/* Give PROFILE, which has its parts, the SUMS; the ones of threads that have no part yet
   get one of that NAME.  -1 when out of memory.  */
int lp_ranges_fill (lp_profile *profile, const lp_range_sums *sums,
		    const char *name);

#endif
