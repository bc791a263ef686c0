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

/* The greatest line among PIECE's last rows of one file.  */
static uint32_t
greatest_line (const lp_graph *graph, const lp_hits *hits,
	       const lp_piece *piece)
{
  const lp_hit_row *rows = rows_of (graph, piece);
  uint32_t best = rows[piece->nrows - 1].line;
  for (uint32_t r = piece->nrows; r-- > 0;)
    {
      if (hits->lines.v[rows[r].line].file != hits->lines.v[best].file)
	break;
      if (rows[r].line > best)
	best = rows[r].line;
    }
  return best;
}

/* Is PIECE, a mere jump without a row or with one that its line does not need,
   no more than an edge between two others?  */
static bool
passes_through (const lp_graph *graph, const lp_piece *piece)
{
  const lp_insn *insns = graph->flow->insns.v;
  if (piece->count != 1 || insns[piece->first].kind != LP_INSN_JMP
      || piece->nout != 1 || piece->outside || piece->nin == 0)
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
  return graph->rows.plain[rows_of (graph, piece)->line];
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
    graph->pieces.v[i].through = passes_through (graph, &graph->pieces.v[i]);
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

/* Find the handlers: the pieces that are not reached without an exception.  */
static int
find_handlers (lp_graph *graph)
{
  LP_VEC (uint32_t) work = { 0 };
  int bad = lp_vec_reserve (&work, graph->pieces.n + 1);
  for (uint32_t i = 0; !bad && i < graph->pieces.n; i++)
    {
      lp_piece *piece = &graph->pieces.v[i];
      piece->handler = piece->landing || (!piece->outside && piece->nin);
      if (!piece->handler)
	work.v[work.n++] = i;
    }
  while (!bad && work.n)
    {
      const lp_piece *piece = &graph->pieces.v[work.v[--work.n]];
      for (uint32_t k = 0; k < piece->nout; k++)
	{
	  const lp_link *out = &graph->links.v[piece->out + k];
	  lp_piece *to = &graph->pieces.v[out->to];
	  if (out->thrower != LP_NO_CALL)
	    continue;
	  if (to->handler)
	    work.v[work.n++] = out->to;
	  to->handler = false;
	}
    }
  lp_vec_free (&work);
  return bad;
}

static uint32_t
block_label (const lp_graph *graph, const lp_hits *hits,
	     const lp_piece *piece)
{
  if (piece->through || is_dispatch (graph, piece))
    return LP_NO_LINE;
  if (piece->nrows)
    return greatest_line (graph, hits, piece);
  uint32_t cover = graph->rows.cover[piece->first];
  return cover != LP_NO_LINE ? cover : UNDECIDED;
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
    if (graph->pieces.v[i].label == UNDECIDED)
      graph->pieces.v[i].label = LP_NO_LINE;
  free (open);
  return 0;
}

/* Does IN do nothing but carry a line: a jump, or a nop as gcc leaves where it
   merges code?  */
static bool
is_filler (const lp_insn *in)
{
  return in->kind == LP_INSN_JMP
	 || (in->kind == LP_INSN_PLAIN && in->len == 1 && !in->reads
	     && !in->writes && !in->uses_sp && !in->reads_flags);
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
	if (!is_filler (&graph->flow->insns.v[rows[r].insn]))
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
  if (find_handlers (graph))
    return -1;
  if (!graph->by_rows)
    find_jumps (graph);
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
