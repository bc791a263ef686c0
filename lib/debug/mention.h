/* mention.h: which units can tell of a name, found without reading a DIE.  */

#ifndef LP_DEBUG_MENTION_H
#define LP_DEBUG_MENTION_H

#include "debug/dwarf.h"

/* Set MAY[u] for each unit whose DIEs may have a name that contains KEY, or may be
   instances of one that another unit tells of; for more than these is possible.
   WHOLE: a name whose last component, arguments apart, is KEY.  "" is contained in
   all names.  MAY is all false before.  0, or -1 with LP_EFORMAT or LP_ENOMEM.  */
int lp_units_mentioning (lp_dwarf *dw, const char *key, bool whole, bool *may,
			 lp_error *err);

#endif
