/* hits_labels.c: which line each piece belongs to (the rules are in hits.h).  */

#include "probe/hits_graph.h"

#include <stdlib.h>

/* Not known yet, while labels flow along the links.  */
#define UNDECIDED (UINT32_MAX - 1)

static const lp_hit_row *
rows_of (const lp_graph *graph, const lp_piece *piece)
{
  return &graph->rows.rows.v[piece->row];
}

/* The greatest line among PIECE's last rows of one file; what is outside of the
   graph's node only where nothing else is there.  */
static uint32_t
greatest_line (const lp_graph *graph, const lp_hits *hits,
	       const lp_piece *piece)
{
  const lp_hit_row *rows = rows_of (graph, piece);
  uint32_t best = LP_NO_LINE;
  for (uint32_t r = piece->nrows; r-- > 0;)
    {
      if (rows[r].line == graph->outside)
	continue;
      if (best != LP_NO_LINE
	  && hits->lines.v[rows[r].line].file != hits->lines.v[best].file)
	break;
      if (best == LP_NO_LINE || rows[r].line > best)
	best = rows[r].line;
    }
  return best == LP_NO_LINE ? rows[piece->nrows - 1].line : best;
}

/* Is piece I, a jump without a row behind a call of a handler, the way to the
   handler around: to what stands behind another landing pad?  */
static bool
jumps_on (const lp_graph *graph, uint32_t i)
{
  const lp_piece *piece = &graph->pieces.v[i];
  if (!lp_is_plain_gcc (graph) || !piece->handler
      || piece->count != 1 || piece->nrows || piece->nout != 1 || i == 0
      || !lp_is_call (lp_piece_last (graph, piece - 1)))
    return false;
  uint32_t to = graph->links.v[piece->out].to;
  return to && graph->pieces.v[to - 1].landing;
}

/* Is PIECE, a mere jump without a row or with one that its line does not need,
   no more than an edge between two others?  */
static bool
passes_through (const lp_graph *graph, const lp_piece *piece)
{
  const lp_insn *insns = graph->flow->insns.v;
  if (piece->count != 1 || insns[piece->first].kind != LP_INSN_JMP
      || piece->nout != 1 || piece->outside || piece->nin == 0
      || piece->resumes)
    return false;
  if (piece->nrows == 0)
    return true;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *in = &graph->links.v[graph->into[piece->in + k]];
      const lp_piece *from = &graph->pieces.v[in->from];
      if (lp_piece_last (graph, from)->kind != LP_INSN_JCC)
	return false;
    }
  return graph->rows.busy[rows_of (graph, piece)->line];
}

/* Does a way from piece I through mere jumps come back to it?  */
static bool
in_ring (const lp_graph *graph, uint32_t i)
{
  uint32_t at = i;
  for (size_t n = 0; n < graph->pieces.n && graph->pieces.v[at].through; n++)
    at = graph->links.v[graph->pieces.v[at].out].to;
  return graph->pieces.v[at].through;
}

static void
find_jumps (lp_graph *graph)
{
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      graph->pieces.v[i].resumes |= jumps_on (graph, i);
      graph->pieces.v[i].through = passes_through (graph, &graph->pieces.v[i]);
    }
  for (size_t i = 0; i < graph->pieces.n; i++)
    if (graph->pieces.v[i].through && in_ring (graph, i))
      graph->pieces.v[i].through = false;
}

/* A jump through a register that many places share, as compilers make of
   computed gotos: of no line.  */
static bool
is_dispatch (const lp_graph *graph, const lp_piece *piece)
{
  return piece->nrows == 0 && piece->nin > 1
	 && lp_piece_last (graph, piece)->kind == LP_INSN_JMP_IND;
}

/* The test of a loop that gcc made to destroy an array has no line: it compares
   with a register that calls preserve, which no variable is in, and a jump without
   a row comes back to it.  */
