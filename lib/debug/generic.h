/* generic.h: the generics of Ada, of which the debug information knows the instances
   alone: what one is called stands in the source.  */

#ifndef LP_DEBUG_GENERIC_H
#define LP_DEBUG_GENERIC_H

#include <stddef.h>
#include <stdint.h>

/* The name, in the scope of an instance called INSTANCE, of the generic subprogram
   whose body begins at LINE of the file PATH; lower case, to be freed.  NULL where no
   source says so (the file is not there, or something else stands there), and where
   it holds the instance.  */
char *lp_ada_generic (const char *path, uint32_t line, const char *instance);

#endif
