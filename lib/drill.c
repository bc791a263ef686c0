/* drill.c: finding a program's newest function-level profile.  */

#define _GNU_SOURCE

#include "drill.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "debug/module.h"
#include "target/target.h"

/* The program as the file it is now.  */
struct identity
{
  char *path;
  char *build_id;
  int64_t mtime;
};

static int
identify (struct identity *id, const char *program, lp_error *err)
{
  struct stat st;
  id->path = lp_find_program (program, err);
  if (!id->path)
    return -1;
  lp_module *mod = lp_module_open (id->path, err);
  if (!mod)
    return -1;
  id->build_id = strdup (lp_module_build_id (mod));
  lp_module_close (mod);
  id->mtime = stat (id->path, &st) ? 0 : st.st_mtime;
  return id->build_id ? 0 : lp_nomem (err);
}

struct candidate
{
  char *path;
  struct timespec mtime;
};

typedef LP_VEC (struct candidate) candidate_list;

static int
newest_first (const void *a, const void *b)
{
  const struct timespec *x = &((const struct candidate *) a)->mtime;
  const struct timespec *y = &((const struct candidate *) b)->mtime;
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec > y->tv_sec ? -1 : 1;
  return x->tv_nsec > y->tv_nsec ? -1 : x->tv_nsec < y->tv_nsec;
}

static bool
is_profile_name (const char *name)
{
  size_t n = strlen (name);
  return n > 5 && strcmp (name + n - 5, ".prof") == 0;
}

static int
add_candidate (candidate_list *list, const char *folder, const char *name)
{
  struct stat st;
  struct candidate c;
  bool here = strcmp (folder, ".") == 0;
  if (asprintf (&c.path, "%s%s%s", here ? "" : folder, here ? "" : "/", name)
      < 0)
    return -1;
  if (stat (c.path, &st) == 0 && S_ISREG (st.st_mode))
    {
      c.mtime = st.st_mtim;
      if (lp_vec_push (list, c) == 0)
	return 0;
    }
  free (c.path);
  return 0;
}

static int
list_candidates (candidate_list *list, const char *folder, lp_error *err)
{
  struct dirent *entry;
  int bad = 0;
  DIR *dir = opendir (folder);
  if (!dir)
    return lp_fail (err, LP_EIO, "cannot read the folder '%s': %m", folder);
  while (!bad && (entry = readdir (dir)))
    if (is_profile_name (entry->d_name))
      bad = add_candidate (list, folder, entry->d_name);
  closedir (dir);
  if (list->n)
    qsort (list->v, list->n, sizeof *list->v, newest_first);
  return bad ? lp_nomem (err) : 0;
}

/* Why there is no profile of the program.  */
struct miss
{
  const char *stale;		/* one of the same program, but not of this build, or NULL */
  lp_error unread;		/* what is wrong with the file of its name */
};

/* Is PATH what a run of ID's program writes, where nothing else is asked for?  */
static bool
has_name_of (const char *path, const struct identity *id)
{
  const char *name = basename (path), *program = basename (id->path);
  size_t n = strlen (program);
  return strncmp (name, program, n) == 0 && strcmp (name + n, ".prof") == 0;
}

/* The first of LIST that is of ID.  MISS: what else is there, the newest.  */
static lp_profile *
first_of (const candidate_list *list, const struct identity *id, char **file,
	  struct miss *miss)
{
  for (size_t i = 0; i < list->n; i++)
    {
      const char *path = list->v[i].path;
      lp_error err;
      lp_profile *p = lp_profile_load (path, &err);
      if (!p && has_name_of (path, id))
	miss->unread = err;
      if (!p)
	continue;
      bool functions = strcmp (p->kind, LP_KIND_FUNCTIONS) == 0;
      if (functions && lp_hot_is_of (p, id->build_id, id->path, id->mtime)
	  && (*file = strdup (path)))
	return p;
      if (functions && !miss->stale && p->objects.n
	  && strcmp (basename (p->objects.v[0].path), basename (id->path)) == 0)
	miss->stale = path;
      lp_profile_free (p);
    }
  return NULL;
}

/* Say what is there instead of a profile of PROGRAM.  */
static void
explain (const struct miss *miss, const char *program, lp_error *err)
{
  if (miss->unread.code)
    lp_fail (err, miss->unread.code, "%s; run kernprof %s again",
	     miss->unread.text, program);
  else if (miss->stale)
    lp_fail (err, LP_EUSAGE, "'%s' is stale: it is of another build of '%s'; "
	     "run kernprof %s again", miss->stale, program, program);
  else
    lp_fail (err, LP_EUSAGE, "there is no function-level profile of '%s' in "
	     "this folder; run kernprof %s first", program, program);
}

lp_profile *
lp_drill_find (const char *program, const char *folder, char **file,
	       lp_error *err)
{
  struct identity id = { 0 };
  candidate_list list = { 0 };
  lp_profile *profile = NULL;
  struct miss miss = { 0 };
  if (identify (&id, program, err) == 0
      && list_candidates (&list, folder, err) == 0
      && !(profile = first_of (&list, &id, file, &miss)))
    explain (&miss, program, err);
  for (size_t i = 0; i < list.n; i++)
    free (list.v[i].path);
  lp_vec_free (&list);
  free (id.path);
  free (id.build_id);
  return profile;
}
