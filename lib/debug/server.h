/* server.h: debug information from debuginfod servers.  The network is asked only
   after lp_server_use.  */

#ifndef LP_DEBUG_SERVER_H
#define LP_DEBUG_SERVER_H

#include "base/error.h"

/* From now on, ask the servers of $DEBUGINFOD_URLS for what is not installed.  For
   the whole process; before modules are opened.  0, or -1 with LP_EUNSUPPORTED where
   the variable is not set or the library of elfutils is missing.  */
int lp_server_use (lp_error *err);

/* The file with the debug information of the program with that build-id, which the
   library keeps in its cache; to be freed.  NULL when no server has it, or none is to
   be asked.  */
char *lp_server_find (const char *build_id);

#endif
