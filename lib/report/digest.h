/* digest.h: what the text of each line was, in few bytes.  */

#ifndef LP_REPORT_DIGEST_H
#define LP_REPORT_DIGEST_H

#include "report/report.h"

/* Give each line of PROFILE that has no digest yet that of its text, where its
   source is found and is still as it was; the others keep 0.  Nobody is warned.
   -1 when out of memory.  */
int lp_profile_digest (lp_profile *profile, const lp_report_options *options,
		       lp_error *err);

#endif
