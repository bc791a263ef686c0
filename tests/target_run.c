/* target_run.c: see target_run.h.  */

#define _GNU_SOURCE
#include "target_run.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SRCDIR
# define SRCDIR "."
#endif

static char dir[64];

/* The same sources in the ways of building that differ for a tracer.  */
static const struct
{
  const char *suffix, *compiler, *flags;
} builds[] = {
  { "", NULL, "-pie -fPIE" },
  { ".nopie", NULL, "-no-pie -fno-PIE" },
  { ".static", NULL, "-static" },
  { ".static-pie", NULL, "-static-pie -fPIE" },
  { ".musl", "musl-gcc", "" },
  { ".musl-static", "musl-gcc", "-static" },
};

static const char *
compiler (const char *name)
{
  const char *cc = getenv ("CC");
  return name ? name : cc && *cc ? cc : "cc";
}

static void
build (const char *name, const char *path)
{
  char command[1024];
  const char *suffix = strchrnul (name, '.');
  for (size_t i = 0; i < sizeof builds / sizeof *builds; i++)
    if (!strcmp (builds[i].suffix, suffix))
      {
	snprintf (command, sizeof command,
		  "%s -g -O0 -fcf-protection=none -pthread %s -o %s"
		  " %s/targets/%.*s.c 2>%s/log", compiler (builds[i].compiler),
		  builds[i].flags, path, SRCDIR, (int) (suffix - name), name,
		  dir);
	if (system (command))
	  fprintf (stderr, "%s was not built: %s\n", name, command);
      }
}

void
targets_begin (void)
{
  char command[256];
  strcpy (dir, "/tmp/check_target.XXXXXX");
  if (!mkdtemp (dir))
    exit (1);
  snprintf (command, sizeof command, "echo '__thread long lp_test_slot = 42;' |"
	    " %s -x c -shared -fPIC -nostdlib -o %s/preload.so -",
	    compiler (NULL), dir);
  if (system (command) == 0)
    return;
  targets_end ();
  puts ("1..0 # SKIP no C compiler");
  exit (0);
}

void
targets_end (void)
{
  char command[128];
  snprintf (command, sizeof command, "rm -rf %s", dir);
  if (system (command))
    perror (dir);
}

const char *
target_path (const char *name)
{
  static char path[128];
  snprintf (path, sizeof path, "%s/%s", dir, name);
  if (access (path, X_OK))
    build (name, path);
  return access (path, X_OK) == 0 ? path : NULL;
}

char *const *
target_argv (const char *const words[WORDS])
{
  static char *argv[WORDS + 1];
  static char first[128];
  const char *path = words[0][0] == '/' ? words[0] : target_path (words[0]);
  if (!path)
    return NULL;
  snprintf (first, sizeof first, "%s", path);
  for (int i = 0; i < WORDS; i++)
    argv[i] = (char *) words[i];
  argv[0] = first;
  return argv;
}

const char *
preload_path (void)
{
  static char path[128];
  snprintf (path, sizeof path, "%s/preload.so", dir);
  return path;
}

uint64_t
target_symbol (const char *name, const char *symbol)
{
  char command[512];
  unsigned long long value = 0;
  snprintf (command, sizeof command, "nm %s/%s | awk '$3 == \"%s\" {print $1}'",
	    dir, name, symbol);
  FILE *f = popen (command, "r");
  if (!f || fscanf (f, "%llx", &value) != 1)
    ck_abort_msg ("%s has no %s", name, symbol);
  pclose (f);
  return value;
}

static const extra *more;

static int
on_loaded (void *arg, lp_process *proc, lp_error *err)
{
  seen *s = arg;
  s->loaded++;
  s->preloaded += lp_process_has_preload (proc);
  return more->loaded ? more->loaded (s, proc, err) : 0;
}

static void
on_unloaded (void *arg, lp_process *proc)
{
  (void) proc;
  ((seen *) arg)->unloaded++;
}

static int
on_modules (void *arg, lp_process *proc, lp_error *err)
{
  ((seen *) arg)->modules++;
  return more->modules ? more->modules (arg, proc, err) : 0;
}

static int
on_thread (void *arg, lp_process *proc, pid_t tid, lp_error *err)
{
  ((seen *) arg)->threads++;
  return more->thread_new ? more->thread_new (arg, proc, tid, err) : 0;
}

static void
on_thread_gone (void *arg, lp_process *proc, pid_t tid)
{
  (void) proc;
  (void) tid;
  ((seen *) arg)->threads_gone++;
}

static int
on_forked (void *arg, lp_process *parent, lp_process *child, bool shares,
	   lp_error *err)
{
  seen *s = arg;
  s->forked++;
  s->shared += shares;
  return more->forked ? more->forked (arg, parent, child, shares, err) : 0;
}

