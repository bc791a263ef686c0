/* hits.c: the passes from a function's rows to its counters and marks.  */

#include "probe/hits_part.h"

#include <stdlib.h>
#include <string.h>

/* Make GRAPH and the lines of PART from its rows.  */
static int
build (lp_graph *graph, const lp_hits *total, lp_hits *part)
{
  graph->by_rows = lp_is_by_rows (graph->fn);
  if ((!graph->handlers && lp_graph_find_handlers (graph))
      || lp_hit_rows_find (graph, total, part))
    return -1;
  return part->lines.n ? lp_graph_build (graph, part) : 0;
}

/* Add to TOTAL the lines of GRAPH's node.  */
static int
add_lines (lp_graph graph, lp_hits *total)
{
  lp_hits part = { 0 };
  bool whole = graph.rows_of == LP_ROWS_OF_WHOLE;
  int bad = build (&graph, NULL, &part)
	    || (whole && part.lines.n && lp_graph_find_openings (&graph))
	    || (part.lines.n && lp_hits_sum (&graph, &part))
	    || lp_hits_append (total, &part, &graph);
  lp_graph_free (&graph);
  lp_hits_free (&part);
  return bad ? -1 : 0;
}

int
lp_hits_add_part (const lp_hit_part *part, uint32_t inl,
		  enum lp_rows_of rows_of, bool strict, lp_hits *total)
{
  lp_graph graph = { .strict = strict, .fn = &part->fn, .flow = &part->flow, .node = inl,
		     .rows_of = rows_of, .origins = part->origins };
  size_t n = part->flow.blocks.n;
  graph.handlers = malloc (n + 1);
  if (!graph.handlers)
    return -1;
  memcpy (graph.handlers, part->handlers, n);
  return add_lines (graph, total);
}

/* Does no statement begin at the line that calls instance INL, where only what it
   calls is left of it?  LLVM says of no row that it does not.  */
static bool
lacks_call_line (const lp_whole *whole, uint32_t inl)
{
  const lp_function *fn = whole->fn;
  const lp_inline *i = &fn->inlines[inl - 1];
  bool llvm = fn->producer == LP_PRODUCER_LLVM;
  if ((!lp_is_by_rows (fn) && !llvm) || !i->call_line
      || (!i->parent && fn->only_inlined)
      || (i->parent && !fn->inlines[i->parent - 1].wanted))
    return false;
  return !lp_whole_has_line (whole, i->parent, i->call_file, i->call_line);
}

/* Add how often instance INL is entered.  */
static int
add_entered (const lp_whole *whole, const lp_hit_part *part, uint32_t inl,
	     lp_hits *total)
{
  const lp_function *fn = whole->fn;
  size_t before = total->lines.n;
  if (lp_hits_add_part (part, inl, LP_ROWS_OF_WHOLE, false, total))
    return -1;
  if (total->lines.n == before || !lacks_call_line (whole, inl))
    return 0;
  lp_hit_line line = total->lines.v[before];
  if (!fn->inlines[inl - 1].wanted)
    total->lines.n = before;
  return lp_hits_set_call_line (fn, inl, &line, total);
}

/* Add instance INL, or, where that is not wanted, the line that calls it.  */
static int
add_instance (const lp_whole *whole, uint32_t inl, lp_hits *total)
{
  bool wanted = whole->fn->inlines[inl - 1].wanted && whole->extents[inl].own;
  if (!wanted && !(lp_whole_has_rows (whole, inl) && lacks_call_line (whole, inl)))
    return 0;
  lp_hit_part part;
  int bad = lp_hit_part_cut (whole, inl, &part)
	    || (wanted && lp_hits_add_part (&part, inl, LP_ROWS_OF_NODE, false, total))
	    || add_entered (whole, &part, inl, total);
  lp_hit_part_free (&part);
  return bad ? -1 : 0;
}

static int
add_instances (const lp_function *fn, const lp_flow *flow, lp_hits *total)
{
  lp_whole whole;
  if (fn->ninlines == 0)
    return 0;
  int bad = lp_whole_find (fn, flow, &whole);
  for (uint32_t i = 1; i <= fn->ninlines && !bad; i++)
    bad = add_instance (&whole, i, total);
  lp_whole_free (&whole);
  return bad ? -1 : 0;
}

int
lp_hits_add_marks (const lp_function *fn, const lp_flow *flow,
		   const bool *runs, lp_hits *total)
{
  lp_graph graph = { .fn = fn, .flow = flow, .rows_of = LP_ROWS_OF_ALL,
		     .runs = runs };
  lp_hits part = { 0 };
  int bad = build (&graph, total, &part)
	    || (part.lines.n && lp_hits_mark (&graph, &part));
  for (size_t i = 0; i < part.marks.n && !bad; i++)
    {
      lp_mark mark = part.marks.v[i];
      mark.line = part.lines.v[mark.line].line - 1;
      bad = lp_vec_push (&total->marks, mark);
    }
  if (!bad && part.lines.n)
    total->entry_line = part.lines.v[part.entry_line].line - 1;
  lp_graph_free (&graph);
  lp_hits_free (&part);
  return bad ? -1 : 0;
}

static int
plan (const lp_function *fn, const lp_flow *flow, lp_hits *hits)
{
  lp_graph own = { .fn = fn, .flow = flow };
  if ((!fn->only_inlined && add_lines (own, hits))
      || add_instances (fn, flow, hits)
      || lp_hits_open_instances (fn, hits)
      || lp_hits_add_call_lines (fn, hits) || lp_hits_unite (hits))
    return -1;
  return hits->lines.n ? lp_hits_add_marks (fn, flow, NULL, hits) : 0;
}

int
lp_hits_plan (const lp_function *fn, const lp_flow *flow, lp_hits *hits,
	      lp_error *err)
{
  memset (hits, 0, sizeof *hits);
  return plan (fn, flow, hits) ? lp_nomem (err) : 0;
}

void
lp_hits_free (lp_hits *hits)
{
  lp_vec_free (&hits->lines);
  lp_vec_free (&hits->counters);
  lp_vec_free (&hits->terms);
  lp_vec_free (&hits->marks);
  lp_vec_free (&hits->uses);
}
