/* hits_join.c: clang ends a block behind each call that may throw, with a jump
   to the next instruction.  Such pieces become one again.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

/* Does control go from the piece before I to I, and come from nowhere else?  */
static bool
joins (const lp_graph *graph, uint32_t i)
{
  const lp_piece *piece = &graph->pieces.v[i], *before = piece - 1;
  if (i == 0 || piece->nin != 1 || before->nout - before->nthrown != 1
      || before->leaves
      || before->count == 1 || piece->perhaps || piece->closing)
    return false;
  return graph->links.v[before->out].to == i
	 && before->first + before->count == piece->first
	 && lp_piece_last (graph, before)->kind == LP_INSN_JMP;
}

/* Merge the pieces; NUMBERS gets the new number of each.  */
static void
merge_pieces (lp_graph *graph, const bool *join, uint32_t *numbers)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < graph->pieces.n; i++)
    {
      lp_piece piece = graph->pieces.v[i];
      if (join[i])
	{
	  lp_piece *before = &graph->pieces.v[n - 1];
	  before->count += piece.count;
	  before->nrows += piece.nrows;
	  before->out = piece.out;
	  before->nout = piece.nout;
	  before->nthrown += piece.nthrown;
	  before->leaves = piece.leaves;
	}
      else
	graph->pieces.v[n++] = piece;
      numbers[i] = n - 1;
    }
  graph->pieces.n = n;
}

/* Remove the links inside merged pieces and renumber the others.  */
static void
merge_links (lp_graph *graph, const bool *join, const uint32_t *numbers)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < graph->pieces.n; i++)
    graph->pieces.v[i].nout = 0;
  for (size_t k = 0; k < graph->links.n; k++)
    {
      lp_link link = graph->links.v[k];
      if (join[link.to])
	continue;
      link.from = numbers[link.from];
      link.to = numbers[link.to];
      lp_piece *from = &graph->pieces.v[link.from];
      if (from->nout++ == 0)
	from->out = n;
      graph->links.v[n++] = link;
    }
  graph->links.n = n;
}

int
lp_graph_join (lp_graph *graph)
{
  bool *join = calloc (graph->pieces.n + 1, sizeof *join);
  uint32_t *numbers = calloc (graph->pieces.n + 1, sizeof *numbers);
  if (join && numbers)
    {
      for (uint32_t i = 0; i < graph->pieces.n; i++)
	join[i] = joins (graph, i);
      merge_pieces (graph, join, numbers);
      merge_links (graph, join, numbers);
    }
  int bad = !join || !numbers ? -1 : lp_graph_sort_links (graph);
  free (join);
  free (numbers);
  return bad;
}
