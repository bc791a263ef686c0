/* tables.c: grouping subjects by source function and object, choosing and
   ordering.  */

#define _GNU_SOURCE

#include "report/tables.h"

#include <stdlib.h>
#include <string.h>

struct path
{
  const char *path;
  uint32_t source;
};

static int
by_path (const void *a, const void *b)
{
  const struct path *x = a, *y = b;
  int c = strcmp (x->path, y->path);
  return c ? c : (x->source > y->source) - (x->source < y->source);
}

/* Two objects that were compiled from one file may each have it as a source of
   their own.  */
static int
find_same_sources (lp_tables *tables)
{
  lp_profile *profile = tables->profile;
  size_t n = profile->sources.n;
  struct path *v = lp_profile_alloc (profile, n * sizeof *v);
  uint32_t *same = lp_profile_alloc (profile, n * sizeof *same);
  if (!v || !same)
    return -1;
  for (size_t i = 0; i < n; i++)
    v[i] = (struct path) { profile->sources.v[i].path, (uint32_t) i };
  qsort (v, n, sizeof *v, by_path);
  for (size_t i = 0; i < n; i++)
    same[v[i].source] = i && strcmp (v[i - 1].path, v[i].path) == 0
			? same[v[i - 1].source] : v[i].source;
  tables->same_source = same;
  return 0;
}

/* A subject on its way into a group.  */
struct member
{
  const char *path, *stem, *object;
  const char *site;		/* where it was inlined, or "": with --by-site */
  uint32_t line, subject;
};

static int
by_place (const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  int c = strcmp (x->path, y->path);
  if (!c)
    c = (x->line > y->line) - (x->line < y->line);
  if (!c)
    c = strcmp (x->object, y->object);
  if (!c)
    c = strcmp (x->stem, y->stem);
  return c ? c : strcmp (x->site, y->site);
}

static int
by_place_then_subject (const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  int c = by_place (a, b);
  return c ? c : (x->subject > y->subject) - (x->subject < y->subject);
}

/* NAME's stem in the profile's storage.  */
static const char *
stem (lp_profile *profile, const char *name)
{
  char *buffer = malloc (strlen (name) + 3);
  const char *kept = NULL;
  if (buffer)
    {
      lp_name_stem (name, buffer);
      kept = lp_profile_string (profile, buffer);
    }
  free (buffer);
  return kept;
}

/* What tells SUBJECT's site from others, in the profile's storage.  */
static const char *
site_key (lp_profile *profile, const lp_subject *subject)
{
  char text[600];
  if (!subject->holder)
    return "";
  snprintf (text, sizeof text, "%010lu %.200s %.300s",
	    (unsigned long) subject->site_line,
	    profile->sources.v[subject->site_source].path, subject->holder);
  return lp_profile_string (profile, text);
}

/* The same of what tells it from other instances: all of its name.  */
static const char *
instance_key (lp_profile *profile, const lp_subject *subject)
{
  return lp_profile_string (profile, subject->linkage ? subject->linkage
				     : subject->name);
}

/* The measured subjects in the order of their places; *N their number.  NULL
   when out of memory.  */
static struct member *
members (lp_tables *tables, size_t *n)
{
  lp_profile *profile = tables->profile;
  const lp_report_options *options = tables->options;
  struct member *v
    = lp_profile_alloc (profile, profile->subjects.n * sizeof *v);
  *n = 0;
  for (size_t i = 0; v && i < profile->subjects.n; i++)
    {
      const lp_subject *s = &profile->subjects.v[i];
      if (s->engine == LP_ENGINE_NONE)
	continue;
      struct member m = { .path = profile->sources.v[s->source].path,
			  .stem = options->per_instance
				  ? instance_key (profile, s)
				  : stem (profile, s->name),
			  .object = profile->objects.v[s->object].path,
			  .site = options->by_site ? site_key (profile, s) : "",
			  .line = s->line, .subject = (uint32_t) i };
      if (!m.stem || !m.site)
	return NULL;
      v[(*n)++] = m;
    }
  if (v)
    qsort (v, *n, sizeof *v, by_place_then_subject);
  return v;
}

/* Lines of TABLE's own source come before those of others.  */
static uint64_t
rank (const lp_table_line *line, uint32_t own)
{
  return line->source == own ? 0 : 1 + (uint64_t) line->source;
}

