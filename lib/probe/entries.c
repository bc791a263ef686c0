/* entries.c: what may come into the middle of a function: pointers to its code,
   landing pads, branches from outside, jump tables.  */

#include <stdlib.h>
#include <string.h>

#include "probe/flow_build.h"

static int
add_entry (struct build *b, uint64_t addr, enum lp_entry_kind kind)
{
  if (lp_flow_find (b->flow, addr) < 0)
    return 0;
  if (lp_vec_push (&b->flow->entries, (lp_entry) { addr, kind }))
    return lp_nomem (b->err);
  return 0;
}

/* First index in the sorted A with a value of at least ADDR.  */
static size_t
lower_bound (const uint64_t *a, size_t n, uint64_t addr)
{
  size_t lo = 0, hi = n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (a[mid] < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

static int
add_sorted (struct build *b, const uint64_t *a, size_t n,
	    enum lp_entry_kind kind)
{
  for (size_t r = 0; r < b->fn->nranges; r++)
    for (size_t i = lower_bound (a, n, b->fn->ranges[r].lo);
	 i < n && a[i] < b->fn->ranges[r].hi; i++)
      {
	if (a[i] == b->fn->entry && kind == LP_ENTRY_POINTER)
	  continue;
	b->have_pointers |= kind == LP_ENTRY_POINTER;
	if (add_entry (b, a[i], kind))
	  return -1;
      }
  return 0;
}

/* Branches from outside that do not come to an instruction are no branches
   (the census looks at every byte).  */
static int
add_outside (struct build *b)
{
  for (size_t r = 0; r < b->fn->nranges; r++)
    {
      size_t lo = 0, hi = b->census->branches.n;
      while (lo < hi)
	{
	  size_t mid = (lo + hi) / 2;
	  if (b->census->branches.v[mid].target < b->fn->ranges[r].lo)
	    lo = mid + 1;
	  else
	    hi = mid;
	}
      for (; lo < b->census->branches.n
	     && b->census->branches.v[lo].target < b->fn->ranges[r].hi; lo++)
	if (add_entry (b, b->census->branches.v[lo].target, LP_ENTRY_OUTSIDE))
	  return -1;
    }
  return 0;
}

/* Does IN read or write what it names by a rip-relative operand?  Only lea (8d) and nops
   do not.  */
static bool
accesses (const struct build *b, const lp_insn *in)
{
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (b->census->mod, in->addr, &avail);
  return in->rip_off && !in->idle && p[in->opcode_off] != 0x8d;
}

/* Addresses of the function's own code that its code takes: lea, and calls
   into the middle.  What it accesses is data, whatever it may look like.  */
static int
add_taken (struct build *b)
{
  for (size_t i = 0; i < b->flow->insns.n; i++)
    {
      const lp_insn *in = &b->flow->insns.v[i];
      if (accesses (b, in) && lp_function_holds (b->fn, in->target))
	return lp_fail (b->err, LP_EUNSUPPORTED, "it has data among its code: the"
			" instruction at %#lx accesses %#lx",
			(unsigned long) in->addr, (unsigned long) in->target);
      bool taken = in->rip_off || in->kind == LP_INSN_CALL
		   || in->kind == LP_INSN_XBEGIN;
      if (!taken || in->target == b->fn->entry
	  || !lp_function_holds (b->fn, in->target))
	continue;
      b->have_pointers |= in->rip_off != 0;
      if (add_entry (b, in->target, LP_ENTRY_POINTER))
	return -1;
    }
  return 0;
}

/* In code at fixed addresses, immediates and displacements that are addresses of
   the function's own instructions: `mov $label,%reg`, `jmp *table(,%reg,8)` of a
   table in the text.  */
static int
add_immediates (struct build *b)
{
  uint64_t avail;
  for (size_t i = 0; i < b->flow->insns.n; i++)
    {
      const lp_insn *in = &b->flow->insns.v[i];
      const uint8_t *p = lp_module_bytes (b->census->mod, in->addr, &avail);
      for (unsigned k = 1; k + 4 <= in->len; k++)
	{
	  uint32_t value;
	  memcpy (&value, p + k, 4);
	  if (value == b->fn->entry || !lp_function_holds (b->fn, value)
	      || lp_flow_find (b->flow, value) < 0)
	    continue;
	  b->have_pointers = true;
	  if (add_entry (b, value, LP_ENTRY_POINTER))
	    return -1;
	}
    }
  return 0;
}

static int
add_table_targets (struct build *b)
{
  for (size_t t = 0; t < b->tables.n; t++)
    for (uint32_t i = 0; i < b->tables.v[t].n; i++)
      if (add_entry (b, lp_table_target (b->census->mod, &b->tables.v[t], i),
		     LP_ENTRY_TABLE))
	return -1;
  return 0;
}

static int
by_addr (const void *a, const void *b)
{
  const lp_entry *x = a, *y = b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void
unite_entries (lp_flow *flow)
{
  size_t out = 0;
  qsort (flow->entries.v, flow->entries.n, sizeof *flow->entries.v, by_addr);
  for (size_t i = 0; i < flow->entries.n; i++)
    if (out && flow->entries.v[out - 1].addr == flow->entries.v[i].addr)
      flow->entries.v[out - 1].kind |= flow->entries.v[i].kind;
    else
      flow->entries.v[out++] = flow->entries.v[i];
  flow->entries.n = out;
}

/* Symbols in the middle of the function are entries of hand-written code.  */
static int
add_symbols (struct build *b)
{
  size_t n, lo = 0;
  const lp_symbol *sym = lp_module_symbols (b->census->mod, &n);
  size_t hi = n;
  for (size_t r = 0; r < b->fn->nranges; r++)
    {
      for (lo = 0, hi = n; lo < hi;)
	{
	  size_t mid = (lo + hi) / 2;
	  if (sym[mid].value < b->fn->ranges[r].lo)
	    lo = mid + 1;
	  else
	    hi = mid;
	}
      for (; lo < n && sym[lo].value < b->fn->ranges[r].hi; lo++)
	if (sym[lo].value != b->fn->entry && r == 0
	    && add_entry (b, sym[lo].value, LP_ENTRY_OUTSIDE))
	  return -1;
    }
  return 0;
}

int
lp_flow_find_entries (struct build *b)
{
  const lp_census *c = b->census;
  if (lp_flow_find (b->flow, b->fn->entry) < 0)
    return lp_fail (b->err, LP_EUNSUPPORTED,
		    "its entry %#lx is not in its own ranges",
		    (unsigned long) b->fn->entry);
  if (lp_tables_find (c->mod, b->fn, b->flow, &b->tables))
    return lp_nomem (b->err);
  if (add_entry (b, b->fn->entry, LP_ENTRY_FUNCTION)
      || add_sorted (b, c->pointers, c->npointers, LP_ENTRY_POINTER)
      || add_sorted (b, c->pads, c->npads, LP_ENTRY_LANDING)
      || add_outside (b) || add_taken (b) || add_symbols (b)
      || (!lp_module_is_pie (c->mod) && add_immediates (b))
      || add_table_targets (b))
    return -1;
  unite_entries (b->flow);
  return 0;
}

/* The call site that holds ADDR, or NULL.  */
static const lp_call_site *
call_site_at (const lp_census *census, uint64_t addr)
{
  size_t lo = 0, hi = census->ncall_sites;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (census->call_sites[mid].lo <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo && addr < census->call_sites[lo - 1].hi
	 ? &census->call_sites[lo - 1] : NULL;
}

int
lp_flow_find_throws (struct build *b)
{
  lp_flow *flow = b->flow;
  for (uint32_t i = 0; b->census->ncall_sites && i < flow->insns.n; i++)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (in->kind != LP_INSN_CALL && in->kind != LP_INSN_CALL_IND)
	continue;
      const lp_call_site *site
	= call_site_at (b->census, in->addr + in->len - 1);
      long pad = site ? lp_flow_find (flow, site->pad) : -1;
      if (pad >= 0 && lp_vec_push (&flow->throws, (lp_throw) { i, pad }))
	return lp_nomem (b->err);
    }
  return 0;
}
