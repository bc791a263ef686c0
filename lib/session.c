/* session.c: the pipeline as a list of steps: find, prepare, calibrate, launch,
   install, run, drain, fill.  */

#define _GNU_SOURCE

#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "follow.h"
#include "harvest.h"
#include "libraries.h"
#include "runtime/runtime.h"
#include "window.h"

/* The two clocks, read together.  */
struct moment
{
  uint64_t ticks;
  int64_t ns;
};

struct session
{
  lp_follow follow;		/* first: the hooks' argument */
  const lp_session_options *options;
  char *const *argv;
  struct moment begin;
  time_t start;
  lp_target *target;
  int64_t until;		/* CLOCK_MONOTONIC, ns: the end of recording; 0: none */
  int64_t next_snapshot;	/* the same; 0: none is wanted */
  lp_window window;		/* what of it all is recorded */
};

static struct moment
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (struct moment) { __rdtsc (), t.tv_sec * 1000000000l + t.tv_nsec };
}

/* The profile.  */

static int
describe (const struct session *s, lp_profile *profile, int status,
	  struct moment end)
{
  const lp_costs *costs = &s->follow.costs;
  char host[256] = "";
  size_t n = 0;
  while (s->argv[n])
    n++;
  gethostname (host, sizeof host - 1);
  const char **command = lp_profile_alloc (profile, (n + 1) * sizeof *command);
  for (size_t i = 0; command && i < n; i++)
    command[i] = lp_profile_string (profile, s->argv[i]);
  profile->kind = s->options->select.calls ? LP_KIND_FUNCTIONS : LP_KIND_LINES;
  profile->selected = !s->follow.programs->prepared.by_default;
  profile->version = lp_version ();
  profile->host = lp_profile_string (profile, host);
  profile->command = command;
  profile->ncommand = n;
  profile->start = s->start;
  profile->duration = end.ns - s->begin.ns;
  profile->exit_status = status;
  profile->clock = "tsc";
  profile->time_mode = s->options->timed ? "exact" : "none";
  profile->ticks_per_ns = (double) (end.ticks - s->begin.ticks)
			  / (end.ns - s->begin.ns);
  profile->probe_cost = costs->line / profile->ticks_per_ns;
  profile->call_cost = (costs->entry + costs->exit) / profile->ticks_per_ns;
  return command && profile->host ? 0 : -1;
}

static int
fill_notes (const struct session *s, lp_profile *profile)
{
  for (size_t i = 0; i < s->follow.notes.n; i++)
    {
      const char *note = lp_profile_string (profile, s->follow.notes.v[i]);
      if (!note || lp_vec_push (&profile->notes, note))
	return -1;
    }
  return 0;
}

static int
fill_parts (lp_profile *profile, const lp_watch_list *watches, uint32_t first,
	    lp_tallies *tallies, lp_error *err)
{
  for (size_t i = 0; i < tallies->list.n; i++)
    {
      const lp_tally *t = &tallies->list.v[i];
      lp_sums sums = { .pid = t->pid, .tid = t->tid, .name = t->name,
		       .cells = tallies->cells, .open = tallies->open };
      lp_tallies_load (tallies, i);
      int bad = lp_fill_part (profile, watches, first, &sums,
			      lp_pool_first_cell (), err);
      lp_tallies_clear (tallies);
      if (bad)
	return -1;
    }
  return 0;
}

/* The call trees of PROGRAM, whose WATCHES are the subjects from FIRST on.  */
static int
fill_trees (const struct session *s, lp_profile *profile,
	    const lp_program *program, const lp_watch_list *watches,
	    uint32_t first, lp_error *err)
{
  lp_trees running = { 0 };
  int bad = lp_harvest_running (&s->follow, program, &running)
	    ? lp_nomem (err)
	    : lp_trees_fill (&program->trees, profile, watches, first, err)
	      || lp_trees_fill (&running, profile, watches, first, err);
  lp_trees_free (&running);
  return bad;
}

