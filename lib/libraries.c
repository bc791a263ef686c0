/* libraries.c: from the mappings of a process to grafts.

   The loader stops at us whenever it has changed something (lp_hooks.modules).
   Then nobody else can be in a module that is new: its symbols are not known, and
   its constructors, and after dlopen its relocations with the resolvers of its
   indirect functions, are still to come.  */

#define _GNU_SOURCE

#include "libraries.h"

#include <stdlib.h>
#include <string.h>

#include "callees.h"
#include "debug/guess.h"
#include "debug/library.h"
#include "runtime/runtime.h"

/* What /proc/PID/maps adds to the path of a file that has no name any more.  */
static const char deleted[] = " (deleted)";

typedef LP_VEC (lp_loaded) loaded_list;

static bool
is_wanted (void *arg, const char *path)
{
  const lp_follow *follow = arg;
  const lp_prepare_options *select = &follow->options->select;
  size_t n = strlen (path), m = sizeof deleted - 1;
  if (strstr (path, LP_SLOT_SONAME))
    return false;
  if (n <= m || strcmp (path + n - m, deleted) != 0)
    return lp_prepare_wants_library (select, path);
  char *name = strndup (path, n - m);
  if (!name)
    lp_nomem (NULL);
  bool wanted = name && lp_prepare_wants_library (select, name);
  free (name);
  return wanted;
}

/* What is known of the object that was loaded from PATH, NULL when that is nothing
   to profile; it is noted why.  -1: out of memory.  */
static int
library_of (lp_follow *follow, lp_program *program, const char *path,
	    lp_library **library, lp_error *err)
{
  lp_error why = { 0 };
  *library = lp_program_library (program, path, &follow->options->select,
				 follow->results, &why);
  if (!*library)
    return lp_follow_note (follow, "'%s' was not profiled: %s", path, why.text)
	   ? lp_nomem (err) : 0;
  if (lp_follow_note_vanished (follow, &(*library)->prepared))
    return lp_nomem (err);
  if ((*library)->prepared.functions.n == 0)
    *library = NULL;
  return 0;
}

static void
free_list (loaded_list *list)
{
  for (size_t i = 0; i < list->n; i++)
    free ((char *) list->v[i].path);
  lp_vec_free (list);
}

/* The objects in PROC that patterns name, or that have marks.  The executable, which
   comes first, is none.  */
static int
find (lp_follow *follow, lp_process *proc, loaded_list *list, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  unsigned long before = lp_nomems ();
  if (lp_process_modules_like (proc, is_wanted, follow, &modules, &n, err))
    return -1;
  if (lp_nomems () != before || lp_vec_reserve (list, n))
    return lp_nomem (err);
  for (size_t i = 1; i < n; i++)
    {
      lp_loaded copy = modules[i];
      copy.path = strdup (modules[i].path);
      if (!copy.path)
	return lp_nomem (err);
      list->v[list->n++] = copy;
    }
  return 0;
}

/* Remember what the first image loads, for those who misspelled it.  */
static int
keep_names (lp_follow *follow, lp_process *proc, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  if (lp_process_modules (proc, &modules, &n, err))
    return -1;
  for (size_t i = 1; i < n; i++)
    {
      const char *name = lp_arena_intern (follow->strings,
					  basename (modules[i].path));
      if (!name || lp_vec_push (&follow->loaded, name))
	return lp_nomem (err);
    }
  return 0;
}

static bool
has_functions (const lp_program *program)
{
  for (const lp_library *l = program->libraries; l; l = l->next)
    if (l->prepared.functions.n)
      return true;
  return false;
}

/* A program whose own functions are not marked, but some of its libraries', means
   those.  */
static void
prefer_marks (const lp_follow *follow, lp_program *program)
{
  if (!lp_prepare_chooses (&follow->options->select) && !program->placed
      && program->prepared.by_default && has_functions (program))
    lp_prepared_drop (&program->prepared);
  program->placed = true;
}

int
lp_libraries_learn (lp_follow *follow, lp_program *program, lp_process *proc,
		    lp_error *err)
{
  loaded_list list = { 0 };
  lp_library *library;
  if (!lp_prepare_wants_libraries (&follow->options->select))
    return 0;
  int bad = (!follow->started && keep_names (follow, proc, err))
	    || find (follow, proc, &list, err);
  for (size_t i = 0; i < list.n && !bad; i++)
    bad = library_of (follow, program, list.v[i].path, &library, err);
  free_list (&list);
  prefer_marks (follow, program);
  return bad ? -1 : 0;
}

static bool
holds (const loaded_list *list, uint64_t lo)
{
  for (size_t i = 0; i < list->n; i++)
    if (list->v[i].lo == lo)
      return true;
  return false;
}

/* What was patched into modules that are gone went with them.  */
static void
forget_lost (lp_grafts *grafts, const lp_prepared *executable,
	     const loaded_list *list)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (grafts->v[i].graft->prepared != executable)
      {
	grafts->v[i].there &= holds (list, grafts->v[i].graft->lo);
	grafts->v[i].later &= holds (list, grafts->v[i].graft->lo);
      }
}

