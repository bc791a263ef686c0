/* hits_ways.c: how to count the ways into a piece that are hits.

   A way can be counted directly where the branch that takes it can, or where
   its start has no other.  What a call returned by has no counter: it is what
   comes to the place behind the call less the other ways to it.  What an
   exception took is the calls that were made less those that returned.  */

#include "probe/hits_sum.h"

static uint64_t
address (const lp_graph *graph, uint32_t insn)
{
  return graph->flow->insns.v[insn].addr;
}

/* Add the counter, or take it away.  */
static int
add_term (lp_sum *s, bool minus, uint64_t addr, uint64_t from)
{
  lp_counter counter = { addr, from };
  return minus ? lp_vec_push (&s->minus, counter)
	 : lp_vec_push (&s->plus, counter);
}

uint64_t
lp_sum_place (const lp_sum *s, const lp_piece *piece, uint32_t line)
{
  const lp_place *places = s->by_line.v;
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

/* The line that LINK comes from.  LLVM's pieces are not cut behind calls, so an
   exception comes from the line of the call.  */
static uint32_t
source_line (const lp_graph *graph, const lp_link *link)
{
  if (link->thrower != LP_NO_CALL && graph->fn->producer == LP_PRODUCER_LLVM)
    return graph->rows.cover[link->thrower];
  return graph->pieces.v[link->from].label;
}

static bool
is_counted (const lp_sum *s, const lp_link *link)
{
  if (s->graph->rows_of == LP_ROWS_OF_WHOLE
      && !s->graph->pieces.v[link->to].opens)
    return false;
  return (link->cut && !link->silent)
	 || source_line (s->graph, link) != s->line;
}

/* Has the last instruction of PIECE a counter for each way it may go?  */
static bool
counts_ways (const lp_graph *graph, const lp_piece *piece)
{
  const lp_insn *last = lp_piece_last (graph, piece);
  return piece->count && (last->kind == LP_INSN_JMP
			  || last->kind == LP_INSN_JCC
			  || last->kind == LP_INSN_LOOP);
}

static bool
has_one_way (const lp_piece *piece)
{
  return piece->nout - piece->nthrown == 1 && !piece->leaves;
}

/* Is LINK what its piece's end goes on to after a call?  */
static bool
is_return (const lp_graph *graph, const lp_link *link)
{
  const lp_piece *from = &graph->pieces.v[link->from];
  return link->thrower == LP_NO_CALL && from->count
	 && lp_is_call (lp_piece_last (graph, from));
}

static bool
is_direct (const lp_graph *graph, const lp_link *link)
{
  const lp_piece *from = &graph->pieces.v[link->from];
  return link->thrower == LP_NO_CALL && !is_return (graph, link)
	 && (has_one_way (from) || counts_ways (graph, from));
}

/* Count the direct LINK alone: where it starts, or on the edge.  */
static int
count_direct (lp_sum *s, const lp_link *link, bool minus)
{
  const lp_piece *from = &s->graph->pieces.v[link->from];
  const lp_piece *hop = &s->graph->pieces.v[link->hop];
  uint64_t last = lp_piece_last (s->graph, from)->addr;
  if (!has_one_way (from))
    return add_term (s, minus, address (s->graph, hop->first), last);
  /* Calls inside of FROM may not have returned.  */
  for (uint32_t i = from->first; i + 1 < from->first + from->count; i++)
    if (lp_is_call (&s->graph->flow->insns.v[i]))
      return add_term (s, minus, last, 0);
  return add_term (s, minus, lp_sum_place (s, from, from->label), 0);
}

/* Does OTHER, which ends where LINK does, come to the piece that LINK goes to at
   first?  */
static bool
comes_there (const lp_link *other, const lp_link *link)
{
  return other != link && (other->hop == link->hop || link->hop == link->to);
}

/* Are the other links direct that come to the piece that LINK goes to at first?  */
static bool
others_are_direct (const lp_sum *s, const lp_link *link)
{
  const lp_piece *to = &s->graph->pieces.v[link->to];
  if (s->graph->pieces.v[link->hop].outside)
    return false;
  for (uint32_t k = 0; k < to->nin; k++)
    {
      const lp_link *other = &s->graph->links.v[s->graph->into[to->in + k]];
      if (comes_there (other, link) && !is_direct (s->graph, other))
	return false;
    }
  return true;
}

/* Count LINK as what comes to the piece that it goes to at first, less the other
   links there, which are direct.  */
static int
count_rest (lp_sum *s, const lp_link *link, bool minus)
{
  const lp_piece *to = &s->graph->pieces.v[link->to];
  const lp_piece *hop = &s->graph->pieces.v[link->hop];
  for (uint32_t k = 0; k < to->nin; k++)
    {
      const lp_link *other = &s->graph->links.v[s->graph->into[to->in + k]];
      if (comes_there (other, link) && count_direct (s, other, !minus))
	return -1;
    }
  return add_term (s, minus, address (s->graph, hop->first), 0);
}

/* The link that the call at the end of LINK's piece returns by, or NULL.  */
static const lp_link *
return_of (const lp_graph *graph, const lp_link *link)
{
  const lp_piece *from = &graph->pieces.v[link->from];
  for (uint32_t k = 0; k < from->nout; k++)
    if (is_return (graph, &graph->links.v[from->out + k]))
      return &graph->links.v[from->out + k];
  return NULL;
}

static bool
ends_piece (const lp_graph *graph, const lp_link *link)
{
  const lp_piece *from = &graph->pieces.v[link->from];
  return link->thrower + 1 == from->first + from->count;
}

static bool
is_countable (const lp_sum *s, const lp_link *link)
{
  if (is_direct (s->graph, link))
    return true;
  if (link->thrower == LP_NO_CALL)
    return others_are_direct (s, link);
  const lp_link *back = return_of (s->graph, link);
  return !ends_piece (s->graph, link) || !back || others_are_direct (s, back);
}

/* Count the exceptions that LINK's call let through.  A call that was left
   otherwise, by longjmp or the end of the program, is taken for one.  */
static int
count_thrown (lp_sum *s, const lp_link *link, bool minus)
{
  s->exact = false;
  if (add_term (s, minus, address (s->graph, link->thrower), 0))
    return -1;
  if (!ends_piece (s->graph, link))
    return add_term (s, !minus, address (s->graph, link->thrower + 1), 0);
  const lp_link *back = return_of (s->graph, link);
  return back ? count_rest (s, back, !minus) : 0;
}

static int
count_link (lp_sum *s, const lp_link *link, bool minus)
{
  if (is_direct (s->graph, link))
    return count_direct (s, link, minus);
  return link->thrower == LP_NO_CALL ? count_rest (s, link, minus)
	 : count_thrown (s, link, minus);
}

/* Of the links into PIECE that are COUNTED or not, those that come through the
   mere jump that LINK comes through are counted together where all of them are
   alike.  */
static int
count_through (lp_sum *s, const lp_piece *piece, const lp_link *link,
	       bool counted)
{
  uint32_t *into = &s->graph->into[piece->in];
  bool first = true, all = true;
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *other = &s->graph->links.v[into[k]];
      if (other->hop != link->hop)
	continue;
      first &= other >= link;
      all &= is_counted (s, other) == counted;
    }
  if (!all || link->hop == link->to)
    return count_link (s, link, !counted);
  uint32_t jump = s->graph->pieces.v[link->hop].first;
  return first ? add_term (s, !counted, address (s->graph, jump), 0) : 0;
}

