/* hits_rows.c: which rows count, and the lines they name.  */

#include "probe/hits_raw.h"

#include <stdlib.h>

int
lp_order_hit_lines (const void *a, const void *b)
{
  const lp_hit_line *x = a, *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

uint32_t
lp_raw_line (const lp_hits *hits, uint32_t file, uint32_t line)
{
  lp_hit_line key = { .file = file, .line = line };
  const lp_hit_line *found = bsearch (&key, hits->lines.v, hits->lines.n,
				      sizeof key, lp_order_hit_lines);
  return found - hits->lines.v;
}

/* Remove the neighbours that are equal.  */
static void
drop_doubles (lp_hits *hits)
{
  size_t n = 0;
  for (size_t i = 0; i < hits->lines.n; i++)
    if (n == 0 || lp_order_hit_lines (&hits->lines.v[n - 1], &hits->lines.v[i]))
      hits->lines.v[n++] = hits->lines.v[i];
  hits->lines.n = n;
}

/* Number the lines of ROWS.  */
static int
collect_lines (const lp_raw_rows *rows, lp_hits *hits)
{
  if (rows->n == 0)
    return 0;
  if (lp_vec_reserve (&hits->lines, rows->n))
    return -1;
  for (size_t i = 0; i < rows->n; i++)
    hits->lines.v[i] = (lp_hit_line) { .file = rows->v[i].file,
				       .line = rows->v[i].line,
				       .exact = true };
  hits->lines.n = rows->n;
  drop_doubles (hits);		/* most are: there is less to sort */
  qsort (hits->lines.v, hits->lines.n, sizeof *hits->lines.v, lp_order_hit_lines);
  drop_doubles (hits);
  return 0;
}

/* Where each instance of FN (0: FN itself) stands to NODE; NULL when out of
   memory.  Outer instances come before inner ones.  */
static uint8_t *
places_in (const lp_function *fn, uint32_t node)
{
  uint8_t *place = malloc (fn->ninlines + 1);
  if (!place)
    return NULL;
  place[0] = node ? LP_OUTSIDE : LP_OWN;
  for (uint32_t i = 1; i <= fn->ninlines; i++)
    place[i] = i == node ? LP_OWN
	       : place[fn->inlines[i - 1].parent] == LP_OUTSIDE ? LP_OUTSIDE
	       : LP_INSIDE;
  return place;
}

/* Name in RAW what ROW counts for in GRAPH.  False: nothing.  */
static bool
place_row (const lp_graph *graph, const lp_row *row, const uint8_t *place,
	   struct lp_raw *raw)
{
  const lp_function *fn = graph->fn;
  uint32_t with;
  if (graph->runs)
    return lp_hits_place_runner (graph, row, &raw->node, &raw->file, &raw->line);
  if (graph->rows_of == LP_ROWS_OF_ALL)
    {
      raw->node = lp_hits_node (fn, row->inl, &with);
      raw->file = raw->node == LP_HIT_REST ? 0
		  : with ? fn->inlines[with - 1].call_file : row->file;
      raw->line = raw->node == LP_HIT_REST ? 0
		  : with ? fn->inlines[with - 1].call_line : row->line;
      return raw->line || raw->node == LP_HIT_REST;
    }
  if (place[row->inl] == LP_OUTSIDE)
    raw->file = raw->line = 0;
  else if (graph->rows_of == LP_ROWS_OF_WHOLE)
    {
      const lp_inline *inl = &fn->inlines[graph->node - 1];
      raw->opens = row->inl == graph->node && row->is_stmt
		   && row->line == inl->decl_line && row->file == inl->decl_file;
      raw->file = 0, raw->line = 1;
    }
  return place[row->inl] != LP_INSIDE || graph->rows_of == LP_ROWS_OF_WHOLE;
}

/* Does row R of FN say nothing: no statement begins there, and the instruction has a
   row behind it?  */
static bool
is_passed (const lp_function *fn, size_t r)
{
  return !fn->rows[r].is_stmt && r + 1 < fn->nrows
	 && fn->rows[r + 1].addr == fn->rows[r].addr;
}

/* GRAPH's rows that stand on an instruction.  */
static int
collect_rows (const lp_graph *graph, const uint8_t *place, lp_raw_rows *rows)
{
  const lp_function *fn = graph->fn;
  const lp_flow *flow = graph->flow;
  size_t i = 0, b = 0;
  for (size_t r = 0; r < fn->nrows; r++)
    {
      const lp_row *row = &fn->rows[r];
      while (i < flow->insns.n && flow->insns.v[i].addr < row->addr)
	i++;
      if (i == flow->insns.n)
	break;
      while (b + 1 < flow->blocks.n && flow->blocks.v[b + 1].first <= i)
	b++;
      if (lp_is_by_rows (graph->fn) && is_passed (fn, r))
	continue;
      struct lp_raw raw = { i, row->file, row->line, 0, row->is_stmt, row->end,
			 graph->handlers[b], false,
			 graph->origins ? graph->origins[b] : b,
			 r && fn->rows[r - 1].end && fn->rows[r - 1].end < row->addr };
      if (flow->insns.v[i].addr == row->addr
	  && place_row (graph, row, place, &raw)
	  && lp_vec_push (rows, raw))
	return -1;
    }
  return 0;
}

/* Of the rows from ROWS[AT] on that stand at the entry, the one that opens FN:
   the least line from the declaration on.  rows->n: none.  */
static size_t
opening_row (const lp_function *fn, const lp_raw_rows *rows, size_t at)
{
  uint32_t entry = rows->v[at].insn;
  size_t best = rows->n;
  for (; at < rows->n && rows->v[at].insn == entry; at++)
    if (rows->v[at].node == 0
	&& rows->v[at].file == fn->file && rows->v[at].line >= fn->line
	&& (best == rows->n || rows->v[at].line < rows->v[best].line))
      best = at;
  return best;
}

/* The row at the entry is the opening line's, where compilers name the line of
   the brace behind it; where the entry has no such row, it gets one.  It is the
   first.  */
static int
open_function (const lp_function *fn, const lp_flow *flow, lp_raw_rows *rows)
{
  long entry = lp_flow_find (flow, fn->entry);
  size_t at = 0;
  while (at < rows->n && (long) rows->v[at].insn < entry)
    at++;
  if (entry < 0 || fn->line == 0 || at == rows->n)
    return 0;
  size_t old = rows->n;
  if ((long) rows->v[at].insn == entry)
    old = opening_row (fn, rows, at);
  if (old == rows->n)
    {
      if (lp_vec_reserve (rows, 1))
	return -1;
      rows->n++;
    }
  for (; old > at; old--)
    rows->v[old] = rows->v[old - 1];
  rows->v[at] = (struct lp_raw) { entry, fn->file, fn->line, 0, true, 0, false,
				  false, 0, false };
  return 0;
}

/* RAW with numbered lines.  */
static int
number_rows (const lp_raw_rows *raw, const lp_hits *hits, lp_hit_rows *rows)
{
  if (lp_vec_reserve (&rows->rows, raw->n))
    return -1;
  for (size_t i = 0; i < raw->n; i++)
    {
      const struct lp_raw *r = &raw->v[i];
      lp_hit_row row = { r->insn, lp_raw_line (hits, r->file, r->line),
			 r->opens };
      size_t n = rows->rows.n;
      if (n == 0 || rows->rows.v[n - 1].insn != row.insn
	  || rows->rows.v[n - 1].line != row.line)
	rows->rows.v[rows->rows.n++] = row;
      else
	rows->rows.v[n - 1].opens |= row.opens;
    }
  return 0;
}

/* Which line each instruction stands behind, as the line table has it.  */
static int
cover (const lp_graph *graph, const uint8_t *place, lp_hit_rows *rows)
{
  const lp_function *fn = graph->fn;
  const lp_flow *flow = graph->flow;
  rows->cover = malloc ((flow->insns.n + 1) * sizeof *rows->cover);
  if (!rows->cover)
    return -1;
  size_t r = 0, any = 0;
  uint32_t line = LP_NO_LINE;
  uint64_t end = 0;
  for (size_t i = 0; i < flow->insns.n; i++)
    {
      for (; any < fn->nrows && fn->rows[any].addr <= flow->insns.v[i].addr;
	   any++)
	{
	  end = fn->rows[any].end;
	  if (graph->rows_of == LP_ROWS_OF_NODE
	      && place[fn->rows[any].inl] == LP_INSIDE)
	    line = LP_NO_LINE;
	}
      for (; r < rows->rows.n && rows->rows.v[r].insn == i; r++)
	line = rows->rows.v[r].line;
      if (end && end <= flow->insns.v[i].addr)
	line = LP_NO_LINE;
      rows->cover[i] = line;
    }
  return 0;
}

/* Is a call made from ROWS[AT]'s address on, before another row?  */
static bool
has_call (const lp_raw_rows *rows, size_t at, const lp_flow *flow)
{
  uint32_t i = rows->v[at].insn;
  while (at < rows->n && rows->v[at].insn == i)
    at++;
  uint32_t end = at < rows->n ? rows->v[at].insn : flow->insns.n;
  for (; i < end; i++)
    if (lp_is_call (&flow->insns.v[i]))
      return true;
  return false;
}

/* Behind inlined code goes on the statement that calls it, which has begun before:
   calls that it makes are worth a mark, the rest of its code is not.  */
static void
begin_at_calls (const lp_function *fn, const lp_flow *flow, lp_raw_rows *rows)
{
  for (size_t i = 0; fn->ninlines && i < rows->n; i++)
    if (!rows->v[i].is_stmt && has_call (rows, i, flow))
      rows->v[i].is_stmt = true;
}

/* Instead of file and line, the number of the line in TOTAL.  */
static void
number_lines (const lp_hits *total, lp_raw_rows *rows)
{
  for (size_t i = 0; i < rows->n; i++)
    {
      struct lp_raw *r = &rows->v[i];
      r->line = 1 + lp_hits_find_line (total, r->node, r->file, r->line);
      r->file = 0;
    }
}

static int
find_rows (lp_graph *graph, const uint8_t *place, const lp_hits *total,
	   lp_hits *hits, lp_raw_rows *raw)
{
  const lp_function *fn = graph->fn;
  const lp_flow *flow = graph->flow;
  bool all = graph->rows_of == LP_ROWS_OF_ALL;
  bool opens = graph->node == 0 && !graph->runs
	       && !(all && fn->only_inlined);
  if (collect_rows (graph, place, raw))
    return -1;
  if (fn->producer == LP_PRODUCER_LLVM)
    {
      lp_raw_drop_pads (raw, flow);
      if (!fn->optimised)
	lp_raw_join_operands (raw, flow);
    }
  if (all)
    begin_at_calls (fn, flow, raw);
  if (opens && open_function (fn, flow, raw))
    return -1;
  if (all)
    number_lines (total, raw);
  if (collect_lines (raw, hits) || lp_raw_drop (graph, hits, raw))
    return -1;
  graph->outside = hits->lines.n && hits->lines.v[0].line == 0 ? 0 : LP_NO_LINE;
  lp_hit_rows *rows = &graph->rows;
  rows->busy = lp_raw_busy_lines (raw, hits, flow);
  if (!rows->busy || number_rows (raw, hits, rows)
      || cover (graph, place, rows))
    return -1;
  long entry = lp_flow_find (flow, fn->entry);
  if (entry >= 0 && rows->cover[entry] != LP_NO_LINE)
    hits->entry_line = rows->cover[entry];
  return 0;
}

int
lp_hit_rows_find (lp_graph *graph, const lp_hits *total, lp_hits *hits)
{
  lp_raw_rows raw = { 0 };
  uint8_t *place = places_in (graph->fn, graph->node);
  int bad = !place || find_rows (graph, place, total, hits, &raw) ? -1 : 0;
  lp_vec_free (&raw);
  free (place);
  return bad;
}

void
lp_hit_rows_free (lp_hit_rows *rows)
{
  lp_vec_free (&rows->rows);
  free (rows->cover);
  free (rows->busy);
}