static int
by_rank (const void *a, const void *b, void *own)
{
  const lp_table_line *x = a, *y = b;
  uint64_t i = rank (x, *(uint32_t *) own), j = rank (y, *(uint32_t *) own);
  if (i != j)
    return i < j ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

/* Add LINE to the last line of TABLE, or behind it where it is another one.  */
static void
add_line (lp_table *table, const lp_table_line *line)
{
  lp_table_line *last
    = table->nlines ? &table->lines[table->nlines - 1] : NULL;
  if (!last || last->source != line->source || last->line != line->line)
    {
      table->lines[table->nlines++] = *line;
      return;
    }
  last->stat.hits = lp_add (last->stat.hits, line->stat.hits);
  last->stat.time = lp_add (last->stat.time, line->stat.time);
  last->stat.self = lp_add (last->stat.self, line->stat.self);
  last->stat.open |= line->stat.open;
  if (!last->note)
    last->note = line->note;
  if (!last->digest)
    last->digest = line->digest;
}

/* Did LINE, before TABLE's function, never run?  Code that the compiler shares with a
   function above has such lines: nothing is to be told of them, and all between would
   be shown.  */
static bool
is_strange (const lp_table *table, const lp_table_line *line)
{
  return line->source == table->source && line->line < table->line
	 && line->stat.hits == 0 && line->stat.time == 0;
}

/* Unite the lines of TABLE's subjects.  */
static int
unite_lines (const lp_tables *tables, lp_table *table,
	     const lp_function_stat *totals)
{
  lp_profile *profile = tables->profile;
  size_t n = 0;
  for (size_t i = 0; i < table->nsubjects; i++)
    n += profile->subjects.v[table->subjects[i]].lines.n;
  lp_table_line *all = lp_profile_alloc (profile, n * sizeof *all);
  if (!all)
    return -1;
  n = 0;
  for (size_t i = 0; i < table->nsubjects; i++)
    {
      const lp_subject *s = &profile->subjects.v[table->subjects[i]];
      const lp_line_stat *stats = totals[table->subjects[i]].lines;
      for (size_t j = 0; j < s->lines.n; j++)
	all[n++] = (lp_table_line) {
	  tables->same_source[s->lines.v[j].source], s->lines.v[j].line,
	  s->lines.v[j].note, stats[j], s->lines.v[j].digest };
    }
  qsort_r (all, n, sizeof *all, by_rank, &table->source);
  table->lines = all;
  for (size_t i = 0; i < n; i++)
    if (!is_strange (table, &all[i]))
      add_line (table, &all[i]);
  return 0;
}

/* The extent of TABLE in its own source.  */
static void
find_extent (lp_table *table, const lp_profile *profile)
{
  table->first = table->line;
  table->last = table->line;
  for (size_t i = 0; i < table->nsubjects; i++)
    {
      uint32_t last = profile->subjects.v[table->subjects[i]].last_line;
      table->last = last > table->last ? last : table->last;
    }
  for (size_t i = 0; i < table->nlines; i++)
    {
      uint32_t line = table->lines[i].line;
      if (table->lines[i].source != table->source || !line)
	continue;
      if (!table->first || line < table->first)
	table->first = line;
      if (line > table->last)
	table->last = line;
    }
}

static void
add_numbers (lp_table *table, const lp_function_stat *totals)
{
  for (size_t i = 0; i < table->nsubjects; i++)
    {
      const lp_function_stat *stat = &totals[table->subjects[i]];
      table->calls = lp_add (table->calls, stat->calls);
      table->total = lp_add (table->total, stat->total);
      table->self = lp_add (table->self, stat->self);
    }
  table->ran = table->calls > 0 || table->total > 0;
  for (size_t i = 0; i < table->nlines; i++)
    table->ran |= table->lines[i].stat.hits > 0;
}

/* The name of a group: what its members share, unless nothing of it is
   readable.  */
static const char *
group_name (const lp_profile *profile, const lp_table *table, const char *stem)
{
  const char *name = profile->subjects.v[table->subjects[0]].name;
  for (size_t i = 1; i < table->nsubjects; i++)
    if (strcmp (name, profile->subjects.v[table->subjects[i]].name) != 0)
      return *stem && *stem != ':' ? stem : name;
  return name;
}

/* The table of the N members at V.  */
static int
make_table (lp_tables *tables, const lp_function_stat *totals,
	    const struct member *v, size_t n)
{
  lp_profile *profile = tables->profile;
  uint32_t *subjects = lp_profile_alloc (profile, n * sizeof *subjects);
  if (!subjects)
    return -1;
  for (size_t i = 0; i < n; i++)
    subjects[i] = v[i].subject;
  lp_table table = { .subjects = subjects, .nsubjects = n, .line = v->line,
		     .object = profile->subjects.v[v->subject].object,
		     .source = profile->subjects.v[v->subject].source };
  table.source = tables->same_source[table.source];
  table.name = tables->options->per_instance
	       ? profile->subjects.v[v->subject].name
	       : group_name (profile, &table, v->stem);
  if (unite_lines (tables, &table, totals))
    return -1;
  find_extent (&table, profile);
  add_numbers (&table, totals);
  return lp_vec_push (&tables->tables, table);
}

static int
make_tables (lp_tables *tables)
{
  size_t n;
  struct member *v = members (tables, &n);
  lp_function_stat *totals = lp_profile_totals (tables->profile, NULL);
  if (!v || !totals)
    return -1;
  for (size_t i = 0, j; i < n; i = j)
    {
      for (j = i + 1; j < n && by_place (&v[i], &v[j]) == 0; j++)
	;
      if (make_table (tables, totals, v + i, j - i))
	return -1;
    }
  return 0;
}

static int
list_limited (lp_tables *tables)
{
  for (size_t i = 0; i < tables->profile->subjects.n; i++)
    {
      const lp_subject *s = &tables->profile->subjects.v[i];
      if (s->engine == LP_ENGINE_NONE
	  && lp_vec_push (&tables->refused, (uint32_t) i))
	return -1;
      if (s->engine != LP_ENGINE_NONE && s->engine != LP_ENGINE_CLONE
	  && s->reason && lp_vec_push (&tables->slower, (uint32_t) i))
	return -1;
    }
  return 0;
}

/* More time first; what ran before what did not; then by place, which is the
   order of the array that A and B point into.  */
static int
by_time_down (const void *a, const void *b)
{
  const lp_table *x = *(const lp_table *const *) a;
  const lp_table *y = *(const lp_table *const *) b;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  if (x->ran != y->ran)
    return x->ran ? -1 : 1;
  return (x > y) - (x < y);
}

static int
by_time_up (const void *a, const void *b)
{
  const lp_table *x = *(const lp_table *const *) a;
  const lp_table *y = *(const lp_table *const *) b;
  if (x->total != y->total)
    return x->total < y->total ? -1 : 1;
  return (x > y) - (x < y);
}

/* Keep the TOP tables with the most time, and count the rest; where nobody
   asked for a number, of those that ran only.  */
static int
keep_top (lp_tables *tables, size_t top, bool only_ran)
{
  size_t n = tables->tables.n, kept = 0;
  const lp_table **order
    = lp_profile_alloc (tables->profile, n * sizeof *order);
  bool *keep = lp_profile_alloc (tables->profile, n * sizeof *keep);
  if (!order || !keep)
    return -1;
  for (size_t i = 0; i < n; i++)
    order[i] = &tables->tables.v[i];
  qsort (order, n, sizeof *order, by_time_down);
  for (size_t i = 0; i < n; i++)
    if (i < top && (order[i]->ran || !only_ran))
      keep[order[i] - tables->tables.v] = true;
    else if (order[i]->ran)
      tables->left_out++;
    else
      tables->left_out_zero++;
  for (size_t i = 0; i < n; i++)
    if (keep[i])
      tables->tables.v[kept++] = tables->tables.v[i];
  tables->tables.n = kept;
  return 0;
}

static void
skip_zero (lp_tables *tables)
{
  size_t kept = 0;
  for (size_t i = 0; i < tables->tables.n; i++)
    if (tables->tables.v[i].ran)
      tables->tables.v[kept++] = tables->tables.v[i];
  tables->tables.n = kept;
}

/* Hottest last.  */
static int
sort_by_time (lp_tables *tables)
{
  size_t n = tables->tables.n;
  const lp_table **order
    = lp_profile_alloc (tables->profile, n * sizeof *order);
  lp_table *sorted = lp_profile_alloc (tables->profile, n * sizeof *sorted);
  if (!order || !sorted)
    return -1;
  for (size_t i = 0; i < n; i++)
    order[i] = &tables->tables.v[i];
  qsort (order, n, sizeof *order, by_time_up);
  for (size_t i = 0; i < n; i++)
    sorted[i] = *order[i];
  for (size_t i = 0; i < n; i++)
    tables->tables.v[i] = sorted[i];
  return 0;
}

static int
choose (lp_tables *tables, int top)
{
  const lp_report_options *options = tables->options;
  bool open = options->top == LP_TOP_DEFAULT;
  if (!open)
    top = options->top;
  else if (tables->profile->selected)
    top = LP_TOP_ALL;
  if (options->skip_zero)
    skip_zero (tables);
  if (top > 0 && keep_top (tables, (size_t) top, open))
    return -1;
  return options->sort ? sort_by_time (tables) : 0;
}

int
lp_tables_make (lp_tables *tables, lp_profile *profile,
		const lp_report_options *options, int top, lp_error *err)
{
  *tables = (lp_tables) { .profile = profile, .options = options,
			  .unit = options->unit > 0 ? options->unit : 1e-6 };
  if (!find_same_sources (tables) && !make_tables (tables)
      && !list_limited (tables) && !choose (tables, top))
    return 0;
  lp_tables_free (tables);
  return lp_nomem (err);
}

void
lp_tables_free (lp_tables *tables)
{
  lp_vec_free (&tables->tables);
  lp_vec_free (&tables->refused);
  lp_vec_free (&tables->slower);
}
