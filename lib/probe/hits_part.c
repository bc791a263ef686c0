/* hits_part.c: cut an instance, with what is around it, out of a function.  */

#include "probe/hits_part.h"

#include <stdlib.h>
#include <string.h>

/* What a block is to the part in hand.  */
enum { CORE = 1, TAKEN = 2 };

/* Is each instance of FN in INL?  Outer ones come before inner ones.  */
static bool *
instances_in (const lp_function *fn, uint32_t inl)
{
  bool *in = calloc (fn->ninlines + 1, sizeof *in);
  for (uint32_t i = inl; in && i <= fn->ninlines; i++)
    in[i] = i == inl || in[fn->inlines[i - 1].parent];
  return in;
}

typedef LP_VEC (uint32_t) block_list;

/* The part in hand: the blocks that are taken are all in [LO, HI].  */
typedef struct marking
{
  const lp_whole *w;
  const bool *in;		/* is each instance in the part? */
  uint8_t *marks;		/* of each block */
  block_list taken;
  uint32_t lo, hi;
} marking;

/* Mark block B if it has a row of the part, or if what is before GOES_ON into it: code
   of the part does up to a sure row of something else.  Does the part go on behind
   B?  */
static bool
mark_block (marking *m, uint32_t b, bool goes_on)
{
  const lp_whole *w = m->w;
  uint64_t start = w->flow->insns.v[w->flow->blocks.v[b].first].addr;
  uint32_t r = w->rows_of[b], end = w->rows_of[b + 1];
  if (goes_on && (r == end || w->fn->rows[r].addr != start))
    m->marks[b] |= CORE;
  for (; r < end; r++)
    {
      bool inside = m->in[w->fn->rows[r].inl];
      goes_on = inside || (goes_on && !w->sure[r]);
      if (goes_on)
	m->marks[b] |= CORE;
    }
  return goes_on;
}

/* Mark the part's own blocks.  Returns the end of them.  */
static uint32_t
mark_core (marking *m, const lp_extent *extent)
{
  bool goes_on = false;
  uint32_t b = extent->first;
  for (; b < m->w->flow->blocks.n && (b <= extent->last || goes_on); b++)
    goes_on = mark_block (m, b, goes_on);
  return b;
}

static int
take (marking *m, uint32_t b)
{
  if (m->marks[b] & TAKEN)
    return 0;
  m->marks[b] |= TAKEN;
  m->lo = b < m->lo ? b : m->lo;
  m->hi = b > m->hi ? b : m->hi;
  return lp_vec_push (&m->taken, b);
}

/* Take what goes to block B; through blocks without a row, which may be mere jumps,
   from where they are come to.  */
static int
take_ways_in (marking *m, uint32_t b)
{
  const lp_whole *w = m->w;
  block_list work = { 0 };
  int bad = lp_vec_push (&work, b);
  while (!bad && work.n)
    {
      uint32_t to = work.v[--work.n];
      for (uint32_t k = w->into[to]; k < w->into[to + 1] && !bad; k++)
	{
	  uint32_t from = w->from[k];
	  bool again = m->marks[from] & TAKEN;
	  bad = take (m, from)
		|| (!again && w->bare[from] && lp_vec_push (&work, from));
	}
    }
  lp_vec_free (&work);
  return bad ? -1 : 0;
}

static int
take_ways_out (marking *m, uint32_t b)
{
  const lp_flow *flow = m->w->flow;
  const lp_basic_block *block = &flow->blocks.v[b];
  for (uint32_t k = 0; k < block->nsucc; k++)
    if (take (m, flow->edges.v[block->succ + k]))
      return -1;
  return 0;
}

static int
take_throws (marking *m)
{
  const lp_whole *w = m->w;
  for (size_t k = 0; k < w->flow->throws.n; k++)
    {
      const lp_thrown *way = &w->thrown[k];
      if ((m->marks[way->from] & CORE || m->marks[way->to])
	  && (take (m, way->from) || take (m, way->to)))
	return -1;
    }
  return 0;
}

/* Has block B a sure row at its begin?  */
static bool
begins_surely (const lp_whole *w, uint32_t b)
{
  uint64_t start = w->flow->insns.v[w->flow->blocks.v[b].first].addr;
  for (uint32_t r = w->rows_of[b];
       r < w->rows_of[b + 1] && w->fn->rows[r].addr <= start; r++)
    if (w->sure[r] && w->fn->rows[r].addr == start)
      return true;
  return false;
}

