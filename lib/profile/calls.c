/* calls.c: the call tree of a profile.  */

#include "profile/calls.h"

#include <string.h>

#include "profile/profile.h"

uint32_t
lp_profile_add_node (lp_profile *profile, const lp_call_node *node,
		     lp_error *err)
{
  if (profile->nodes.n < LP_NO_NODE && lp_vec_push (&profile->nodes, *node) == 0)
    return (uint32_t) profile->nodes.n - 1;
  lp_nomem (err);
  return LP_NO_NODE;
}

int
lp_profile_check_kind (const lp_profile *profile, const char *kind,
		       const char *path, lp_error *err)
{
  if (strcmp (profile->kind, kind) == 0)
    return 0;
  return lp_fail (err, LP_EFORMAT, "'%s' holds a profile of %s, not of %s: "
		  "print it with kernprof %s %s", path, profile->kind, kind,
		  strcmp (kind, LP_KIND_LINES) == 0 ? "stats" : "view", path);
}
