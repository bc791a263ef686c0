/* shortage.h: when libdw is out of memory.

   It does not return then, but calls a function that may not return either; its own one
   ends the process.  Ours leaves what was asking libdw.  What libdw opens by itself
   (.dwo files) has its own: that cannot be changed from here.  */

#ifndef LP_DEBUG_SHORTAGE_H
#define LP_DEBUG_SHORTAGE_H

#include <elfutils/libdw.h>

#include "base/error.h"

/* Do so for DBG from now on: all that may allocate is asked in lp_shortage_guard's
   functions.  */
void lp_shortage_watch (Dwarf *dbg);

/* What F (ARG) returns; -1 with LP_ENOMEM where libdw ran out of memory in it.  F's own
   variables are lost then: what they hold is to be released by somebody else.
   Calls nest.  */
int lp_shortage_guard (int (*f) (void *arg), void *arg, lp_error *err);

#endif
