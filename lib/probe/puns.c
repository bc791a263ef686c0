/* puns.c: where puns lead.

   From the last one to the first: then what stands behind a pun is known, be it
   another one.  */

#include "probe/puns.h"

#include <stdlib.h>
#include <string.h>

#include "probe/patch.h"

enum
{
  PAGE = 4096,
  SLOT = 15,			/* notrack jmp *0(%rip) and its word */
  REL = 4,			/* bytes of a displacement */
  MOST_PREFIXES = 2,
  MOST_PAGES = 512
};

/* A near jump ignores these (sites.c); REX comes last.  */
static const uint8_t prefixes[MOST_PREFIXES] = { 0x2e, 0x48 };

struct search
{
  lp_text *text;
  const lp_module *mod;
  size_t nsorted;		/* the text's patches before the puns' */
  lp_page_finder *find;
  void *arg;
};

/* Bytes behind a pun.  */

static bool
covers (const lp_patch *p, uint64_t addr)
{
  return addr >= p->addr && addr < p->addr + p->len;
}

/* The patch that covers run-time address ADDR, or NULL.  Of the puns' only the last
   ones can be near.  */
static const lp_patch *
patch_at (const struct search *s, uint64_t addr)
{
  const lp_patch *v = s->text->patches.v;
  size_t lo = 0, hi = s->nsorted, n = s->text->patches.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (v[mid].addr <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  if (lo && covers (&v[lo - 1], addr))
    return &v[lo - 1];
  for (size_t i = n; i > s->nsorted && i + REL > n; i--)
    if (covers (&v[i - 1], addr))
      return &v[i - 1];
  return NULL;
}

/* What stands at run-time address ADDR when all is patched.  */
static bool
final_byte (const struct search *s, uint64_t addr, uint8_t *byte)
{
  const lp_patch *patch = patch_at (s, addr);
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (s->mod, addr - s->text->bias, &avail);
  if (patch)
    *byte = patch->new[addr - patch->addr];
  else if (p && avail)
    *byte = *p;
  else
    return false;
  return true;
}

/* Where PUN with N prefixes can lead: [*LO, *HI).  */
static bool
window (const struct search *s, const lp_pun *pun, unsigned n, uint64_t *lo,
	uint64_t *hi)
{
  unsigned own = pun->room - n - 1;
  uint64_t end = pun->addr + n + 1 + REL;
  uint32_t high = 0;
  uint8_t byte;
  for (unsigned i = own; i < REL; i++)
    {
      if (!final_byte (s, pun->addr + n + 1 + i, &byte))
	return false;
      high |= (uint32_t) byte << 8 * i;
    }
  *lo = end + (int64_t) (int32_t) high;
  *hi = *lo + (UINT64_C (1) << 8 * own);
  return *lo < *hi && *hi < UINT64_C (1) << 47;
}

/* Places.  */

/* A place for a jump within [LO, HI) in PAGE, or 0.  Unused bytes are int3s; no jump
   begins or ends with one.  */
static uint64_t
place_in (const lp_page *page, uint64_t lo, uint64_t hi)
{
  static const uint8_t unused[SLOT] = { [0 ... SLOT - 1] = 0xcc };
  uint64_t at = lo > page->addr ? lo : page->addr;
  for (; at < hi && at + SLOT <= page->addr + PAGE; at++)
    if (memcmp (page->bytes + (at - page->addr), unused, SLOT) == 0)
      return at;
  return 0;
}

/* Where what is taken without being mapped yet ends, if ADDR is in it; else 0.  */
static uint64_t
taken_to (const lp_text *text, uint64_t addr)
{
  const lp_asm *code = &text->code;
  uint64_t end = (code->base + code->cap + PAGE - 1) & -(uint64_t) PAGE;
  if (addr + PAGE > code->base && addr < end)
    return end;
  for (size_t i = 0; i < text->pages.n; i++)
    if (text->pages.v[i].addr == addr)
      return addr + PAGE;
  return 0;
}

/* A new page, to have a place within [LO, HI).  1: there is one; 0: no; -1: out of
   memory.  */
static int
add_page (struct search *s, uint64_t lo, uint64_t hi)
{
  uint64_t first = lo & -(uint64_t) PAGE, last = (hi - 1) & -(uint64_t) PAGE, end;
  lp_page page = { .addr = 0 };
  if (s->text->pages.n == MOST_PAGES)
    return 0;
  while (first <= last && s->find (s->arg, first, last, &page.addr) == 0)
    {
      if (!(end = taken_to (s->text, page.addr)))
	{
	  page.bytes = malloc (PAGE);
	  if (!page.bytes)
	    return -1;
	  memset (page.bytes, 0xcc, PAGE);
	  if (place_in (&page, lo, hi) && lp_vec_push (&s->text->pages, page) == 0)
	    return 1;
	  free (page.bytes);
	  return 0;
	}
      first = end;
    }
  return 0;
}

/* As add_page; *AT is the place, *PAGE where it is.  */
static int
find_place (struct search *s, uint64_t lo, uint64_t hi, uint64_t *at,
	    lp_page **page)
{
  for (int again = 0; again < 2; again++)
    {
      for (size_t i = s->text->pages.n; i-- > 0;)
	if ((*at = place_in (&s->text->pages.v[i], lo, hi)))
	  {
	    *page = &s->text->pages.v[i];
	    return 1;
	  }
      int there = again ? 0 : add_page (s, lo, hi);
      if (there <= 0)
	return there;
    }
  return 0;
}

/* Puns.  */

static int
write_pun (struct search *s, lp_pun *pun, unsigned n, uint64_t at, lp_page *page)
{
  uint8_t jump[MOST_PREFIXES + 1 + REL], *slot = page->bytes + (at - page->addr);
  int32_t rel = at - (pun->addr + n + 1 + REL);
  memcpy (jump, prefixes, n);
  jump[n] = 0xe9;
  memcpy (jump + n + 1, &rel, REL);
  memcpy (slot, "\x3e\xff\x25\0\0\0\0", 7);
  memcpy (slot + 7, &pun->target, 8);
  pun->placed = true;
  return lp_clone_patch (s->text, s->mod, pun->addr - s->text->bias, jump,
			 pun->room)
	 || lp_vec_push (&s->text->detours, (lp_detour) { at, pun->addr });
}

static int
place (struct search *s, lp_pun *pun)
{
  uint64_t lo, hi, at;
  lp_page *page;
  for (unsigned n = 0; n <= MOST_PREFIXES && n < pun->room; n++)
    {
      int there = window (s, pun, n, &lo, &hi)
		  ? find_place (s, lo, hi, &at, &page) : 0;
      if (there)
	return there < 0 ? -1 : write_pun (s, pun, n, at, page);
    }
  return 0;
}

static int
from_the_last (const void *a, const void *b)
{
  const lp_pun *x = a, *y = b;
  return x->addr > y->addr ? -1 : x->addr < y->addr;
}

int
lp_puns_place (lp_text *text, const lp_module *mod, lp_page_finder *find,
	       void *arg)
{
  struct search s = { text, mod, text->patches.n, find, arg };
  lp_patch_sort (text);
  if (text->puns.n)
    qsort (text->puns.v, text->puns.n, sizeof *text->puns.v, from_the_last);
  for (size_t i = 0; i < text->puns.n; i++)
    if (place (&s, &text->puns.v[i]))
      return -1;
  lp_patch_sort (text);
  return 0;
}
