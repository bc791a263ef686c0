/* copy.h: a profile that may be changed while the one it was made of stays as it is.  */

#ifndef LP_PROFILE_COPY_H
#define LP_PROFILE_COPY_H

#include "profile/profile.h"

/* Make *COPY of PROFILE: all vectors are its own; the arena, with all strings and the
   numbers of lines, is that of both.  -1 when out of memory: there is no copy then.  */
int lp_profile_copy (lp_profile *copy, const lp_profile *profile);

/* Release the vectors of PROFILE, but not its arena.  */
void lp_profile_drop (lp_profile *profile);

#endif
