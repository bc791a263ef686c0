/* language.h: how names are spelled in a language, by its number in DWARF (DW_LANG_*).
   Pure.  */

#ifndef LP_DEBUG_LANGUAGE_H
#define LP_DEBUG_LANGUAGE_H

#include <stdbool.h>

#include "base/arena.h"

/* Is it C or C++?  Then a function's name is its DIE's, or has it as its last part.  */
bool lp_is_c (int language);
/* Is it Ada?  Are upper and lower case the same in it?  Do functions hold others, which
   are called by the names of both?  */
bool lp_is_ada (int language);
bool lp_ignores_case (int language);
bool lp_nests_functions (int language);
/* What stands between the parts of a name: "." or "::".  */
const char *lp_separator (int language);

/* Does the function with the symbol OUTER hold that with INNER, as Free Pascal makes
   symbols?  */
bool lp_pascal_holds (const char *outer, const char *inner);

/* NAME, as GNAT writes it, as in the source: p.q for p__q, p."+" for p__Oadd, and without
   the number that tells overloads apart.  NULL when out of memory.  */
const char *lp_ada_name (lp_arena *arena, const char *name);

#endif
