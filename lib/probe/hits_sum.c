/* hits_sum.c: the sum of counters that is a line's hits.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

/* A row and the piece that it is in.  */
struct place
{
  uint32_t line, row, piece;
};

struct sum
{
  lp_graph *graph;
  lp_hits *hits;
  uint32_t line;		/* the line in hand */
  bool exact;
  LP_VEC (lp_counter) terms;	/* its counters */
  uint32_t *heads;		/* of each line: 1 + the first piece of that label, or 0 */
  uint32_t *chain;		/* of each piece: 1 + the next one of the same label, or 0 */
  LP_VEC (uint32_t) members;	/* pieces of the line in hand */
  LP_VEC (struct place) by_line; /* by line, then by row */
};

static uint64_t
address (const lp_graph *graph, uint32_t insn)
{
  return graph->flow->insns.v[insn].addr;
}

static int
add_term (struct sum *s, uint64_t addr, uint64_t from)
{
  return lp_vec_push (&s->terms, (lp_counter) { addr, from });
}

/* Where to count the executions of PIECE: at its row of LINE, so that a line
   that was not come to because of a crash is not counted.  */
static uint64_t
counting_place (const struct sum *s, const lp_piece *piece, uint32_t line)
{
  const struct place *places = s->by_line.v;
  size_t lo = 0, hi = s->by_line.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (places[mid].line < line
	  || (places[mid].line == line && places[mid].row < piece->row))
	lo = mid + 1;
      else
	hi = mid;
    }
  uint32_t insn = piece->first;
  if (lo < s->by_line.n && places[lo].line == line
      && places[lo].row < piece->row + piece->nrows)
    insn = s->graph->rows.rows.v[places[lo].row].insn;
  return address (s->graph, insn);
}

static bool
is_counted (const struct sum *s, const lp_link *link)
{
  return (link->cut && !link->silent)
	 || s->graph->pieces.v[link->from].label != s->line;
}

/* Has the last instruction of PIECE a counter for each way it may go?  */
static bool
counts_ways (const struct sum *s, const lp_piece *piece)
{
  const lp_insn *last = lp_piece_last (s->graph, piece);
  return piece->count && (last->kind == LP_INSN_JMP
			  || last->kind == LP_INSN_JCC
			  || last->kind == LP_INSN_LOOP);
}

static bool
has_one_way (const lp_piece *piece)
{
  return piece->nout == 1 && !piece->leaves;
}

/* Count LINK alone: where it starts, or on the edge.  */
static int
count_link (struct sum *s, const lp_link *link)
{
  const lp_piece *from = &s->graph->pieces.v[link->from];
  const lp_piece *hop = &s->graph->pieces.v[link->hop];
  const lp_insn *last = lp_piece_last (s->graph, from);
  if (!has_one_way (from))
    return add_term (s, address (s->graph, hop->first), last->addr);
  /* A call that does not return is counted all the same.  */
  s->exact &= !lp_is_call (last);
  return add_term (s, counting_place (s, from, from->label), 0);
}

/* Of the links into PIECE, those that come through the mere jump HOP are
   counted together where all of them are counted.  */
static int
count_through (struct sum *s, const lp_piece *piece, const lp_link *link)
{
  uint32_t *into = &s->graph->into[piece->in];
  bool first = true, all = true;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *other = &s->graph->links.v[into[k]];
      if (other->hop != link->hop)
	continue;
      first &= other >= link;
      all &= is_counted (s, other);
    }
  if (!all || link->hop == link->to)
    return count_link (s, link);
  uint32_t jump = s->graph->pieces.v[link->hop].first;
  return first ? add_term (s, address (s->graph, jump), 0) : 0;
}

/* How the ways into PIECE can be counted.  */
enum ways { NONE, SOME, ALL, UNKNOWN };

static enum ways
ways_into (const struct sum *s, const lp_piece *piece)
{
  uint32_t counted = 0;
  bool each = !piece->outside;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *link = &s->graph->links.v[s->graph->into[piece->in + k]];
      const lp_piece *from = &s->graph->pieces.v[link->from];
      if (!is_counted (s, link))
	continue;
      counted++;
      each &= has_one_way (from) || counts_ways (s, from);
    }
  if (counted == piece->nin)
    return ALL;
  if (counted == 0 && !piece->outside)
    return NONE;
  return each ? SOME : UNKNOWN;
}

/* Count the ways into PIECE that are new hits.  Where they cannot be told from
   the others, all are taken.  */
static int
count_piece (struct sum *s, const lp_piece *piece)
{
  enum ways ways = ways_into (s, piece);
  if (ways == ALL || ways == UNKNOWN)
    {
      s->exact &= ways == ALL;
      return add_term (s, counting_place (s, piece, s->line), 0);
    }
  for (uint32_t k = 0; k < piece->nin && ways == SOME; k++)
    {
      const lp_link *link = &s->graph->links.v[s->graph->into[piece->in + k]];
      if (is_counted (s, link) && count_through (s, piece, link))
	return -1;
    }
  return 0;
}

static bool
has_inner_link (const struct sum *s)
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

