/* hits_survey.c: what is found once for a function, before its instances are cut out
   of it (hits_part.c).  */

#include "probe/hits_part.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LONG = 32,			/* instructions after which a block is cut, where it can be */
  SMALL = 40000			/* instructions times instances: up to so many, each instance is
				   looked at in the whole function */
};

static bool
counts_by_rows (const lp_function *fn)
{
  return fn->producer == LP_PRODUCER_GCC_OPT;
}

/* Does ROW count by each compiler's rule, at IN, the first instruction that is not
   before it?  */
static bool
is_sure (const lp_row *row, const lp_insn *in)
{
  return in->addr == row->addr && row->is_stmt && !row->end && !lp_is_jump (in);
}

/* Has instruction I of FLOW a sure row?  *ROW is where to go on looking.  */
static bool
begins_line (const lp_function *fn, const lp_flow *flow, uint32_t i, size_t *row)
{
  uint64_t addr = flow->insns.v[i].addr;
  while (*row < fn->nrows && fn->rows[*row].addr < addr)
    ++*row;
  for (size_t r = *row; r < fn->nrows && fn->rows[r].addr == addr; r++)
    if (is_sure (&fn->rows[r], &flow->insns.v[i]))
      return true;
  return false;
}

/* Add the blocks that block B of FLOW becomes; ROW as in begins_line.  Ways out are
   still FLOW's, and each has them.  */
static int
cut_block (lp_whole *w, const lp_flow *flow, uint32_t b, size_t *row)
{
  lp_basic_block piece = flow->blocks.v[b];
  uint32_t end = piece.first + piece.count;
  bool cuts = counts_by_rows (w->fn) && !w->small;
  for (uint32_t i = piece.first + LONG; i < end && cuts; i++)
    if (i - piece.first >= LONG && begins_line (w->fn, flow, i, row))
      {
	piece.count = i - piece.first;
	if (lp_vec_push (&w->cut.blocks, piece) || lp_vec_push (&w->origin, b))
	  return -1;
	piece.first = i;
	piece.entry = 0;
      }
  piece.count = end - piece.first;
  return lp_vec_push (&w->cut.blocks, piece) || lp_vec_push (&w->origin, b) ? -1 : 0;
}

/* Give the blocks that were cut their ways out: to the next one, and of the last of what
   was one block, which STARTS begins with, to where that one's go.  */
static int
connect_cut (lp_whole *w, const lp_flow *flow, const uint32_t *starts)
{
  for (uint32_t b = 0; b < w->cut.blocks.n; b++)
    {
      lp_basic_block *block = &w->cut.blocks.v[b];
      bool inner = b + 1 < w->cut.blocks.n && w->origin.v[b + 1] == w->origin.v[b];
      const uint32_t *edges = flow->edges.v + block->succ;
      block->succ = w->cut.edges.n;
      if (inner)
	{
	  block->nsucc = 1;
	  block->leaves = block->tail = false;
	}
      for (uint32_t k = 0; k < block->nsucc; k++)
	if (lp_vec_push (&w->cut.edges, inner ? b + 1 : starts[edges[k]]))
	  return -1;
    }
  return 0;
}

/* Code whose lines count by their rows may be one block of thousands of
   instructions, of which an instance has a few: cut it before rows that are sure,
   where its pieces begin in any case.  */
static int
cut_blocks (lp_whole *w, const lp_flow *flow)
{
  uint32_t *starts = malloc ((flow->blocks.n + 1) * sizeof *starts);
  size_t row = 0;
  int bad = starts ? 0 : -1;
  for (uint32_t b = 0; b < flow->blocks.n && !bad; b++)
    {
      starts[b] = w->cut.blocks.n;
      bad = cut_block (w, flow, b, &row);
    }
  bad = bad || connect_cut (w, flow, starts);
  free (starts);
  return bad ? -1 : 0;
}

/* Block B has row R.  */
static void
extend (lp_whole *w, size_t r, uint32_t b)
{
  lp_extent *extent = &w->extents[w->fn->rows[r].inl];
  extent->first = b < extent->first ? b : extent->first;
  extent->last = b;
  extent->own = true;
}

/* Find each block's rows, and which rows are sure.  */
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
	w->rows_of[++b] = r;
      w->bare[b] = false;
      w->sure[r] = is_sure (row, &flow->insns.v[i])
		   && (counts_by_rows (w->fn) || !w->handlers[b]);
      extend (w, r, b);
    }
  while (b < flow->blocks.n)
    w->rows_of[++b] = w->fn->nrows;
}

