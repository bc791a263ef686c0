/* callees.c: the loader's search, done again.  */

#define _GNU_SOURCE

#include "callees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

typedef LP_VEC (lp_import *) import_list;

static int
by_name (const void *a, const void *b)
{
  const lp_import *const *x = a, *const *y = b;
  return strcmp ((*x)->name, (*y)->name);
}

static int
collect (lp_prepared *prepared, import_list *list)
{
  for (size_t i = 0; i < prepared->imports.n; i++)
    if (prepared->imports.v[i].called && !prepared->imports.v[i].owner
	&& lp_vec_push (list, &prepared->imports.v[i]))
      return -1;
  return 0;
}

/* What is still looked for, by name.  */
static int
collect_all (lp_program *program, import_list *list)
{
  if (collect (&program->prepared, list))
    return -1;
  for (lp_library *l = program->libraries; l; l = l->next)
    if (l->usable && collect (&l->prepared, list))
      return -1;
  if (list->n)
    qsort (list->v, list->n, sizeof *list->v, by_name);
  return 0;
}

static bool
is_at (const lp_prepared *prepared, const char *path)
{
  return prepared->mod && strcmp (lp_module_path (prepared->mod), path) == 0;
}

/* The object at PATH, opened once; NULL when it cannot be read.  */
static lp_module *
object_at (lp_follow *follow, lp_program *program, const char *path,
	   lp_error *err)
{
  if (is_at (&program->prepared, path))
    return program->prepared.mod;
  for (lp_library *l = program->libraries; l; l = l->next)
    if (l->usable && is_at (&l->prepared, path))
      return l->prepared.mod;
  for (size_t i = 0; i < follow->objects.n; i++)
    if (strcmp (lp_module_path (follow->objects.v[i]), path) == 0)
      return follow->objects.v[i];
  lp_module *mod = lp_module_open (path, err);
  if (!mod || lp_vec_push (&follow->objects, mod) == 0)
    return mod;
  lp_module_close (mod);
  lp_nomem (err);
  return NULL;
}

static bool
profiles (const lp_prepared *prepared, const lp_import *import)
{
  for (size_t i = 0; prepared->mod == import->owner && i < prepared->plans.n;
       i++)
    if (prepared->plans.v[i].fn->entry == import->value
	&& prepared->plans.v[i].engine != LP_PLAN_NONE)
      return true;
  return false;
}

static bool
is_profiled (const lp_program *program, const lp_import *import)
{
  if (profiles (&program->prepared, import))
    return true;
  for (const lp_library *l = program->libraries; l; l = l->next)
    if (l->usable && profiles (&l->prepared, import))
      return true;
  return false;
}

size_t
lp_callees_count (const lp_prepared *prepared)
{
  size_t n = 0;
  for (size_t i = 0; i < prepared->imports.n; i++)
    n += prepared->imports.v[i].number != 0;
  return n;
}

static void
number (const lp_program *program, lp_prepared *prepared)
{
  for (size_t i = 0; i < prepared->imports.n; i++)
    {
      lp_import *import = &prepared->imports.v[i];
      if (import->owner && !import->number && !is_profiled (program, import))
	import->number = prepared->first_import + i;
    }
}

/* A static program has no imports, and the wish is not fulfilled.  */
static int
note_static (lp_follow *follow, const lp_program *program)
{
  const lp_module *mod = program->prepared.mod;
  return lp_module_interp (mod) ? 0
	 : lp_follow_note (follow, "'%s' is linked statically: it calls no shared "
			   "library", lp_module_path (mod));
}

static int
search (lp_follow *follow, lp_program *program, lp_process *proc,
	const import_list *list, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  if (lp_process_scope (proc, &modules, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    {
      lp_error why = { 0 };
      if (strstr (modules[i].path, LP_SLOT_SONAME))
	continue;
      lp_module *mod = object_at (follow, program, modules[i].path, &why);
      if (why.code == LP_ENOMEM || (!mod
	      && lp_follow_note (follow, "calls into a library are not counted: %s",
				 why.text)))
	return lp_nomem (err);
      if (mod && lp_imports_settle (list->v, list->n, mod, err))
	return -1;
    }
  return 0;
}

int
lp_callees_settle (lp_follow *follow, lp_program *program, lp_process *proc,
		   lp_error *err)
{
  import_list list = { 0 };
  if (!follow->options->select.libs)
    return 0;
  int bad = note_static (follow, program) || collect_all (program, &list)
	    ? lp_nomem (err) : 0;
  if (!bad && list.n)
    bad = search (follow, program, proc, &list, err);
  lp_vec_free (&list);
  number (program, &program->prepared);
  for (lp_library *l = program->libraries; l; l = l->next)
    if (l->usable)
      number (program, &l->prepared);
  return bad;
}
