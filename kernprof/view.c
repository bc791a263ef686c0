/* view.c: kernprof view, the report of saved profiles.  */

#include "kernprof.h"

static lp_profile *
load (const char *path, lp_error *err)
{
  lp_profile *profile = lp_profile_load (path, err);
  if (!profile || lp_profile_check_kind (profile, LP_KIND_LINES, path, err) == 0)
    return profile;
  lp_profile_free (profile);
  return NULL;
}

/* The sum of FILES, or NULL.  */
static lp_profile *
load_all (char **files, lp_error *err)
{
  lp_profile *sum = load (*files, err);
  while (sum && *++files)
    {
      lp_profile *next = load (*files, err);
      if (!next || lp_profile_merge (sum, next, err))
	{
	  lp_profile_free (sum);
	  sum = NULL;
	}
      lp_profile_free (next);
    }
  return sum;
}

int
kernprof_view (const struct options *options, char **files)
{
  lp_error err;
  lp_profile *profile = load_all (files, &err);
  if (!profile)
    return kernprof_complain (&err, STATUS_BAD_INPUT);
  int status = kernprof_report (options, profile);
  lp_profile_free (profile);
  return status;
}
