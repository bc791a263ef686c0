/* hits_rows.c: which rows count, and the lines they name.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

/* A row with its line not yet numbered.  */
struct raw
{
  uint32_t insn, file, line;
  uint32_t node;		/* of LP_ROWS_OF_ALL */
  bool is_stmt;
  uint64_t end;			/* as lp_row's */
  bool handler;			/* stands in code that only exceptions reach */
  bool opens;			/* as lp_hit_row's */
  uint32_t block;		/* of the function; not known of a row that was made */
};

typedef LP_VEC (struct raw) raw_rows;

static int
order_lines (const void *a, const void *b)
{
  const lp_hit_line *x = a, *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

static uint32_t
line_index (const lp_hits *hits, uint32_t file, uint32_t line)
{
  lp_hit_line key = { .file = file, .line = line };
  const lp_hit_line *found = bsearch (&key, hits->lines.v, hits->lines.n,
				      sizeof key, order_lines);
  return found - hits->lines.v;
}

/* Remove the neighbours that are equal.  */
static void
drop_doubles (lp_hits *hits)
{
  size_t n = 0;
  for (size_t i = 0; i < hits->lines.n; i++)
    if (n == 0 || order_lines (&hits->lines.v[n - 1], &hits->lines.v[i]))
      hits->lines.v[n++] = hits->lines.v[i];
  hits->lines.n = n;
}

/* Number the lines of ROWS.  */
static int
collect_lines (const raw_rows *rows, lp_hits *hits)
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
  qsort (hits->lines.v, hits->lines.n, sizeof *hits->lines.v, order_lines);
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
	   struct raw *raw)
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
collect_rows (const lp_graph *graph, const uint8_t *place, raw_rows *rows)
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
      if (graph->fn->producer == LP_PRODUCER_GCC_OPT && is_passed (fn, r))
	continue;
      struct raw raw = { i, row->file, row->line, 0, row->is_stmt, row->end,
			 graph->handlers[b], false,
			 graph->origins ? graph->origins[b] : b };
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
opening_row (const lp_function *fn, const raw_rows *rows, size_t at)
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
open_function (const lp_function *fn, const lp_flow *flow, raw_rows *rows)
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
  rows->v[at] = (struct raw) { entry, fn->file, fn->line, 0, true, 0, false,
				  false, 0 };
  return 0;
}

/* Find which of the lines have rows that pass TEST.  */
static bool *
lines_with (const raw_rows *rows, const lp_hits *hits, const lp_flow *flow,
	    bool (*test) (const struct raw *, const lp_flow *))
{
  bool *has = calloc (hits->lines.n + 1, sizeof *has);
  for (size_t i = 0; has && i < rows->n; i++)
    if (test (&rows->v[i], flow))
      has[line_index (hits, rows->v[i].file, rows->v[i].line)] = true;
  return has;
}

static bool
begins_statement (const struct raw *row, const lp_flow *flow)
{
  (void) flow;
  return row->is_stmt;
}

static bool
is_plain (const struct raw *row, const lp_flow *flow)
{
  return !lp_is_jump (&flow->insns.v[row->insn]);
}

/* What is not in the graph's node.  */
static bool
is_outside (const struct raw *row)
{
  return row->file == 0 && row->line == 0;
}

/* Remove the rows that fail TEST, but not those of a line that has no
   others.  */
static int
drop_rows (raw_rows *rows, const lp_hits *hits, const lp_flow *flow,
	   bool (*test) (const struct raw *, const lp_flow *))
{
  bool *has = lines_with (rows, hits, flow, test);
  if (!has)
    return -1;
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (test (&rows->v[i], flow)
	|| (!is_outside (&rows->v[i])
	    && !has[line_index (hits, rows->v[i].file, rows->v[i].line)]))
      rows->v[n++] = rows->v[i];
  rows->n = n;
  free (has);
  return 0;
}

/* A line where no statement begins is a part of others, which the compiler mixes: in one
   block it is executed once.  */
static void
drop_mixed (raw_rows *rows)
{
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    {
      const struct raw *row = &rows->v[i];
      bool again = false;
      for (size_t k = n; k-- > 0 && !again && !row->is_stmt
			 && rows->v[k].block == row->block;)
	again = rows->v[k].line == row->line && rows->v[k].file == row->file;
      if (!again || is_outside (row))
	rows->v[n++] = *row;
    }
  rows->n = n;
}

/* clang gives a branch a row of its own, often of a line that has better ones.
   Such a row goes, but it is also the row of the code behind the branch, where
   that has none.  */
static int
drop_branch_rows (raw_rows *rows, const lp_hits *hits, const lp_flow *flow)
{
  bool *has = lines_with (rows, hits, flow, is_plain);
  if (!has)
    return -1;
  for (size_t i = 0; i < rows->n; i++)
    {
      struct raw *row = &rows->v[i];
      uint32_t next = row->insn + 1;
      bool alone = (i + 1 == rows->n || row[1].insn > next)
		   && (!row->end || row->end > flow->insns.v[row->insn].addr
					       + flow->insns.v[row->insn].len);
      if (alone && next < flow->insns.n && !is_plain (row, flow)
	  && !lp_is_jump (&flow->insns.v[next])
	  && has[line_index (hits, row->file, row->line)])
	row->insn = next;
    }
  free (has);
  return drop_rows (rows, hits, flow, is_plain);
}

