/* diff.c: what changed between two profiles: which functions are the same, and
   what is worth showing.  */

#include "report/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double
lp_diff_change (const lp_diff_numbers *was, const lp_diff_numbers *is,
		enum lp_diff_key key)
{
  switch (key)
    {
    case LP_DIFF_HITS: return (double) is->hits - (double) was->hits;
    case LP_DIFF_CUMULATIVE:
      return (double) is->cumulative - (double) was->cumulative;
    case LP_DIFF_PER_HIT:
      return (is->hits ? (double) is->time / (double) is->hits : 0)
	     - (was->hits ? (double) was->time / (double) was->hits : 0);
    default: return (double) is->time - (double) was->time;
    }
}

/* Which part of a path is compared, from the strictest on.  */
enum pass { WHOLE_PATH, BASE_NAME, NO_PATH, NPASSES };

static const char *
key_of (lp_arena *scratch, const lp_diff_named *thing, enum pass pass)
{
  const char *slash = strrchr (thing->file, '/');
  const char *file = pass == WHOLE_PATH ? thing->file
		     : pass == NO_PATH ? "" : slash ? slash + 1 : thing->file;
  char *text;
  int n = asprintf (&text, "%s\037%s", file, thing->name);
  if (n < 0)
    return NULL;
  const char *kept = lp_arena_copy (scratch, text, (size_t) n);
  free (text);
  return kept;
}

/* The things that have no partner yet: their keys in KEYS, and which they are in
   WHICH.  Their number, or -1 when out of memory.  */
static long
open_keys (lp_arena *scratch, const lp_diff_named *v, size_t n,
	   const bool *taken, enum pass pass, const char **keys,
	   uint32_t *which)
{
  long count = 0;
  for (size_t i = 0; i < n; i++)
    if (!taken[i])
      {
	if (!(keys[count] = key_of (scratch, &v[i], pass)))
	  return -1;
	which[count++] = (uint32_t) i;
      }
  return count;
}

uint32_t *
lp_diff_match (lp_arena *scratch, const lp_diff_named *a, size_t m,
	       const lp_diff_named *b, size_t n)
{
  uint32_t *map = lp_arena_alloc (scratch, n * sizeof *map);
  bool *a_taken = lp_arena_alloc (scratch, m), *b_taken
    = lp_arena_alloc (scratch, n);
  const char **keys[2] = { lp_arena_alloc (scratch, m * sizeof (char *)),
			   lp_arena_alloc (scratch, n * sizeof (char *)) };
  uint32_t *which[2] = { lp_arena_alloc (scratch, m * sizeof (uint32_t)),
			 lp_arena_alloc (scratch, n * sizeof (uint32_t)) };
  if (!map || !a_taken || !b_taken || !keys[0] || !keys[1] || !which[0]
      || !which[1])
    return NULL;
  memset (map, 0xff, n * sizeof *map);
  for (enum pass pass = WHOLE_PATH; pass < NPASSES; pass++)
    {
      long na = open_keys (scratch, a, m, a_taken, pass, keys[0], which[0]);
      long nb = open_keys (scratch, b, n, b_taken, pass, keys[1], which[1]);
      const uint32_t *found = na < 0 || nb < 0 ? NULL
	: lp_match (scratch, keys[0], (size_t) na, keys[1], (size_t) nb);
      if (!found)
	return NULL;
      for (long i = 0; i < nb; i++)
	if (found[i] != LP_NO_MATCH)
	  {
	    map[which[1][i]] = which[0][found[i]];
	    a_taken[which[0][found[i]]] = b_taken[which[1][i]] = true;
	  }
    }
  return map;
}

static lp_diff_numbers
numbers_of (const lp_table_line *line)
{
  return line ? (lp_diff_numbers) { .hits = line->stat.hits,
				    .time = line->stat.time }
	 : (lp_diff_numbers) { 0 };
}

/* The change that decides, without its sign.  */
static double
weight (const lp_diff_numbers *was, const lp_diff_numbers *is,
	enum lp_diff_key key)
{
  return fabs (lp_diff_change (was, is, key));
}

static double
line_weight (const lp_diff_line *line, enum lp_diff_key key)
{
  lp_diff_numbers was = numbers_of (line->was), is = numbers_of (line->is);
  return weight (&was, &is, key);
}

/* Is it more than MIN?  Nothing is no change, however small MIN is.  */
static bool
is_shown (double weight, const lp_diff_options *options)
{
  double unit = options->key == LP_DIFF_HITS ? 1 : 1e9;
  return weight > 0 && weight >= options->min * unit;
}

