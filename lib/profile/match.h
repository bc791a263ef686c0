/* match.h: equal keys in two lists.  */

#ifndef LP_PROFILE_MATCH_H
#define LP_PROFILE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define LP_NO_MATCH UINT32_MAX

/* For each of the N keys at B the index of the equal key among the M at A, or
   LP_NO_MATCH.  Of keys that occur several times, the first goes to the first,
   the second to the second.  The result lives in SCRATCH; NULL when out of
   memory.  */
uint32_t *lp_match (lp_arena *scratch, const char *const *a, size_t m,
		    const char *const *b, size_t n);

#endif
