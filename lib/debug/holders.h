/* holders.h: which functions hold inlined instances of what has a name, found without
   libdw: most hold none.  */

#ifndef LP_DEBUG_HOLDERS_H
#define LP_DEBUG_HOLDERS_H

#include "debug/key.h"

/* Room for it, to be used for one unit after another; all zero at first.  */
typedef struct lp_holders
{
  lp_dies dies;
  uint8_t *verdicts;		/* two bits for each offset in the unit */
  size_t nverdicts;
  LP_VEC (struct lp_derived) derived;
  LP_VEC (struct lp_instance) instances;
  LP_VEC (uint64_t) within;	/* by depth: the function around, or 0 */
  LP_VEC (uint64_t) found;	/* the result: DIEs by offset from the start of the unit, each
				   once */
} lp_holders;

/* Find the functions with code in UNIT, as lp_dies_open has it, that hold instances of
   what SOUGHT means, or what may be that: an origin in another unit, or without a name.
   0, or -1 when out of memory.  */
int lp_holders_find (lp_holders *h, lp_bytes unit, lp_bytes abbrevs,
		     const lp_key *sought);
void lp_holders_free (lp_holders *h);

#endif
