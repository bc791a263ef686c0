/* hits_whole.c: where an instance of inlined code is entered.

   Optimised code of the caller stands between that of the instance, so that control
   comes back to it without a call.  It is entered where the line table has its opening
   line, and where control can come to it that was not in it before: of the copies that
   compilers make, some lack one or the other.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

static bool
is_inside (const lp_graph *graph, const lp_piece *piece)
{
  return piece->label != LP_NO_LINE && piece->label != graph->outside;
}

static bool
has_opening_row (const lp_graph *graph, const lp_piece *piece)
{
  for (uint32_t r = 0; r < piece->nrows; r++)
    if (graph->rows.rows.v[piece->row + r].opens)
      return true;
  return false;
}

/* Go on from the N pieces of WORK, which are outside: what is there, too, is added to it,
   and what is not is entered.  SEEN has those of WORK.  */
static void
spread (lp_graph *graph, bool *seen, uint32_t *work, size_t n)
{
  while (n)
    {
      const lp_piece *piece = &graph->pieces.v[work[--n]];
      for (uint32_t k = 0; k < piece->nout; k++)
	{
	  uint32_t to = graph->links.v[piece->out + k].to;
	  if (is_inside (graph, &graph->pieces.v[to]))
	    graph->pieces.v[to].opens = true;
	  else if (!seen[to])
	    {
	      seen[to] = true;
	      work[n++] = to;
	    }
	}
    }
}

/* Is any piece of the instance at its opening line?  */
static bool
has_opening (const lp_graph *graph)
{
  for (size_t i = 0; graph->by_rows && i < graph->pieces.n; i++)
    if (is_inside (graph, &graph->pieces.v[i])
	&& has_opening_row (graph, &graph->pieces.v[i]))
      return true;
  return false;
}

/* Of what was found, believe the opening line alone, and where that is nowhere, one
   place.  */
static void
be_strict (lp_graph *graph)
{
  bool seen = has_opening (graph);
  size_t n = 0;
  for (size_t i = 0; i < graph->pieces.n; i++)
    {
      lp_piece *piece = &graph->pieces.v[i];
      piece->opens &= !seen || has_opening_row (graph, piece);
      n += piece->opens && is_inside (graph, piece);
    }
  for (size_t i = 0; !seen && n > 1 && i < graph->pieces.n; i++)
    graph->pieces.v[i].opens = false;
}

int
lp_graph_find_openings (lp_graph *graph)
{
  bool *seen = calloc (graph->pieces.n + 1, sizeof *seen);
  uint32_t *work = calloc (graph->pieces.n + 1, sizeof *work);
  size_t n = 0;
  for (uint32_t i = 0; seen && work && i < graph->pieces.n; i++)
    {
      lp_piece *piece = &graph->pieces.v[i];
      /* Only gcc's line tables say where statements begin.  */
      piece->opens = !graph->by_rows || piece->outside
		     || has_opening_row (graph, piece);
      seen[i] = piece->outside && !is_inside (graph, piece);
      if (seen[i])
	work[n++] = i;
    }
  int bad = !seen || !work ? -1 : 0;
  if (!bad)
    spread (graph, seen, work, n);
  if (!bad && graph->strict && graph->by_rows)
    be_strict (graph);
  free (seen);
  free (work);
  return bad;
}
