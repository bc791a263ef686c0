/* pattern.h: what a user's pattern asks for, and whether a function is that.  */

#ifndef LP_DEBUG_PATTERN_H
#define LP_DEBUG_PATTERN_H

#include "debug/dwarf.h"

typedef struct lp_pattern
{
  const char *text;		/* as given */
  char *file;			/* path suffix, or a directory with its slash; or NULL */
  char *name;			/* function name or glob; or NULL */
  uint32_t line;		/* or 0 */
  bool maybe_name;		/* no colon and no slash: the text may be a name instead
				   of a file */
} lp_pattern;

/* Take TEXT apart.  0, or -1 when out of memory.  */
int lp_pattern_parse (const char *text, lp_pattern *pattern);
void lp_pattern_free (lp_pattern *pattern);

/* Is NAME a glob?  `operator*', `operator[]' and `f(char*)' are not.  */
bool lp_is_glob (const char *name);

/* The longest word of NAME that every mangled symbol of such a function spells
   out; to be freed.  "" when there is none; NULL when out of memory.  */
char *lp_pattern_key (const char *name);

/* The same for what .debug_info has, "" for a glob; *WHOLE is set to whether it is all of
   NAME's last component.  */
char *lp_pattern_word (const char *name, bool *whole);

/* Is FN, or another symbol of its address, called NAME?  */
bool lp_function_is (const lp_dwarf *dw, const lp_function *fn,
		     const char *name);

/* May SYMBOL be that of a function called NAME?  Errs on the side of yes: DWARF
   knows the names that are not mangled.  */
bool lp_symbol_may_be (const char *symbol, const char *name);

/* Is PATH the pattern's file, or in its directory?  */
bool lp_pattern_has_file (const lp_pattern *pattern, const char *path);

/* May a function of UNIT stand in the pattern's file?  */
bool lp_unit_may_have (lp_dwarf *dw, lp_unit *unit, const lp_pattern *pattern);

#endif
