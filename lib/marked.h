/* marked.h: marked functions as those that are profiled.  */

#ifndef LP_MARKED_H
#define LP_MARKED_H

#include "prepare.h"

/* Add the functions that P's module marks to P's, and to P->vanished why others are
   missing.  *ANY: there are marks.  -1: notes that are damaged; out of
   memory.  */
int lp_marked_select (lp_prepared *p, bool *any, lp_error *err);

/* Everything that P's module marks has vanished: -1 with the first reason.  */
int lp_marked_none (const lp_prepared *p, lp_error *err);

#endif