static int
fill_program (const struct session *s, lp_profile *profile,
	      const lp_program *program, lp_error *err)
{
  lp_watch_list watches = { 0 };
  lp_tallies tallies = { 0 };
  uint32_t first = profile->subjects.n, object;
  /* Blocks with call trees have no counters.  */
  if (!program->prepared.calls
      && lp_follow_sums (&s->follow, program, &tallies, err))
    return -1;
  int bad = lp_fill_object (profile, program->prepared.mod, &object)
	    || lp_program_watches (program, &watches, err)
	    || lp_fill_subjects (profile, &watches, err);
  if (!bad && program->prepared.calls)
    bad = fill_trees (s, profile, program, &watches, first, err);
  else
    bad = bad || fill_parts (profile, &watches, first, &tallies, err);
  lp_watch_list_free (&watches);
  lp_tallies_free (&tallies);
  return bad;
}

/* All that was counted up to now.  STATUS: the program's, or -1.  */
static lp_profile *
all_counted (const struct session *s, int status, lp_error *err)
{
  lp_profile *profile = lp_profile_new (err);
  if (!profile)
    return NULL;
  int bad = describe (s, profile, status, now ()) || fill_notes (s, profile);
  for (const lp_program *p = s->follow.programs; p && !bad; p = p->next)
    bad = p->usable && fill_program (s, profile, p, err);
  if (!bad)
    return profile;
  lp_profile_free (profile);
  return lp_fail_null (err, LP_ENOMEM, "out of memory");
}

/* What was recorded of that.  */
static lp_profile *
make_profile (const struct session *s, int status, lp_error *err)
{
  lp_profile *profile = all_counted (s, status, err);
  if (!profile || lp_window_apply (&s->window, profile, err) == 0)
    return profile;
  lp_profile_free (profile);
  return NULL;
}

/* Running.  */

static int
prepare (struct session *s, const char *path, lp_error *err)
{
  const uint8_t *begin = lp_thunks_begin, *tree = lp_tree_begin_code;
  if (lp_follow_prepare (&s->follow, path, err))
    return -1;
  return s->options->select.calls
	 ? lp_calibrate (tree, lp_tree_end_code - tree,
			 lp_tree_thunk_entry - tree, lp_tree_thunk_exit - tree,
			 true, &s->follow.costs, err)
	 : lp_calibrate (begin, lp_thunks_end - begin, lp_thunk_entry - begin,
			 lp_thunk_exit - begin, false, &s->follow.costs, err);
}

static void
on_start (lp_follow *follow)
{
  struct session *s = (struct session *) follow;
  s->begin = now ();
  if (s->options->detach)
    lp_target_let_go (s->target);
}

/* A profile that cannot be made now is made at the next time.  */
static void
snapshot (struct session *s)
{
  if (s->options->detach && lp_follow_adopt (&s->follow))
    return;
  lp_profile *profile = s->follow.started ? make_profile (s, -1, NULL) : NULL;
  if (profile)
    s->options->snapshot (s->options->snapshot_arg, profile);
  lp_profile_free (profile);
}

/* Before the program is ready, nothing was counted.  */
static int
on_summons (void *arg, lp_error *err)
{
  struct session *s = arg;
  if (!s->follow.started)
    {
      s->window.off = !s->window.off;
      return 0;
    }
  lp_profile *profile = all_counted (s, -1, err);
  return profile ? lp_window_toggle (&s->window, profile, err) : -1;
}

static int
on_tick (void *arg, lp_error *err)
{
  struct session *s = arg;
  int64_t ns = now ().ns;
  (void) err;
  if (s->next_snapshot && ns >= s->next_snapshot)
    {
      snapshot (s);
      s->next_snapshot += s->options->interval * INT64_C (1000000000);
    }
  if (s->until && ns >= s->until)
    lp_target_stop (s->target);
  return 0;
}

static lp_hooks
hooks_of (struct session *s)
{
  lp_hooks hooks = lp_follow_hooks;
  hooks.arg = s;
  hooks.tick = on_tick;
  hooks.summons = s->options->toggle;
  hooks.summoned = on_summons;
  if (s->options->interval && s->options->snapshot)
    s->next_snapshot
      = s->begin.ns + s->options->interval * INT64_C (1000000000);
  if (s->until || s->next_snapshot)
    hooks.tick_ms = 10;
  if (!s->options->by_thread && !s->options->select.calls)
    hooks.thread_ends = NULL;
  if (!s->follow.watched)
    hooks.modules = NULL;
  return hooks;
}