/* Profile the object at WHERE in PROC.  */
static int
place (lp_follow *follow, lp_member *member, lp_process *proc,
       const lp_loaded *where, lp_error *err)
{
  lp_error why = { 0 };
  lp_image *image = &member->live->image;
  lp_library *library;
  if (lp_grafts_have (&member->grafts, where->lo))
    return 0;
  if (library_of (follow, member->live->program, where->path, &library, err))
    return -1;
  if (!library)
    return 0;
  if (lp_callees_settle (follow, member->live->program, proc, err))
    return -1;
  if (lp_pool_extend (&image->pool, library->prepared.end))
    lp_fail (&why, LP_EUNSUPPORTED, "there is no room for the counters of so "
	     "many libraries; choose fewer functions");
  else if (lp_image_graft (image, &member->grafts, proc, &library->prepared,
			   where, &why) == 0)
    return 0;
  return lp_follow_note (follow, "'%s' was not profiled: %s", where->path, why.text)
	 ? lp_nomem (err) : 0;
}

int
lp_libraries_place (lp_follow *follow, lp_process *proc, lp_error *err)
{
  lp_member *member = lp_process_data (proc);
  loaded_list list = { 0 };
  if (!lp_prepare_wants_libraries (&follow->options->select))
    return 0;
  int bad = find (follow, proc, &list, err);
  if (!bad)
    forget_lost (&member->grafts, &member->live->program->prepared, &list);
  for (size_t i = 0; i < list.n && !bad; i++)
    bad = place (follow, member, proc, &list.v[i], err);
  free_list (&list);
  return bad;
}

/* Where what is found goes.  */
struct foresight
{
  lp_follow *follow;
  lp_program *program;
};

static void
foresee (void *arg, const char *path)
{
  const struct foresight *to = arg;
  if (is_wanted (to->follow, path))
    lp_program_library (to->program, path, &to->follow->options->select,
			to->follow->results, NULL);
}

void
lp_libraries_foresee (lp_follow *follow, lp_program *program, pid_t pid)
{
  struct foresight to = { follow, program };
  lp_maps_each_code (pid, foresee, &to);
}

/* A static program loads none.  */
static int
check_static (const lp_follow *follow, lp_error *err)
{
  const lp_module *mod = follow->programs->prepared.mod;
  const lp_prepare_options *select = &follow->options->select;
  size_t n;
  for (size_t i = 0; i < select->npatterns && !lp_module_interp (mod); i++)
    if (lp_library_part (select->patterns[i], &n)
	&& !lp_library_is (select->patterns[i], lp_module_path (mod)))
      return lp_fail (err, LP_ENOMATCH, "'%s' is linked statically and loads no "
		      "'%.*s'", lp_module_path (mod), (int) n,
		      select->patterns[i]);
  return 0;
}

int
lp_libraries_check (const lp_follow *follow, lp_error *err)
{
  const lp_prepare_options *select = &follow->options->select;
  const lp_program *program = follow->programs;
  if (check_static (follow, err))
    return -1;
  if (program->prepared.none.code && !has_functions (program))
    {
      *err = program->prepared.none;
      return -1;
    }
  for (size_t i = 0; i < select->npatterns; i++)
    {
      const lp_pattern_result *r = &follow->results[i];
      if (r->seen && !r->matched)
	{
	  *err = r->why;
	  return -1;
	}
    }
  return 0;
}

/* "; did you mean 'libz.so.1'?" for PATTERN's library.  */
static const char *
guess (const lp_follow *follow, const char *pattern, char *text, size_t size)
{
  size_t n;
  lp_library_part (pattern, &n);
  char *word = strndup (pattern, n);
  lp_guess guess = { .word = word ? word : "" };
  for (size_t i = 0; i < follow->loaded.n; i++)
    lp_guess_offer (&guess, follow->loaded.v[i], 0, follow->loaded.v[i]);
  lp_guess_question (&guess, text, size);
  lp_guess_free (&guess);
  free (word);
  return text;
}

static int
note_unseen (lp_follow *follow, const char *pattern)
{
  char text[512];
  return lp_follow_note (follow, "the program loaded no library for '%s'%s", pattern,
			 guess (follow, pattern, text, sizeof text));
}

int
lp_libraries_conclude (lp_follow *follow)
{
  const lp_prepare_options *select = &follow->options->select;
  size_t n;
  for (size_t i = 0; i < select->npatterns; i++)
    {
      const char *pattern = select->patterns[i];
      const lp_pattern_result *r = &follow->results[i];
      if (r->matched || !lp_library_part (pattern, &n)
	  || lp_library_is (pattern, lp_module_path (follow->programs->prepared.mod)))
	continue;
      if (r->seen ? lp_follow_note (follow, "%s", r->why.text)
	  : note_unseen (follow, pattern))
	return -1;
    }
  return 0;
}
