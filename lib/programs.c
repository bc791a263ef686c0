/* programs.c: the programs that are followed: the first one, and what it and its
   children execute.  */

#define _GNU_SOURCE

#include "follow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libraries.h"

static lp_program *
add_program (lp_follow *follow, const char *path, lp_error *err)
{
  lp_program **end = &follow->programs;
  lp_program *program = lp_program_new (path, err);
  while (*end)
    end = &(*end)->next;
  *end = program;
  return program;
}

int
lp_follow_note (lp_follow *follow, const char *format, ...)
{
  va_list ap;
  char *text;
  va_start (ap, format);
  if (vasprintf (&text, format, ap) < 0)
    text = NULL;
  va_end (ap);
  const char *kept
    = text ? lp_arena_intern (follow->strings, text) : NULL;
  free (text);
  for (size_t i = 0; kept && i < follow->notes.n; i++)
    if (follow->notes.v[i] == kept)
      return 0;
  return kept && lp_vec_push (&follow->notes, kept) == 0 ? 0 : -1;
}

int
lp_follow_note_vanished (lp_follow *follow, const lp_prepared *prepared)
{
  for (size_t i = 0; i < prepared->vanished.n; i++)
    if (lp_follow_note (follow, "%s", prepared->vanished.v[i]))
      return -1;
  return 0;
}

int
lp_follow_prepare (lp_follow *follow, const char *path, lp_error *err)
{
  lp_prepare_options select = follow->options->select;
  select.defer = true;
  follow->strings = lp_arena_new ();
  follow->results = calloc (select.npatterns + 1, sizeof *follow->results);
  if (!follow->strings || !follow->results)
    return lp_nomem (err);
  lp_program *program = add_program (follow, path, err);
  if (!program || lp_program_prepare (program, path, &select, err))
    return -1;
  if (lp_follow_note_vanished (follow, &program->prepared))
    return lp_nomem (err);
  follow->watched = lp_prepare_names_libraries (&select)
		    || (!lp_prepare_chooses (&select)
			&& !program->prepared.by_default);
  if (follow->attached && lp_prepare_wants_libraries (&select))
    lp_libraries_foresee (follow, program, follow->attached);
  return 0;
}

lp_program *
lp_follow_program (lp_follow *follow, lp_process *proc)
{
  char path[4096];
  struct stat st;
  if (!follow->started)
    return follow->programs;
  if (!lp_executable_path (lp_process_pid (proc), path, sizeof path, &st))
    return NULL;
  for (lp_program *p = follow->programs; p; p = p->next)
    if (p->dev == st.st_dev && p->ino == st.st_ino)
      return p;
  lp_prepare_options select = follow->options->select;
  lp_program *program = add_program (follow, path, NULL);
  select.lenient = lp_prepare_names_libraries (&select);
  if (program && lp_program_prepare (program, path, &select, NULL) == 0)
    lp_follow_note_vanished (follow, &program->prepared);
  return program;
}

void
lp_follow_free (lp_follow *follow)
{
  lp_sketch_free (&follow->sketch);
  for (lp_live *live = follow->live, *next; live; live = next)
    {
      next = live->next;
      lp_image_free (&live->image);
      free (live);
    }
  for (lp_program *p = follow->programs, *next; p; p = next)
    {
      next = p->next;
      lp_program_free (p);
    }
  lp_range_sums_free (&follow->ranges);
  while (follow->objects.n)
    lp_module_close (follow->objects.v[--follow->objects.n]);
  lp_vec_free (&follow->objects);
  lp_vec_free (&follow->notes);
  lp_vec_free (&follow->loaded);
  free (follow->results);
  lp_arena_free (follow->strings);
  *follow = (lp_follow) { .options = follow->options };
}
