/* marks.c: the functions that marks mean.  */

#include "debug/marks.h"

#include <stdlib.h>
#include <string.h>

#include "debug/instances.h"
#include "debug/internal.h"
#include "debug/marktext.h"
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
  int line;			/* 0: nothing yet */
  const char *file, *name;
};

static bool
keep_nearest (void *arg, lp_dwarf *dw, Dwarf_Die *origin)
{
  struct below *b = arg;
  int line;
  const char *file = dwarf_decl_file (origin);
  (void) dw;
  if (file && is_file (file, b->mark) && dwarf_decl_line (origin, &line) == 0
      && line >= (int) b->mark->line && (!b->line || line < b->line))
    {
      b->line = line;
      b->file = file;
      b->name = dwarf_diename (origin);
    }
  return false;
}

static bool
is_nearest (void *arg, lp_dwarf *dw, Dwarf_Die *origin)
{
  const struct below *b = arg;
  int line;
  const char *file = dwarf_decl_file (origin);
  (void) dw;
  return file && strcmp (file, b->file) == 0
	 && dwarf_decl_line (origin, &line) == 0 && line == b->line;
}

static int
fail_inlined (const struct below *b, const lp_instances *c, lp_error *err)
{
  lp_fail (err, LP_ENOMATCH, "the function marked at %s:%u, %s, was inlined at "
	   "%zu place%s (%s%s:%u) and has no code of its own; mark its callers, "
	   "or build with -fno-inline, or declare it noinline", b->mark->file,
	   b->mark->line, b->name ? b->name : "without a name", c->n,
	   c->n > 1 ? "s" : "", c->n > 1 ? "first " : "", c->file, c->line);
  return 0;
}

static int
fail_vanished (lp_module *mod, const lp_source_mark *mark, lp_error *err)
{
  struct below b = { .mark = mark };
  lp_instances c = { .wanted = keep_nearest, .arg = &b };
  lp_instances_count (&c, mod->dwarf);
  c.wanted = is_nearest;
  if (b.line && !lp_marks_another (b.file, mark->line, b.line))
    lp_instances_count (&c, mod->dwarf);
  if (c.n)
    return fail_inlined (&b, &c, err);
  lp_fail (err, LP_ENOMATCH, "the function marked at %s:%u has no code: nothing "
	   "calls it, or the compiler could do without it; to keep it, build with "
	   "-O0, or declare it noinline and used", mark->file, mark->line);
  return 0;
}

static bool
contains (const lp_function_list *list, const lp_function *fn)
{
  for (size_t i = 0; i < list->n; i++)
    if (list->v[i] == fn)
      return true;
  return false;
}

/* Instances of a template, and copies of a function, have one line.  */
static int
add_all_of_line (lp_module *mod, const lp_function *next,
		 lp_function *const *functions, size_t n,
		 lp_function_list *out, lp_error *err)
{
  int added = 0;
  for (size_t i = 0; i < n; i++)
    if (functions[i]->file == next->file && functions[i]->line == next->line
	&& mod->dwarf->units.v[functions[i]->unit].has_lines
	&& !contains (out, functions[i]))
      {
	if (lp_vec_push (out, functions[i]))
	  return lp_nomem (err);
	added++;
      }
  return added;
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
    return fail_vanished (mod, mark, err);
  return add_all_of_line (mod, next, functions, n, out, err);
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

int
lp_select_mark (lp_module *mod, const lp_source_mark *mark, lp_function_list *out,
		lp_error *err)
{
  if (!mark->pattern)
    return select_next (mod, mark, out, err);
  size_t before = out->n;
  int n = lp_select (mod, mark->pattern, out, err);
  if (n == 0 && before == 0)
    lp_select_nearest (mod, mark->pattern, err);
  return n;
}
