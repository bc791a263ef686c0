/* ranged.c: the named ranges of the programs that are followed, and of this process
   itself.  */

#define _GNU_SOURCE

#include "follow.h"

#include <stdio.h>
#include <unistd.h>

#include "range.h"

/* Call trees are by thread, too.  */
bool
lp_follow_splits_ranges (const lp_follow *follow)
{
  return follow->options->by_thread || follow->options->select.calls;
}

void
lp_follow_end_ranges (lp_live *live, pid_t pid, pid_t tid)
{
  const lp_ranging *ranging = &live->image.ranging;
  if (ranging->area)
    lp_ranges_retire (ranging->area, ranging->nblocks, &live->image.pool, pid,
		      tid);
}

/* Add what LIVE's processes recorded to SUMS: those that are followed.  */
static int
add_live (const lp_follow *follow, const lp_live *live, lp_range_sums *sums)
{
  const lp_ranging *ranging = &live->image.ranging;
  pid_t pid = follow->options->follow ? 0 : live->first;
  return ranging->area
	 ? lp_ranges_add (sums, ranging->area, ranging->nblocks,
			  &live->image.pool, pid, lp_follow_splits_ranges (follow),
			  live->image.pool.end, follow->strings) : 0;
}

int
lp_follow_keep_ranges (lp_follow *follow, const lp_live *live)
{
  return add_live (follow, live, &follow->ranges);
}

int
lp_follow_note_ranges (lp_follow *follow, const lp_live *live)
{
  if (!live->image.ranging.why[0])
    return 0;
  return lp_follow_note (follow, "%s: its named ranges were not recorded: %s",
			 live->program->name, live->image.ranging.why);
}

/* Those of this process, if it records them, as one that the profile knows.  */
static int
add_own (const lp_follow *follow, const lp_profile *profile,
	 lp_range_sums *sums)
{
  const lp_range_area *area = lp_range_own_area ();
  const lp_pool *pool = follow->live ? &follow->live->image.pool : NULL;
  size_t first = sums->list.n;
  if (!area)
    return 0;
  if (lp_ranges_add (sums, area, area->nblocks, pool, 0, false, 0,
		     follow->strings))
    return -1;
  pid_t pid = profile->parts.n ? profile->parts.v[0].pid : getpid ();
  for (size_t i = first; i < sums->list.n; i++)
    sums->list.v[i].pid = pid;
  return 0;
}

static int
copy (lp_range_sums *to, const lp_range_sums *from)
{
  *to = *from;
  to->list.v = NULL;
  to->list.n = to->list.cap = 0;
  for (size_t i = 0; i < from->list.n; i++)
    if (lp_vec_push (&to->list, from->list.v[i]))
      return -1;
  return 0;
}

int
lp_follow_fill_ranges (const lp_follow *follow, lp_profile *profile)
{
  lp_range_sums sums;
  const char *name = follow->programs ? follow->programs->name : "";
  int bad = copy (&sums, &follow->ranges);
  for (const lp_live *live = follow->live; live && !bad; live = live->next)
    bad = add_live (follow, live, &sums);
  bad = bad || add_own (follow, profile, &sums)
	|| lp_ranges_fill (profile, &sums, name);
  lp_range_sums_free (&sums);
  return bad;
}
