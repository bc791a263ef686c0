/* own_threads.h: patching this process's code while its other threads are anywhere.  */

#ifndef LP_OWN_THREADS_H
#define LP_OWN_THREADS_H

#include "own.h"

/* Is the caller the only thread?  */
bool lp_own_alone (void);

/* Patch in OWN's grafts, which were added to be patched later.  Threads that are in their
   functions go on in the clones; all get slots.  -1, and nothing was changed:
   LP_EUNSUPPORTED: the other threads could not be stopped; LP_ETARGET: the code is
   not the file's.  */
int lp_own_patch (lp_own *own, lp_error *err);

/* The reverse: no thread is in the clones afterwards, or has a slot; *ALONE: there is but
   the caller.  -1, and all is as before: LP_EUNSUPPORTED: the others could not be
   stopped, or did not leave the clones; LP_EUSAGE: another thread is on.  */
int lp_own_unpatch (lp_own *own, bool *alone, lp_error *err);

#endif