/* An instance reaches as far as those inside of it, which come behind it.  */
static void
join_extents (lp_whole *w)
{
  for (size_t i = w->fn->ninlines; i > 0; i--)
    {
      const lp_extent *inner = &w->extents[i];
      lp_extent *outer = &w->extents[w->fn->inlines[i - 1].parent];
      if (inner->first < outer->first)
	outer->first = inner->first;
      if (inner->first <= inner->last && inner->last > outer->last)
	outer->last = inner->last;
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

/* Which blocks each exception goes between.  */
static int
find_thrown (lp_whole *w)
{
  const lp_flow *flow = w->flow;
  w->thrown = malloc ((flow->throws.n + 1) * sizeof *w->thrown);
  if (!w->thrown)
    return -1;
  for (size_t k = 0; k < flow->throws.n; k++)
    w->thrown[k] = (lp_thrown) { lp_flow_block_of (flow, flow->throws.v[k].insn),
				 lp_flow_block_of (flow, flow->throws.v[k].pad) };
  return 0;
}

static int
by_place (const void *a, const void *b)
{
  const lp_own_line *x = a, *y = b;
  if (x->inl != y->inl)
    return x->inl < y->inl ? -1 : 1;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* Find the lines where statements begin.  LLVM says of no row that none does.  */
static int
find_own_lines (lp_whole *w)
{
  const lp_function *fn = w->fn;
  for (size_t r = 0; r < fn->nrows; r++)
    {
      const lp_row *row = &fn->rows[r];
      lp_own_line line = { row->inl, row->file, row->line };
      if ((row->is_stmt || fn->producer == LP_PRODUCER_LLVM)
	  && lp_vec_push (&w->own_lines, line))
	return -1;
    }
  if (w->own_lines.n)
    qsort (w->own_lines.v, w->own_lines.n, sizeof *w->own_lines.v, by_place);
  return 0;
}

bool
lp_whole_has_line (const lp_whole *w, uint32_t inl, uint32_t file, uint32_t line)
{
  lp_own_line key = { inl, file, line };
  return w->own_lines.n
	 && bsearch (&key, w->own_lines.v, w->own_lines.n, sizeof key, by_place);
}

/* Make what W's arrays are to hold, of N blocks.  */
static int
make_room (lp_whole *w, size_t n)
{
  const lp_function *fn = w->fn;
  w->rows_of = calloc (n + 1, sizeof *w->rows_of);
  w->sure = calloc (fn->nrows + 1, sizeof *w->sure);
  w->bare = calloc (n + 1, sizeof *w->bare);
  w->into = calloc (n + 2, sizeof *w->into);
  w->from = calloc (w->flow->edges.n + 1, sizeof *w->from);
  w->extents = malloc ((fn->ninlines + 1) * sizeof *w->extents);
  if (!w->rows_of || !w->sure || !w->bare || !w->into || !w->from || !w->extents)
    return -1;
  for (size_t i = 0; i <= fn->ninlines; i++)
    w->extents[i] = (lp_extent) { UINT32_MAX, 0, false };
  return 0;
}

int
lp_whole_find (const lp_function *fn, const lp_flow *flow, lp_whole *w)
{
  *w = (lp_whole) { .fn = fn, .flow = &w->cut, .cut = *flow,
		    .small = flow->insns.n * fn->ninlines <= SMALL };
  w->cut.blocks.v = NULL;
  w->cut.blocks.n = w->cut.blocks.cap = 0;
  w->cut.edges.v = NULL;
  w->cut.edges.n = w->cut.edges.cap = 0;
  lp_graph graph = { .fn = fn, .flow = w->flow };
  int bad = cut_blocks (w, flow) || lp_graph_find_handlers (&graph);
  w->handlers = graph.handlers;
  if (bad || make_room (w, w->flow->blocks.n) || find_thrown (w) || find_own_lines (w))
    return -1;
  if (w->flow->blocks.n)
    {
      place_rows (w);
      join_extents (w);
      find_ways_in (w);
    }
  return 0;
}

void
lp_whole_free (lp_whole *w)
{
  lp_vec_free (&w->cut.blocks);
  lp_vec_free (&w->cut.edges);
  lp_vec_free (&w->origin);
  lp_vec_free (&w->own_lines);
  free (w->handlers);
  free (w->rows_of);
  free (w->sure);
  free (w->bare);
  free (w->into);
  free (w->from);
  free (w->thrown);
  free (w->extents);
}
