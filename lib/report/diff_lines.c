/* diff_lines.c: the functions of two profiles of lines.  */

#include "report/diff.h"

#include <string.h>

/* All tables of PROFILE.  */
static int
make_tables (lp_tables *tables, lp_profile *profile)
{
  static const lp_report_options all = { .top = LP_TOP_ALL };
  return lp_tables_make (tables, profile, &all, LP_TOP_ALL, NULL);
}

static const char *
path_of (const lp_tables *tables, uint32_t source)
{
  return tables->profile->sources.v[source].path;
}

static lp_diff_named *
names (lp_arena *scratch, const lp_tables *tables)
{
  size_t n = tables->tables.n;
  lp_diff_named *v = lp_arena_alloc (scratch, n * sizeof *v);
  for (size_t i = 0; v && i < n; i++)
    v[i] = (lp_diff_named) { path_of (tables, tables->tables.v[i].source),
			     tables->tables.v[i].name };
  return v;
}

/* The end of the lines of one source that start at I.  */
static size_t
run_end (const lp_table *table, size_t i)
{
  size_t end = i;
  while (end < table->nlines
	 && table->lines[end].source == table->lines[i].source)
    end++;
  return end;
}

/* Where the lines of WAS begin that are in the same file as line J of IS: the own
   file of each, or an equal path.  WAS->nlines where there are none.  */
static size_t
find_run (const lp_diff *diff, const lp_table *was, const lp_table *is,
	  size_t j)
{
  bool own = is->lines[j].source == is->source;
  const char *path = path_of (&diff->new_tables, is->lines[j].source);
  size_t i = 0;
  for (; i < was->nlines; i = run_end (was, i))
    if (own ? was->lines[i].source == was->source
	: strcmp (path_of (&diff->old_tables, was->lines[i].source), path) == 0)
      break;
  return i;
}

/* Put the lines of WAS and IS, one of which may be NULL, into F.  */
static int
put_lines (const lp_diff *diff, lp_diff_function *f, const lp_table *was,
	   const lp_table *is)
{
  static const lp_table none;
  was = was ? was : &none;
  is = is ? is : &none;
  bool *used = lp_arena_alloc (diff->scratch, was->nlines);
  if (!used)
    return -1;
  for (size_t j = 0, end; j < is->nlines; j = end)
    {
      size_t i = find_run (diff, was, is, j), m = run_end (was, i) - i;
      end = run_end (is, j);
      memset (used + i, true, m);
      if (lp_diff_align (f, was->lines + i, m, is->lines + j, end - j))
	return -1;
    }
  for (size_t i = 0, end; i < was->nlines; i = end)
    {
      end = run_end (was, i);
      if (!used[i] && lp_diff_align (f, was->lines + i, end - i, NULL, 0))
	return -1;
    }
  return 0;
}

static lp_diff_numbers
numbers_of (const lp_table *table)
{
  return table ? (lp_diff_numbers) { .hits = table->calls,
				     .time = table->total }
	 : (lp_diff_numbers) { 0 };
}

static int
add_function (lp_diff *diff, const lp_table *was, const lp_table *is)
{
  const lp_table *known = is ? is : was;
  lp_diff_function f = {
    .file = path_of (is ? &diff->new_tables : &diff->old_tables, known->source),
    .name = known->name, .in_old = was, .in_new = is,
    .old_line = was ? was->line : 0, .new_line = is ? is->line : 0,
    .was = numbers_of (was), .is = numbers_of (is),
    .old_table = was, .new_table = is };
  if (put_lines (diff, &f, was, is) || lp_vec_push (&diff->functions, f))
    {
      lp_vec_free (&f.lines);
      return -1;
    }
  return 0;
}

int
lp_diff_lines (lp_diff *diff)
{
  lp_tables *old_tables = &diff->old_tables, *new_tables = &diff->new_tables;
  if (make_tables (old_tables, diff->old_profile)
      || make_tables (new_tables, diff->new_profile))
    return -1;
  size_t m = old_tables->tables.n, n = new_tables->tables.n;
  lp_diff_named *a = names (diff->scratch, old_tables);
  lp_diff_named *b = names (diff->scratch, new_tables);
  bool *used = lp_arena_alloc (diff->scratch, m);
  uint32_t *map = a && b ? lp_diff_match (diff->scratch, a, m, b, n) : NULL;
  if (!used || !map)
    return -1;
  for (size_t j = 0; j < n; j++)
    {
      const lp_table *was
	= map[j] == LP_NO_MATCH ? NULL : &old_tables->tables.v[map[j]];
      if (was)
	used[map[j]] = true;
      if (add_function (diff, was, &new_tables->tables.v[j]))
	return -1;
    }
  for (size_t i = 0; i < m; i++)
    if (!used[i] && add_function (diff, &old_tables->tables.v[i], NULL))
      return -1;
  return 0;
}