static int
launch_and_run (struct session *s, const char *path, int *status,
		bool *started, lp_error *err)
{
  char preload[64];
  int slot = lp_slot_file (err);
  if (slot < 0)
    return -1;
  snprintf (preload, sizeof preload, "/proc/%d/fd/%d", (int) getpid (), slot);
  lp_launch launch = { .path = path, .argv = s->argv, .preload = preload,
		       .follow = s->options->follow,
		       .group = s->options->group };
  s->start = time (NULL);
  s->begin = now ();
  lp_hooks hooks = hooks_of (s);
  s->target = lp_target_launch (&launch, err);
  *started = s->target != NULL;
  int bad = s->target ? lp_target_run (s->target, &hooks, status, err) : -1;
  lp_target_free (s->target);
  close (slot);
  if (s->follow.refused)
    *err = s->follow.why;
  return s->follow.refused ? -1 : bad;
}

/* The run is over: what of the wishes did not come true?  */
static int
conclude (struct session *s, lp_error *err)
{
  return lp_libraries_conclude (&s->follow) ? lp_nomem (err) : 0;
}

lp_profile *
lp_session_run (char *const *argv, const lp_session_options *options,
		int *status, bool *started, lp_error *err)
{
  struct session s = { .options = options, .argv = argv,
		       .window.off = options->start_disabled };
  lp_profile *profile = NULL;
  s.follow.options = options;
  s.follow.on_start = on_start;
  *started = false;
  char *path = lp_find_program (argv[0], err);
  if (!path)
    return NULL;
  if (prepare (&s, path, err) == 0
      && launch_and_run (&s, path, status, started, err) == 0
      && conclude (&s, err) == 0)
    profile = make_profile (&s, *status, err);
  lp_window_free (&s.window);
  lp_follow_free (&s.follow);
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

/* Before PROC is stopped: do what can be done before.  */
static void
approach (void *arg, lp_process *proc)
{
  lp_follow *follow = arg;
  lp_prepared *prepared = &follow->programs->prepared;
  if (prepared->functions.n)
    lp_image_sketch (&follow->sketch, proc, prepared, &follow->costs,
		     follow->options->timed);
}

static int
attach_and_run (struct session *s, double seconds, int *status, lp_error *err)
{
  lp_attach attach = { .pid = s->follow.attached,
		       .follow = s->options->follow, .approach = approach,
		       .arg = &s->follow };
  s->target = lp_target_attach (&attach, err);
  if (!s->target)
    return -1;
  s->start = time (NULL);
  s->begin = now ();
  if (seconds > 0)
    s->until = s->begin.ns + (int64_t) (seconds * 1e9);
  lp_hooks hooks = hooks_of (s);
  int bad = lp_target_run (s->target, &hooks, status, err);
  if (s->options->stood)
    lp_target_stood (s->target, s->options->stood);
  lp_target_free (s->target);
  return bad;
}

lp_profile *
lp_session_attach (pid_t pid, double seconds,
		   const lp_session_options *options, int *status,
		   lp_error *err)
{
  struct session s = { .options = options,
		       .window.off = options->start_disabled };
  lp_profile *profile = NULL;
  s.follow.options = options;
  s.follow.on_start = on_start;
  s.follow.attached = pid;
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/exe", (int) pid);
  *status = -1;
  if (lp_attach_check (pid, err))
    return NULL;
  char **argv = command_of (pid);
  s.argv = argv;
  if (argv && prepare (&s, path, err) == 0
      && attach_and_run (&s, seconds, status, err) == 0
      && conclude (&s, err) == 0)
    profile = make_profile (&s, *status, err);
  lp_window_free (&s.window);
  lp_follow_free (&s.follow);
  free (argv ? argv[0] : NULL);
  free (argv);
  return profile;
}
