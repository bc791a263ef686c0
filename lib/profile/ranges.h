/* ranges.h: the named ranges of a profile: adding them up, and their form in a
   file.  */

#ifndef LP_PROFILE_RANGES_H
#define LP_PROFILE_RANGES_H

#include <jansson.h>

#include "profile/profile.h"

/* Add STAT to the range of the same name in PART, which is one of PROFILE's.  -1 when
   out of memory.  */
int lp_part_add_range (lp_profile *profile, lp_part *part,
		       const lp_range_stat *stat);
/* Add the ranges of FROM, another profile's part, to PART.  -1 when out of memory.  */
int lp_part_merge_ranges (lp_profile *profile, lp_part *part,
			  const lp_part *from);

/* For lp_profile_take_away: make PART's numbers those that take away; and put
   right what is left when that was added.  The least and the most of what is left
   is not known.  */
void lp_part_negate_ranges (lp_part *part);
void lp_part_clamp_ranges (lp_part *part);

/* The ranges of all parts of PROFILE by total time, the longest first: *N of them, in
   PROFILE's arena.  NULL when out of memory.  */
lp_range_stat *lp_profile_range_totals (lp_profile *profile, size_t *n,
					lp_error *err);

/* PART's as a JSON array, or NULL when out of memory.  */
json_t *lp_ranges_encode (const lp_part *part);
/* Append to PART what VALUE holds: as lp_nodes_decode.  */
int lp_ranges_decode (lp_profile *profile, lp_part *part, const json_t *value,
		      const char **what);

#endif
