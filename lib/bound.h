/* bound.h: symbols from the engine's own libraries.

   Whatever else is in the process and has a function of that name, as a program with a
   capstone of its own may, comes first when the loader looks one up.  libdw is not among
   these: it uses libelf in that way itself, and what has its names is one.  */

#ifndef LP_BOUND_H
#define LP_BOUND_H

#include <lineprof.h>

/* OBJECT is what dlopen gave for the engine.  -1 with LP_ENOENGINE: its libraries do not have
   them all.  */
int lp_bound_begin (void *object, lp_error *err);

#endif
