/* unlined.h: functions of a module that has no line information, as its symbol table
   knows them: enough to count and time their calls.  They have no rows; their
   file's path is "", their line 0.  */

#ifndef LP_DEBUG_UNLINED_H
#define LP_DEBUG_UNLINED_H

#include "debug/select.h"

/* Append to OUT the functions of MOD whose names PATTERN (a name or a glob; NULL:
   all) means, in the order of their addresses, without those that OUT already
   holds.  The code that starts and ends a C program is none.  Returns how many
   were appended, -1 with LP_ENOMEM, LP_EIO.  */
int lp_select_unlined (lp_module *mod, const char *pattern,
		       lp_function_list *out, lp_error *err);

#endif