/* Inlined functions may have calls and no times: of them it is the calls that
   change.  */
static bool
changed_in_calls (const lp_diff_function *f, const lp_diff_options *options)
{
  return !f->was.time && !f->is.time && f->was.hits != f->is.hits
	 && options->min == 0;
}

struct order
{
  enum lp_diff_key key;
  const void *first;		/* equal ones stay as they are */
};

static int
by_line_weight (const void *a, const void *b, void *arg)
{
  const struct order *order = arg;
  double x = line_weight (a, order->key), y = line_weight (b, order->key);
  const lp_diff_line *i = a, *j = b;
  const lp_table_line *p = i->is ? i->is : i->was, *q = j->is ? j->is : j->was;
  if (x != y && order->key != LP_DIFF_LINE)
    return x > y ? -1 : 1;
  if (p->source != q->source)
    return p->source < q->source ? -1 : 1;
  return (p->line > q->line) - (p->line < q->line);
}

static int
by_weight (const void *a, const void *b, void *arg)
{
  const struct order *order = arg;
  const lp_diff_function *p = a, *q = b;
  double x = weight (&p->was, &p->is, order->key);
  double y = weight (&q->was, &q->is, order->key);
  if (x != y)
    return x > y ? -1 : 1;
  int c = strcmp (p->file, q->file);
  if (!c)
    c = (p->new_line > q->new_line) - (p->new_line < q->new_line);
  return c ? c : strcmp (p->name, q->name);
}

/* Drop the lines of FUNCTION that did not change enough, and sort the others.  */
static void
choose_lines (lp_diff_function *function, const lp_diff_options *options)
{
  struct order order = { .key = options->key };
  size_t kept = 0;
  for (size_t i = 0; i < function->lines.n; i++)
    if (is_shown (line_weight (&function->lines.v[i], options->key), options))
      function->lines.v[kept++] = function->lines.v[i];
  function->lines.n = kept;
  if (kept)
    qsort_r (function->lines.v, kept, sizeof *function->lines.v, by_line_weight,
	     &order);
}

static void
add_numbers (lp_diff_numbers *to, const lp_diff_numbers *from)
{
  to->hits = lp_add (to->hits, from->hits);
  to->time = lp_add (to->time, from->time);
}

/* The same with DIFF's functions.  One stays for a line, too.  */
static void
choose (lp_diff *diff)
{
  struct order order = { .key = diff->options->key };
  size_t kept = 0;
  for (size_t i = 0; i < diff->functions.n; i++)
    {
      lp_diff_function *f = &diff->functions.v[i];
      add_numbers (&diff->was, &f->was);
      add_numbers (&diff->is, &f->is);
      choose_lines (f, diff->options);
      if (f->lines.n || changed_in_calls (f, diff->options)
	  || is_shown (weight (&f->was, &f->is, order.key), diff->options))
	diff->functions.v[kept++] = *f;
      else
	lp_vec_free (&f->lines);
    }
  diff->functions.n = kept;
  if (kept)
    qsort_r (diff->functions.v, kept, sizeof *diff->functions.v, by_weight,
	     &order);
}

int
lp_diff_make (lp_diff *diff, lp_profile *old_profile, lp_profile *new_profile,
	      const lp_diff_options *options, lp_error *err)
{
  *diff = (lp_diff) { .options = options, .old_profile = old_profile,
		      .new_profile = new_profile,
		      .of_lines
			= strcmp (new_profile->kind, LP_KIND_LINES) == 0 };
  if (strcmp (old_profile->kind, new_profile->kind) != 0)
    return lp_fail (err, LP_EUSAGE, "a profile of %s and one of %s cannot be "
		    "compared", old_profile->kind, new_profile->kind);
  diff->scratch = lp_arena_new ();
  if (diff->scratch
      && !(diff->of_lines ? lp_diff_lines (diff) : lp_diff_calls (diff))
      && !lp_diff_ranges (diff))
    {
      choose (diff);
      return 0;
    }
  lp_diff_free (diff);
  return lp_nomem (err);
}

void
lp_diff_free (lp_diff *diff)
{
  for (size_t i = 0; i < diff->functions.n; i++)
    lp_vec_free (&diff->functions.v[i].lines);
  lp_vec_free (&diff->functions);
  lp_vec_free (&diff->ranges);
  lp_tables_free (&diff->old_tables);
  lp_tables_free (&diff->new_tables);
  lp_stats_free (diff->old_stats);
  lp_stats_free (diff->new_stats);
  lp_arena_free (diff->scratch);
}
