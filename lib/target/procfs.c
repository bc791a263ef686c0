/* procfs.c: what /proc says about a process.  */

#include "target/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The whole file PATH; /proc's files have no size beforehand.  */
static char *
read_file (const char *path, size_t *size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  LP_VEC (char) text = { NULL, 0, 0 };
  ssize_t n = 0;
  while (lp_vec_reserve (&text, 4096) == 0
	 && (n = read (fd, text.v + text.n, text.cap - text.n - 1)) > 0)
    text.n += n;
  close (fd);
  if (n != 0 || text.cap == 0)
    {
      lp_vec_free (&text);
      return NULL;
    }
  text.v[text.n] = '\0';
  *size = text.n;
  return text.v;
}

/* A leader that ended before its threads is a zombie whose files are empty, so
   any thread's will do.  No thread is known yet of a process that is not traced
   yet.  */
static char *
read_any (lp_process *proc, const char *name, size_t *size)
{
  for (lp_thread *t = proc->threads; t; t = t->next)
    {
      char path[64];
      if (proc->self)		/* maybe a child of the one that it was made in */
	snprintf (path, sizeof path, "/proc/thread-self/%s", name);
      else
	snprintf (path, sizeof path, "/proc/%d/task/%d/%s", proc->pid, t->tid,
		  name);
      char *text = read_file (path, size);
      if (text && *size > 0)
	return text;
      free (text);
    }
  if (proc->threads)
    return NULL;
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/%s", proc->pid, name);
  return read_file (path, size);
}

char *
lp_procfs_read (lp_process *proc, const char *name, size_t *size)
{
  char *text = read_any (proc, name, size);
  if (!text && errno == EACCES && lp_dumpable_allow (proc))
    {
      text = read_any (proc, name, size);
      lp_dumpable_forbid (proc);
    }
  return text;
}

int
lp_procfs_fail (const lp_process *proc, const char *what, lp_error *err)
{
  return errno == ENOMEM ? lp_nomem (err)
    : lp_fail (err, LP_ETARGET, "process %d: cannot read %s", proc->pid, what);
}

/* What is behind FIELD in STATUS, or NULL.  */
static const char *
field_of (const char *status, const char *field)
{
  size_t n = strlen (field);
  const char *line = status;
  while (line && !(strncmp (line, field, n) == 0 && line[n] == ':'))
    {
      line = strchr (line, '\n');
      line += line ? 1 : 0;
    }
  return line ? line + n + 1 : NULL;
}

/* The status of PID, or NULL.  Free it.  */
static char *
status_of (pid_t pid)
{
  char path[64];
  size_t size;
  snprintf (path, sizeof path, "/proc/%d/status", pid);
  return read_file (path, &size);
}

/* The number of FIELD, in BASE, of PID's status.  False: it is not there.  */
static bool
read_status (pid_t pid, const char *field, int base, uint64_t *value)
{
  char *text = status_of (pid);
  const char *number = field_of (text, field);
  if (number)
    *value = strtoull (number, NULL, base);
  free (text);
  return number != NULL;
}

bool
lp_procfs_busy (pid_t pid, uint64_t signals)
{
  char *text = status_of (pid);
  const char *state = field_of (text, "State"), *own = field_of (text, "SigPnd"),
	     *shared = field_of (text, "ShdPnd");
  uint64_t pending = (own ? strtoull (own, NULL, 16) : 0)
		     | (shared ? strtoull (shared, NULL, 16) : 0);
  bool runs = state && state[strspn (state, "\t ")] == 'R';
  free (text);
  return runs || pending & signals;
}

int64_t
lp_procfs_status (pid_t pid, const char *field)
{
  uint64_t value;
  return read_status (pid, field, 10, &value) ? (int64_t) value : -1;
}

uint64_t
lp_procfs_mask (pid_t pid, const char *field)
{
  uint64_t mask;
  return read_status (pid, field, 16, &mask) ? mask : 0;
}

bool
lp_executable_path (pid_t pid, char *path, size_t size, struct stat *st)
{
  char link[64];
  struct stat named;
  snprintf (link, sizeof link, "/proc/%d/exe", pid);
  ssize_t n = readlink (link, path, size - 1);
  if (n < 0 || stat (link, st))
    return false;
  path[n] = '\0';
  return stat (path, &named) == 0 && named.st_dev == st->st_dev
	 && named.st_ino == st->st_ino;
}

/* Kernels before 5.9 do not count filters: there only whether there are any is
   known.  */
bool
lp_process_confined (lp_process *proc)
{
  static const char *const fields[] = { "Seccomp_filters", "Seccomp" };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    {
      int64_t ours = lp_procfs_status (getpid (), fields[i]);
      if (ours >= 0)
	return lp_procfs_status (proc->pid, fields[i]) > ours;
    }
  return false;
}

void
lp_thread_name (pid_t pid, pid_t tid, char *name, size_t size)
{
  char path[64];
  size_t n;
  snprintf (path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
  char *text = read_file (path, &n);
  if (text)
    snprintf (name, size, "%.*s", (int) strcspn (text, "\n"), text);
  free (text);
}
