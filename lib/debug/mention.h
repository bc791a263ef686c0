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

/* Set `holders' of unit number U: those of its functions that hold instances of a
   function whose name's last component is KEY; for more than these is possible.  *KNOWN is
   false, and nothing done, unless KEY was the last that lp_units_mentioning was asked of
   with WHOLE and units could be told apart.  0, or -1 when out of memory.  */
int lp_unit_holders (lp_dwarf *dw, uint32_t u, const char *key, bool *known,
		     lp_error *err);
/* Is FN, of UNIT, one of them?  */
bool lp_is_holder (const lp_unit *unit, const lp_function *fn);

typedef struct lp_mentions lp_mentions;

/* That will be asked of DW, whose units are not there yet, with WHOLE: inflating them
   shall be a search for KEY, too.  For want of memory it is not.  */
void lp_mentions_expect (lp_dwarf *dw, const char *key);
/* The KEY that was said, or NULL.  */
const char *lp_mentions_expected (const lp_dwarf *dw);
/* For sections.c: DW's units are to be inflated, and .debug_str is loaded.  */
void lp_mentions_begin (lp_dwarf *dw);
void lp_mentions_free (lp_mentions *mentions);

#endif
