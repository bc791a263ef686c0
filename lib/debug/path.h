/* path.h: names of source files as text; no file is touched.  */

#ifndef LP_DEBUG_PATH_H
#define LP_DEBUG_PATH_H

#include <stdbool.h>

/* BASE/DIR/NAME, where what stands before an absolute part is dropped and empty
   parts are skipped; without `//', `.' and `x/..'.  To be freed; NULL when out
   of memory.  */
char *lp_path_join (const char *base, const char *dir, const char *name);

/* Is TAIL the whole PATH or its last components?  TAIL may be a glob.  */
bool lp_path_ends_with (const char *path, const char *tail);

/* Does PATH lie in DIR, which ends in a slash: an absolute one, or whole
   components anywhere in PATH?  */
bool lp_path_in_dir (const char *path, const char *dir);

/* Is PATH a header or source of the compiler or the system?  */
bool lp_path_is_system (const char *path);

#endif
