/* session.c: the pipeline as a list of steps: find, prepare, calibrate, launch,
   install, run, drain, fill.  */

#define _GNU_SOURCE

#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "collect/fill.h"
#include "image.h"
#include "probe/patch.h"
#include "probe/trap.h"
#include "runtime/runtime.h"

/* The two clocks, read together.  */
struct moment
{
  uint64_t ticks;
  int64_t ns;
};

struct session
{
  const lp_session_options *options;
  lp_prepared prepared;
  lp_costs costs;
  lp_image image;
  bool installed;
  bool refused;			/* could not be installed: WHY */
  lp_error why;
  bool drained;			/* block 0, too: the pool is gone */
  struct moment begin, end;
  time_t start;
  LP_VEC (lp_sums) sums;	/* one a process */
  pid_t attached;		/* 0: the program was launched */
  lp_target *target;
  int64_t until;		/* CLOCK_MONOTONIC, ns: the end of recording; 0: none */
};

static struct moment
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (struct moment) { __rdtsc (), t.tv_sec * 1000000000l + t.tv_nsec };
}

/* Draining.  */

static size_t
ncells (const struct session *s)
{
  return (s->prepared.end - lp_pool_first_cell ()) / 8 + 1;
}

/* The sums of PID, made when first asked for.  */
static lp_sums *
sums_of (struct session *s, pid_t pid)
{
  for (size_t i = 0; i < s->sums.n; i++)
    if (s->sums.v[i].pid == pid)
      return &s->sums.v[i];
  lp_sums sums = { .pid = pid, .name = "",
		   .cells = calloc (ncells (s), sizeof (uint64_t)),
		   .open = calloc (ncells (s), 1) };
  if (!sums.cells || !sums.open || lp_vec_push (&s->sums, sums))
    {
      free (sums.cells);
      free (sums.open);
      return NULL;
    }
  return &s->sums.v[s->sums.n - 1];
}

static void
drain (struct session *s, pid_t pid, pid_t into)
{
  lp_sums *sums = sums_of (s, into);
  if (sums)
    lp_pool_fold (&s->image.pool, pid, sums->cells, sums->open);
}

/* PROC lives on, and so do its blocks.  */
static void
drain_living (struct session *s, lp_process *proc)
{
  pid_t pid = lp_process_pid (proc);
  lp_sums *sums = sums_of (s, pid);
  if (sums)
    {
      lp_pool_sum (&s->image.pool, pid, sums->cells, sums->open);
      lp_pool_sum (&s->image.pool, 0, sums->cells, sums->open);
    }
  lp_process_set_data (proc, NULL);
}

/* Hooks.  A process belongs to the session's image when its data is set.  */

/* A program that we launched and cannot profile has not run yet, and does not.  */
static int
on_loaded (void *arg, lp_process *proc, lp_error *err)
{
  struct session *s = arg;
  if (s->installed)
    return 0;
  if (lp_image_install (&s->image, proc, &s->prepared, &s->costs,
			s->options->timed, s->attached != 0, err))
    {
      if (s->attached)
	return -1;
      s->refused = true;
      s->why = *err;
      kill (lp_process_pid (proc), SIGKILL);
      return 0;
    }
  s->installed = true;
  s->begin = now ();
  lp_process_set_data (proc, &s->image);
  return 0;
}

static void
on_unloaded (void *arg, lp_process *proc)
{
  struct session *s = arg;
  if (!lp_process_data (proc))
    return;
  drain (s, lp_process_pid (proc), lp_process_pid (proc));
  lp_process_set_data (proc, NULL);
}

static int
on_thread_new (void *arg, lp_process *proc, pid_t tid, lp_error *err)
{
  struct session *s = arg;
  return lp_process_data (proc)
	 ? lp_image_claim (&s->image, proc, tid, err) : 0;
}

static void
on_thread_gone (void *arg, lp_process *proc, pid_t tid)
{
  struct session *s = arg;
  if (lp_process_data (proc))
    lp_pool_retire (&s->image.pool, tid);
}

static int
on_forked (void *arg, lp_process *parent, lp_process *child,
	   bool shares_memory, lp_error *err)
{
  struct session *s = arg;
  if (!lp_process_data (parent) || shares_memory)
    return 0;
  lp_process_set_data (child, &s->image);
  return lp_image_claim_fork (&s->image, child, lp_process_pid (parent), err);
}

