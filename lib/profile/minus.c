/* minus.c: taking the numbers of an earlier profile away from a later one.  */

#include <stdlib.h>

#include "profile/profile.h"
#include "profile/ranges.h"

static void
negate_stat (lp_function_stat *stat, size_t nlines)
{
  stat->calls = -stat->calls;
  stat->primitive = -stat->primitive;
  stat->total = -stat->total;
  stat->self = -stat->self;
  for (size_t i = 0; i < nlines; i++)
    {
      lp_line_stat *line = &stat->lines[i];
      *line = (lp_line_stat) { .hits = -line->hits, .time = -line->time,
			       .self = -line->self };
    }
}

static void
negate (lp_profile *profile)
{
  profile->duration = -profile->duration;
  for (size_t p = 0; p < profile->parts.n; p++)
    {
      lp_part *part = &profile->parts.v[p];
      for (size_t f = 0; f < part->functions.n; f++)
	negate_stat (&part->functions.v[f],
		     profile->subjects.v[part->functions.v[f].subject].lines.n);
      lp_part_negate_ranges (part);
    }
  for (size_t i = 0; i < profile->nodes.n; i++)
    {
      profile->nodes.v[i].calls = -profile->nodes.v[i].calls;
      profile->nodes.v[i].own = -profile->nodes.v[i].own;
    }
}

static void
raise_to_zero (int64_t *n)
{
  if (*n < 0)
    *n = 0;
}

/* What was read while it changed may be a few ticks short.  */
static void
clamp (lp_profile *profile)
{
  for (size_t p = 0; p < profile->parts.n; p++)
    for (size_t f = 0; f < profile->parts.v[p].functions.n; f++)
      {
	lp_function_stat *stat = &profile->parts.v[p].functions.v[f];
	raise_to_zero (&stat->calls);
	raise_to_zero (&stat->primitive);
	raise_to_zero (&stat->total);
	raise_to_zero (&stat->self);
	for (size_t i = 0; i < profile->subjects.v[stat->subject].lines.n; i++)
	  {
	    raise_to_zero (&stat->lines[i].hits);
	    raise_to_zero (&stat->lines[i].time);
	    raise_to_zero (&stat->lines[i].self);
	  }
      }
  for (size_t i = 0; i < profile->nodes.n; i++)
    {
      raise_to_zero (&profile->nodes.v[i].calls);
      raise_to_zero (&profile->nodes.v[i].own);
    }
}

/* Remove paths on which nothing happened.  -1: out of memory.  */
static int
prune (lp_profile *profile)
{
  size_t n = profile->nodes.n, kept = 0;
  lp_call_node *v = profile->nodes.v;
  uint32_t *place = calloc (n + 1, sizeof *place);
  if (!place)
    return -1;
  for (size_t i = n; i-- > 0;)
    {
      place[i] |= v[i].calls || v[i].own;
      if (place[i] && v[i].parent != LP_NO_NODE)
	place[v[i].parent] = 1;
    }
  for (size_t i = 0; i < n; i++)
    if (place[i])
      {
	place[i] = (uint32_t) kept;
	v[kept] = v[i];
	if (v[i].parent != LP_NO_NODE)
	  v[kept].parent = place[v[i].parent];
	kept++;
      }
  profile->nodes.n = kept;
  free (place);
  return 0;
}

int
lp_profile_take_away (lp_profile *from, lp_profile *earlier, lp_error *err)
{
  earlier->exit_status = from->exit_status;
  negate (earlier);
  if (lp_profile_merge (from, earlier, err))
    return -1;
  clamp (from);
  for (size_t p = 0; p < from->parts.n; p++)
    lp_part_clamp_ranges (&from->parts.v[p]);
  return prune (from) ? lp_nomem (err) : 0;
}