static bool
tests_own_loop (const lp_graph *graph, const lp_piece *piece)
{
  const uint16_t preserved = 1 << 3 | 0xf << 12; /* rbx, r12 to r15 */
  const lp_insn *first = &graph->flow->insns.v[piece->first];
  if (piece->nrows || piece->count != 2 || !(first->reads & preserved)
      || lp_piece_last (graph, piece)->kind != LP_INSN_JCC)
    return false;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      uint32_t from = graph->links.v[graph->into[piece->in + k]].from;
      const lp_piece *back = &graph->pieces.v[from];
      if (back >= piece && back->nrows == 0
	  && lp_piece_last (graph, back)->kind == LP_INSN_JMP)
	return true;
    }
  return false;
}

/* gcov takes the last of a function's blocks for its exit: no line is its label,
   but a line that is nowhere a label is hit with each execution of it too.  Where
   there are landing pads, they are the last.  Otherwise it is what returns a value
   that was kept in a register meanwhile, or, in a function without a value, all
   that the epilogue ends, which starts with a nop then; other values have a block
   of their own for their return, which has no code.  */
static void
find_last (lp_graph *graph)
{
  bool pads = false;
  for (size_t i = 0; i < graph->pieces.n; i++)
    pads |= graph->pieces.v[i].landing;
  for (size_t i = 1; i < graph->pieces.n && !pads; i++)
    {
      const lp_piece *closing = &graph->pieces.v[i];
      lp_piece *before = &graph->pieces.v[i - 1];
      const lp_insn *insns = graph->flow->insns.v;
      bool returns = before->count == 1 && insns[before->first].copies;
      before->last = closing->closing
		     && (returns || lp_is_filler (&insns[closing->first]))
		     && lp_flow_block_of (graph->flow, closing->first)
			== lp_flow_block_of (graph->flow, before->first);
    }
}

/* The prologue is no code of the program's: where it runs into code that is come
   to otherwise too, the opening line is that code's.  */
static void
find_opening (lp_graph *graph)
{
  long entry = lp_flow_find (graph->flow, graph->fn->entry);
  uint32_t i = 0;
  while (i < graph->pieces.n && graph->pieces.v[i].first != entry)
    i++;
  graph->opened = i;
  if (i == graph->pieces.n || !lp_is_plain_gcc (graph))
    return;
  const lp_piece *piece = &graph->pieces.v[i];
  const lp_insn *last = lp_piece_last (graph, piece);
  if (piece->nrows == 1 && last->kind == LP_INSN_PLAIN && piece->nout == 1)
    {
      graph->opened = graph->links.v[piece->out].to;
      graph->pieces.v[i].prologue = graph->opened != i;
    }
}

/* Does PIECE stop the program?  LLVM marks what cannot be reached behind a call.  */
static bool
is_dead_end (const lp_graph *graph, const lp_piece *piece)
{
  for (size_t n = 0; n < graph->pieces.n
		     && piece->nout - piece->nthrown == 1
		     && lp_piece_last (graph, piece)->kind == LP_INSN_JMP; n++)
    piece = &graph->pieces.v[graph->links.v[piece->out].to];
  return lp_piece_last (graph, piece)->kind == LP_INSN_STOP;
}

/* Is PIECE what a check comes to that the compiler has added to a statement, of an
   overflow or an index: a dead end that only conditional jumps of its one line lead
   to?  */
static bool
fails_check (const lp_graph *graph, const lp_piece *piece)
{
  if (graph->fn->producer != LP_PRODUCER_LLVM || piece->nrows != 1
      || piece->nin == 0 || piece->outside || !is_dead_end (graph, piece))
    return false;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *in = &graph->links.v[graph->into[piece->in + k]];
      const lp_piece *from = &graph->pieces.v[in->from];
      uint32_t last = from->first + (from->count ? from->count - 1 : 0);
      if (graph->flow->insns.v[last].kind != LP_INSN_JCC
	  || graph->rows.cover[last] != rows_of (graph, piece)->line)
	return false;
    }
  return true;
}

