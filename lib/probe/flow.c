/* flow.c: from a function's bytes to its control flow graph.

   The steps, in order: decode the ranges; collect what may enter in the middle
   (pointers, landing pads, branches from outside, jump tables); cut into basic
   blocks; connect them.  */

#include "probe/flow.h"

#include <stdlib.h>
#include <string.h>

#include "probe/flow_build.h"

bool
lp_function_holds (const lp_function *fn, uint64_t addr)
{
  for (size_t i = 0; i < fn->nranges; i++)
    if (addr >= fn->ranges[i].lo && addr < fn->ranges[i].hi)
      return true;
  return false;
}

long
lp_flow_find (const lp_flow *flow, uint64_t addr)
{
  size_t lo = 0, hi = flow->insns.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (flow->insns.v[mid].addr < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < flow->insns.n && flow->insns.v[lo].addr == addr ? (long) lo : -1;
}

uint32_t
lp_flow_block_of (const lp_flow *flow, uint32_t i)
{
  size_t lo = 0, hi = flow->blocks.n;
  while (hi - lo > 1)
    {
      size_t mid = (lo + hi) / 2;
      if (flow->blocks.v[mid].first <= i)
	lo = mid;
      else
	hi = mid;
    }
  return lo;
}

void
lp_flow_free (lp_flow *flow)
{
  lp_vec_free (&flow->insns);
  lp_vec_free (&flow->blocks);
  lp_vec_free (&flow->edges);
  lp_vec_free (&flow->entries);
  lp_vec_free (&flow->throws);
}

/* Decoding.  */

static int
decode_range (struct build *b, struct lp_decoder *decoder, lp_range range)
{
  uint64_t addr = range.lo, avail;
  while (addr < range.hi)
    {
      lp_insn insn;
      const uint8_t *p = lp_module_bytes (b->census->mod, addr, &avail);
      if (!p)
	return lp_fail (b->err, LP_EUNSUPPORTED,
			"no code in the file at %#lx", (unsigned long) addr);
      if (avail > range.hi - addr)
	avail = range.hi - addr;
      if (lp_decode (decoder, p, avail, addr, &insn, b->err))
	return -1;
      if (lp_vec_push (&b->flow->insns, insn))
	return lp_nomem (b->err);
      addr += insn.len;
    }
  return 0;
}

static int
by_range (const void *a, const void *b)
{
  const lp_range *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* All ranges in the order of their addresses.  */
static int
decode_ranges (struct build *b, struct lp_decoder *decoder)
{
  size_t n = b->fn->nranges;
  lp_range *sorted = malloc ((n + 1) * sizeof *sorted);
  if (!sorted)
    return lp_nomem (b->err);
  memcpy (sorted, b->fn->ranges, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, by_range);
  int bad = 0;
  for (size_t i = 0; i < n && !bad; i++)
    bad = decode_range (b, decoder, sorted[i]);
  free (sorted);
  return bad;
}

/* Blocks.  */

static bool
ends_block (const lp_insn *in)
{
  return in->kind != LP_INSN_PLAIN && in->kind != LP_INSN_CALL
	 && in->kind != LP_INSN_CALL_IND;
}

static bool
falls_through (const lp_insn *in)
{
  return in->kind != LP_INSN_JMP && in->kind != LP_INSN_JMP_IND
	 && in->kind != LP_INSN_RET && in->kind != LP_INSN_STOP;
}

static bool
is_direct_branch (const lp_insn *in)
{
  return in->kind == LP_INSN_JMP || in->kind == LP_INSN_JCC
	 || in->kind == LP_INSN_LOOP || in->kind == LP_INSN_XBEGIN;
}

/* Does the next instruction of FLOW directly follow number I?  */
static bool
contiguous (const lp_flow *flow, uint32_t i)
{
  const lp_insn *in = &flow->insns.v[i];
  return i + 1 < flow->insns.n && in[1].addr == in->addr + in->len;
}

static int
mark_target (struct build *b, const lp_insn *in)
{
  long at = lp_flow_find (b->flow, in->target);
  if (at >= 0)
    b->leader[at] = true;
  else if (lp_function_holds (b->fn, in->target))
    return lp_fail (b->err, LP_EUNSUPPORTED,
		    "the branch at %#lx goes into the middle of an instruction",
		    (unsigned long) in->addr);
  return 0;
}

static int
mark_leaders (struct build *b)
{
  lp_flow *flow = b->flow;
  for (size_t i = 0; i < flow->entries.n; i++)
    b->leader[lp_flow_find (flow, flow->entries.v[i].addr)] = true;
  for (uint32_t i = 0; i < flow->insns.n; i++)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (i == 0 || !contiguous (flow, i - 1) || ends_block (in - 1))
	b->leader[i] = true;
      if (is_direct_branch (in) && mark_target (b, in))
	return -1;
    }
  return 0;
}

static int
cut_blocks (struct build *b)
{
  lp_flow *flow = b->flow;
  size_t e = 0;
  for (uint32_t i = 0; i < flow->insns.n; i++)
    {
      if (b->leader[i]
	  && lp_vec_push (&flow->blocks, (lp_basic_block) { .first = i }))
	return lp_nomem (b->err);
      lp_basic_block *block = &flow->blocks.v[flow->blocks.n - 1];
      block->count++;
      if (e < flow->entries.n
	  && flow->entries.v[e].addr == flow->insns.v[i].addr)
	block->entry = flow->entries.v[e++].kind;
    }
  return 0;
}

/* Edges.  */

static int
add_edge (struct build *b, lp_basic_block *block, uint64_t target)
{
  long at = lp_flow_find (b->flow, target);
  if (at < 0)
    {
      block->leaves = true;
      return 0;
    }
  uint32_t to = lp_flow_block_of (b->flow, at);
  for (uint32_t i = 0; i < block->nsucc; i++)
    if (b->flow->edges.v[block->succ + i] == to)
      return 0;
  if (lp_vec_push (&b->flow->edges, to))
    return lp_nomem (b->err);
  block->nsucc++;
  return 0;
}

static int
add_entry_edges (struct build *b, lp_basic_block *block, uint8_t kinds)
{
  for (size_t i = 0; i < b->flow->entries.n; i++)
    if ((b->flow->entries.v[i].kind & kinds)
	&& add_edge (b, block, b->flow->entries.v[i].addr))
      return -1;
  return 0;
}

static int
add_absolute_edges (struct build *b, lp_basic_block *block,
		    const lp_table *table)
{
  uint64_t avail, target;
  for (uint32_t i = 0; i < table->n; i++)
    {
      memcpy (&target, lp_module_bytes (b->census->mod,
					table->base + 8 * (uint64_t) i,
					&avail), 8);
      if (add_edge (b, block, target))
	return -1;
    }
  return 0;
}

static int
add_table_edges (struct build *b, lp_basic_block *block, const lp_table *table)
{
  for (uint32_t i = 0; i < table->n; i++)
    if (add_edge (b, block, lp_table_target (b->census->mod, table, i)))
      return -1;
  return 0;
}

static int
add_jump_edges (struct build *b, lp_basic_block *block, uint32_t i)
{
  lp_jump jump = lp_jump_resolve (b->census->mod, b->flow, &b->tables, i,
				  b->have_pointers);
  if (!b->flow->insns.v[i].rip_off && !b->computed)
    b->computed = b->flow->insns.v[i].addr;
  switch (jump.kind)
    {
    case LP_JUMP_TAIL:
      block->leaves = block->tail = true;
      return 0;
    case LP_JUMP_TABLE:
      return add_table_edges (b, block, &jump.table);
    case LP_JUMP_TABLES:
      for (size_t t = 0; t < b->tables.n; t++)
	if (add_table_edges (b, block, &b->tables.v[t]))
	  return -1;
      return 0;
    case LP_JUMP_ABSOLUTE:
      return add_absolute_edges (b, block, &jump.table);
    case LP_JUMP_POINTERS:
      return add_entry_edges (b, block, LP_ENTRY_POINTER);
    case LP_JUMP_UNKNOWN:
      b->flow->unresolved = true;
      b->flow->unresolved_at = b->flow->insns.v[i].addr;
      return 0;
    }
  return 0;
}

static int
connect_block (struct build *b, lp_basic_block *block)
{
  uint32_t last = block->first + block->count - 1;
  const lp_insn *in = &b->flow->insns.v[last];
  block->succ = b->flow->edges.n;
  if (falls_through (in))
    {
      if (!contiguous (b->flow, last))
	block->leaves = true;
      else if (add_edge (b, block, in[1].addr))
	return -1;
    }
  if (is_direct_branch (in))
    return add_edge (b, block, in->target);
  if (in->kind == LP_INSN_JMP_IND)
    return add_jump_edges (b, block, last);
  if (in->kind == LP_INSN_RET || in->kind == LP_INSN_STOP)
    block->leaves = true;
  return 0;
}

static int
connect (struct build *b)
{
  for (size_t i = 0; i < b->flow->blocks.n; i++)
    if (connect_block (b, &b->flow->blocks.v[i]))
      return -1;
  return 0;
}

int
lp_flow_build (const lp_census *census, const lp_function *fn,
	       struct lp_decoder *decoder, lp_flow *flow, lp_error *err)
{
  struct build b = { .census = census, .fn = fn, .flow = flow, .err = err };
  *flow = (lp_flow) { 0 };
  int bad = decode_ranges (&b, decoder) || lp_flow_find_entries (&b);
  if (!bad && !(b.leader = calloc (flow->insns.n + 1, sizeof *b.leader)))
    bad = lp_nomem (err);
  bad = bad || mark_leaders (&b) || cut_blocks (&b) || connect (&b)
	|| lp_flow_find_throws (&b) || lp_flow_check_reach (&b);
  free (b.leader);
  lp_vec_free (&b.tables);
  if (!bad)
    return 0;
  lp_flow_free (flow);
  return -1;
}
