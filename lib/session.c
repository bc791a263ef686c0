/* session.c: the pipeline as a list of steps: find, prepare, calibrate, launch,
   install, run, drain, fill.  */

#define _GNU_SOURCE

#include "session.h"

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
  struct moment begin, end;
  time_t start;
  LP_VEC (lp_sums) sums;	/* one a process */
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

/* Hooks.  A process belongs to the session's image when its data is set.  */

static int
on_loaded (void *arg, lp_process *proc, lp_error *err)
{
  struct session *s = arg;
  if (s->installed)
    return 0;
  if (lp_image_install (&s->image, proc, &s->prepared, &s->costs,
			s->options->timed, err))
    return -1;
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
  lp_patch_undo (proc, &s->image.text, NULL);
  on_unloaded (s, proc);
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
  lp_hooks hooks = { .arg = s, .loaded = on_loaded, .unloaded = on_unloaded,
		     .thread_new = on_thread_new,
		     .thread_gone = on_thread_gone, .forked = on_forked,
		     .trap = on_trap, .fault = on_fault, .ended = on_ended,
		     .released = on_released };
  s->start = time (NULL);
  s->begin = now ();
  lp_target *target = lp_target_launch (&launch, err);
  *started = target != NULL;
  int bad = target ? lp_target_run (target, &hooks, status, err) : -1;
  s->end = now ();
  lp_target_free (target);
  close (slot);
  return bad;
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
  if (s->installed && s->sums.n)
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
