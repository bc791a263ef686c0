/* program.c: the executable and its libraries.  */

#define _GNU_SOURCE

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/pool.h"
#include "wire/tree.h"

/* Bytes of cells for libraries that are loaded later.  No memory is used before
   something is counted there.  */
enum { ROOM = 4 << 20 };

lp_program *
lp_program_new (const char *path, lp_error *err)
{
  struct stat st;
  lp_program *program = calloc (1, sizeof *program);
  if (!program)
    {
      lp_nomem (err);
      return NULL;
    }
  if (stat (path, &st))
    {
      free (program);
      return lp_fail_null (err, LP_ENOTFOUND, "%s: %m", path);
    }
  program->dev = st.st_dev;
  program->ino = st.st_ino;
  snprintf (program->name, sizeof program->name, "%s", basename (path));
  return program;
}

void
lp_program_free (lp_program *program)
{
  for (lp_library *l = program->libraries, *next; l; l = next)
    {
      next = l->next;
      if (l->usable)
	lp_prepared_free (&l->prepared);
      free (l);
    }
  if (program->usable)
    {
      lp_tallies_free (&program->tallies);
      lp_trees_free (&program->trees);
      lp_prepared_free (&program->prepared);
    }
  free (program);
}

/* Words of cells up to offset END.  */
static size_t
words (uint32_t end)
{
  return (end - lp_pool_first_cell ()) / 8 + 1;
}

/* The same for the cells of PREPARED, which has none where call trees are kept.  */
static size_t
words_of (const lp_prepared *prepared)
{
  return prepared->calls ? 1 : words (prepared->end);
}

int
lp_program_prepare (lp_program *program, const char *path,
		    const lp_prepare_options *options, lp_error *err)
{
  uint32_t first = options->calls ? 1 : lp_pool_first_cell ();
  if (lp_prepare (&program->prepared, path, options, first, err))
    return -1;
  program->end = program->prepared.end;
  if (lp_tallies_init (&program->tallies, words_of (&program->prepared), err))
    {
      lp_prepared_free (&program->prepared);
      return -1;
    }
  program->usable = true;
  return 0;
}

static bool
identify (const char *path, lp_file_id *id)
{
  struct stat st;
  if (stat (path, &st))
    return false;
  *id = (lp_file_id) {
    .dev = st.st_dev, .ino = st.st_ino, .size = st.st_size,
    .mtime_ns = st.st_mtim.tv_sec * INT64_C (1000000000)
		+ st.st_mtim.tv_nsec };
  return true;
}

static bool
same (const lp_file_id *a, const lp_file_id *b)
{
  return a->dev == b->dev && a->ino == b->ino && a->size == b->size
	 && a->mtime_ns == b->mtime_ns;
}

static int
prepare_library (lp_program *program, lp_library *library, const char *path,
		 const lp_prepare_options *options,
		 lp_pattern_result *results, lp_error *err)
{
  if (lp_prepare_library (&library->prepared, path, options, program->end,
			  results, err))
    return -1;
  if (!library->prepared.mod)
    return 0;
  if (lp_tallies_grow (&program->tallies, words_of (&library->prepared), err))
    {
      lp_prepared_free (&library->prepared);
      return -1;
    }
  program->end = library->prepared.end;
  library->usable = true;
  return 0;
}

lp_library *
lp_program_library (lp_program *program, const char *path,
		    const lp_prepare_options *options,
		    lp_pattern_result *results, lp_error *err)
{
  lp_file_id id;
  if (!identify (path, &id))
    return lp_fail_null (err, LP_ENOTFOUND, "cannot find '%s', which the "
			 "program has loaded: %m", path);
  lp_library **end = &program->libraries;
  for (; *end; end = &(*end)->next)
    if (same (&(*end)->id, &id))
      return *end;
  lp_library *library = calloc (1, sizeof *library);
  if (!library)
    {
      lp_nomem (err);
      return NULL;
    }
  library->id = id;
  if (prepare_library (program, library, path, options, results, err))
    {
      free (library);
      return NULL;
    }
  *end = library;
  return library;
}

uint32_t
lp_program_room (const lp_program *program, const lp_prepare_options *options)
{
  if (options->calls)
    return lp_pool_first_cell () + LP_TREE_NODES * LP_NODE_SIZE;
  return program->end + (lp_prepare_wants_libraries (options) ? ROOM : 0);
}

int
lp_program_watches (const lp_program *program, lp_watch_list *watches,
		    lp_error *err)
{
  if (lp_prepare_watches (&program->prepared, watches, err))
    return -1;
  for (const lp_library *l = program->libraries; l; l = l->next)
    if (l->usable && lp_prepare_watches (&l->prepared, watches, err))
      return -1;
  return 0;
}