/* The pieces with the line's label that are HANDLER, or not.  */
static int
find_members (struct sum *s, bool handler)
{
  s->members.n = 0;
  for (uint32_t i = s->heads[s->line]; i; i = s->chain[i - 1])
    if (s->graph->pieces.v[i - 1].handler == handler
	&& lp_vec_push (&s->members, i - 1))
      return -1;
  return 0;
}

/* The line is the label of some pieces: count what enters them, and the loops
   among them.  */
static int
sum_members (struct sum *s)
{
  if (has_inner_link (s)
      && lp_graph_cut_loops (s->graph, s->members.v, s->members.n, &s->exact))
    return -1;
  for (size_t i = 0; i < s->members.n; i++)
    if (count_piece (s, &s->graph->pieces.v[s->members.v[i]]))
      return -1;
  return 0;
}

/* The line is no piece's label: count the pieces that have a row of it, each
   once.  ROW is its first row in BY_LINE.  */
static int
sum_rows (struct sum *s, size_t row, bool handler)
{
  const struct place *rows = s->by_line.v;
  for (uint32_t last = 0; row < s->by_line.n && rows[row].line == s->line;
       row++)
    {
      const lp_piece *piece = &s->graph->pieces.v[rows[row].piece];
      if (rows[row].piece + 1 != last && piece->handler == handler
	  && add_term (s, counting_place (s, piece, s->line), 0))
	return -1;
      last = rows[row].piece + 1;
    }
  return 0;
}

static int
order_places (const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Fill BY_LINE and the lists of pieces.  */
static int
index_pieces (struct sum *s)
{
  const lp_graph *graph = s->graph;
  s->heads = calloc (s->hits->lines.n + 1, sizeof *s->heads);
  s->chain = calloc (graph->pieces.n + 1, sizeof *s->chain);
  if (!s->heads || !s->chain)
    return -1;
  for (uint32_t i = graph->pieces.n; i-- > 0;)
    {
      const lp_piece *piece = &graph->pieces.v[i];
      if (piece->label == LP_NO_LINE)
	continue;
      for (uint32_t r = 0; r < piece->nrows; r++)
	{
	  uint32_t row = piece->row + r;
	  uint32_t line = graph->rows.rows.v[row].line;
	  if (lp_vec_push (&s->by_line, (struct place) { line, row, i }))
	    return -1;
	}
      s->chain[i] = s->heads[piece->label];
      s->heads[piece->label] = i + 1;
    }
  if (s->by_line.n)
    qsort (s->by_line.v, s->by_line.n, sizeof *s->by_line.v, order_places);
  return 0;
}

static int
order_counters (const void *a, const void *b)
{
  const lp_counter *x = a, *y = b;
  if (x->addr != y->addr)
    return x->addr < y->addr ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

/* The terms of the line in hand, whose rows start at BY_LINE[ROW].  The handlers
   of exceptions are looked at by themselves, as what a compiler repeats there
   says nothing of the line in the ordinary code.  */
static int
sum_line (struct sum *s, size_t row)
{
  lp_hit_line *line = &s->hits->lines.v[s->line];
  size_t n = s->terms.n;
  s->exact = true;
  line->first_term = n;
  for (int handler = 0; handler < 2; handler++)
    if (find_members (s, handler)
	|| (s->members.n ? sum_members (s) : sum_rows (s, row, handler)))
      return -1;
  line->nterms = s->terms.n - n;
  line->exact = s->exact;
  return 0;
}

/* Number the counters without doubles.  */
static int
number_counters (struct sum *s)
{
  lp_hits *hits = s->hits;
  if (lp_vec_reserve (&hits->counters, s->terms.n)
      || lp_vec_reserve (&hits->terms, s->terms.n))
    return -1;
  for (size_t i = 0; i < s->terms.n; i++)
    hits->counters.v[i] = s->terms.v[i];
  if (s->terms.n)
    qsort (hits->counters.v, s->terms.n, sizeof *hits->counters.v,
	   order_counters);
  for (size_t i = 0; i < s->terms.n; i++)
    {
      size_t n = hits->counters.n;
      if (n == 0
	  || order_counters (&hits->counters.v[n - 1], &hits->counters.v[i]))
	hits->counters.v[hits->counters.n++] = hits->counters.v[i];
    }
  for (size_t i = 0; i < s->terms.n; i++)
    {
      const lp_counter *c = bsearch (&s->terms.v[i], hits->counters.v,
				     hits->counters.n, sizeof *c,
				     order_counters);
      hits->terms.v[hits->terms.n++] = c - hits->counters.v;
    }
  return 0;
}

static int
sum_all (struct sum *s)
{
  size_t row = 0;
  if (index_pieces (s))
    return -1;
  for (s->line = 0; s->line < s->hits->lines.n; s->line++)
    {
      if (sum_line (s, row))
	return -1;
      while (row < s->by_line.n && s->by_line.v[row].line == s->line)
	row++;
    }
  return number_counters (s);
}

int
lp_hits_sum (lp_graph *graph, lp_hits *hits)
{
  struct sum s = { .graph = graph, .hits = hits };
  int bad = sum_all (&s);
  lp_vec_free (&s.terms);
  lp_vec_free (&s.members);
  lp_vec_free (&s.by_line);
  free (s.heads);
  free (s.chain);
  return bad;
}
