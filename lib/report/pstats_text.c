/* pstats_text.c: what pstats prints.  */

#include "report/pstats.h"

#include <stdlib.h>
#include <string.h>

#include "report/put.h"
#include "report/ranges.h"

static void
put_time (FILE *out, int64_t ns)
{
  fprintf (out, "%8.3f", (double) ns / 1e9);
}

static void
put_per_call (FILE *out, int64_t ns, int64_t calls)
{
  if (calls)
    fprintf (out, "%8.3f", (double) ns / 1e9 / (double) calls);
  else
    fprintf (out, "%8s", "");
}

/* CALLS, or CALLS/PRIMITIVE, at the right of WIDTH.  */
static void
put_calls (FILE *out, const lp_call_numbers *n, int width)
{
  char text[48];
  if (n->calls == n->primitive)
    snprintf (text, sizeof text, "%lld", (long long) n->calls);
  else
    snprintf (text, sizeof text, "%lld/%lld", (long long) n->calls,
	      (long long) n->primitive);
  fprintf (out, "%*s", width, text);
}

/* LABEL at the left of WIDTH characters.  */
static void
put_label (FILE *out, const char *label, size_t width)
{
  lp_put (out, label);
  for (size_t n = lp_stats_width (label); n < width; n++)
    fputc (' ', out);
}

/* NS by the CALLS whose time is counted.  Where all are UNTIMED, it is that of what was
   split off them.  */
static void
put_mean (FILE *out, int64_t ns, int64_t calls, int64_t untimed)
{
  put_per_call (out, ns, calls == untimed ? calls : calls - untimed);
}

/* The four times of a function; blank where there are none.  */
static void
put_times (FILE *out, const lp_call_numbers *n)
{
  if (lp_call_numbers_are_bare (n))
    {
      fprintf (out, "%8s %8s %8s %8s", "", "", "", "");
      return;
    }
  put_time (out, n->own);
  fputc (' ', out);
  put_mean (out, n->own, n->calls, n->untimed);
  fputc (' ', out);
  put_time (out, n->cumulative);
  fputc (' ', out);
  put_mean (out, n->cumulative, n->primitive, n->untimed_primitive);
}

static void
put_row (FILE *out, const lp_stat_row *row)
{
  put_calls (out, &row->n, 9);
  fputc (' ', out);
  put_times (out, &row->n);
  fputc (' ', out);
  lp_put (out, row->label);
  fputc ('\n', out);
}

static void
put_table_head (FILE *out, const lp_stats *stats)
{
  for (size_t i = 0; i < stats->headings.n; i++)
    {
      lp_put (out, stats->headings.v[i]);
      fputc ('\n', out);
    }
  if (stats->headings.n)
    fputc ('\n', out);
  fprintf (out, "         %lld function calls ", (long long) stats->total.calls);
  if (stats->total.calls != stats->total.primitive)
    fprintf (out, "(%lld primitive calls) ", (long long) stats->total.primitive);
  fprintf (out, "in %.3f seconds\n\n", (double) stats->total.own / 1e9);
}

static void
put_table (FILE *out, const lp_stats *stats, const lp_stat_list *list)
{
  fputs ("   ncalls  tottime  percall  cumtime  percall "
	 "filename:lineno(function)\n", out);
  bool untimed = false;
  for (size_t i = 0; i < list->rows.n; i++)
    {
      const lp_stat_row *row = &stats->rows.v[list->rows.v[i]];
      put_row (out, row);
      untimed |= row->n.untimed > 0;
    }
  if (untimed)
    fputs ("\n   Calls without times are inlined code without calls and loops; "
	   "its time is its\n   caller's.\n", out);
}

/* The edges of one function: those where it is the caller, or the callee, by
   the other one's file, line and name.  */
struct edges
{
  const lp_stats *stats;
  bool callees;			/* the other one is the callee */
  uint32_t *v;			/* all edges, those of one function together */
};

static uint32_t
one (const struct edges *e, uint32_t edge)
{
  const lp_stat_edge *of = &e->stats->edges.v[edge];
  return e->callees ? of->caller : of->callee;
}

static const lp_stat_row *
other (const struct edges *e, uint32_t edge)
{
  const lp_stat_edge *of = &e->stats->edges.v[edge];
  return &e->stats->rows.v[e->callees ? of->callee : of->caller];
}

static int
compare (const void *a, const void *b, void *arg)
{
  const struct edges *e = arg;
  uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
  if (one (e, i) != one (e, j))
    return one (e, i) < one (e, j) ? -1 : 1;
  const lp_stat_row *x = other (e, i), *y = other (e, j);
  int c = strcmp (x->file, y->file);
  if (!c)
    c = (x->line > y->line) - (x->line < y->line);
  return c ? c : strcmp (x->name, y->name);
}

