/* hits_graph.c: cut a function into pieces and connect them.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

/* What is known of an instruction while cutting.  */
enum { STARTS = 1, CLOSES = 2, RESUMES = 4 };

static bool
falls_through (const lp_insn *in)
{
  return in->kind == LP_INSN_PLAIN;
}

/* The end of BLOCK, which returns: from its last row on, or from behind the
   last call, an epilogue.  */
static void
mark_closing (const lp_graph *graph, const lp_basic_block *block,
	      uint32_t row, uint8_t *marks)
{
  const lp_insn *insns = graph->flow->insns.v;
  uint32_t ret = block->first + block->count - 1;
  uint32_t start = ret;
  while (start > block->first && falls_through (&insns[start - 1])
	 && start > row)
    start--;
  marks[start] |= STARTS | CLOSES;
}

/* The last row of GRAPH at or before instruction I, as an instruction.  ROW is
   where to go on looking.  */
static uint32_t
last_row (const lp_graph *graph, uint32_t i, size_t *row)
{
  while (*row < graph->rows.rows.n && graph->rows.rows.v[*row].insn <= i)
    ++*row;
  return *row ? graph->rows.rows.v[*row - 1].insn : 0;
}

/* In gcc's code without optimisation nothing but the exception in flight is kept
   in a register that calls preserve.  */
static bool
hands_on (const lp_insn *in)
{
  const uint16_t preserved = 1 << 3 | 0xf << 12; /* rbx, r12 to r15 */
  return in->copies && !(in->reads & ~preserved) && !(in->writes & ~preserved);
}

/* A handler's code from instruction I on, behind a call and before END, that hands
   the exception on; a row ends it.  ROW as in last_row.  */
static void
mark_resuming (const lp_graph *graph, uint32_t i, uint32_t end, size_t row,
	       uint8_t *marks)
{
  uint32_t at = i;
  while (at < end && hands_on (&graph->flow->insns.v[at])
	 && (at == i || last_row (graph, at, &row) != at))
    at++;
  if (at == i || at == end)
    return;
  marks[i] |= RESUMES;
  marks[at] |= STARTS;
}

/* When LLVM optimises, it turns loops round and puts blocks together: where a row's line
   is before that of the row above, one of the program's blocks has ended.  */
static void
mark_returns (const lp_graph *graph, uint8_t *marks)
{
  const lp_hit_row *rows = graph->rows.rows.v;
  for (size_t r = 1; r < graph->rows.rows.n; r++)
    if (rows[r].line < rows[r - 1].line && rows[r].line != graph->outside
	&& rows[r - 1].line != graph->outside)
      marks[rows[r].insn] |= STARTS;
}

static void
mark_blocks (const lp_graph *graph, uint8_t *marks)
{
  const lp_flow *flow = graph->flow;
  bool at_calls = graph->fn->producer != LP_PRODUCER_LLVM;
  size_t row = 0;
  for (size_t b = 0; b < flow->blocks.n; b++)
    {
      const lp_basic_block *block = &flow->blocks.v[b];
      uint32_t end = block->first + block->count;
      marks[block->first] |= STARTS;
      for (uint32_t i = block->first; i + 1 < end; i++)
	if (at_calls && lp_is_call (&flow->insns.v[i]))
	  {
	    marks[i + 1] |= STARTS;
	    if (lp_is_plain_gcc (graph) && graph->handlers[b])
	      mark_resuming (graph, i + 1, end, row, marks);
	  }
      uint32_t at = last_row (graph, end - 1, &row);
      if (!graph->by_rows && flow->insns.v[end - 1].kind == LP_INSN_RET)
	mark_closing (graph, block, at, marks);
    }
  for (size_t r = 0; graph->by_rows && r < graph->rows.rows.n; r++)
    marks[graph->rows.rows.v[r].insn] |= STARTS;
  if (graph->fn->optimised)
    mark_returns (graph, marks);
}

/* Pieces for the rows at instruction I but the last, which is the next
   piece's.  *ROW is the first of them, and becomes the last.  */
static int
add_empty_pieces (lp_graph *graph, uint32_t i, size_t *row)
{
  const lp_hit_row *rows = graph->rows.rows.v;
  for (; *row + 1 < graph->rows.rows.n && rows[*row].insn == i
	 && rows[*row + 1].insn == i; ++*row)
    if (lp_vec_push (&graph->pieces,
		     (lp_piece) { .first = i, .row = *row, .nrows = 1 }))
      return -1;
  return 0;
}

static int
cut_pieces (lp_graph *graph, const uint8_t *marks)
{
  const lp_hit_row *rows = graph->rows.rows.v;
  size_t row = 0;
  for (uint32_t i = 0; i < graph->flow->insns.n; i++)
    {
      if (marks[i] & STARTS)
	{
	  if (graph->by_rows && add_empty_pieces (graph, i, &row))
	    return -1;
	  lp_piece piece = { .first = i, .row = row,
			     .closing = marks[i] & CLOSES,
			     .resumes = marks[i] & RESUMES };
	  if (lp_vec_push (&graph->pieces, piece))
	    return -1;
	}
      lp_piece *piece = &graph->pieces.v[graph->pieces.n - 1];
      piece->count++;
      for (; row < graph->rows.rows.n && rows[row].insn == i; row++)
	piece->nrows++;
    }
  return 0;
}

