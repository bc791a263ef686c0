/* ranges.h: the named ranges of a profile, in the forms of a report.  */

#ifndef LP_REPORT_RANGES_H
#define LP_REPORT_RANGES_H

#include <jansson.h>
#include <stdio.h>

#include "profile/ranges.h"

/* Write the ranges of PROFILE to OUT as a table, with times in UNIT seconds; nothing
   when it has none.  -1 when out of memory.  */
int lp_ranges_write (lp_profile *profile, double unit, FILE *out,
		     lp_error *err);

/* The same as an array of objects, or NULL when out of memory.  */
json_t *lp_ranges_json (lp_profile *profile);

/* The same as CSV, behind an empty line: a table of its own.  PART: whose they are, or
   NULL.  *LATER: the title is there already; set when it was written.  */
int lp_ranges_write_csv (lp_profile *profile, const lp_part *part, bool *later,
			 FILE *out, lp_error *err);

#endif