/* Count the links into PIECE that are hits, or take away those that are not.  */
static int
count_links (lp_sum *s, const lp_piece *piece, bool counted)
{
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *link = &s->graph->links.v[s->graph->into[piece->in + k]];
      if (is_counted (s, link) == counted
	  && count_through (s, piece, link, counted))
	return -1;
    }
  return 0;
}

/* What is known of the ways into a piece.  */
struct ways
{
  uint32_t counted;		/* so many are hits */
  bool each[2];			/* can each be counted that is no hit, that is one? */
};

static struct ways
ways_into (const lp_sum *s, const lp_piece *piece)
{
  struct ways ways = { 0, { true, !piece->outside && !piece->landing } };
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *link = &s->graph->links.v[s->graph->into[piece->in + k]];
      bool counted = is_counted (s, link);
      ways.counted += counted;
      ways.each[counted] &= is_countable (s, link);
    }
  return ways;
}

int
lp_sum_piece (lp_sum *s, const lp_piece *piece)
{
  struct ways ways = ways_into (s, piece);
  /* A computed jump may lead anywhere: what is left when the ways that are no hits
     are taken away came by it.  */
  bool all_known = !piece->outside && !s->graph->flow->unresolved;
  if (ways.counted == 0 && all_known)
    return 0;
  if (ways.counted < piece->nin && ways.each[true] && all_known)
    return count_links (s, piece, true);
  if (add_term (s, false, lp_sum_place (s, piece, s->line), 0))
    return -1;
  if (ways.each[false])
    return count_links (s, piece, false);
  /* The hits cannot be told from the others: all are taken.  */
  s->exact = false;
  return 0;
}
