/* imports.h: functions of other objects that a module calls through words of its own,
   which the loader fills (its procedure linkage table, or gcc's -fno-plt).  */

#ifndef LP_DEBUG_IMPORTS_H
#define LP_DEBUG_IMPORTS_H

#include "debug/module.h"

typedef struct lp_import
{
  uint64_t slot;		/* the word's address */
  const char *name;		/* the symbol; the module's own string */
  bool called;			/* by code that was planned */
  uint32_t number;		/* of the function in the call tree; 0: it is not counted */
  /* Of the object that has it; NULL until lp_imports_settle.  */
  lp_module *owner;
  uint64_t value;		/* the symbol's, in OWNER */
  const lp_function *fn;	/* for its names only: without code */
} lp_import;

typedef LP_VEC (lp_import) lp_import_list;

/* Append MOD's imports to OUT, by slot.  What MOD itself defines is none, though
   another object could take its place.  -1 with LP_EFORMAT, LP_ENOMEM.  */
int lp_module_list_imports (lp_module *mod, lp_import_list *out,
			    lp_error *err);

/* Is ADDR in a section of stubs that jump through such words?  False where there are
   no section headers.  */
bool lp_module_is_plt (const lp_module *mod, uint64_t addr);

/* The N imports at BY_NAME, sorted by name, that have no owner yet and that OWNER
   defines are OWNER's.  -1: out of memory.  */
int lp_imports_settle (lp_import **by_name, size_t n, lp_module *owner,
		       lp_error *err);

#endif
