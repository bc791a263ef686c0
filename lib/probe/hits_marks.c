/* hits_marks.c: where the line that time is charged to changes.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

/* The current line on arrival at a piece.  */
#define UNREACHED (UINT32_MAX - 1)
#define MIXED UINT32_MAX

typedef LP_VEC (uint32_t) piece_list;

/* The line that is current behind PIECE, when it was BEFORE.  */
static uint32_t
line_behind (const lp_graph *graph, const lp_piece *piece, uint32_t before)
{
  return piece->nrows
	 ? graph->rows.rows.v[piece->row + piece->nrows - 1].line : before;
}

/* Tell the piece TO that a way to it comes with LINE.  Its number is added to
   WORK when that changes what is known.  */
static int
tell (uint32_t *lines, uint32_t to, uint32_t line, piece_list *work)
{
  uint32_t now = lines[to] == UNREACHED || lines[to] == line ? line : MIXED;
  if (now == lines[to])
    return 0;
  lines[to] = now;
  return lp_vec_push (work, to);
}

/* The current line on arrival at each piece: one, or MIXED.  Of code that is
   entered otherwise than by a link nothing is known.  */
static int
flow_lines (const lp_graph *graph, uint32_t *lines, piece_list *work)
{
  for (size_t i = 0; i < graph->pieces.n; i++)
    lines[i] = UNREACHED;
  for (size_t i = 0; i < graph->pieces.n; i++)
    if ((graph->pieces.v[i].perhaps || graph->pieces.v[i].nin == 0)
	&& tell (lines, i, MIXED, work))
      return -1;
  while (work->n)
    {
      uint32_t i = work->v[--work->n];
      const lp_piece *piece = &graph->pieces.v[i];
      uint32_t line = line_behind (graph, piece, lines[i]);
      for (uint32_t k = 0; k < piece->nout; k++)
	if (tell (lines, graph->links.v[piece->out + k].to, line, work))
	  return -1;
    }
  return 0;
}

/* The marks of PIECE, which is come to with the line CURRENT.  */
static int
mark_piece (const lp_graph *graph, const lp_piece *piece, uint32_t current,
	    lp_hits *hits)
{
  const lp_hit_row *rows = &graph->rows.rows.v[piece->row];
  for (uint32_t r = 0; r < piece->nrows; r++)
    {
      lp_mark mark = { graph->flow->insns.v[rows[r].insn].addr, rows[r].line,
		       rows[r].line != current };
      size_t n = hits->marks.n;
      if (n && hits->marks.v[n - 1].addr == mark.addr)
	{
	  mark.timed |= hits->marks.v[n - 1].timed;
	  hits->marks.v[n - 1] = mark;
	}
      else if (lp_vec_push (&hits->marks, mark))
	return -1;
      current = rows[r].line;
    }
  return 0;
}

int
lp_hits_mark (const lp_graph *graph, lp_hits *hits)
{
  uint32_t *lines = malloc ((graph->pieces.n + 1) * sizeof *lines);
  piece_list work = { 0 };
  int bad = !lines || flow_lines (graph, lines, &work);
  for (size_t i = 0; !bad && i < graph->pieces.n; i++)
    if (!graph->pieces.v[i].through)
      bad = mark_piece (graph, &graph->pieces.v[i], lines[i], hits);
  lp_vec_free (&work);
  free (lines);
  return bad ? -1 : 0;
}
