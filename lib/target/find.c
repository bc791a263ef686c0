/* find.c: a program's file, found as execvp finds it.  */

#include "target/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Not an errno: a directory on the way may not be searched.  */
enum { HIDDEN = -1 };

/* 0, HIDDEN, or an errno: EISDIR for a directory.  */
static int
try_file (const char *path)
{
  struct stat st;
  if (stat (path, &st))
    return errno == EACCES ? HIDDEN : errno;
  if (S_ISDIR (st.st_mode))
    return EISDIR;
  if (!S_ISREG (st.st_mode))
    return EACCES;
  return faccessat (AT_FDCWD, path, X_OK, AT_EACCESS) ? errno : 0;
}

static char *
fail (const char *name, int errnum, lp_error *err)
{
  switch (errnum)
    {
    case ENOENT:
    case ENOTDIR:
      return lp_fail_null (err, LP_ENOTFOUND, "%s: no such program%s", name,
			   strchr (name, '/') ? "" : " in PATH");
    case EISDIR:
      return lp_fail_null (err, LP_ENOEXEC, "%s is a directory", name);
    case HIDDEN:
      return lp_fail_null (err, LP_ENOEXEC, "%s: a directory of this path may"
			   " not be searched", name);
    case EACCES:
      return lp_fail_null (err, LP_ENOEXEC, "%s is not executable (chmod +x?)",
			   name);
    default:
      return lp_fail_null (err, LP_ENOEXEC, "%s: %s", name,
			   strerror (errnum));
    }
}

/* DIR (N characters; none: here) and NAME.  */
static char *
join (const char *dir, size_t n, const char *name)
{
  char *path;
  return asprintf (&path, "%.*s/%s", n ? (int) n : 1, n ? dir : ".", name) < 0
    ? NULL : path;
}

static char *
search (const char *name, lp_error *err)
{
  const char *dir = getenv ("PATH");
  int worst = ENOENT;
  for (dir = dir ? dir : "/bin:/usr/bin"; dir;)
    {
      const char *end = strchrnul (dir, ':');
      char *path = join (dir, end - dir, name);
      if (!path)
	{
	  lp_nomem (err);
	  return NULL;
	}
      int errnum = try_file (path);
      if (errnum == 0)
	return path;
      free (path);
      if (errnum != ENOENT && errnum != ENOTDIR && errnum != HIDDEN)
	worst = errnum;
      dir = *end ? end + 1 : NULL;
    }
  return fail (name, worst, err);
}

char *
lp_find_program (const char *name, lp_error *err)
{
  if (*name == '\0')
    return fail (name, ENOENT, err);
  if (!strchr (name, '/'))
    return search (name, err);
  int errnum = try_file (name);
  if (errnum)
    return fail (name, errnum, err);
  char *copy = strdup (name);
  if (!copy)
    lp_nomem (err);
  return copy;
}
