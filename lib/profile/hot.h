/* hot.h: from a function-level profile to the functions that are worth a look at
   their lines.  */

#ifndef LP_PROFILE_HOT_H
#define LP_PROFILE_HOT_H

#include "profile/profile.h"

typedef LP_VEC (const char *) lp_hot_list;

/* Append to HOT patterns (debug/select.h) that mean the N functions of PROFILE with
   the most own time, the hottest first; they live as long as PROFILE.  Functions
   without source, or that never ran, are none.  Of instances of one source
   function, the hottest stands for all.  -1 when out of memory.  */
int lp_hot_functions (lp_profile *profile, size_t n, lp_hot_list *hot,
		      lp_error *err);

/* Is PROFILE of the executable whose build-id is BUILD_ID, or, where that is "",
   that is PATH and was changed at MTIME?  */
bool lp_hot_is_of (const lp_profile *profile, const char *build_id,
		   const char *path, int64_t mtime);

#endif
