/* counts.c: the numbers of a profile as the public header has them.  */

#include <lineprof.h>

#include "profile/profile.h"
#include "profile/ranges.h"

static const char *
path_of (const lp_profile *profile, uint32_t source)
{
  return source < profile->sources.n ? profile->sources.v[source].path : "";
}

static int
fill_lines (lp_profile *profile, const lp_subject *subject,
	    const lp_function_stat *total, lp_function_count *count)
{
  size_t n = subject->lines.n;
  lp_line_count *lines = lp_profile_alloc (profile, (n + 1) * sizeof *lines);
  for (size_t i = 0; lines && i < n; i++)
    lines[i] = (lp_line_count) {
      .file = path_of (profile, subject->lines.v[i].source),
      .line = subject->lines.v[i].line, .hits = total->lines[i].hits,
      .time = total->lines[i].time, .self = total->lines[i].self };
  count->lines = lines;
  count->nlines = n;
  return lines ? 0 : -1;
}

int
lp_profile_functions (lp_profile *profile, const lp_function_count **functions,
		      size_t *n, lp_error *err)
{
  *n = profile->subjects.n;
  lp_function_stat *totals = lp_profile_totals (profile, err);
  lp_function_count *counts = lp_profile_alloc (profile,
						(*n + 1) * sizeof *counts);
  if (!totals || !counts)
    return lp_nomem (err);
  for (size_t i = 0; i < *n; i++)
    {
      const lp_subject *s = &profile->subjects.v[i];
      counts[i] = (lp_function_count) {
	.name = s->name, .file = path_of (profile, s->source), .line = s->line,
	.calls = totals[i].calls, .total = totals[i].total,
	.self = totals[i].self, .reason = s->reason };
      if (fill_lines (profile, s, &totals[i], &counts[i]))
	return lp_nomem (err);
    }
  *functions = counts;
  return 0;
}

int
lp_profile_ranges (lp_profile *profile, const lp_range_count **ranges,
		   size_t *n, lp_error *err)
{
  const lp_range_stat *totals = lp_profile_range_totals (profile, n, err);
  lp_range_count *counts
    = totals ? lp_profile_alloc (profile, (*n + 1) * sizeof *counts) : NULL;
  if (!counts)
    return totals ? lp_nomem (err) : -1;
  for (size_t i = 0; i < *n; i++)
    counts[i] = (lp_range_count) {
      .name = totals[i].name, .count = totals[i].count,
      .total = totals[i].total, .own = totals[i].own, .min = totals[i].min,
      .max = totals[i].max, .open = totals[i].open };
  *ranges = counts;
  return 0;
}
