/* hits_sum.c: the sum of counters that is a line's hits.  */

#include "probe/hits_sum.h"

#include <stdlib.h>

static bool
has_inner_link (const lp_sum *s)
{
  for (size_t i = 0; i < s->members.n; i++)
    {
      const lp_piece *piece = &s->graph->pieces.v[s->members.v[i]];
      for (uint32_t k = 0; k < piece->nout; k++)
	{
	  uint32_t to = s->graph->links.v[piece->out + k].to;
	  if (s->graph->pieces.v[to].label == s->line)
	    return true;
	}
    }
  return false;
}

/* LLVM does not end a block at each call, and a handler of exceptions says
   nothing of the line in the ordinary code: it is looked at by itself.  */
static bool
takes_part (const lp_sum *s, const lp_piece *piece, bool handler)
{
  bool apart = s->graph->fn->producer == LP_PRODUCER_LLVM;
  return handler == (apart && piece->handler);
}

/* The pieces with the line's label that are HANDLER, or not.  */
static int
find_members (lp_sum *s, bool handler)
{
  s->members.n = 0;
  for (uint32_t i = s->heads[s->line]; i; i = s->chain[i - 1])
    if (takes_part (s, &s->graph->pieces.v[i - 1], handler)
	&& lp_vec_push (&s->members, i - 1))
      return -1;
  return 0;
}

/* The line is the label of some pieces: count what enters them, and the loops
   among them.  */
static int
sum_members (lp_sum *s)
{
  if (has_inner_link (s)
      && lp_graph_cut_loops (s->graph, s->members.v, s->members.n, &s->exact))
    return -1;
  for (size_t i = 0; i < s->members.n; i++)
    if (lp_sum_piece (s, &s->graph->pieces.v[s->members.v[i]]))
      return -1;
  return 0;
}

/* The line is no piece's label: count the pieces that have a row of it, each
   once.  ROW is its first row in BY_LINE.  */
static int
sum_rows (lp_sum *s, size_t row, bool handler)
{
  const lp_place *rows = s->by_line.v;
  for (uint32_t last = 0; row < s->by_line.n && rows[row].line == s->line;
       row++)
    {
      const lp_piece *piece = &s->graph->pieces.v[rows[row].piece];
      lp_counter counter = { lp_sum_place (s, piece, s->line), 0 };
      if (rows[row].piece + 1 != last && takes_part (s, piece, handler)
	  && lp_vec_push (&s->plus, counter))
	return -1;
      last = rows[row].piece + 1;
    }
  return 0;
}

static int
order_places (const void *a, const void *b)
{
  const lp_place *x = a, *y = b;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Fill BY_LINE and the lists of pieces.  */
static int
index_pieces (lp_sum *s)
{
  const lp_graph *graph = s->graph;
  s->heads = calloc (s->hits->lines.n + 1, sizeof *s->heads);
  s->chain = calloc (graph->pieces.n + 1, sizeof *s->chain);
  if (!s->heads || !s->chain)
    return -1;
  for (uint32_t i = graph->pieces.n; i-- > 0;)
    {
      const lp_piece *piece = &graph->pieces.v[i];
      if (piece->label == LP_NO_LINE && !piece->last && !piece->prologue)
	continue;
      for (uint32_t r = 0; r < piece->nrows; r++)
	{
	  uint32_t row = piece->row + r;
	  lp_place place = { graph->rows.rows.v[row].line, row,
			     piece->prologue ? graph->opened : i };
	  if (lp_vec_push (&s->by_line, place))
	    return -1;
	}
      if (piece->label == LP_NO_LINE)
	continue;
      s->chain[i] = s->heads[piece->label];
      s->heads[piece->label] = i + 1;
    }
  if (s->by_line.n)
    qsort (s->by_line.v, s->by_line.n, sizeof *s->by_line.v, order_places);
  return 0;
}

static void
sort_counters (lp_counter_list *list)
{
  if (list->n)
    qsort (list->v, list->n, sizeof *list->v, lp_order_counters);
}

/* Remove what is both added and taken away.  */
static void
cancel (lp_sum *s)
{
  size_t nplus = 0, nminus = 0, m = 0;
  sort_counters (&s->plus);
  sort_counters (&s->minus);
  for (size_t p = 0; p < s->plus.n; p++)
    {
      for (; m < s->minus.n
	     && lp_order_counters (&s->minus.v[m], &s->plus.v[p]) < 0; m++)
	s->minus.v[nminus++] = s->minus.v[m];
      if (m < s->minus.n && !lp_order_counters (&s->minus.v[m], &s->plus.v[p]))
	m++;
      else
	s->plus.v[nplus++] = s->plus.v[p];
    }
  for (; m < s->minus.n; m++)
    s->minus.v[nminus++] = s->minus.v[m];
  s->plus.n = nplus;
  s->minus.n = nminus;
}

static int
append (lp_counter_list *to, const lp_counter_list *from)
{
  for (size_t i = 0; i < from->n; i++)
    if (lp_vec_push (to, from->v[i]))
      return -1;
  return 0;
}

/* The terms of the line in hand, whose rows start at BY_LINE[ROW].  */
static int
sum_line (lp_sum *s, size_t row)
{
  lp_hit_line *line = &s->hits->lines.v[s->line];
  s->exact = true;
  s->plus.n = s->minus.n = 0;
  line->first_term = s->terms.n;
  for (int handler = 0; handler < 2; handler++)
    if (find_members (s, handler)
	|| (s->members.n ? sum_members (s) : sum_rows (s, row, handler)))
      return -1;
  cancel (s);
  if (append (&s->terms, &s->plus) || append (&s->terms, &s->minus))
    return -1;
  line->nterms = s->plus.n + s->minus.n;
  line->nminus = s->minus.n;
  line->exact = s->exact;
  return 0;
}

/* Each term has its counter; which are the same is seen when all nodes are there
   (lp_hits_unite).  */
static int
number_counters (lp_sum *s)
{
  lp_hits *hits = s->hits;
  if (lp_vec_reserve (&hits->counters, s->terms.n)
      || lp_vec_reserve (&hits->terms, s->terms.n))
    return -1;
  for (size_t i = 0; i < s->terms.n; i++)
    {
      hits->counters.v[i] = s->terms.v[i];
      hits->terms.v[i] = i;
    }
  hits->counters.n = hits->terms.n = s->terms.n;
  return 0;
}

static int
sum_all (lp_sum *s)
{
  size_t row = 0;
  if (index_pieces (s))
    return -1;
  for (s->line = 0; s->line < s->hits->lines.n; s->line++)
    {
      if (s->line != s->graph->outside && sum_line (s, row))
	return -1;
      while (row < s->by_line.n && s->by_line.v[row].line == s->line)
	row++;
    }
  return number_counters (s);
}

int
lp_hits_sum (lp_graph *graph, lp_hits *hits)
{
  lp_sum s = { .graph = graph, .hits = hits };
  int bad = sum_all (&s);
  lp_vec_free (&s.plus);
  lp_vec_free (&s.minus);
  lp_vec_free (&s.terms);
  lp_vec_free (&s.members);
  lp_vec_free (&s.by_line);
  free (s.heads);
  free (s.chain);
  return bad;
}
