/* hits_loops.c: which links to count so that each time round a loop inside one
   line is counted once.

   The pieces of one line may form loops.  A loop with one entrance is cut at
   the links that lead back to the entrance.  With several entrances, the one
   is right that no way through the loop passes: from any other entrance it is
   reached only by going on round the loop.  Cutting a loop there leaves the
   loops inside of it, which are cut in the same way.

   A loop in which the line has no row is inlined code's: not a hit.  Where the line
   is an instance as a whole, only a loop that comes out of it in between enters it
   again.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

enum { MAX_ENTRANCES = 12 };

/* Strongly connected components of the pieces of one region, after Tarjan.  */
struct search
{
  lp_graph *graph;
  uint32_t region;		/* the pieces that take part */
  uint32_t next_region;		/* the first number that is free */
  uint32_t *order, *low;	/* of each piece; order 0: not seen */
  uint32_t counter;
  LP_VEC (uint32_t) stack;	/* pieces of components that are not complete */
  LP_VEC (uint32_t) path;	/* pieces being visited, and ... */
  LP_VEC (uint32_t) next;	/* ... the next link of each */
  LP_VEC (uint32_t) found;	/* pieces of the components, one after the other, each
				   followed by its size */
  LP_VEC (uint32_t) work;	/* scratch of reaches_exit */
  bool exact;
};

static uint32_t
region_of (const struct search *s, uint32_t piece)
{
  return s->graph->region[piece];
}

static int
enter (struct search *s, uint32_t piece)
{
  s->order[piece] = s->low[piece] = ++s->counter;
  return lp_vec_push (&s->stack, piece) || lp_vec_push (&s->path, piece)
	 || lp_vec_push (&s->next, 0) ? -1 : 0;
}

/* PIECE and what is above it on the stack is a component.  */
static int
complete (struct search *s, uint32_t piece)
{
  uint32_t size = 0, member;
  do
    {
      member = s->stack.v[--s->stack.n];
      s->order[member] = UINT32_MAX;
      if (lp_vec_push (&s->found, member))
	return -1;
      size++;
    }
  while (member != piece);
  return lp_vec_push (&s->found, size);
}

static void
lower (struct search *s, uint32_t piece, uint32_t value)
{
  if (value < s->low[piece])
    s->low[piece] = value;
}

/* One step of the visit of the last piece on the path.  */
static int
advance (struct search *s)
{
  uint32_t at = s->path.v[s->path.n - 1];
  const lp_piece *piece = &s->graph->pieces.v[at];
  uint32_t k = s->next.v[s->next.n - 1]++;
  if (k < piece->nout)
    {
      const lp_link *link = &s->graph->links.v[piece->out + k];
      if (link->cut || region_of (s, link->to) != s->region)
	return 0;
      if (s->order[link->to] == 0)
	return enter (s, link->to);
      if (s->order[link->to] != UINT32_MAX)
	lower (s, at, s->order[link->to]);
      return 0;
    }
  s->path.n--;
  s->next.n--;
  if (s->path.n)
    lower (s, s->path.v[s->path.n - 1], s->low[at]);
  return s->low[at] == s->order[at] ? complete (s, at) : 0;
}

static int
visit (struct search *s, uint32_t piece)
{
  if (enter (s, piece))
    return -1;
  while (s->path.n)
    if (advance (s))
      return -1;
  return 0;
}

/* Is there a loop among the N pieces MEMBERS, a component?  */
static bool
has_loop (const struct search *s, const uint32_t *members, uint32_t n)
{
  const lp_piece *piece = &s->graph->pieces.v[members[0]];
  for (uint32_t k = 0; n == 1 && k < piece->nout; k++)
    {
      const lp_link *link = &s->graph->links.v[piece->out + k];
      if (link->to == members[0] && !link->cut)
	return true;
    }
  return n > 1;
}

static bool
is_entrance (const struct search *s, uint32_t member, uint32_t region)
{
  const lp_piece *piece = &s->graph->pieces.v[member];
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      const lp_link *in = &s->graph->links.v[s->graph->into[piece->in + k]];
      if (in->cut || region_of (s, in->from) != region)
	return true;
    }
  return piece->outside;
}

static bool
is_exit (const struct search *s, uint32_t member, uint32_t region)
{
  const lp_piece *piece = &s->graph->pieces.v[member];
  for (uint32_t k = 0; k < piece->nout; k++)
    {
      const lp_link *out = &s->graph->links.v[piece->out + k];
      if (out->cut || region_of (s, out->to) != region)
	return true;
    }
  return piece->leaves;
}

/* Can FROM come to an exit of REGION without passing AVOID?  1 or 0, or -1:
   out of memory.  Uses the pieces' LOW, which no search needs any more.  */