static int
sort_edges (struct edges *e)
{
  size_t n = e->stats->edges.n;
  e->v = calloc (n + 1, sizeof *e->v);
  for (size_t i = 0; e->v && i < n; i++)
    e->v[i] = (uint32_t) i;
  if (e->v)
    qsort_r (e->v, n, sizeof *e->v, compare, e);
  return e->v ? 0 : -1;
}

/* Where the edges of ROW begin.  */
static size_t
first_edge (const struct edges *e, uint32_t row)
{
  size_t lo = 0, hi = e->stats->edges.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (one (e, e->v[mid]) < row)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

/* ROW with its edges, one to a line.  */
static void
put_edges (FILE *out, const struct edges *e, uint32_t row, size_t width)
{
  size_t n = e->stats->edges.n, start = first_edge (e, row), i = start;
  put_label (out, e->stats->rows.v[row].label, width);
  fputs (e->callees ? "-> " : "<- ", out);
  for (; i < n && one (e, e->v[i]) == row; i++)
    {
      const lp_call_numbers *numbers = &e->stats->edges.v[e->v[i]].n;
      bool first = i == start;
      if (!first)
	fprintf (out, "%*s", (int) width + 1, "");
      put_calls (out, numbers, first ? 7 : 9);
      fputc (' ', out);
      if (lp_call_numbers_are_bare (numbers))
	fprintf (out, "%8s %8s", "", "");
      else
	{
	  put_time (out, numbers->own);
	  fputc (' ', out);
	  put_time (out, numbers->cumulative);
	}
      fputs ("  ", out);
      lp_put (out, other (e, e->v[i])->label);
      fputc ('\n', out);
    }
  if (i == start)
    fputc ('\n', out);
}

static int
put_edge_lists (FILE *out, const lp_stats *stats, const lp_stat_list *list,
		bool callees)
{
  struct edges e = { .stats = stats, .callees = callees };
  size_t width = list->label_width + 2;
  if (sort_edges (&e))
    return -1;
  put_label (out, "Function ", width);
  fputs (callees ? "called...\n" : "was called by...\n", out);
  if (stats->edges.n)
    fprintf (out, "%*s    ncalls  tottime  cumtime\n", (int) width, "");
  for (size_t i = 0; i < list->rows.n; i++)
    put_edges (out, &e, list->rows.v[i], width);
  free (e.v);
  return 0;
}

/* Reasons that are listed where nobody chose functions.  */
enum { MAX_REASONS = 10 };

/* The functions that were REFUSED, or those that were slow, below TITLE.  */
static void
put_reasons (FILE *out, const lp_stats *stats, bool refused, const char *title)
{
  size_t n = 0, most = stats->selected ? SIZE_MAX : MAX_REASONS;
  for (size_t i = 0; i < stats->reasons.n; i++)
    {
      const lp_stat_reason *r = &stats->reasons.v[i];
      if (r->refused != refused || n++ >= most)
	continue;
      if (n == 1)
	fprintf (out, "%s\n", title);
      fputs ("  ", out);
      lp_put (out, r->file);
      fprintf (out, ":%lu - ", (unsigned long) r->line);
      lp_put (out, r->name);
      fputs (": ", out);
      lp_put (out, r->reason);
      fputc ('\n', out);
    }
  if (n > most)
    fprintf (out, "  %zu more; of functions that -f chooses, all are listed.\n",
	     n - most);
  if (n)
    fputc ('\n', out);
}

int
lp_stats_write (const lp_stats *stats, enum lp_stats_what what,
		const char *const *restrictions, size_t n, FILE *out,
		lp_error *err)
{
  lp_stat_list list;
  int failed = 0;
  if (lp_stats_select (stats, restrictions, n, &list, err))
    return -1;
  if (what == LP_STATS_TABLE)
    put_table_head (out, stats);
  if (list.rows.n)
    {
      fprintf (out, "%s\n", list.message);
      if (what == LP_STATS_TABLE)
	put_table (out, stats, &list);
      else
	failed = put_edge_lists (out, stats, &list, what == LP_STATS_CALLEES);
      fputs ("\n\n", out);
    }
  lp_stats_list_free (&list);
  if (!failed && what == LP_STATS_TABLE && stats->ranges->parts.v->ranges.n)
    {
      fputs ("Named ranges, in microseconds:\n\n", out);
      failed = lp_ranges_write (stats->ranges, 1e-6, out, err);
    }
  if (what == LP_STATS_TABLE)
    {
      put_reasons (out, stats, true, "Not profiled:");
      put_reasons (out, stats, false, "Profiled by a slower engine:");
    }
  return failed ? lp_nomem (err) : 0;
}
