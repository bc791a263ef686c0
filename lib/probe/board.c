/* board.c: ranges and padding as a map of bytes.  */

#include <stdlib.h>
#include <string.h>

#include "probe/board.h"

/* Length of the padding instruction at P (AVAIL bytes), or 0: nop in its
   multi-byte forms (Intel SDM, NOP), int3.  */
static unsigned
padding_length (const uint8_t *p, uint64_t avail)
{
  unsigned i = 0;
  if (avail && p[0] == 0xcc)
    return 1;
  while (i < avail && i < 10 && (p[i] == 0x66 || p[i] == 0x2e))
    i++;
  if (i < avail && p[i] == 0x90)
    return i + 1;
  if (i + 3 > avail || p[i] != 0x0f || p[i + 1] != 0x1f)
    return 0;
  unsigned mod = p[i + 2] >> 6, sib = (p[i + 2] & 7) == 4;
  if (mod == 3 || (mod == 0 && (p[i + 2] & 7) == 5))
    return 0;
  unsigned n = i + 3 + sib + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
  return n <= avail ? n : 0;
}

static bool
is_symbol (const lp_module *mod, uint64_t addr)
{
  size_t n;
  const lp_symbol *sym = lp_module_symbols (mod, &n);
  size_t lo = 0, hi = n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (sym[mid].value < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < n && sym[lo].value == addr;
}

/* End of the padding behind a range that ends at HI: up to the next symbol and
   to the next multiple of 16, where a function without a symbol may start.  */
static uint64_t
padding_end (const lp_module *mod, uint64_t hi)
{
  uint64_t limit = (hi + 15) & ~(uint64_t) 15, at = hi, avail;
  while (at < limit && !is_symbol (mod, at))
    {
      const uint8_t *p = lp_module_bytes (mod, at, &avail);
      unsigned n = p ? padding_length (p, avail) : 0;
      if (!n || at + n > limit)
	break;
      at += n;
    }
  return at;
}

static int
by_lo (const void *a, const void *b)
{
  const lp_strip *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

void
lp_board_clear (lp_plan *plan)
{
  while (plan->strips.n)
    free (plan->strips.v[--plan->strips.n].state);
}

int
lp_board_lay_out (struct board *b)
{
  lp_plan *plan = b->plan;
  const lp_function *fn = plan->fn;
  lp_board_clear (plan);
  for (size_t i = 0; i < fn->nranges; i++)
    {
      lp_strip s = { .lo = fn->ranges[i].lo };
      s.hi = padding_end (b->census->mod, fn->ranges[i].hi);
      s.state = calloc (s.hi - s.lo + 1, 1);
      if (!s.state || lp_vec_push (&plan->strips, s))
	{
	  free (s.state);
	  return -1;
	}
    }
  qsort (plan->strips.v, plan->strips.n, sizeof *plan->strips.v, by_lo);
  return 0;
}

const struct plot *
lp_land_plot (const struct land *land, uint64_t addr)
{
  size_t lo = 0, hi = land->plots.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (land->plots.v[mid].lo <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo && addr < land->plots.v[lo - 1].hi ? &land->plots.v[lo - 1] : NULL;
}

/* A function that needs an int3 may be refused yet for that.  */
static bool
is_host (const lp_plan *plan)
{
  return plan->engine == LP_PLAN_CLONE && !lp_plan_needs_int3 (plan);
}

lp_strip *
lp_board_strip (struct board *b, uint64_t addr)
{
  const lp_plan *plan = b->plan;
  for (size_t i = 0; i < plan->strips.n; i++)
    if (addr >= plan->strips.v[i].lo && addr < plan->strips.v[i].hi)
      return &plan->strips.v[i];
  const struct plot *plot = b->land ? lp_land_plot (b->land, addr) : NULL;
  return plot && is_host (plot->plan) ? plot->strip : NULL;
}

void
lp_board_set (struct board *b, uint64_t addr, unsigned n,
	      enum byte_state state)
{
  lp_strip *s = lp_board_strip (b, addr);
  memset (s->state + (addr - s->lo), state, n);
}

bool
lp_board_waits (const struct board *b, uint64_t addr)
{
  const lp_plan *plan = b->plan;
  for (size_t s = 0; s < plan->sites.n; s++)
    {
      const lp_site *site = &plan->sites.v[s];
      if (site->addr > addr)
	return false;
      if (site->tactic == LP_TACTIC_NONE && addr < site->addr + SHORT)
	return true;
    }
  return false;
}

bool
lp_board_is_free (struct board *b, uint64_t addr)
{
  lp_strip *strip = lp_board_strip (b, addr);
  if (!strip || addr + JUMP > strip->hi)
    return false;
  for (unsigned i = 0; i < JUMP; i++)
    if (strip->state[addr + i - strip->lo] != DEAD || lp_board_waits (b, addr + i))
      return false;
  return true;
}
