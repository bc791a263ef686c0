/* places.c: program counters at home and in the clones.  */

#include "probe/places.h"

#include <stdlib.h>

int
lp_places_add (lp_text *text, uint64_t home, uint64_t clone, uint64_t body)
{
  lp_place place = { home, clone - text->code.base,
		     body ? body - text->code.base : 0 };
  return lp_vec_push (&text->places, place);
}

bool
lp_places_cover (const lp_text *text, uint64_t pc)
{
  return pc >= text->code.base && pc < text->code.base + text->code.n;
}

static int
by_at (const void *a, const void *b)
{
  const lp_detour *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

void
lp_places_sort_detours (lp_text *text)
{
  if (text->detours.n)
    qsort (text->detours.v, text->detours.n, sizeof *text->detours.v, by_at);
}

static uint64_t
detour_home (const lp_text *text, uint64_t pc)
{
  const lp_detour key = { .at = pc };
  const lp_detour *d = text->detours.n
    ? bsearch (&key, text->detours.v, text->detours.n, sizeof key, by_at) : NULL;
  return d ? d->home : 0;
}

/* Code is appended, so the places are in the order of the clones' addresses.  */
uint64_t
lp_places_home (const lp_text *text, uint64_t pc)
{
  if (!lp_places_cover (text, pc))
    return detour_home (text, pc);
  uint32_t at = pc - text->code.base;
  size_t lo = 0, hi = text->places.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (text->places.v[mid].clone <= at)
	lo = mid + 1;
      else
	hi = mid;
    }
  if (lo == 0)
    return 0;
  const lp_place *p = &text->places.v[lo - 1];
  return p->clone == at || p->body == at ? p->home : 0;
}

static int
by_home (const void *a, const void *b)
{
  const lp_place *const *x = a, *const *y = b;
  return (*x)->home < (*y)->home ? -1 : (*x)->home > (*y)->home;
}

int
lp_places_index (lp_text *text)
{
  if (text->by_home)
    return 0;
  text->by_home = malloc ((text->places.n + 1) * sizeof *text->by_home);
  if (!text->by_home)
    return -1;
  for (size_t i = 0; i < text->places.n; i++)
    if (text->places.v[i].body)
      text->by_home[text->nby_home++] = &text->places.v[i];
  qsort (text->by_home, text->nby_home, sizeof *text->by_home, by_home);
  return 0;
}

uint64_t
lp_places_clone (lp_text *text, uint64_t pc)
{
  const lp_place key = { .home = pc }, *key_at = &key;
  if (lp_places_index (text))
    return 0;
  const lp_place **p = bsearch (&key_at, text->by_home, text->nby_home,
				sizeof *p, by_home);
  return p ? text->code.base + (*p)->clone : 0;
}

void
lp_text_free (lp_text *text)
{
  lp_vec_free (&text->patches);
  lp_vec_free (&text->traps);
  lp_vec_free (&text->places);
  lp_vec_free (&text->detours);
  lp_vec_free (&text->puns);
  while (text->pages.n)
    free (text->pages.v[--text->pages.n].bytes);
  lp_vec_free (&text->pages);
  free (text->by_home);
  text->by_home = NULL;
  text->nby_home = 0;
}
