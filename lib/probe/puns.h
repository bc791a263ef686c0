/* puns.h: jumps for which there is less room than a jump takes.  Its first bytes are
   written, its last ones are those that stand behind, whatever they are then:

	e9 xx xx | b8 01 ...		jmp to 0x01b8xxxx from here

   So it leads into a certain window, where a jump through memory leads on to the clone,
   in a page that is mapped for it.  A prefix makes another window of it.  The bytes
   behind change together with the pun, or not at all.  */

#ifndef LP_PROBE_PUNS_H
#define LP_PROBE_PUNS_H

#include "probe/clone.h"

/* A page with addresses of at least FIRST and at most LAST, both of pages, that is free to
   be mapped: 0 with its address, or -1.  */
typedef int lp_page_finder (void *arg, uint64_t first, uint64_t last,
			    uint64_t *page);

/* Find a place for each of TEXT's puns, where there is one: `placed' says so.  Its patch
   and the pages with what they will hold are added to TEXT.  TEXT's patches, which are
   complete but for that, are sorted then.  -1: out of memory.  */
int lp_puns_place (lp_text *text, const lp_module *mod, lp_page_finder *find,
		   void *arg);

#endif
