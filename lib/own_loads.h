/* own_loads.h: hearing of libraries that this process loads later.

   The dynamic loader calls an empty function for debuggers, _dl_debug_state, when what
   is loaded has changed.  Its `ret' becomes a jump to us.  */

#ifndef LP_OWN_LOADS_H
#define LP_OWN_LOADS_H

#include "target/target.h"

/* Call CHANGED before and (CONSISTENT) after each change, in the thread that makes it,
   with the loader's lock held: a new object's constructors have not run yet, and
   what goes is there as long as the call before does not return.  -1 with
   LP_EUNSUPPORTED: there is no such loader, or its code is not what is expected.  */
int lp_own_loads_begin (lp_process *self, void (*changed) (bool consistent),
			lp_error *err);
/* The reverse; a call may be under way yet.  Nothing happens where that was not
   begun.  */
void lp_own_loads_end (lp_process *self);

#endif
