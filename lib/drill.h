/* drill.h: the function-level profile that a line-level run starts from.  */

#ifndef LP_DRILL_H
#define LP_DRILL_H

#include "profile/hot.h"

/* The newest *.prof file of FOLDER that is of PROGRAM (looked up as execvp does), by
   its build-id.  *FILE: its name; free it.  NULL with LP_EUSAGE when there is
   none: never made, or (it says so) of another build.  */
lp_profile *lp_drill_find (const char *program, const char *folder,
			   char **file, lp_error *err);

#endif
