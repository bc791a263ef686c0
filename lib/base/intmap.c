/* intmap.c: open addressing with linear probing, at most half full.  */

#include "base/intmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { FIRST_SLOTS = 64 };

/* The slot of KEY, or the free one where it belongs.  */
static size_t
find_slot (const lp_intmap *map, uint64_t key)
{
  /* The golden ratio spreads keys that differ in few bits.  */
  size_t i = (key * 0x9e3779b97f4a7c15u >> 20) & (map->nslots - 1);
  while (map->values[i] && map->keys[i] != key)
    i = (i + 1) & (map->nslots - 1);
  return i;
}

int64_t
lp_intmap_get (const lp_intmap *map, uint64_t key)
{
  return map->nslots ? (int64_t) map->values[find_slot (map, key)] - 1 : -1;
}

static int
grow (lp_intmap *map)
{
  lp_intmap bigger = { .nslots = map->nslots ? map->nslots * 2 : FIRST_SLOTS };
  bigger.keys = malloc (bigger.nslots * sizeof *bigger.keys);
  bigger.values = calloc (bigger.nslots, sizeof *bigger.values);
  if (!bigger.keys || !bigger.values)
    {
      lp_intmap_free (&bigger);
      return lp_nomem (NULL);
    }
  for (size_t i = 0; i < map->nslots; i++)
    if (map->values[i])
      {
	size_t slot = find_slot (&bigger, map->keys[i]);
	bigger.keys[slot] = map->keys[i];
	bigger.values[slot] = map->values[i];
      }
  bigger.n = map->n;
  lp_intmap_free (map);
  *map = bigger;
  return 0;
}

int
lp_intmap_put (lp_intmap *map, uint64_t key, uint32_t value)
{
  if (map->n * 2 >= map->nslots && grow (map))
    return -1;
  size_t slot = find_slot (map, key);
  map->keys[slot] = key;
  map->values[slot] = value + 1;
  map->n++;
  return 0;
}

void
lp_intmap_free (lp_intmap *map)
{
  free (map->keys);
  free (map->values);
  memset (map, 0, sizeof *map);
}
