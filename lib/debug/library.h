/* library.h: patterns that name a shared object, LIB:FUNC.  */

#ifndef LP_DEBUG_LIBRARY_H
#define LP_DEBUG_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* What PATTERN asks for in a shared object: the part behind `LIB:', "" for all of
   its functions; the object's name is the first *N bytes.  NULL when PATTERN is
   about the executable.  LIB is recognised by a base name with `.so' in it (not
   followed by a letter), or by a glob without an extension.  */
const char *lp_library_part (const char *pattern, size_t *n);

/* Does the shared object that lies at PATH have the name that PATTERN, of which
   lp_library_part is not NULL, asks for?  LIB is a glob on the base name, on
   the whole path where it holds a slash; versions behind `.so' may be left
   off.  */
bool lp_library_is (const char *pattern, const char *path);

#endif
