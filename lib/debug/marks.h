/* marks.h: the functions that a program marks in its source, with PROFILE_FN and
   its like (<lineprof.h> describes the notes).  */

#ifndef LP_DEBUG_MARKS_H
#define LP_DEBUG_MARKS_H

#include "debug/select.h"

typedef struct lp_source_mark
{
  const char *file;		/* as the compiler was given it */
  uint32_t line;
  const char *pattern;		/* or NULL: the function that is defined next */
} lp_source_mark;

typedef LP_VEC (lp_source_mark) lp_source_mark_list;

/* Append MOD's marks to OUT, each once; their strings live as long as MOD.  A file
   without notes has none.  -1 with LP_EFORMAT for notes that are cut off or of
   a newer version, LP_ENOMEM.  */
int lp_module_marks (const lp_module *mod, lp_source_mark_list *out, lp_error *err);

/* Could the file PATH have marks?  A look at its notes, which costs nothing to speak
   of.  */
bool lp_file_has_marks (const char *path);

/* Append the functions that MARK means to OUT, and want their inlined instances, as
   lp_select and lp_select_inlined do for its pattern, or for the first functions
   defined at its line or below.  Returns how many are new, -1 on an error.  0 when
   there is none, and ERR says why then (LP_ENOMATCH).  Where the source can be
   read, a definition between the mark and the function that was found is the
   one that was meant: it has no code but where it was inlined.  */
int lp_select_mark (lp_module *mod, const lp_source_mark *mark, lp_function_list *out,
		    lp_error *err);

#endif
