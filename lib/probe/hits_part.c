/* hits_part.c: cut an instance, with what is around it, out of a function.  */

#include "probe/hits_part.h"

#include <stdlib.h>
#include <string.h>

/* What a block is to the part in hand.  */
enum { CORE = 1, TAKEN = 2 };

/* Find each row's block, and which rows are sure.  */
static void
place_rows (lp_whole *w)
{
  const lp_flow *flow = w->flow;
  uint32_t b = 0;
  size_t i = 0;
  memset (w->bare, true, flow->blocks.n);
  for (size_t r = 0; r < w->fn->nrows; r++)
    {
      const lp_row *row = &w->fn->rows[r];
      while (i + 1 < flow->insns.n && flow->insns.v[i].addr < row->addr)
	i++;
      while (b + 1 < flow->blocks.n && flow->blocks.v[b + 1].first <= i)
	b++;
      w->row_block[r] = b;
      w->bare[b] = false;
      w->sure[r] = flow->insns.v[i].addr == row->addr && row->is_stmt
		   && !row->end && !lp_is_jump (&flow->insns.v[i])
		   && !w->handlers[b];
    }
}

/* Find where each block is come to from.  */
static void
find_ways_in (lp_whole *w)
{
  const lp_flow *flow = w->flow;
  size_t n = flow->blocks.n;
  for (size_t k = 0; k < flow->edges.n; k++)
    w->into[flow->edges.v[k] + 1]++;
  for (size_t b = 0; b < n; b++)
    w->into[b + 1] += w->into[b];
  for (size_t b = n; b-- > 0;)
    for (uint32_t k = flow->blocks.v[b].nsucc; k-- > 0;)
      w->from[--w->into[flow->edges.v[flow->blocks.v[b].succ + k] + 1]] = b;
  memmove (w->into, w->into + 1, n * sizeof *w->into);
  w->into[n] = flow->edges.n;
}

int
lp_whole_find (const lp_function *fn, const lp_flow *flow, lp_whole *w)
{
  lp_graph graph = { .fn = fn, .flow = flow };
  size_t nblocks = flow->blocks.n, nrows = fn->nrows;
  *w = (lp_whole) { .fn = fn, .flow = flow };
  int bad = lp_graph_find_handlers (&graph);
  w->handlers = graph.handlers;
  w->row_block = calloc (nrows + 1, sizeof *w->row_block);
  w->sure = calloc (nrows + 1, sizeof *w->sure);
  w->bare = calloc (nblocks + 1, sizeof *w->bare);
  w->into = calloc (nblocks + 2, sizeof *w->into);
  w->from = calloc (flow->edges.n + 1, sizeof *w->from);
  if (bad || !w->row_block || !w->sure || !w->bare || !w->into || !w->from)
    return -1;
  if (nblocks)
    {
      place_rows (w);
      find_ways_in (w);
    }
  return 0;
}

void
lp_whole_free (lp_whole *w)
{
  free (w->handlers);
  free (w->row_block);
  free (w->sure);
  free (w->bare);
  free (w->into);
  free (w->from);
}

/* Is each instance of FN in INL?  Outer ones come before inner ones.  */
static bool *
instances_in (const lp_function *fn, uint32_t inl)
{
  bool *in = calloc (fn->ninlines + 1, sizeof *in);
  for (uint32_t i = inl; in && i <= fn->ninlines; i++)
    in[i] = i == inl || in[fn->inlines[i - 1].parent];
  return in;
}

/* Mark the blocks that have a row of the instance, or go on behind one before a sure
   row of something else.  */
static void
mark_core (const lp_whole *w, const bool *in, uint8_t *marks)
{
  bool goes_on = false;
  size_t r = 0;
  for (uint32_t b = 0; b < w->flow->blocks.n; b++)
    {
      bool first = true;
      uint64_t start = w->flow->insns.v[w->flow->blocks.v[b].first].addr;
      for (; r < w->fn->nrows && w->row_block[r] == b; r++)
	{
	  bool inside = in[w->fn->rows[r].inl];
	  bool at_start = w->fn->rows[r].addr == start;
	  if (first && goes_on && !at_start)
	    marks[b] |= CORE;
	  first = false;
	  if (inside)
	    marks[b] |= CORE;
	  if (goes_on && !inside && !w->sure[r])
	    marks[b] |= CORE;
	  goes_on = inside || (goes_on && !w->sure[r]);
	}
      if (first && goes_on)
	marks[b] |= CORE;
    }
}

typedef LP_VEC (uint32_t) block_list;

static int
take (uint8_t *marks, uint32_t b, block_list *work)
{
  if (marks[b] & TAKEN)
    return 0;
  marks[b] |= TAKEN;
  return lp_vec_push (work, b);
}

/* Take what goes to block B; through blocks without a row, which may be mere jumps,
   from where they are come to.  */
static int
take_ways_in (const lp_whole *w, uint32_t b, uint8_t *marks,
	      block_list *taken)
{
  block_list work = { 0 };
  int bad = lp_vec_push (&work, b);
  while (!bad && work.n)
    {
      uint32_t to = work.v[--work.n];
      for (uint32_t k = w->into[to]; k < w->into[to + 1] && !bad; k++)
	{
	  uint32_t from = w->from[k];
	  bool again = marks[from] & TAKEN;
	  bad = take (marks, from, taken)
		|| (!again && w->bare[from] && lp_vec_push (&work, from));
	}
    }
  lp_vec_free (&work);
  return bad ? -1 : 0;
}