/* The line of code without a row is that of the last row before it: take the blocks
   back to one that surely begins with one.  */
static void
take_rows_before (marking *m)
{
  bool wanting = false;
  uint32_t lo = m->lo;
  for (uint32_t b = m->hi + 1; b-- > 0 && (wanting || b >= lo);)
    {
      if (wanting)
	{
	  m->marks[b] |= TAKEN;
	  m->lo = b < m->lo ? b : m->lo;
	}
      wanting = (m->marks[b] & TAKEN) && !begins_surely (m->w, b);
    }
}

/* Mark all blocks of the part.  */
static int
mark_part (marking *m, const lp_extent *extent)
{
  uint32_t end = mark_core (m, extent);
  int bad = 0;
  for (uint32_t b = extent->first; b < end && !bad; b++)
    if (m->marks[b] & CORE)
      bad = take (m, b)
	    || (b + 1 < m->w->flow->blocks.n && take (m, b + 1))
	    || take_ways_in (m, b);
  bad = bad || take_throws (m);
  for (size_t i = 0, n = m->taken.n; i < n && !bad; i++)
    bad = take_ways_out (m, m->taken.v[i]);
  if (!bad && m->taken.n)
    take_rows_before (m);
  return bad ? -1 : 0;
}

/* Copy block B, whose number becomes NUMBERS[B]; its ways out are still the
   whole's.  */
static int
copy_block (const lp_whole *w, uint32_t b, uint8_t mark, uint32_t *numbers,
	    lp_hit_part *part)
{
  lp_basic_block block = w->flow->blocks.v[b];
  uint32_t first = part->flow.insns.n;
  if (lp_vec_reserve (&part->flow.insns, block.count))
    return -1;
  memcpy (part->flow.insns.v + first, w->flow->insns.v + block.first,
	  block.count * sizeof *part->flow.insns.v);
  part->flow.insns.n += block.count;
  block.first = first;
  if (!(mark & CORE))
    block.entry |= LP_ENTRY_OUTSIDE;
  numbers[b] = part->flow.blocks.n;
  part->handlers[numbers[b]] = w->handlers[b];
  part->origins[numbers[b]] = w->origin.v[b];
  return lp_vec_push (&part->flow.blocks, block);
}

/* Where a way to block TO of the whole comes to in the part: to TO, or to what is behind
   it in the block that it was cut from.  UINT32_MAX: to none of that.  */
static uint32_t
kept_from (const marking *m, uint32_t to)
{
  const lp_whole *w = m->w;
  uint32_t origin = w->origin.v[to];
  for (; to < w->flow->blocks.n && w->origin.v[to] == origin; to++)
    if (m->marks[to])
      return to;
  return UINT32_MAX;
}

/* The last block that was cut from the same as B.  */
static uint32_t
last_of (const lp_whole *w, uint32_t b)
{
  while (b + 1 < w->flow->blocks.n && w->origin.v[b + 1] == w->origin.v[b])
    b++;
  return b;
}

/* Add to PART the ways out of block FROM, or of the last that was cut from the same:
   those that stay in the part.  BLOCK is what FROM has become.  */
static int
copy_ways_out (const marking *m, uint32_t from, const uint32_t *numbers,
	       lp_hit_part *part, lp_basic_block *block)
{
  const lp_flow *flow = m->w->flow;
  uint32_t next = from + 1 < flow->blocks.n && m->w->origin.v[from + 1] == m->w->origin.v[from]
		  ? kept_from (m, from + 1) : UINT32_MAX;
  uint32_t last = last_of (m->w, from);
  block->succ = part->flow.edges.n;
  block->nsucc = 0;
  if (next != UINT32_MAX)
    {
      block->nsucc = 1;
      return lp_vec_push (&part->flow.edges, numbers[next]);
    }
  const lp_basic_block *ends = &flow->blocks.v[last];
  for (uint32_t k = 0; k < ends->nsucc; k++)
    {
      uint32_t to = kept_from (m, flow->edges.v[ends->succ + k]);
      if (to != UINT32_MAX && lp_vec_push (&part->flow.edges, numbers[to]))
	return -1;
      block->nsucc += to != UINT32_MAX;
    }
  block->leaves = ends->leaves || block->nsucc < ends->nsucc;
  return 0;
}