/* The first piece at instruction I, where one starts.  */
static uint32_t
piece_at (const lp_graph *graph, uint32_t i)
{
  size_t lo = 0, hi = graph->pieces.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (graph->pieces.v[mid].first < i)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

static int
add_link (lp_graph *graph, uint32_t from, uint32_t to)
{
  lp_piece *piece = &graph->pieces.v[from];
  for (uint32_t k = 0; k < piece->nout; k++)
    if (graph->links.v[piece->out + k].to == to)
      return 0;
  lp_link link = { .from = from, .to = to, .thrower = LP_NO_CALL };
  if (lp_vec_push (&graph->links, link))
    return -1;
  piece->nout++;
  return 0;
}

/* Add the links from the calls of piece FROM to their landing pads.  *NEXT is the
   first of flow->throws that may be FROM's, and becomes the first behind.  */
static int
add_thrown (lp_graph *graph, uint32_t from, size_t *next)
{
  const lp_flow *flow = graph->flow;
  lp_piece *piece = &graph->pieces.v[from];
  for (; *next < flow->throws.n
	 && flow->throws.v[*next].insn < piece->first + piece->count; ++*next)
    {
      const lp_throw *way = &flow->throws.v[*next];
      lp_link link = { .from = from, .to = piece_at (graph, way->pad),
		       .thrower = way->insn };
      if (lp_vec_push (&graph->links, link))
	return -1;
      piece->nout++;
      piece->nthrown++;
    }
  return 0;
}

/* Add the links from the last piece of BLOCK.  What looks as if it ran into a
   landing pad is a call that does not return.  */
static int
connect_end (lp_graph *graph, const lp_basic_block *block, uint32_t piece)
{
  const lp_flow *flow = graph->flow;
  graph->pieces.v[piece].leaves = block->leaves;
  for (uint32_t k = 0; k < block->nsucc; k++)
    {
      const lp_basic_block *to
	= &flow->blocks.v[flow->edges.v[block->succ + k]];
      if (!(to->entry & LP_ENTRY_LANDING)
	  && add_link (graph, piece, piece_at (graph, to->first)))
	return -1;
    }
  return 0;
}

/* Is block B what compilers put before a place that is to be aligned, and nothing
   comes to?  */
static bool
is_padding (const lp_graph *graph, size_t b, const bool *reached)
{
  const lp_basic_block *block = &graph->flow->blocks.v[b];
  bool idle = !reached[b] && !(block->entry & ~LP_ENTRY_TABLE);
  for (uint32_t i = 0; i < block->count && idle; i++)
    idle = graph->flow->insns.v[block->first + i].idle;
  return idle;
}

/* Which blocks have a way in; NULL when out of memory.  */
static bool *
find_reached (const lp_flow *flow)
{
  bool *reached = calloc (flow->blocks.n + 1, sizeof *reached);
  for (size_t k = 0; reached && k < flow->edges.n; k++)
    reached[flow->edges.v[k]] = true;
  return reached;
}

/* Connect the pieces of block B, the first of which is *PIECE.  PADDING leads nowhere.
   *NEXT as add_thrown has it.  */
static int
connect_block (lp_graph *graph, size_t b, bool padding, uint32_t *piece,
	       size_t *next)
{
  const lp_basic_block *block = &graph->flow->blocks.v[b];
  uint32_t end = block->first + block->count;
  graph->pieces.v[*piece].outside
    = block->entry & (LP_ENTRY_FUNCTION | LP_ENTRY_LANDING);
  graph->pieces.v[*piece].landing = block->entry & LP_ENTRY_LANDING;
  graph->pieces.v[*piece].perhaps = block->entry & ~LP_ENTRY_TABLE;
  for (;; ++*piece)
    {
      uint32_t i = *piece;
      graph->pieces.v[i].handler = graph->handlers[b];
      graph->pieces.v[i].out = graph->links.n;
      graph->pieces.v[i].padding = padding;
      if (i + 1 == graph->pieces.n || graph->pieces.v[i + 1].first >= end)
	break;
      if (add_link (graph, i, i + 1) || add_thrown (graph, i, next))
	return -1;
    }
  if ((!padding && connect_end (graph, block, *piece)) || add_thrown (graph, *piece, next))
    return -1;
  ++*piece;
  return 0;
}

/* The links by where they end.  */
int
lp_graph_sort_links (lp_graph *graph)
{
  free (graph->into);
  graph->into = malloc ((graph->links.n + 1) * sizeof *graph->into);
  if (!graph->into)
    return -1;
  for (size_t i = 0; i < graph->pieces.n; i++)
    graph->pieces.v[i].nin = 0;
  for (size_t k = 0; k < graph->links.n; k++)
    graph->pieces.v[graph->links.v[k].to].nin++;
  uint32_t at = 0;
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      graph->pieces.v[i].in = at;
      at += graph->pieces.v[i].nin;
      graph->pieces.v[i].nin = 0;
    }
  for (size_t k = 0; k < graph->links.n; k++)
    {
      lp_piece *to = &graph->pieces.v[graph->links.v[k].to];
      graph->into[to->in + to->nin++] = k;
    }
  return 0;
}