static int
on_trap (void *arg, lp_process *proc, pid_t tid, struct user_regs_struct *regs,
	 lp_error *err)
{
  int r = more->trap ? more->trap (arg, proc, tid, regs, err) : 0;
  ((seen *) arg)->traps += r == 1;
  return r;
}

static void
on_ended (void *arg, lp_process *proc, int status)
{
  (void) proc;
  (void) status;
  ((seen *) arg)->ended++;
}

static void
on_released (void *arg, lp_process *proc)
{
  ((seen *) arg)->released++;
  if (more->released)
    more->released (arg, proc);
}

static int
on_tick (void *arg, lp_error *err)
{
  ((seen *) arg)->ticks++;
  return more->tick ? more->tick (arg, err) : 0;
}

void
trace_here (char *const argv[], const char *preload, bool follow,
	    const extra *extra, seen *seen)
{
  static const struct extra none;
  lp_launch launch = { .path = argv[0], .argv = argv,
		       .preload = preload, .follow = follow };
  lp_error err = { 0 };
  lp_hooks hooks = {
    .arg = seen, .loaded = on_loaded, .unloaded = on_unloaded,
    .modules = on_modules, .thread_new = on_thread,
    .thread_gone = on_thread_gone, .forked = on_forked, .trap = on_trap,
    .ended = on_ended, .released = on_released, .tick_ms = extra ? extra->tick_ms : 0,
    .tick = on_tick };
  more = extra ? extra : &none;
  if (more->no_modules_hook)
    hooks.modules = NULL;
  lp_target *target = lp_target_launch (&launch, &err);
  seen->launched = target != NULL;
  seen->result = target
    ? lp_target_run (target, &hooks, &seen->status, &err) : -1;
  seen->code = err.code;
  memcpy (seen->text, err.text, sizeof seen->text);
  /* What was let go is still our child.  */
  pid_t left = target ? lp_target_pid (target) : 0;
  lp_target_free (target);
  if (left && waitpid (left, &seen->status, 0) != left)
    seen->status = -1;
}

seen *
seen_new (void)
{
  seen *s = mmap (NULL, sizeof *s, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (s, MAP_FAILED);
  return s;
}

static char *
contents (int fd)
{
  off_t n = lseek (fd, 0, SEEK_END);
  char *text = calloc (1, n + 1);
  if (pread (fd, text, n, 0) != n)
    ck_abort_msg ("cannot read what was written");
  close (fd);
  return text;
}

static int
output (void)
{
  char path[] = "/tmp/check_target.out.XXXXXX";
  int fd = mkostemp (path, O_APPEND | O_CLOEXEC);
  ck_assert_int_ge (fd, 0);
  unlink (path);
  return fd;
}

/* In a child with its own streams: TRACED, or exec.  */
static outcome
run (char *const argv[], const char *preload, bool follow, const extra *extra,
     bool traced)
{
  outcome o = { 0 };
  seen *s = seen_new ();
  int out = output (), err = output ();
  fflush (NULL);
  pid_t pid = fork ();
  if (pid == 0)
    {
      if (dup2 (open ("/dev/null", O_RDONLY | O_CLOEXEC), 0) || dup2 (out, 1) != 1
	  || dup2 (err, 2) != 2)
	_exit (126);
      if (!traced)
	{
	  execv (argv[0], argv);
	  _exit (127);
	}
      trace_here (argv, preload, follow, extra, s);
      _exit (0);
    }
  waitpid (pid, &o.status, 0);
  if (traced)
    {
      ck_assert_msg (o.status == 0, "the tracer ended with 0x%x", o.status);
      o.status = s->status;
    }
  o.seen = *s;
  munmap (s, sizeof *s);
  o.out = contents (out);
  o.err = contents (err);
  return o;
}

outcome
run_bare (char *const argv[])
{
  return run (argv, NULL, true, NULL, false);
}

outcome
run_traced (char *const argv[], const char *preload, bool follow,
	    const extra *extra)
{
  return run (argv, preload, follow, extra, true);
}

void
outcome_free (outcome *o)
{
  free (o->out);
  free (o->err);
}

void
check_same (const outcome *bare, const outcome *traced, const char *mode)
{
  ck_assert_msg (traced->seen.result == 0, "%s: %s", mode, traced->seen.text);
  ck_assert_msg (bare->status == traced->status, "%s: status 0x%x, bare 0x%x",
		 mode, traced->status, bare->status);
  ck_assert_msg (!strcmp (bare->out, traced->out), "%s: stdout\n%sbare\n%s",
		 mode, traced->out, bare->out);
  ck_assert_msg (!strcmp (bare->err, traced->err), "%s: stderr\n%sbare\n%s",
		 mode, traced->err, bare->err);
}

int
first_module (seen *s, lp_process *proc, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  if (lp_process_modules (proc, &modules, &n, err))
    return -1;
  s->numbers[0] = modules[0].bias;
  s->numbers[1] = n;
  s->numbers[2] = modules[0].lo;
  s->numbers[3] = modules[0].hi;
  return 0;
}
