/* census.c: what of a module can reach into the middle of its functions.

   Long direct branches are looked for at every byte of the executable segments,
   not by decoding: a pattern that is no instruction makes one entry too many,
   which costs a springboard; a branch missed would land in overwritten bytes.
   Short ones are looked for at the instructions near by.  Code that a compiler
   made of a function that was chosen does not branch into another's middle.  */

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
  struct lp_decoder *decoder;
};

enum
{
  NEAR = 130,			/* reach of a short branch, and its own length */
  MAX_LOOK = 65536		/* a symbol further back says nothing of the bytes here */
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
by_entry (const void *a, const void *b)
{
  const lp_function *x = *(const lp_function *const *) a;
  const lp_function *y = *(const lp_function *const *) b;
  return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static int
index_entries (lp_census *census, lp_function *const *functions, size_t n)
{
  if (!n)
    return 0;
  if (lp_vec_reserve (&census->chosen, n))
    return -1;
  for (size_t i = 0; i < n; i++)
    census->chosen.v[i] = functions[i];
  census->chosen.n = n;
  qsort (census->chosen.v, n, sizeof *census->chosen.v, by_entry);
  return 0;
}

const lp_function *
lp_census_chosen (const lp_census *census, uint64_t addr)
{
  size_t lo = 0, hi = census->chosen.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (census->chosen.v[mid]->entry < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < census->chosen.n && census->chosen.v[lo]->entry == addr
	 ? census->chosen.v[lo] : NULL;
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

/* Does a compiler stand behind FN?  Compilers branch into the middle of their
   own function only.  */
static bool
is_compiled (const lp_function *fn)
{
  return fn->producer != LP_PRODUCER_OTHER;
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
  const struct span *from = span_at (s, source);
  if (from && is_compiled (from->fn))
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

static bool
is_short_branch (uint8_t opcode)
{
  return opcode == 0xeb || (opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0;
}

/* Look for short branches at every byte of [LO, HI).  */
static int
scan_bytes (struct search *s, uint64_t lo, uint64_t hi)
{
  uint64_t avail;
  for (uint64_t a = lo; a < hi; a++)
    {
      const uint8_t *p = lp_module_bytes (s->census->mod, a, &avail);
      if (p && avail >= 2 && is_short_branch (p[0])
	  && note (s, a, a + 2 + (int8_t) p[1]))
	return -1;
    }
  return 0;
}

/* The same at the instructions of [START, HI) from LO on, START being a
   symbol: one is there.  */
static int
scan_insns (struct search *s, uint64_t start, uint64_t lo, uint64_t hi)
{
  uint64_t avail;
  lp_insn in;
  for (uint64_t a = start; a < hi; a += in.len)
    {
      const uint8_t *p = lp_module_bytes (s->census->mod, a, &avail);
      if (!p || lp_decode (s->decoder, p, avail, a, &in, NULL))
	return scan_bytes (s, a > lo ? a : lo, hi);
      bool branch = in.kind == LP_INSN_JMP || in.kind == LP_INSN_JCC
		    || in.kind == LP_INSN_LOOP;
      if (branch && a >= lo && note (s, a, in.target))
	return -1;
    }
  return 0;
}

/* Number of symbols with a value of at most ADDR.  */
static size_t
symbols_to (const lp_symbol *sym, size_t n, uint64_t addr)
{
  size_t lo = 0, hi = n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (sym[mid].value <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

/* Does a chosen function end at ADDR?  Then an instruction begins there.  */
static bool
is_end (const struct search *s, uint64_t addr)
{
  const struct span *before = addr ? span_at (s, addr - 1) : NULL;
  return before && before->hi == addr;
}

/* Short branches in [LO, HI), which holds none of the chosen functions'
   compiled code: by the instructions from LO on, where one is known to begin there,
   or from each symbol on, and by bytes where no symbol is near.  */
static int
scan_gap (struct search *s, uint64_t lo, uint64_t hi)
{
  size_t n;
  const lp_symbol *sym = lp_module_symbols (s->census->mod, &n);
  while (lo < hi)
    {
      size_t i = symbols_to (sym, n, lo);
      uint64_t end = i < n && sym[i].value < hi ? sym[i].value : hi;
      bool near = i && lo - sym[i - 1].value < MAX_LOOK;
      int bad = is_end (s, lo) ? scan_insns (s, lo, lo, end)
		: near ? scan_insns (s, sym[i - 1].value, lo, end)
		: scan_bytes (s, lo, end);
      if (bad)
	return -1;
      lo = end;
    }
  return 0;
}

/* Short branches in [LO, HI), the neighbourhood of a chosen function, outside of
   what compilers made.  */
static int
scan_neighbours (struct search *s, uint64_t lo, uint64_t hi)
{
  while (lo < hi)
    {
      const struct span *sp = span_at (s, lo);
      uint64_t end = lo;
      if (sp)
	{
	  if (!is_compiled (sp->fn) && scan_gap (s, lo, sp->hi < hi ? sp->hi : hi))
	    return -1;
	  lo = sp->hi;
	  continue;
	}
      while (end < hi && !span_at (s, end))
	end++;
      if (scan_gap (s, lo, end))
	return -1;
      lo = end;
    }
  return 0;
}

/* Branches with an 8-bit displacement come from 129 bytes away at the most.  */
static int
scan_short (struct search *s)
{
  for (size_t i = 0; i < s->spans.n; i++)
    {
      const struct span sp = s->spans.v[i];
      if (scan_neighbours (s, sp.lo < NEAR ? 0 : sp.lo - NEAR, sp.lo)
	  || scan_neighbours (s, sp.hi, sp.hi + NEAR))
	return -1;
    }
  return 0;
}

static int
scan (struct search *s)
{
  size_t n;
  const lp_segment *seg = lp_module_segments (s->census->mod, &n);
  for (size_t i = 0; i < n; i++)
    if (seg[i].exec && scan_long (s, &seg[i]))
      return -1;
  return scan_short (s);
}

int
lp_census_take (lp_module *mod, lp_function *const *functions, size_t n,
		lp_census *census, lp_error *err)
{
  struct search s = { .census = census };
  *census = (lp_census) { .mod = mod };
  census->pointers = lp_module_code_pointers (mod, &census->npointers, err);
  if (!census->pointers && census->npointers)
    return -1;
  census->pads = lp_module_landing_pads (mod, &census->npads, err);
  if (!census->pads && census->npads)
    return -1;
  census->call_sites = lp_module_call_sites (mod, &census->ncall_sites, err);
  if (!(s.decoder = lp_decoder_new (err)))
    return -1;
  int bad = index_entries (census, functions, n)
	    || index_spans (&s, functions, n) || scan (&s);
  lp_decoder_free (s.decoder);
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
  lp_vec_free (&census->chosen);
}