static int
on_trap (void *arg, lp_process *proc, pid_t tid,
	 struct user_regs_struct *regs, lp_error *err)
{
  struct session *s = arg;
  (void) err;
  const lp_trap *trap = lp_process_data (proc)
			? lp_trap_find (&s->image.text, regs->rip - 1) : NULL;
  if (!trap)
    return 0;
  lp_trap_run (trap, s->options->timed, lp_pool_find (&s->image.pool, tid),
	       regs);
  return 1;
}

static int
on_fault (void *arg, lp_process *proc, pid_t tid,
	  struct user_regs_struct *regs, lp_error *err)
{
  struct session *s = arg;
  return lp_process_data (proc)
	 ? lp_image_fault (&s->image, proc, tid, regs, err) : 0;
}

static void
on_ended (void *arg, lp_process *proc, int status)
{
  struct session *s = arg;
  (void) status;
  on_unloaded (s, proc);
}

/* PROC runs on without us: with the program's own code, as far as it can still
   be written.  Threads inside a clone leave it by themselves.  */
static void
on_released (void *arg, lp_process *proc)
{
  struct session *s = arg;
  if (!lp_process_data (proc))
    return;
  drain_living (s, proc);
  if (s->attached != lp_process_pid (proc))
    {
      lp_patch_undo (proc, &s->image.text, NULL);
      return;
    }
  s->drained = true;
  lp_image_remove (&s->image, proc, NULL);
}

/* The end of recording.  */
static int
on_tick (void *arg, lp_error *err)
{
  struct session *s = arg;
  (void) err;
  if (s->until && now ().ns >= s->until)
    lp_target_stop (s->target);
  return 0;
}

/* Running.  */

static int
prepare (struct session *s, const char *path, lp_error *err)
{
  const uint8_t *begin = lp_thunks_begin;
  return lp_prepare (&s->prepared, path, &s->options->select,
		     lp_pool_first_cell (), err)
	 || lp_calibrate (begin, lp_thunks_end - begin, lp_thunk_entry - begin,
			  lp_thunk_exit - begin, &s->costs, err);
}

static lp_hooks
hooks_of (struct session *s)
{
  return (lp_hooks) {
    .arg = s, .loaded = on_loaded, .unloaded = on_unloaded,
    .thread_new = on_thread_new, .thread_gone = on_thread_gone,
    .forked = on_forked, .trap = on_trap, .fault = on_fault,
    .ended = on_ended, .released = on_released,
    .tick_ms = s->until ? 10 : 0, .tick = on_tick };
}

static int
launch_and_run (struct session *s, const char *path, char *const *argv,
		int *status, bool *started, lp_error *err)
{
  char preload[64];
  int slot = lp_slot_file (err);
  if (slot < 0)
    return -1;
  snprintf (preload, sizeof preload, "/proc/%d/fd/%d", (int) getpid (), slot);
  lp_launch launch = { .path = path, .argv = argv, .preload = preload,
		       .follow = s->options->follow };
  lp_hooks hooks = hooks_of (s);
  s->start = time (NULL);
  s->begin = now ();
  lp_target *target = lp_target_launch (&launch, err);
  *started = target != NULL;
  int bad = target ? lp_target_run (target, &hooks, status, err) : -1;
  s->end = now ();
  lp_target_free (target);
  close (slot);
  if (s->refused)
    *err = s->why;
  return s->refused ? -1 : bad;
}

/* The profile.  */

static int
describe (struct session *s, lp_profile *profile, char *const *argv,
	  int status)
{
  char host[256] = "";
  size_t n = 0;
  while (argv[n])
    n++;
  gethostname (host, sizeof host - 1);
  const char **command = lp_profile_alloc (profile, (n + 1) * sizeof *command);
  for (size_t i = 0; command && i < n; i++)
    command[i] = lp_profile_string (profile, argv[i]);
  profile->kind = "lines";
  profile->selected = !s->prepared.by_default;
  profile->version = lp_version ();
  profile->host = lp_profile_string (profile, host);
  profile->command = command;
  profile->ncommand = n;
  profile->start = s->start;
  profile->duration = s->end.ns - s->begin.ns;
  profile->exit_status = status;
  profile->clock = "tsc";
  profile->time_mode = s->options->timed ? "exact" : "none";
  profile->ticks_per_ns = (double) (s->end.ticks - s->begin.ticks)
			  / (s->end.ns - s->begin.ns);
  profile->probe_cost = s->costs.line / profile->ticks_per_ns;
  profile->call_cost = (s->costs.entry + s->costs.exit)
		       / profile->ticks_per_ns;
  return command && profile->host ? 0 : -1;
}

