/* inlined.h: selecting what was inlined: a function's instances are as much its
   code as its out-of-line copy is (lines.md "Inlining and clones").  */

#ifndef LP_DEBUG_INLINED_H
#define LP_DEBUG_INLINED_H

#include "debug/select.h"

struct lp_dwarf;

/* Set `wanted' of the instances of what PATTERN means, as lp_select has it, and
   append to OUT the functions that hold them, `only_inlined' where OUT had them not
   yet.  NULL is the default: all that is declared in files that are not the
   system's.  Call lp_select first, for a pattern that may be a file's or a name is
   a file's when that or this finds such a file.  Returns the number of instances,
   -1 on an error.  */
int lp_select_inlined (lp_module *mod, const char *pattern,
		       lp_function_list *out, lp_error *err);

/* The same for what is declared at LINE of FILE, an index into lp_module_files.
   NAME is its own name, without the classes that it is in, and saves units that do
   not tell of it; NULL: not known.  */
int lp_select_inlined_at (lp_module *mod, uint32_t file, uint32_t line,
			  const char *name, lp_function_list *out, lp_error *err);

/* lp_select_inlined will be asked for PATTERN: said before lp_select, it saves going
   through the units twice.  0, or -1 as lp_select.  */
int lp_select_expect (lp_module *mod, const char *pattern, lp_error *err);

/* Unit number U is gone through, with all that is below it: its functions that hold
   instances of what lp_select_expect said shall have their inlines.  It need not be
   there again for lp_select_inlined then.  0, or -1.  */
int lp_inlined_ahead (struct lp_dwarf *dw, uint32_t u, lp_error *err);

/* Nothing is selected any more in MOD.  */
void lp_select_forget (lp_module *mod);

#endif
