/* select.h: which functions a pattern means (lines.md "Patterns").  */

#ifndef LP_DEBUG_SELECT_H
#define LP_DEBUG_SELECT_H

#include "debug/module.h"

typedef LP_VEC (lp_function *) lp_function_list;

/* Append to OUT the functions of MOD that PATTERN selects, in the order of
   their addresses, without those that OUT already holds.  Patterns: a name
   (whole `::` tails, with or without parameters), a glob, `file.c`,
   `file.c:name`, `file.c:LINE`, `dir/`.  Fast for a name: the symbol table is
   asked before DWARF is opened.  Returns how many were appended, 0 when the
   pattern matches nothing here, -1 on an error.  */
int lp_select (lp_module *mod, const char *pattern, lp_function_list *out,
	       lp_error *err);

/* The default: every function with line information whose source file is not a
   system header.  */
int lp_select_default (lp_module *mod, lp_function_list *out, lp_error *err);

/* Append the function whose entry is ENTRY, once.  0, or -1 with LP_ENOMATCH where
   none starts there.  */
int lp_select_entry (lp_module *mod, uint64_t entry, lp_function_list *out,
		     lp_error *err);

/* Append FOUND, which gets sorted, to OUT in the order of addresses, each once;
   ONLY_INLINED: for what is inlined into them.  Returns how many were not in OUT,
   or only for that; -1 when out of memory.  */
int lp_select_append (lp_function_list *found, bool only_inlined,
		      lp_function_list *out, lp_error *err);

/* Fill ERR with LP_ENOMATCH: PATTERN matches nothing in MOD, with the up to
   three nearest names ("did you mean"), or why it can match nothing (only a
   declaration; inlined everywhere; no line information).  Returns -1.  */
int lp_select_nearest (lp_module *mod, const char *pattern, lp_error *err);

#endif
