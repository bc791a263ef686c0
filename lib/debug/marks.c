/* marks.c: the functions that marks mean.  */

#include "debug/marks.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/inlined.h"
#include "debug/instances.h"
#include "debug/internal.h"
#include "debug/marktext.h"
#include "debug/names.h"
#include "debug/path.h"

/* FILE without what leads up from the folder of the compiler.  */
static const char *
strip_dots (const char *file)
{
  for (;;)
    if (strncmp (file, "./", 2) == 0)
      file += 2;
    else if (strncmp (file, "../", 3) == 0)
      file += 3;
    else
      return file;
}

/* PROFILE_MEMBER_FN's own function, which has no code.  */
static bool
is_mark (const lp_function *fn)
{
  const char *at = strstr (fn->name, "lp_mark_");
  return at && strstr (at, "::mark");
}

/* Is PATH the file of MARK?  */
static bool
is_file (const char *path, const lp_source_mark *mark)
{
  const char *tail = strip_dots (mark->file);
  size_t n = strlen (path), m = strlen (tail);
  return m <= n && strcmp (path + n - m, tail) == 0
	 && (m == n || *tail == '/' || path[n - m - 1] == '/');
}

static bool
is_after (const lp_module *mod, const lp_function *fn,
	  const lp_source_mark *mark)
{
  return fn->line >= mark->line && !is_mark (fn)
	 && is_file (mod->files.v[fn->file].path, mark);
}

/* The first function at or below MARK, of N.  */
static const lp_function *
next_function (const lp_module *mod, lp_function *const *functions, size_t n,
	       const lp_source_mark *mark)
{
  const lp_function *next = NULL;
  for (size_t i = 0; i < n; i++)
    if (is_after (mod, functions[i], mark)
	&& (!next || functions[i]->line < next->line))
      next = functions[i];
  return next;
}

/* What is inlined nearest below a mark.  */
struct below
{
  const lp_source_mark *mark;
  uint32_t file, line;		/* line 0: nothing yet */
  const char *name;
};

static bool
keep_nearest (void *arg, lp_dwarf *dw, lp_unit *unit, Dwarf_Die *origin)
{
  struct below *b = arg;
  uint32_t line = lp_die_number (origin, DW_AT_decl_line);
  uint32_t file = lp_die_file (dw, unit, origin, DW_AT_decl_file);
  if (line >= b->mark->line && (!b->line || line < b->line)
      && file < dw->mod->files.n && is_file (dw->mod->files.v[file].path, b->mark))
    {
      b->line = line;
      b->file = file;
      b->name = dwarf_diename (origin);
    }
  return false;
}

static int
fail_vanished (const lp_source_mark *mark, lp_error *err)
{
  lp_fail (err, LP_ENOMATCH, "the function marked at %s:%u has no code: nothing "
	   "calls it, or the compiler could do without it; to keep it, build with "
	   "-O0, or declare it noinline and used; and mark a definition, not what "
	   "declares it", mark->file, mark->line);
  return 0;
}

/* NAME where it is one word: "operator()" has its signs written in more than one
   way.  */
static const char *
plain (const char *name)
{
  return name && !name[strspn (name, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")]
	 ? name : NULL;
}

/* Whatever is meant by MARK has no code of its own: what of it was inlined?  */
static int
select_instances (lp_module *mod, const lp_source_mark *mark,
		  lp_function_list *out, lp_error *err)
{
  struct below b = { .mark = mark };
  lp_instances c = { .wanted = keep_nearest, .arg = &b };
  if (lp_instances_count (&c, mod->dwarf, err))
    return -1;
  if (!b.line
      || lp_marks_another (mod->files.v[b.file].path, mark->line, b.line))
    return fail_vanished (mark, err);
  int n = lp_select_inlined_at (mod, b.file, b.line, plain (b.name), out, err);
  return n ? n : fail_vanished (mark, err);
}

/* What of FUNCTIONS (N) is as NEXT: instances of a template, and copies of a function,
   have one line.  */
static int
add_all_of_line (lp_module *mod, const lp_function *next,
		 lp_function *const *functions, size_t n,
		 lp_function_list *out, lp_error *err)
{
  lp_function_list found = { 0 };
  int added = 0;
  for (size_t i = 0; i < n && !added; i++)
    if (functions[i]->file == next->file && functions[i]->line == next->line
	&& mod->dwarf->units.v[functions[i]->unit].has_lines
	&& lp_vec_push (&found, functions[i]))
      added = lp_nomem (err);
  if (!added)
    added = lp_select_append (&found, false, out, err);
  lp_vec_free (&found);
  return added;
}

/* NEXT, and where it was inlined.  */
static int
add_function (lp_module *mod, const lp_function *next,
	      lp_function *const *functions, size_t n, lp_function_list *out,
	      lp_error *err)
{
  char *name = lp_base_name (next->name);
  int added = name ? add_all_of_line (mod, next, functions, n, out, err)
	      : lp_nomem (err);
  int inlined = added < 0 ? -1
		: lp_select_inlined_at (mod, next->file, next->line,
					plain (name), out, err);
  free (name);
  return inlined < 0 ? -1 : added + inlined;
}

static int
select_clean (lp_module *mod, const lp_source_mark *mark, lp_function_list *out,
	      lp_error *err)
{
  lp_function **functions;
  size_t n;
  if (lp_module_functions (mod, &functions, &n, err))
    return -1;
  const lp_function *next = next_function (mod, functions, n, mark);
  if (!next
      || lp_marks_another (mod->files.v[next->file].path, mark->line,
			   next->line))
    return select_instances (mod, mark, out, err);
  return add_function (mod, next, functions, n, out, err);
}

/* The file of MARK is as the compiler was told, `..' and all.  */
static int
select_next (lp_module *mod, const lp_source_mark *mark, lp_function_list *out,
	     lp_error *err)
{
  lp_source_mark clean = *mark;
  char *file = lp_path_join ("", "", mark->file);
  if (!file)
    return lp_nomem (err);
  clean.file = file;
  int n = select_clean (mod, &clean, out, err);
  free (file);
  return n;
}

/* What kernprof's -f PATTERN selects.  */
static int
select_pattern (lp_module *mod, const char *pattern, lp_function_list *out,
		lp_error *err)
{
  lp_function_list found = { 0 };
  int n = lp_select_expect (mod, pattern, err) ? -1
	  : lp_select (mod, pattern, &found, err);
  bool any = n > 0;
  if (n > 0)
    n = lp_select_append (&found, false, out, err);
  int inlined = n < 0 ? -1 : lp_select_inlined (mod, pattern, out, err);
  lp_vec_free (&found);
  if (inlined == 0 && !any)
    lp_select_nearest (mod, pattern, err);
  return inlined < 0 ? -1 : n + inlined;
}

int
lp_select_mark (lp_module *mod, const lp_source_mark *mark, lp_function_list *out,
		lp_error *err)
{
  return mark->pattern ? select_pattern (mod, mark->pattern, out, err)
	 : select_next (mod, mark, out, err);
}
