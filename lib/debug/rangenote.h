/* rangenote.h: a note that leads to a datum of its file.  */

#ifndef LP_DEBUG_RANGENOTE_H
#define LP_DEBUG_RANGENOTE_H

#include "debug/module.h"

/* The file address that the note NAME of MOD's section SECTION_NAME leads to: its
   descriptor is the distance from itself.  0, or -1 when there is none.  */
int lp_module_range_hook (const lp_module *mod, const char *section_name,
			  const char *name, uint64_t *addr);

#endif
