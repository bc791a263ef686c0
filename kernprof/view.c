/* view.c: kernprof view, the report of saved profiles.  */

#include "kernprof.h"

static lp_profile *
load (const char *path, const char *kind, lp_error *err)
{
  lp_profile *profile = lp_profile_load (path, err);
  if (!profile || !kind || lp_profile_check_kind (profile, kind, path, err) == 0)
    return profile;
  lp_profile_free (profile);
  return NULL;
}

lp_profile *
kernprof_load_sum (char **files, const char *kind, lp_error *err)
{
  lp_profile *sum = load (*files, kind, err);
  while (sum && *++files)
    {
      lp_profile *next = load (*files, kind, err);
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
  lp_profile *profile = kernprof_load_sum (files, LP_KIND_LINES, &err);
  if (!profile)
    return kernprof_complain (&err, STATUS_BAD_INPUT);
  int status = kernprof_report (options, profile);
  lp_profile_free (profile);
  return status;
}
