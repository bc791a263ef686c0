/* places.h: where an instruction is at home and where its clone is: for whoever
   moves program counters.  All addresses are run-time ones.  */

#ifndef LP_PROBE_PLACES_H
#define LP_PROBE_PLACES_H

#include "probe/clone.h"

/* Note that the instruction at HOME has its probe at CLONE and itself, with all
   registers and flags as at home, at BODY.  BODY 0: HOME is still executed, and
   CLONE is where it goes on.  Calls come in the order of CLONE.  -1: out of
   memory.  */
int lp_places_add (lp_text *text, uint64_t home, uint64_t clone,
		   uint64_t body);

/* Is PC in TEXT's code?  */
bool lp_places_cover (const lp_text *text, uint64_t pc);

/* The original of the instruction at PC, where the program's state is that before
   this instruction; 0: PC is elsewhere, or in the middle of a probe.  PC may be in
   TEXT's code, or at one of its detours.  */
uint64_t lp_places_home (const lp_text *text, uint64_t pc);

/* Where the original instruction at PC runs, its probe first; 0: nowhere else.
   Sorts when it is called first.  */
uint64_t lp_places_clone (lp_text *text, uint64_t pc);

/* Sort TEXT's detours, which are complete.  */
void lp_places_sort_detours (lp_text *text);

/* Sort now; -1: out of memory.  No place with a BODY may be added afterwards.  */
int lp_places_index (lp_text *text);

/* Free all that TEXT has but its code, which is the caller's.  */
void lp_text_free (lp_text *text);

#endif