/* LLVM's landing pads put the exception and its selector, which arrive in rax and
   rdx, away, with a row of the function's end or of whatever was compiled before:
   no line's.  */
static bool
puts_away (const lp_flow *flow, uint32_t insn)
{
  enum { PAD = 4 };		/* instructions up to that */
  const uint16_t selector = 1 << 2;
  const lp_insn *in = &flow->insns.v[insn];
  const lp_basic_block *block
    = &flow->blocks.v[lp_flow_block_of (flow, insn)];
  return block->entry & LP_ENTRY_LANDING && insn < block->first + PAD
	 && in->copies && in->reads == selector;
}

static void
drop_pad_rows (raw_rows *rows, const lp_flow *flow)
{
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (!puts_away (flow, rows->v[i].insn))
      rows->v[n++] = rows->v[i];
  rows->n = n;
}

/* Where a handler catches, LLVM loads the exception that it has put away as the
   argument of a call, with a row of the end of some clause.  */
static bool
is_no_catch (const struct raw *row, const lp_flow *flow)
{
  const uint16_t argument = 1 << 7, frame = 1 << 5;
  const lp_insn *in = &flow->insns.v[row->insn];
  return !row->handler || row->insn + 1 >= flow->insns.n || !in->loads
	 || in->writes != argument || in->reads != frame
	 || in[1].kind != LP_INSN_CALL;
}

/* gfortran names the last case where it chooses among them, by comparisons of what the
   statement before has loaded into a register.  */
static bool
is_no_choice (const struct raw *row, const lp_flow *flow)
{
  const uint16_t frame = 1 << 4 | 1 << 5; /* rsp, rbp */
  const lp_insn *in = &flow->insns.v[row->insn];
  uint32_t first = flow->blocks.v[lp_flow_block_of (flow, row->insn)].first;
  return row->insn == first || lp_is_call (&in[-1]) || !in->writes_flags
	 || in->writes || in->loads || in->reads & frame
	 || row->insn + 1 >= flow->insns.n || in[1].kind != LP_INSN_JCC;
}

/* RAW with numbered lines.  */
static int
number_rows (const raw_rows *raw, const lp_hits *hits, lp_hit_rows *rows)
{
  if (lp_vec_reserve (&rows->rows, raw->n))
    return -1;
  for (size_t i = 0; i < raw->n; i++)
    {
      const struct raw *r = &raw->v[i];
      lp_hit_row row = { r->insn, line_index (hits, r->file, r->line),
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
has_call (const raw_rows *rows, size_t at, const lp_flow *flow)
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
begin_at_calls (const lp_function *fn, const lp_flow *flow, raw_rows *rows)
{
  for (size_t i = 0; fn->ninlines && i < rows->n; i++)
    if (!rows->v[i].is_stmt && has_call (rows, i, flow))
      rows->v[i].is_stmt = true;
}

/* Instead of file and line, the number of the line in TOTAL.  */
static void
number_lines (const lp_hits *total, raw_rows *rows)
{
  for (size_t i = 0; i < rows->n; i++)
    {
      struct raw *r = &rows->v[i];
      r->line = 1 + lp_hits_find_line (total, r->node, r->file, r->line);
      r->file = 0;
    }
}

/* Drop the rows that do not count, by the compiler's rule.  */
static int
drop_rows_of (const lp_graph *graph, const lp_hits *hits, raw_rows *raw)
{
  enum lp_producer producer = graph->fn->producer;
  if (producer == LP_PRODUCER_GCC_OPT)
    {
      int bad = drop_rows (raw, hits, graph->flow, begins_statement);
      drop_mixed (raw);
      return bad;
    }
  if (producer == LP_PRODUCER_GFORTRAN_O0)
    return drop_rows (raw, hits, graph->flow, is_no_choice);
  if (producer == LP_PRODUCER_LLVM)
    return drop_branch_rows (raw, hits, graph->flow)
	   || drop_rows (raw, hits, graph->flow, is_no_catch) ? -1 : 0;
  return 0;
}

static int
find_rows (lp_graph *graph, const uint8_t *place, const lp_hits *total,
	   lp_hits *hits, raw_rows *raw)
{
  const lp_function *fn = graph->fn;
  const lp_flow *flow = graph->flow;
  bool all = graph->rows_of == LP_ROWS_OF_ALL;
  bool opens = graph->node == 0 && !graph->runs
	       && !(all && fn->only_inlined);
  if (collect_rows (graph, place, raw))
    return -1;
  if (fn->producer == LP_PRODUCER_LLVM)
    drop_pad_rows (raw, flow);
  if (all)
    begin_at_calls (fn, flow, raw);
  if (opens && open_function (fn, flow, raw))
    return -1;
  if (all)
    number_lines (total, raw);
  if (collect_lines (raw, hits) || drop_rows_of (graph, hits, raw))
    return -1;
  graph->outside = hits->lines.n && hits->lines.v[0].line == 0 ? 0 : LP_NO_LINE;
  lp_hit_rows *rows = &graph->rows;
  rows->plain = lines_with (raw, hits, flow, is_plain);
  if (!rows->plain || number_rows (raw, hits, rows)
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
  raw_rows raw = { 0 };
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
  free (rows->plain);
}
