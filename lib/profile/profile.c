/* profile.c: a profile's storage, and the sum over its parts.  */

#include "profile/profile.h"

#include <stdlib.h>

#include "base/arena.h"
#include "profile/copy.h"

lp_profile *
lp_profile_new (lp_error *err)
{
  lp_profile *profile = calloc (1, sizeof *profile);
  lp_arena *arena = lp_arena_new ();
  if (!profile || !arena)
    {
      free (profile);
      lp_arena_free (arena);
      lp_nomem (err);
      return NULL;
    }
  profile->arena = arena;
  profile->kind = LP_KIND_LINES;
  profile->version = lp_version ();
  profile->time_mode = "exact";
  profile->exit_status = -1;
  return profile;
}

void
lp_profile_free (lp_profile *profile)
{
  if (!profile)
    return;
  lp_profile_drop (profile);
  lp_arena_free (profile->arena);
  free (profile);
}

const char *
lp_profile_string (lp_profile *profile, const char *s)
{
  return s ? lp_arena_intern (profile->arena, s) : NULL;
}

void *
lp_profile_alloc (lp_profile *profile, size_t n)
{
  return lp_arena_alloc (profile->arena, n);
}

const char *
lp_engine_name (enum lp_engine engine)
{
  static const char *const names[] = {
    [LP_ENGINE_CLONE] = "clone", [LP_ENGINE_BREAKPOINT] = "breakpoint",
    [LP_ENGINE_STEP] = "step", [LP_ENGINE_NONE] = "none",
  };
  return (size_t) engine < sizeof names / sizeof *names ? names[engine] : NULL;
}

/* One total for each subject, all zero.  */
static lp_function_stat *
zero_totals (lp_profile *profile)
{
  lp_function_stat *totals
    = lp_profile_alloc (profile, profile->subjects.n * sizeof *totals);
  for (size_t i = 0; totals && i < profile->subjects.n; i++)
    {
      totals[i].subject = (uint32_t) i;
      totals[i].lines
	= lp_profile_alloc (profile, profile->subjects.v[i].lines.n
				     * sizeof *totals[i].lines);
      if (!totals[i].lines)
	return NULL;
    }
  return totals;
}

void
lp_function_stat_add (lp_function_stat *to, const lp_function_stat *from,
		      const uint32_t *map, size_t n)
{
  to->calls = lp_add (to->calls, from->calls);
  to->primitive = lp_add (to->primitive, from->primitive);
  to->total = lp_add (to->total, from->total);
  to->self = lp_add (to->self, from->self);
  for (size_t i = 0; i < n; i++)
    {
      lp_line_stat *line = &to->lines[map ? map[i] : i];
      line->hits = lp_add (line->hits, from->lines[i].hits);
      line->time = lp_add (line->time, from->lines[i].time);
      line->self = lp_add (line->self, from->lines[i].self);
      line->open |= from->lines[i].open;
    }
}

lp_function_stat *
lp_profile_totals (lp_profile *profile, lp_error *err)
{
  lp_function_stat *totals = zero_totals (profile);
  if (!totals)
    {
      lp_nomem (err);
      return NULL;
    }
  for (size_t p = 0; p < profile->parts.n; p++)
    {
      const lp_part *part = &profile->parts.v[p];
      for (size_t f = 0; f < part->functions.n; f++)
	{
	  const lp_function_stat *from = &part->functions.v[f];
	  lp_function_stat_add (&totals[from->subject], from, NULL,
				profile->subjects.v[from->subject].lines.n);
	}
    }
  return totals;
}
