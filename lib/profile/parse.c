/* parse.c: a JSON file as a tree, and what it is instead where it is none.  */

#define _GNU_SOURCE

#include "profile/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct input
{
  int fd;
  int read_errno;		/* what read said when it failed */
  bool at_end;			/* the parser wanted more than there was */
  char start[256];		/* the file's first bytes, to tell what it is */
  size_t nstart;
};

/* jansson's source of bytes.  */
static size_t
read_some (void *buffer, size_t size, void *arg)
{
  struct input *in = arg;
  ssize_t n;
  do
    n = read (in->fd, buffer, size);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      in->read_errno = errno;
      return (size_t) -1;
    }
  in->at_end = n == 0;
  size_t keep = sizeof in->start - in->nstart;
  keep = keep < (size_t) n ? keep : (size_t) n;
  memcpy (in->start + in->nstart, buffer, keep);
  in->nstart += keep;
  return (size_t) n;
}

/* jansson refused the file: say what it is.  Where memory ran out, jansson often
   blames the file; errno knows better.  */
static int
explain (const struct input *in, const json_error_t *e, const char *path,
	 const char *mark, lp_error *err)
{
  bool oom = errno == ENOMEM;
  enum json_error_code code = json_error_code (e);
  bool ours = memmem (in->start, in->nstart, mark, strlen (mark)) != NULL;
  if (in->read_errno)
    return lp_fail (err, LP_EIO, "cannot read '%s': %s", path,
		    strerror (in->read_errno));
  if (code == json_error_out_of_memory || oom)
    return lp_nomem (err);
  if (in->nstart == 0)
    return lp_fail (err, LP_EFORMAT, "'%s' is empty", path);
  if (ours && in->at_end && code != json_error_end_of_input_expected)
    return lp_fail (err, LP_EFORMAT, "'%s' is truncated", path);
  if (ours)
    return lp_fail (err, LP_EFORMAT, "'%s' is corrupt at byte %d", path,
		    e->position);
  if ((unsigned char) in->start[0] == 0x80)
    return lp_fail (err, LP_EFORMAT, "'%s' is not a lineprof profile; a pickle "
		    "of Python's line_profiler is read by python -m "
		    "line_profiler", path);
  return lp_fail (err, LP_EFORMAT, "'%s' is not a lineprof profile", path);
}

json_t *
lp_json_parse (const char *path, const char *mark, lp_error *err)
{
  json_error_t e;
  errno = 0;
  struct input in = { .fd = open (path, O_RDONLY | O_CLOEXEC) };
  if (in.fd < 0)
    return lp_fail_null (err, errno == ENOENT ? LP_ENOTFOUND : LP_EIO,
			 "cannot read '%s': %s", path, strerror (errno));
  json_t *root
    = json_load_callback (read_some, &in, JSON_REJECT_DUPLICATES, &e);
  if (!root)
    explain (&in, &e, path, mark, err);
  close (in.fd);
  return root;
}
