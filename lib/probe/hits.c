/* hits.c: the passes from a function's rows to its counters and marks.  */

#include "probe/hits_graph.h"

#include <string.h>

static int
plan (lp_graph *graph, lp_hits *hits)
{
  if (lp_graph_find_handlers (graph)
      || lp_hit_rows_find (graph->fn, graph->flow, graph->handlers, hits,
			   &graph->rows))
    return -1;
  if (hits->lines.n == 0)
    return 0;
  if (lp_graph_build (graph, hits) || lp_hits_sum (graph, hits))
    return -1;
  return lp_hits_mark (graph, hits);
}

int
lp_hits_plan (const lp_function *fn, const lp_flow *flow, lp_hits *hits,
	      lp_error *err)
{
  lp_graph graph = { .fn = fn, .flow = flow,
		     .by_rows = fn->producer == LP_PRODUCER_GCC_OPT };
  memset (hits, 0, sizeof *hits);
  int bad = plan (&graph, hits);
  lp_graph_free (&graph);
  return bad ? lp_nomem (err) : 0;
}

void
lp_hits_free (lp_hits *hits)
{
  lp_vec_free (&hits->lines);
  lp_vec_free (&hits->counters);
  lp_vec_free (&hits->terms);
  lp_vec_free (&hits->marks);
}
