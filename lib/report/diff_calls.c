/* diff_calls.c: the functions of two profiles of functions.  */

#include "report/diff.h"

static lp_stats *
stats_of (const lp_profile *profile)
{
  lp_stats *stats = lp_stats_new (NULL);
  if (stats && lp_stats_add (stats, profile, -1, NULL, NULL) == 0)
    return stats;
  lp_stats_free (stats);
  return NULL;
}

static lp_diff_named *
names (lp_arena *scratch, const lp_stats *stats)
{
  lp_diff_named *v = lp_arena_alloc (scratch, stats->rows.n * sizeof *v);
  for (size_t i = 0; v && i < stats->rows.n; i++)
    v[i] = (lp_diff_named) { stats->rows.v[i].file, stats->rows.v[i].name };
  return v;
}

static lp_diff_numbers
numbers_of (const lp_stat_row *row)
{
  return row ? (lp_diff_numbers) { row->n.calls, row->n.own, row->n.cumulative }
	 : (lp_diff_numbers) { 0 };
}

static int
add_function (lp_diff *diff, const lp_stat_row *was, const lp_stat_row *is)
{
  const lp_stat_row *known = is ? is : was;
  lp_diff_function f = { .file = known->file, .name = known->name,
			 .in_old = was, .in_new = is,
			 .old_line = was ? was->line : 0,
			 .new_line = is ? is->line : 0,
			 .was = numbers_of (was), .is = numbers_of (is) };
  return lp_vec_push (&diff->functions, f);
}

int
lp_diff_calls (lp_diff *diff)
{
  diff->old_stats = stats_of (diff->old_profile);
  diff->new_stats = stats_of (diff->new_profile);
  if (!diff->old_stats || !diff->new_stats)
    return -1;
  size_t m = diff->old_stats->rows.n, n = diff->new_stats->rows.n;
  const lp_stat_row *old_rows = diff->old_stats->rows.v;
  const lp_stat_row *new_rows = diff->new_stats->rows.v;
  lp_diff_named *a = names (diff->scratch, diff->old_stats);
  lp_diff_named *b = names (diff->scratch, diff->new_stats);
  bool *used = lp_arena_alloc (diff->scratch, m);
  uint32_t *map = a && b ? lp_diff_match (diff->scratch, a, m, b, n) : NULL;
  if (!used || !map)
    return -1;
  for (size_t j = 0; j < n; j++)
    {
      const lp_stat_row *was
	= map[j] == LP_NO_MATCH ? NULL : &old_rows[map[j]];
      if (was)
	used[map[j]] = true;
      if (add_function (diff, was, &new_rows[j]))
	return -1;
    }
  for (size_t i = 0; i < m; i++)
    if (!used[i] && add_function (diff, &old_rows[i], NULL))
      return -1;
  return 0;
}