static int
take_ways_out (const lp_whole *w, uint32_t b, uint8_t *marks,
	       block_list *taken)
{
  const lp_basic_block *block = &w->flow->blocks.v[b];
  for (uint32_t k = 0; k < block->nsucc; k++)
    if (take (marks, w->flow->edges.v[block->succ + k], taken))
      return -1;
  return 0;
}

static int
take_throws (const lp_whole *w, uint8_t *marks, block_list *taken)
{
  for (size_t k = 0; k < w->flow->throws.n; k++)
    {
      const lp_throw *way = &w->flow->throws.v[k];
      uint32_t from = lp_flow_block_of (w->flow, way->insn);
      uint32_t to = lp_flow_block_of (w->flow, way->pad);
      if (((marks[from] | marks[to]) & CORE)
	  && (take (marks, from, taken) || take (marks, to, taken)))
	return -1;
    }
  return 0;
}

/* The line of code without a row is that of the last row before it: take the blocks
   back to one that surely begins with one.  */
static void
take_rows_before (const lp_whole *w, uint8_t *marks)
{
  size_t r = w->fn->nrows;
  bool wanting = false;
  for (uint32_t b = w->flow->blocks.n; b-- > 0;)
    {
      uint64_t start = w->flow->insns.v[w->flow->blocks.v[b].first].addr;
      bool sure = false;
      for (; r > 0 && w->row_block[r - 1] == b; r--)
	sure |= w->sure[r - 1] && w->fn->rows[r - 1].addr == start;
      if (wanting)
	marks[b] |= TAKEN;
      wanting = (marks[b] & TAKEN) && !sure;
    }
}

/* Mark all blocks of the part.  */
static int
mark_part (const lp_whole *w, const bool *in, uint8_t *marks)
{
  block_list taken = { 0 };
  int bad = 0;
  mark_core (w, in, marks);
  for (uint32_t b = 0; b < w->flow->blocks.n && !bad; b++)
    if (marks[b] & CORE)
      bad = take (marks, b, &taken)
	    || (b + 1 < w->flow->blocks.n && take (marks, b + 1, &taken))
	    || take_ways_in (w, b, marks, &taken);
  bad = bad || take_throws (w, marks, &taken);
  for (size_t i = 0, n = taken.n; i < n && !bad; i++)
    bad = take_ways_out (w, taken.v[i], marks, &taken);
  if (!bad)
    take_rows_before (w, marks);
  lp_vec_free (&taken);
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
  return lp_vec_push (&part->flow.blocks, block);
}

static int
copy_edges (const lp_whole *w, const uint8_t *marks, const uint32_t *numbers,
	    lp_hit_part *part)
{
  for (size_t b = 0; b < part->flow.blocks.n; b++)
    {
      lp_basic_block *block = &part->flow.blocks.v[b];
      uint32_t succ = part->flow.edges.n;
      for (uint32_t k = 0; k < block->nsucc; k++)
	{
	  uint32_t to = w->flow->edges.v[block->succ + k];
	  if (marks[to] && lp_vec_push (&part->flow.edges, numbers[to]))
	    return -1;
	}
      block->leaves |= part->flow.edges.n - succ < block->nsucc;
      block->succ = succ;
      block->nsucc = part->flow.edges.n - succ;
    }
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
      uint32_t from = lp_flow_block_of (w->flow, way.insn);
      uint32_t to = lp_flow_block_of (w->flow, way.pad);
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
copy_rows (const lp_whole *w, const uint8_t *marks, lp_hit_part *part)
{
  part->fn = *w->fn;
  part->fn.nrows = 0;
  part->fn.rows = malloc ((w->fn->nrows + 1) * sizeof *part->fn.rows);
  if (!part->fn.rows)
    return -1;
  for (size_t r = 0; r < w->fn->nrows; r++)
    if (marks[w->row_block[r]])
      part->fn.rows[part->fn.nrows++] = w->fn->rows[r];
  return 0;
}

static int
copy (const lp_whole *w, const uint8_t *marks, uint32_t *numbers,
      lp_hit_part *part)
{
  part->handlers = calloc (w->flow->blocks.n + 1, sizeof *part->handlers);
  part->flow.unresolved = w->flow->unresolved;
  part->flow.unresolved_at = w->flow->unresolved_at;
  if (!part->handlers)
    return -1;
  for (uint32_t b = 0; b < w->flow->blocks.n; b++)
    if (marks[b] && copy_block (w, b, marks[b], numbers, part))
      return -1;
  return copy_edges (w, marks, numbers, part)
	 || copy_throws (w, marks, numbers, part) || copy_rows (w, marks, part)
	 ? -1 : 0;
}

int
lp_hit_part_cut (const lp_whole *w, uint32_t inl, lp_hit_part *part)
{
  *part = (lp_hit_part) { .handlers = NULL };
  bool *in = instances_in (w->fn, inl);
  uint8_t *marks = calloc (w->flow->blocks.n + 1, sizeof *marks);
  uint32_t *numbers = calloc (w->flow->blocks.n + 1, sizeof *numbers);
  int bad = !in || !marks || !numbers || mark_part (w, in, marks)
	    || copy (w, marks, numbers, part);
  free (in);
  free (marks);
  free (numbers);
  return bad ? -1 : 0;
}

void
lp_hit_part_free (lp_hit_part *part)
{
  lp_flow_free (&part->flow);
  free (part->fn.rows);
  free (part->handlers);
}
