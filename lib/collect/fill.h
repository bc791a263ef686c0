/* fill.h: from sums of cells to a profile.  */

#ifndef LP_COLLECT_FILL_H
#define LP_COLLECT_FILL_H

#include <sys/types.h>

#include "collect/watch.h"

/* The sums of one process (or thread), as lp_pool_take makes them: word k is at
   offset FIRST_CELL + 8 * k of a block.  */
typedef struct lp_sums
{
  pid_t pid, tid;
  const char *name;
  uint64_t *cells;
  uint8_t *open;
} lp_sums;

/* The *INDEX of MOD in PROFILE's objects, appended when it is new.  -1 when out of
   memory.  */
int lp_fill_object (lp_profile *profile, const lp_module *mod,
		    uint32_t *index);

/* Append the functions of WATCHES to PROFILE's subjects, sources and objects,
   each once, in order.  Behind the reason for another engine stands what its stops
   cost, and with each line, where HOW says so, that its numbers are estimates.  */
int lp_fill_subjects (lp_profile *profile, const lp_watch_list *watches,
		      const lp_measure *how, lp_error *err);

/* Add SUMS as a part.  Watch i is subject FIRST_SUBJECT + i.  FIRST_CELL as above;
   ticks are converted with the profile's ticks_per_ns.  */
int lp_fill_part (lp_profile *profile, const lp_watch_list *watches,
		  uint32_t first_subject, const lp_sums *sums,
		  uint32_t first_cell, const lp_measure *how, lp_error *err);

#endif