static int
fill (struct session *s, lp_profile *profile, lp_error *err)
{
  lp_watch_list watches = { 0 };
  int bad = lp_prepare_watches (&s->prepared, &watches, err)
	    || lp_fill_subjects (profile, &watches, err);
  for (size_t i = 0; i < s->sums.n && !bad; i++)
    bad = lp_fill_part (profile, &watches, &s->sums.v[i],
			lp_pool_first_cell (), err);
  lp_watch_list_free (&watches);
  return bad;
}

static lp_profile *
make_profile (struct session *s, char *const *argv, int status, lp_error *err)
{
  lp_profile *profile = lp_profile_new (err);
  if (!profile)
    return NULL;
  if (s->installed && s->sums.n && !s->drained)
    drain (s, 0, s->sums.v[0].pid);
  if (describe (s, profile, argv, status) == 0
      && fill (s, profile, err) == 0)
    return profile;
  lp_profile_free (profile);
  return lp_fail_null (err, LP_ENOMEM, "out of memory");
}

static void
release (struct session *s)
{
  for (size_t i = 0; i < s->sums.n; i++)
    {
      free (s->sums.v[i].cells);
      free (s->sums.v[i].open);
    }
  lp_vec_free (&s->sums);
  if (s->installed)
    lp_image_free (&s->image);
  lp_prepared_free (&s->prepared);
}

lp_profile *
lp_session_run (char *const *argv, const lp_session_options *options,
		int *status, bool *started, lp_error *err)
{
  struct session s = { .options = options };
  lp_profile *profile = NULL;
  *started = false;
  char *path = lp_find_program (argv[0], err);
  if (!path)
    return NULL;
  if (prepare (&s, path, err) == 0
      && launch_and_run (&s, path, argv, status, started, err) == 0)
    profile = make_profile (&s, argv, *status, err);
  release (&s);
  free (path);
  return profile;
}

/* Attaching.  */

/* The command line of PID as an argv; free it and its first string.  */
static char **
command_of (pid_t pid)
{
  char path[64], *text = NULL;
  size_t size = 0;
  snprintf (path, sizeof path, "/proc/%d/cmdline", (int) pid);
  FILE *f = fopen (path, "re");
  ssize_t n = f ? getdelim (&text, &size, EOF, f) : -1;
  if (f)
    fclose (f);
  char **argv = calloc (n > 0 ? n + 2 : 2, sizeof *argv);
  size_t k = 0;
  for (ssize_t at = 0; argv && at < n; at += strlen (text + at) + 1)
    argv[k++] = text + at;
  if (n <= 0)
    free (text);
  return argv;
}

static int
attach_and_run (struct session *s, double seconds, int *status, lp_error *err)
{
  s->target = lp_target_attach (s->attached, s->options->follow, err);
  if (!s->target)
    return -1;
  s->start = time (NULL);
  s->begin = now ();
  if (seconds > 0)
    s->until = s->begin.ns + (int64_t) (seconds * 1e9);
  lp_hooks hooks = hooks_of (s);
  int bad = lp_target_run (s->target, &hooks, status, err);
  s->end = now ();
  lp_target_free (s->target);
  return bad;
}

lp_profile *
lp_session_attach (pid_t pid, double seconds,
		   const lp_session_options *options, int *status,
		   lp_error *err)
{
  struct session s = { .options = options, .attached = pid };
  lp_profile *profile = NULL;
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/exe", (int) pid);
  *status = -1;
  if (access (path, F_OK) && errno == ENOENT)
    return lp_fail_null (err, LP_ENOTFOUND, "there is no process %d",
			 (int) pid);
  char **argv = command_of (pid);
  if (prepare (&s, path, err) == 0
      && attach_and_run (&s, seconds, status, err) == 0)
    profile = make_profile (&s, argv, *status, err);
  release (&s);
  free (argv ? argv[0] : NULL);
  free (argv);
  return profile;
}