static int
copy_edges (const marking *m, const uint32_t *numbers, lp_hit_part *part)
{
  for (uint32_t b = m->lo; b <= m->hi; b++)
    if (m->marks[b]
	&& copy_ways_out (m, b, numbers, part, &part->flow.blocks.v[numbers[b]]))
      return -1;
  return 0;
}

/* The number in PART of the whole's instruction I, which is in block B.  */
static uint32_t
moved (const lp_whole *w, const uint32_t *numbers, const lp_hit_part *part,
       uint32_t i, uint32_t b)
{
  return part->flow.blocks.v[numbers[b]].first
	 + (i - w->flow->blocks.v[b].first);
}

static int
copy_throws (const lp_whole *w, const uint8_t *marks, const uint32_t *numbers,
	     lp_hit_part *part)
{
  for (size_t k = 0; k < w->flow->throws.n; k++)
    {
      lp_throw way = w->flow->throws.v[k];
      uint32_t from = w->thrown[k].from, to = w->thrown[k].to;
      if (!marks[from] || !marks[to])
	continue;
      way.insn = moved (w, numbers, part, way.insn, from);
      way.pad = moved (w, numbers, part, way.pad, to);
      if (lp_vec_push (&part->flow.throws, way))
	return -1;
    }
  return 0;
}

static int
copy_rows (const marking *m, lp_hit_part *part)
{
  const lp_whole *w = m->w;
  size_t n = 0;
  for (uint32_t b = m->lo; b <= m->hi; b++)
    n += m->marks[b] ? w->rows_of[b + 1] - w->rows_of[b] : 0;
  part->fn = *w->fn;
  part->fn.nrows = 0;
  part->fn.rows = malloc ((n + 1) * sizeof *part->fn.rows);
  if (!part->fn.rows)
    return -1;
  for (uint32_t b = m->lo; b <= m->hi; b++)
    for (uint32_t r = w->rows_of[b]; m->marks[b] && r < w->rows_of[b + 1]; r++)
      part->fn.rows[part->fn.nrows++] = w->fn->rows[r];
  return 0;
}

static int
copy (const marking *m, uint32_t *numbers, lp_hit_part *part)
{
  const lp_flow *flow = m->w->flow;
  part->handlers = calloc (flow->blocks.n + 1, sizeof *part->handlers);
  part->flow.unresolved = flow->unresolved;
  part->flow.unresolved_at = flow->unresolved_at;
  part->origins = malloc ((flow->blocks.n + 1) * sizeof *part->origins);
  if (!part->handlers || !part->origins)
    return -1;
  for (uint32_t b = m->lo; b <= m->hi; b++)
    if (m->marks[b] && copy_block (m->w, b, m->marks[b], numbers, part))
      return -1;
  return copy_edges (m, numbers, part)
	 || copy_throws (m->w, m->marks, numbers, part) || copy_rows (m, part)
	 ? -1 : 0;
}

int
lp_hit_part_cut (const lp_whole *w, uint32_t inl, lp_hit_part *part)
{
  *part = (lp_hit_part) { .borrowed = w->small };
  if (w->small)
    {
      part->fn = *w->fn;
      part->flow = *w->flow;
      part->handlers = w->handlers;
      part->origins = w->origin.v;
      return 0;
    }
  bool *in = instances_in (w->fn, inl);
  uint32_t *numbers = calloc (w->flow->blocks.n + 1, sizeof *numbers);
  marking m = { .w = w, .in = in, .lo = UINT32_MAX,
		.marks = calloc (w->flow->blocks.n + 1, sizeof *m.marks) };
  int bad = !in || !m.marks || !numbers || mark_part (&m, &w->extents[inl])
	    || copy (&m, numbers, part);
  free (in);
  free (m.marks);
  free (numbers);
  lp_vec_free (&m.taken);
  return bad ? -1 : 0;
}

void
lp_hit_part_free (lp_hit_part *part)
{
  if (part->borrowed)
    return;
  lp_flow_free (&part->flow);
  free (part->fn.rows);
  free (part->handlers);
  free (part->origins);
}