static uint32_t
block_label (const lp_graph *graph, const lp_hits *hits,
	     const lp_piece *piece)
{
  bool gcc = lp_is_plain_gcc (graph);
  if (piece->through && !gcc)
    return UNDECIDED;		/* what comes behind it has the line before it */
  if (piece->through || is_dispatch (graph, piece)
      || fails_check (graph, piece))
    return LP_NO_LINE;
  if (gcc && !graph->node
      && (piece->resumes || piece->last || piece->prologue
	      || tests_own_loop (graph, piece)))
    return LP_NO_LINE;
  if (piece->nrows)
    return greatest_line (graph, hits, piece);
  if (piece->landing && graph->fn->producer == LP_PRODUCER_LLVM)
    return LP_NO_LINE;
  uint32_t cover = graph->rows.cover[piece->first];
  return cover == LP_NO_LINE && !gcc ? UNDECIDED : cover;
}

static uint32_t
row_label (const lp_graph *graph, const lp_piece *piece)
{
  if (piece->nrows)
    return rows_of (graph, piece)->line;
  return piece->outside || piece->landing ? graph->rows.cover[piece->first] : UNDECIDED;
}

/* The line that all ways into PIECE come from, or UNDECIDED.  */
static uint32_t
label_before (const lp_graph *graph, const lp_piece *piece)
{
  uint32_t label = UNDECIDED;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *in = &graph->links.v[graph->into[piece->in + k]];
      uint32_t from = graph->pieces.v[in->from].label;
      if (label == UNDECIDED)
	label = from;
      else if (from != UNDECIDED && from != label)
	return LP_NO_LINE;
    }
  return label;
}

/* Code without a row of its own stays with the line it came from.  Labels only
   fall, from UNDECIDED to a line to none, so this ends.  */
static int
inherit_labels (lp_graph *graph)
{
  bool *open = calloc (graph->pieces.n + 1, sizeof *open);
  bool again = true;
  if (!open)
    return -1;
  for (size_t i = 0; i < graph->pieces.n; i++)
    open[i] = graph->pieces.v[i].label == UNDECIDED;
  while (again)
    {
      again = false;
      for (size_t i = 0; i < graph->pieces.n; i++)
	if (open[i])
	  {
	    lp_piece *piece = &graph->pieces.v[i];
	    uint32_t label = label_before (graph, piece);
	    again |= label != piece->label;
	    piece->label = label;
	  }
    }
  for (size_t i = 0; i < graph->pieces.n; i++)
    if (graph->pieces.v[i].label == UNDECIDED || graph->pieces.v[i].through)
      graph->pieces.v[i].label = LP_NO_LINE;
  free (open);
  return 0;
}

/* An epilogue counts as a line's only where the line has no other code that
   does something.  */
static int
drop_closings (lp_graph *graph, const lp_hits *hits)
{
  bool *used = calloc (hits->lines.n + 1, sizeof *used);
  if (!used)
    return -1;
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      const lp_piece *piece = &graph->pieces.v[i];
      const lp_hit_row *rows = rows_of (graph, piece);
      uint32_t nrows = piece->closing || piece->handler ? 0 : piece->nrows;
      for (uint32_t r = 0; r < nrows; r++)
	if (!lp_is_filler (&graph->flow->insns.v[rows[r].insn]))
	  used[rows[r].line] = true;
    }
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      lp_piece *piece = &graph->pieces.v[i];
      if (piece->closing && piece->label != LP_NO_LINE && used[piece->label])
	piece->label = LP_NO_LINE;
    }
  free (used);
  return 0;
}

int
lp_graph_label (lp_graph *graph, const lp_hits *hits)
{
  if (!graph->by_rows)
    find_jumps (graph);
  find_opening (graph);
  if (lp_is_plain_gcc (graph))
    find_last (graph);
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      lp_piece *piece = &graph->pieces.v[i];
      piece->label = graph->by_rows ? row_label (graph, piece)
		     : block_label (graph, hits, piece);
    }
  if (inherit_labels (graph))
    return -1;
  return graph->by_rows ? 0 : drop_closings (graph, hits);
}
