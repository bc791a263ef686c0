/* find.c: which file holds a source now (source.h gives the order).  */

#define _GNU_SOURCE

#include "report/find.h"

#include <dirent.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A tree with more files, or deeper, is not searched: a report must not take
   minutes because it was asked for in the root directory.  */
enum { MAX_FILES = 50000, MAX_DEPTH = 16 };

static bool
is_file (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

/* DIRECTORY/NAME, or NULL when out of memory.  */
static char *
join (const char *directory, const char *name)
{
  char *path;
  return asprintf (&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* PATH where it is a file; it is freed where it is not.  */
static char *
if_file (char *path)
{
  if (path && is_file (path))
    return path;
  free (path);
  return NULL;
}

/* The rest of PATH behind the folder or file FROM, or NULL.  */
static const char *
below (const char *path, const char *from)
{
  size_t n = strlen (from);
  if (strncmp (path, from, n) != 0)
    return NULL;
  return path[n] == '\0' || path[n] == '/' || (n && path[n - 1] == '/')
	 ? path + n : NULL;
}

static char *
find_mapped (const lp_report_options *options, const char *path)
{
  for (size_t i = 0; i < options->nmaps; i++)
    {
      const char *rest = below (path, options->maps[i].from);
      if (!rest)
	continue;
      while (*rest == '/')
	rest++;
      char *found
	= if_file (*rest ? join (options->maps[i].to, rest)
		   : strdup (options->maps[i].to));
      if (found)
	return found;
    }
  return NULL;
}

/* The tail behind the first slash of PATH, or NULL.  */
static const char *
next_tail (const char *path)
{
  const char *slash = strchr (path, '/');
  return slash && slash[1] ? slash + 1 : NULL;
}

/* The longest tail of PATH that is a file below DIRECTORY.  */
static char *
find_tail (const char *directory, const char *path)
{
  const char *tail = *path == '/' ? next_tail (path) : path;
  for (; tail; tail = next_tail (tail))
    {
      char *found = if_file (strcmp (directory, ".") == 0 ? strdup (tail)
			     : join (directory, tail));
      if (found)
	return found;
    }
  return NULL;
}

static char *
find_near_objects (const lp_profile *profile, const char *path)
{
  char *found = NULL;
  for (size_t i = 0; !found && i < profile->objects.n; i++)
    {
      const char *object = profile->objects.v[i].path;
      const char *slash = strrchr (object, '/');
      char *directory
	= slash ? strndup (object, (size_t) (slash - object)) : NULL;
      if (directory)
	found = find_tail (directory, path);
      free (directory);
    }
  return found;
}

static int
by_base (const void *a, const void *b)
{
  return strcmp (basename (*(char *const *) a), basename (*(char *const *) b));
}

/* Add what is below DIRECTORY to LIST.  False when that is too much.  */
static bool
add_files (lp_file_list *list, const char *directory, int depth)
{
  DIR *dir = depth < MAX_DEPTH ? opendir (directory) : NULL;
  bool good = true;
  for (struct dirent *e; dir && good && (e = readdir (dir));)
    {
      struct stat st;
      if (*e->d_name == '.')
	continue;
      char *path = strcmp (directory, ".") == 0 ? strdup (e->d_name)
		   : join (directory, e->d_name);
      if (!path)
	good = false;
      else if (lstat (path, &st) == 0 && S_ISREG (st.st_mode))
	{
	  good = list->paths.n < MAX_FILES && !lp_vec_push (&list->paths, path);
	  if (good)
	    path = NULL;
	}
      else if (lstat (path, &st) == 0 && S_ISDIR (st.st_mode))
	good = add_files (list, path, depth + 1);
      free (path);
    }
  if (dir)
    closedir (dir);
  return good;
}

static void
list_files (lp_file_list *list)
{
  list->made = true;
  if (!add_files (list, ".", 0))
    lp_file_list_free (list);
  list->made = true;
  if (list->paths.n)
    qsort (list->paths.v, list->paths.n, sizeof *list->paths.v, by_base);
}

void
lp_file_list_free (lp_file_list *list)
{
  for (size_t i = 0; i < list->paths.n; i++)
    free (list->paths.v[i]);
  lp_vec_free (&list->paths);
}

/* Where the last component of the first N bytes of PATH starts.  */
static size_t
last_component (const char *path, size_t n)
{
  const char *slash = memrchr (path, '/', n);
  return slash ? (size_t) (slash - path) + 1 : 0;
}

/* How many last components A and B share.  */
static size_t
shared_tail (const char *a, const char *b)
{
  size_t shared = 0;
  for (size_t i = strlen (a), j = strlen (b); i && j; shared++)
    {
      size_t x = last_component (a, i), y = last_component (b, j);
      if (i - x != j - y || memcmp (a + x, b + y, i - x) != 0)
	break;
      i = x ? x - 1 : 0;
      j = y ? y - 1 : 0;
    }
  return shared;
}

/* The file of LIST that shares most of PATH's tail, if it is the only one.  */
static char *
find_unique (const lp_file_list *list, const char *path)
{
  size_t best = 0, lo = 0, hi = list->paths.n;
  const char *found = NULL;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (strcmp (basename (list->paths.v[mid]), basename (path)) < 0)
	lo = mid + 1;
      else
	hi = mid;
    }
  for (size_t i = lo; i < list->paths.n
		      && strcmp (basename (list->paths.v[i]), basename (path)) == 0; i++)
    {
      size_t shared = shared_tail (list->paths.v[i], path);
      if (shared == best)
	found = NULL;
      else if (shared > best)
	{
	  best = shared;
	  found = list->paths.v[i];
	}
    }
  return found ? strdup (found) : NULL;
}

char *
lp_find_source (const lp_profile *profile, const lp_report_options *options,
		lp_file_list *list, const char *path, enum lp_found *how)
{
  char *found = find_mapped (options, path);
  *how = LP_FOUND_MAPPED;
  if (found)
    return found;
  *how = LP_FOUND_THERE;
  if (is_file (path))
    return strdup (path);
  *how = LP_FOUND_ELSEWHERE;
  found = find_tail (".", path);
  if (!found)
    found = find_near_objects (profile, path);
  if (!found && !list->made)
    list_files (list);
  return found ? found : find_unique (list, path);
}
