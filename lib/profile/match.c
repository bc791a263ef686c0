/* match.c: equal keys in two lists.  */

#include "profile/match.h"

#include <stdlib.h>
#include <string.h>

struct keyed
{
  const char *key;
  uint32_t i;
};

static int
by_key (const void *a, const void *b)
{
  const struct keyed *x = a, *y = b;
  int c = strcmp (x->key, y->key);
  return c ? c : (x->i > y->i) - (x->i < y->i);
}

/* KEYS (N of them) in order, each with its index; NULL when out of memory.  */
static struct keyed *
sorted (lp_arena *scratch, const char *const *keys, size_t n)
{
  struct keyed *v = lp_arena_alloc (scratch, n * sizeof *v);
  for (size_t i = 0; v && i < n; i++)
    v[i] = (struct keyed) { keys[i], (uint32_t) i };
  if (v)
    qsort (v, n, sizeof *v, by_key);
  return v;
}

uint32_t *
lp_match (lp_arena *scratch, const char *const *a, size_t m,
	  const char *const *b, size_t n)
{
  struct keyed *x = sorted (scratch, a, m), *y = sorted (scratch, b, n);
  uint32_t *map = lp_arena_alloc (scratch, n * sizeof *map);
  if (!x || !y || !map)
    return NULL;
  for (size_t i = 0, j = 0; j < n; j++)
    {
      int c = 1;
      while (i < m && (c = strcmp (x[i].key, y[j].key)) < 0)
	i++;
      map[y[j].i] = i < m && c == 0 ? x[i++].i : LP_NO_MATCH;
    }
  return map;
}
