/* abbrevs.h: what the abbreviations say of all units at once: .debug_abbrev is a
   fiftieth of .debug_info.  */

#ifndef LP_DEBUG_ABBREVS_H
#define LP_DEBUG_ABBREVS_H

#include "debug/linetable.h"

typedef struct lp_abbrevs
{
  bool damaged;			/* nothing below is known */
  bool across_units;		/* DIEs refer to DIEs of other units */
  bool names_inside;		/* functions have names that stand in .debug_info */
  bool foreign_inside;		/* and those of a compiler, whose own name stands there
				   too: it may have no other place for strings */
} lp_abbrevs;

/* What the section BYTES says.  */
lp_abbrevs lp_abbrevs_read (lp_bytes bytes);

#endif
