/* intmap.h: a hash table from 64-bit keys to 32-bit values: addresses, offsets
   and pointers of interned things to their index.  */

#ifndef LP_BASE_INTMAP_H
#define LP_BASE_INTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is the empty map.  */
typedef struct lp_intmap
{
  uint64_t *keys;
  uint32_t *values;		/* value + 1; 0 is a free slot */
  size_t nslots, n;
} lp_intmap;

/* The value of KEY, or -1.  */
int64_t lp_intmap_get (const lp_intmap *map, uint64_t key);
/* Give KEY, which the map does not hold, VALUE (at most UINT32_MAX - 1).  0, or
   -1 when out of memory.  */
int lp_intmap_put (lp_intmap *map, uint64_t key, uint32_t value);
void lp_intmap_free (lp_intmap *map);

#endif
