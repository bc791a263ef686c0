/* evaluate.c: the hits that the planned sums of counters give on an execution
   that step.c recorded.

   usage: evaluate PROG [EDGES]

   Prints "file:line hits" for each line that has counters, summed over the
   functions that have it, files by their base names, and " ~" behind the line
   where the plan says that its sum is not exact.  Without EDGES prints how many
   functions, lines, counters and timed marks were planned, and in how many
   milliseconds.  Neither the clone engine nor a process takes part.  */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "debug/inlined.h"
#include "probe/hits.h"

struct edge { uint64_t from, to, count; };

static LP_VEC (struct edge) edges;

struct result { const char *file; uint32_t line; uint64_t hits; bool exact; };

static LP_VEC (struct result) results;

static struct { size_t functions, refused, lines, inexact, counters, timed; } sum;
static double planning;

static int
order_edges (const void *a, const void *b)
{
  const struct edge *x = a, *y = b;
  return x->to < y->to ? -1 : x->to > y->to;
}

static void
read_edges (const char *path)
{
  FILE *in = fopen (path, "r");
  struct edge e;
  if (!in)
    err (1, "%s", path);
  while (fscanf (in, "%" SCNx64 " %" SCNx64 " %" SCNu64, &e.from, &e.to,
		 &e.count) == 3)
    if (lp_vec_push (&edges, e))
      errx (1, "out of memory");
  fclose (in);
  qsort (edges.v, edges.n, sizeof *edges.v, order_edges);
}

static uint64_t
count (lp_counter counter)
{
  size_t lo = 0, hi = edges.n;
  uint64_t total = 0;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (edges.v[mid].to < counter.addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  for (; lo < edges.n && edges.v[lo].to == counter.addr; lo++)
    if (counter.from == 0 || edges.v[lo].from == counter.from)
      total += edges.v[lo].count;
  return total;
}

static int
order_results (const void *a, const void *b)
{
  const struct result *x = a, *y = b;
  int c = strcmp (x->file, y->file);
  return c ? c : x->line < y->line ? -1 : x->line > y->line;
}

static void
add_results (lp_module *mod, const lp_hits *hits)
{
  size_t nfiles;
  const lp_file *files = lp_module_files (mod, &nfiles);
  for (size_t i = 0; i < hits->lines.n; i++)
    {
      const lp_hit_line *line = &hits->lines.v[i];
      if (line->line == 0)
	continue;
      const char *slash = strrchr (files[line->file].path, '/');
      struct result r = { slash ? slash + 1 : files[line->file].path,
			  line->line, 0, line->exact };
      for (uint32_t t = 0; t < line->nterms; t++)
	{
	  const uint32_t term = hits->terms.v[line->first_term + t];
	  uint64_t n = count (hits->counters.v[term]);
	  r.hits += t < line->nterms - line->nminus ? n : -n;
	}
      if (lp_vec_push (&results, r))
	errx (1, "out of memory");
      sum.inexact += !line->exact;
    }
}

static double
milliseconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void
plan (const lp_census *census, const lp_function *fn,
      struct lp_decoder *decoder)
{
  lp_error error;
  lp_flow flow = { 0 };
  lp_hits hits = { 0 };
  sum.functions++;
  if (lp_flow_build (census, fn, decoder, &flow, &error))
    {
      warnx ("%s", error.text);
      sum.refused++;
      lp_flow_free (&flow);
      return;
    }
  double start = milliseconds ();
  if (lp_hits_plan (fn, &flow, &hits, &error))
    errx (1, "%s", error.text);
  planning += milliseconds () - start;
  sum.lines += hits.lines.n;
  sum.counters += hits.counters.n;
  for (size_t i = 0; i < hits.marks.n; i++)
    sum.timed += hits.marks.v[i].timed;
  add_results (census->mod, &hits);
  lp_hits_free (&hits);
  lp_flow_free (&flow);
}

static void
plan_all (const char *prog)
{
  lp_error error;
  lp_function_list list = { 0 };
  lp_census census;
  lp_module *mod = lp_module_open (prog, &error);
  struct lp_decoder *decoder = lp_decoder_new (&error);
  if (!mod || !decoder || lp_select_default (mod, &list, &error) < 0
      || lp_select_inlined (mod, NULL, &list, &error) < 0
      || lp_census_take (mod, list.v, list.n, &census, &error))
    errx (1, "%s", error.text);
  for (size_t i = 0; i < list.n; i++)
    {
      if (lp_module_rows (mod, list.v[i], &error))
	errx (1, "%s", error.text);
      plan (&census, list.v[i], decoder);
    }
}

static void
print_results (void)
{
  qsort (results.v, results.n, sizeof *results.v, order_results);
  for (size_t i = 0, next; i < results.n; i = next)
    {
      struct result r = results.v[i];
      for (next = i + 1;
	   next < results.n && !order_results (&r, &results.v[next]); next++)
	{
	  r.hits += results.v[next].hits;
	  r.exact &= results.v[next].exact;
	}
      printf ("%s:%" PRIu32 " %" PRIu64 "%s\n", r.file, r.line, r.hits,
	      r.exact ? "" : " ~");
    }
}

int
main (int argc, char **argv)
{
  if (argc < 2 || argc > 3)
    errx (1, "usage: evaluate PROG [EDGES]");
  if (argc == 3)
    read_edges (argv[2]);
  plan_all (argv[1]);
  if (argc == 3)
    print_results ();
  else
    printf ("%zu functions (%zu refused), %zu lines (%zu not exact),"
	    " %zu counters, %zu timed marks, %.1f ms\n", sum.functions,
	    sum.refused, sum.lines, sum.inexact, sum.counters, sum.timed,
	    planning);
  return 0;
}
