/* output.h: replacing a file as a whole or not at all.  */

#ifndef LP_PROFILE_OUTPUT_H
#define LP_PROFILE_OUTPUT_H

#include <stdio.h>

#include "base/error.h"

/* Give PATH the bytes that WRITE (0, or -1 with errno) puts into the file it
   is handed.  They go to a temporary name in the same folder, down to the
   disk, and then take PATH's place; a PATH that is a device or a pipe is
   written to directly.  Symbolic links are followed.  0, or -1 with LP_EIO, PATH
   as it was and no temporary left.  */
int lp_output_write (const char *path,
		     int (*write) (FILE *file, const void *arg),
		     const void *arg, lp_error *err);

/* Would that work?  Leaves nothing behind and does not touch PATH.  */
int lp_output_check (const char *path, lp_error *err);

#endif