static int
reaches_exit (struct search *s, uint32_t from, uint32_t avoid,
	      uint32_t region)
{
  const uint32_t seen = UINT32_MAX;
  int result = 0;
  s->work.n = 0;
  if (lp_vec_push (&s->work, from))
    return -1;
  s->low[from] = seen;
  for (size_t i = 0; i < s->work.n && result == 0; i++)
    {
      uint32_t at = s->work.v[i];
      const lp_piece *piece = &s->graph->pieces.v[at];
      result = is_exit (s, at, region);
      for (uint32_t k = 0; k < piece->nout && result == 0; k++)
	{
	  uint32_t to = s->graph->links.v[piece->out + k].to;
	  if (region_of (s, to) != region || to == avoid || s->low[to] == seen)
	    continue;
	  s->low[to] = seen;
	  if (lp_vec_push (&s->work, to))
	    result = -1;
	}
    }
  for (size_t i = 0; i < s->work.n; i++)
    s->low[s->work.v[i]] = 0;
  return result;
}

/* The entrance of the loop MEMBERS where it is to be cut: its index there.  -1:
   out of memory.  */
static long
choose_entrance (struct search *s, const uint32_t *members, uint32_t n,
		 uint32_t region)
{
  uint32_t entrances[MAX_ENTRANCES], many = 0;
  for (uint32_t i = 0; i < n && many < MAX_ENTRANCES; i++)
    if (is_entrance (s, members[i], region))
      entrances[many++] = i;
  if (many <= 1)
    return many ? entrances[0] : 0;
  if (many == MAX_ENTRANCES)
    s->exact = false;
  for (uint32_t h = 0; h < many; h++)
    {
      int passed = 0;
      for (uint32_t e = 0; e < many && passed == 0; e++)
	if (e != h)
	  passed = reaches_exit (s, members[entrances[h]],
				 members[entrances[e]], region);
      if (passed < 0)
	return -1;
      if (passed == 0)
	return entrances[h];
    }
  s->exact = false;
  return entrances[0];
}

/* Has PIECE a row of what is outside of the graph's node?  */
static bool
leaves_node (const lp_graph *graph, const lp_piece *piece)
{
  for (uint32_t r = 0; r < piece->nrows; r++)
    if (graph->rows.rows.v[piece->row + r].line == graph->outside)
      return true;
  return false;
}

/* Has the loop MEMBERS a row of its line?  */
static bool
has_row (const struct search *s, const uint32_t *members, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    {
      const lp_piece *piece = &s->graph->pieces.v[members[i]];
      if (s->graph->rows_of == LP_ROWS_OF_WHOLE)
	{
	  if (leaves_node (s->graph, piece))
	    return true;
	}
      else if (piece->nrows || (!s->graph->by_rows
			   && s->graph->rows.cover[piece->first] != LP_NO_LINE))
	return true;
    }
  return false;
}

/* Cut the links of REGION that lead to AT.  */
static void
cut_at (struct search *s, uint32_t at, uint32_t region, bool silent)
{
  const lp_piece *piece = &s->graph->pieces.v[at];
  for (uint32_t k = 0; k < piece->nin; k++)
    {
      lp_link *in = &s->graph->links.v[s->graph->into[piece->in + k]];
      if (region_of (s, in->from) != region)
	continue;
      in->cut = true;
      in->silent = silent;
    }
}

static int cut_inside (struct search *s, const uint32_t *members, size_t n);

/* Cut the loop MEMBERS, and the loops inside it.  */
static int
cut_loop (struct search *s, const uint32_t *members, uint32_t n)
{
  uint32_t region = s->next_region++;
  for (uint32_t i = 0; i < n; i++)
    s->graph->region[members[i]] = region;
  long at = choose_entrance (s, members, n, region);
  if (at < 0)
    return -1;
  cut_at (s, members[at], region, !has_row (s, members, n));
  return n > 1 ? cut_inside (s, members, n) : 0;
}

/* Cut what loops there are among MEMBERS.  */
static int
cut_inside (struct search *s, const uint32_t *members, size_t n)
{
  s->region = s->next_region++;
  s->counter = 0;
  s->found.n = 0;
  for (size_t i = 0; i < n; i++)
    {
      s->order[members[i]] = 0;
      s->graph->region[members[i]] = s->region;
    }
  for (size_t i = 0; i < n; i++)
    if (s->order[members[i]] == 0 && visit (s, members[i]))
      return -1;
  size_t end = s->found.n;
  uint32_t *found = malloc ((end + 1) * sizeof *found);
  if (!found)
    return -1;
  for (size_t i = 0; i < end; i++)
    found[i] = s->found.v[i];
  int bad = 0;
  while (end > 0 && !bad)
    {
      uint32_t size = found[end - 1];
      end -= size + 1;
      if (has_loop (s, found + end, size))
	bad = cut_loop (s, found + end, size);
    }
  free (found);
  return bad;
}

int
lp_graph_cut_loops (lp_graph *graph, const uint32_t *members, size_t n,
		    bool *exact)
{
  size_t size = (graph->pieces.n + 1) * sizeof (uint32_t);
  struct search s = { .graph = graph, .next_region = 1, .exact = true,
		      .order = malloc (size), .low = malloc (size) };
  int bad = !s.order || !s.low || cut_inside (&s, members, n) ? -1 : 0;
  if (!s.exact)
    *exact = false;
  for (size_t i = 0; i < n; i++)
    graph->region[members[i]] = 0;
  free (s.order);
  free (s.low);
  lp_vec_free (&s.stack);
  lp_vec_free (&s.path);
  lp_vec_free (&s.next);
  lp_vec_free (&s.found);
  lp_vec_free (&s.work);
  return bad;
}
