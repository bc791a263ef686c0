/* output.c: replacing a file as a whole or not at all.  */

#define _GNU_SOURCE

#include "profile/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
cannot (const char *name, lp_error *err)
{
  if (errno == ENOMEM)
    return lp_nomem (err);
  return lp_fail (err, LP_EIO,
		  "cannot write '%s': %s; name another file with -o", name,
		  strerror (errno));
}

/* Where NAME leads: a copy of its path behind all symbolic links, and whether
   it is a file to replace or a device or pipe to write to, which need have no
   path: /dev/stdout may lead to `pipe:[7]'.  NULL with errno where it can be
   neither.  */
static char *
destination (const char *name, bool *replace)
{
  struct stat st;
  *replace = true;
  if (stat (name, &st))
    return errno == ENOENT && *name ? strdup (name) : NULL;
  *replace = S_ISREG (st.st_mode);
  if (S_ISDIR (st.st_mode))
    {
      errno = EISDIR;
      return NULL;
    }
  if (access (name, W_OK))
    return NULL;
  return *replace ? realpath (name, NULL) : strdup (name);
}

/* A new file beside PATH with the permissions that the umask gives; *NAME is
   its name, to be freed.  A descriptor, or -1 with errno.  */
static int
open_temporary (const char *path, char **name)
{
  int fd = -1;
  *name = NULL;
  for (unsigned i = 0; i < 1000 && fd < 0; i++)
    {
      free (*name);
      if (asprintf (name, "%s.%ld.%u.tmp", path, (long) getpid (), i) < 0)
	{
	  *name = NULL;
	  errno = ENOMEM;
	  return -1;
	}
      fd = open (*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd < 0 && errno != EEXIST)
	break;
    }
  if (fd < 0)
    {
      free (*name);
      *name = NULL;
    }
  return fd;
}

/* FD gets the bytes and is closed.  0, or -1 with errno.  */
static int
fill (int fd, bool sync, int (*write) (FILE *file, const void *arg),
      const void *arg)
{
  FILE *file = fdopen (fd, "w");
  if (!file)
    {
      close (fd);
      return -1;
    }
  errno = 0;
  int failed = write (file, arg) || fflush (file) || (sync && fsync (fd));
  int why = errno ? errno : EIO;
  if (fclose (file) && !failed)
    return -1;
  errno = why;
  return failed ? -1 : 0;
}

/* PATH is replaced by a file that FILL filled.  */
static int
replace_file (const char *path, int (*write) (FILE *file, const void *arg),
	      const void *arg)
{
  char *temporary;
  int fd = open_temporary (path, &temporary);
  if (fd < 0)
    return -1;
  int failed = fill (fd, true, write, arg) || rename (temporary, path);
  int why = errno;
  if (failed)
    unlink (temporary);
  free (temporary);
  errno = why;
  return failed ? -1 : 0;
}

int
lp_output_write (const char *name, int (*write) (FILE *file, const void *arg),
		 const void *arg, lp_error *err)
{
  bool replace;
  char *path = destination (name, &replace);
  if (!path)
    return cannot (name, err);
  int failed;
  if (replace)
    failed = replace_file (path, write, arg);
  else
    {
      int fd = open (path, O_WRONLY | O_CLOEXEC);
      failed = fd < 0 || fill (fd, false, write, arg);
    }
  if (failed)
    cannot (name, err);
  free (path);
  return failed ? -1 : 0;
}

int
lp_output_check (const char *name, lp_error *err)
{
  bool replace;
  char *temporary, *path = destination (name, &replace);
  if (!path)
    return cannot (name, err);
  int failed = 0;
  if (replace)
    {
      int fd = open_temporary (path, &temporary);
      if (fd < 0)
	failed = cannot (name, err);
      else
	{
	  close (fd);
	  unlink (temporary);
	  free (temporary);
	}
    }
  free (path);
  return failed;
}
