/* census.c: what of a module can reach into the middle of its functions.

   Direct branches are looked for at every byte of the executable segments, not
   by decoding: a pattern that is no instruction makes one entry too many, which
   costs a springboard; a branch missed would land in overwritten bytes.  */

#include <stdlib.h>
#include <string.h>

#include "probe/flow.h"

/* A range of a chosen function, for look-up by address.  */
struct span
{
  uint64_t lo, hi;
  const lp_function *fn;
};

struct search
{
  LP_VEC (struct span) spans;	/* by lo */
  uint64_t lo, hi;		/* hull */
  lp_census *census;
};

static int
by_lo (const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static int
by_target (const void *a, const void *b)
{
  const lp_branch *x = a, *y = b;
  return x->target < y->target ? -1 : x->target > y->target;
}

static const struct span *
span_at (const struct search *s, uint64_t addr)
{
  size_t lo = 0, hi = s->spans.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (addr < s->spans.v[mid].lo)
	hi = mid;
      else if (addr >= s->spans.v[mid].hi)
	lo = mid + 1;
      else
	return &s->spans.v[mid];
    }
  return NULL;
}

static int
index_spans (struct search *s, lp_function *const *functions, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t r = 0; r < functions[i]->nranges; r++)
      if (lp_vec_push (&s->spans,
		       (struct span) { functions[i]->ranges[r].lo,
				       functions[i]->ranges[r].hi,
				       functions[i] }))
	return -1;
  if (!s->spans.n)
    return 0;
  qsort (s->spans.v, s->spans.n, sizeof *s->spans.v, by_lo);
  s->lo = s->spans.v[0].lo;
  for (size_t i = 0; i < s->spans.n; i++)
    if (s->spans.v[i].hi > s->hi)
      s->hi = s->spans.v[i].hi;
  return 0;
}

/* Note a branch from SOURCE to TARGET if it comes from outside into the middle
   of a chosen function.  */
static int
note (struct search *s, uint64_t source, uint64_t target)
{
  if (target < s->lo || target >= s->hi)
    return 0;
  const struct span *to = span_at (s, target);
  if (!to || target == to->fn->entry || lp_function_holds (to->fn, source))
    return 0;
  return lp_vec_push (&s->census->branches, (lp_branch) { target, source });
}

/* Branches with a 32-bit displacement: e8 call, e9 jmp, 0f 80-8f jcc,
   c7 f8 xbegin.  */
static int
scan_long (struct search *s, const lp_segment *seg)
{
  for (uint64_t i = 0; i + 5 <= seg->nbytes; i++)
    {
      const uint8_t *p = seg->bytes + i;
      unsigned op;
      if ((p[0] & 0xfe) == 0xe8)
	op = 1;
      else if (i + 6 <= seg->nbytes
	       && ((p[0] == 0x0f && (p[1] & 0xf0) == 0x80)
		   || (p[0] == 0xc7 && p[1] == 0xf8)))
	op = 2;
      else
	continue;
      int32_t disp;
      memcpy (&disp, p + op, 4);
      if (note (s, seg->lo + i, seg->lo + i + op + 4 + disp))
	return -1;
    }
  return 0;
}

static int
scan_short_at (struct search *s, const lp_segment *seg, uint64_t lo,
	       uint64_t hi)
{
  lo = lo < seg->lo ? seg->lo : lo;
  for (uint64_t a = lo; a < hi && a + 2 <= seg->lo + seg->nbytes; a++)
    {
      const uint8_t *p = seg->bytes + (a - seg->lo);
      bool branch = p[0] == 0xeb || (p[0] & 0xf0) == 0x70
		    || (p[0] & 0xfc) == 0xe0;
      if (branch && note (s, a, a + 2 + (int8_t) p[1]))
	return -1;
    }
  return 0;
}

/* Branches with an 8-bit displacement, which come from 129 bytes away at the
   most.  */
static int
scan_short (struct search *s, const lp_segment *seg)
{
  for (size_t i = 0; i < s->spans.n; i++)
    {
      const struct span *sp = &s->spans.v[i];
      if (sp->lo < seg->lo || sp->hi > seg->hi)
	continue;
      if (scan_short_at (s, seg, sp->lo < 130 ? 0 : sp->lo - 130, sp->lo)
	  || scan_short_at (s, seg, sp->hi, sp->hi + 130))
	return -1;
    }
  return 0;
}

int
lp_census_take (lp_module *mod, lp_function *const *functions, size_t n,
		lp_census *census, lp_error *err)
{
  struct search s = { .census = census };
  *census = (lp_census) { .mod = mod };
  size_t nsegments;
  const lp_segment *seg = lp_module_segments (mod, &nsegments);
  census->pointers = lp_module_code_pointers (mod, &census->npointers, err);
  if (!census->pointers && census->npointers)
    return -1;
  census->pads = lp_module_landing_pads (mod, &census->npads, err);
  if (!census->pads && census->npads)
    return -1;
  int bad = index_spans (&s, functions, n);
  for (size_t i = 0; i < nsegments && !bad && s.spans.n; i++)
    if (seg[i].exec)
      bad = scan_long (&s, &seg[i]) || scan_short (&s, &seg[i]);
  lp_vec_free (&s.spans);
  if (bad)
    return lp_nomem (err);
  if (census->branches.n)
    qsort (census->branches.v, census->branches.n,
	   sizeof *census->branches.v, by_target);
  return 0;
}

void
lp_census_free (lp_census *census)
{
  lp_vec_free (&census->branches);
}