/* A landing pad is reached from outside where no call is known to lead to it; and
   so is what nothing seems to lead to: returns and jumps whose targets are
   computed come there, or nobody.  */
static void
find_outside (lp_graph *graph)
{
  for (size_t i = 0; i < graph->pieces.n; i++)
    if (graph->pieces.v[i].nin == 0 && !graph->pieces.v[i].padding)
      graph->pieces.v[i].outside = true;
  for (size_t k = 0; k < graph->links.n; k++)
    if (graph->links.v[k].thrower != LP_NO_CALL)
      graph->pieces.v[graph->links.v[k].to].outside = false;
}

/* Find the blocks that are not reached without an exception.  What looks as if it
   ran into a landing pad is a call that does not return.  */
int
lp_graph_find_handlers (lp_graph *graph)
{
  const lp_flow *flow = graph->flow;
  LP_VEC (uint32_t) work = { 0 };
  graph->handlers = calloc (flow->blocks.n + 1, sizeof *graph->handlers);
  if (!graph->handlers || lp_vec_reserve (&work, flow->blocks.n + 1))
    return -1;
  for (size_t k = 0; k < flow->edges.n; k++)
    graph->handlers[flow->edges.v[k]] = true;
  for (uint32_t b = 0; b < flow->blocks.n; b++)
    {
      uint8_t entry = flow->blocks.v[b].entry;
      graph->handlers[b] |= entry & LP_ENTRY_LANDING;
      graph->handlers[b] &= !(entry & LP_ENTRY_FUNCTION);
      if (!graph->handlers[b])
	work.v[work.n++] = b;
    }
  while (work.n)
    {
      const lp_basic_block *block = &flow->blocks.v[work.v[--work.n]];
      for (uint32_t k = 0; k < block->nsucc; k++)
	{
	  uint32_t to = flow->edges.v[block->succ + k];
	  if (!graph->handlers[to]
	      || flow->blocks.v[to].entry & LP_ENTRY_LANDING)
	    continue;
	  graph->handlers[to] = false;
	  work.v[work.n++] = to;
	}
    }
  lp_vec_free (&work);
  return 0;
}

int
lp_graph_build (lp_graph *graph, const lp_hits *hits)
{
  uint8_t *marks = calloc (graph->flow->insns.n + 1, 1);
  if (!marks)
    return -1;
  mark_blocks (graph, marks);
  int bad = cut_pieces (graph, marks);
  free (marks);
  uint32_t piece = 0;
  size_t next = 0;
  bool *reached = find_reached (graph->flow);
  bad |= !reached;
  for (size_t b = 0; !bad && b < graph->flow->blocks.n; b++)
    bad = connect_block (graph, b, is_padding (graph, b, reached), &piece,
			 &next);
  free (reached);
  if (bad || lp_graph_sort_links (graph))
    return -1;
  find_outside (graph);
  if (graph->fn->producer == LP_PRODUCER_LLVM && lp_graph_join (graph))
    return -1;
  graph->region = calloc (graph->pieces.n + 1, sizeof *graph->region);
  return !graph->region || lp_graph_label (graph, hits) ? -1
	 : lp_graph_link (graph);
}

/* Where a way into TO goes on: behind mere jumps.  */
static uint32_t
behind_jumps (const lp_graph *graph, uint32_t to)
{
  while (graph->pieces.v[to].through)
    to = graph->links.v[graph->pieces.v[to].out].to;
  return to;
}

/* Lead the links through the mere jumps.  */
int
lp_graph_link (lp_graph *graph)
{
  lp_link *links = graph->links.v;
  for (size_t k = 0; k < graph->links.n; k++)
    links[k].hop = links[k].to;
  for (size_t k = 0; k < graph->links.n; k++)
    if (!graph->pieces.v[links[k].from].through)
      links[k].to = behind_jumps (graph, links[k].hop);
  size_t n = 0;
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      lp_piece *piece = &graph->pieces.v[i];
      uint32_t nout = piece->through ? 0 : piece->nout;
      for (uint32_t k = 0; k < nout; k++)
	links[n + k] = links[piece->out + k];
      piece->out = n;
      piece->nout = nout;
      n += nout;
    }
  graph->links.n = n;
  return lp_graph_sort_links (graph);
}

void
lp_graph_free (lp_graph *graph)
{
  lp_hit_rows_free (&graph->rows);
  lp_vec_free (&graph->pieces);
  lp_vec_free (&graph->links);
  free (graph->into);
  free (graph->region);
  free (graph->handlers);
}
