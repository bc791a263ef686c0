/* session.c: the pipeline as a list of steps: find, prepare, calibrate, launch,
   install, run, drain, fill.  */

#define _GNU_SOURCE

#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callees.h"
#include "follow.h"
#include "libraries.h"
#include "record.h"
#include "runtime/runtime.h"
#include "stopcost.h"
#include "window.h"

struct session
{
  lp_follow follow;		/* first: the hooks' argument */
  const lp_session_options *options;
  lp_record record;
  lp_target *target;
  int64_t length;		/* ns from the start of recording to its end; 0: no end */
  int64_t until;		/* CLOCK_MONOTONIC, ns: the end; 0: none, or not known yet */
  int64_t next_snapshot;	/* the same; 0: none is wanted */
  lp_window window;		/* what of it all is recorded */
};

/* What was recorded of that.  */
static lp_profile *
make_profile (const struct session *s, int status, lp_error *err)
{
  lp_profile *profile = lp_record_profile (&s->record, &s->follow, status,
					   err);
  if (!profile || lp_window_apply (&s->window, profile, err) == 0)
    return profile;
  lp_profile_free (profile);
  return NULL;
}

/* Running.  */

/* Will there be stops?  Only then is it worth to measure, which takes as long as all
   else before the start.  What other programs and libraries bring later is known
   too late: their stops are not subtracted.  */
static bool
expects_stops (const struct session *s)
{
  const lp_prepare_options *select = &s->options->select;
  return select->engine != LP_ENGINE_CLONE
	 || lp_prepare_names_libraries (select)
	 || lp_prepared_stops (&s->follow.programs->prepared);
}

static int
prepare (struct session *s, const char *path, lp_error *err)
{
  const uint8_t *begin = lp_thunks_begin, *tree = lp_tree_begin_code;
  if (lp_follow_prepare (&s->follow, path, err))
    return -1;
  if (expects_stops (s))
    lp_stop_costs (&s->follow.costs);
  return s->options->select.calls
	 ? lp_calibrate (tree, lp_tree_end_code - tree,
			 lp_tree_thunk_entry - tree, lp_tree_thunk_exit - tree,
			 lp_tree_count_inlined - tree, &s->follow.costs, err)
	 : lp_calibrate (begin, lp_thunks_end - begin, lp_thunk_entry - begin,
			 lp_thunk_exit - begin, 0, &s->follow.costs, err);
}

static void
on_start (lp_follow *follow)
{
  struct session *s = (struct session *) follow;
  s->record.begin = lp_record_now ();
  /* What it takes to begin is not taken off the time that was asked for.  */
  if (s->length)
    s->until = s->record.begin.ns + s->length;
  if (s->options->detach)
    lp_target_let_go (s->target);
  lp_windows_begin (follow);
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
  lp_profile *profile = lp_record_profile (&s->record, &s->follow, -1, err);
  return profile ? lp_window_toggle (&s->window, profile, err) : -1;
}

static int
on_tick (void *arg, lp_error *err)
{
  struct session *s = arg;
  int64_t ns = lp_record_now ().ns;
  (void) err;
  if (s->next_snapshot && ns >= s->next_snapshot)
    {
      snapshot (s);
      s->next_snapshot += s->options->interval * INT64_C (1000000000);
    }
  lp_windows_tick (&s->follow, s->target);
  if (s->options->detach && s->follow.live)
    lp_pool_offer_more (&s->follow.live->image.pool);
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
  hooks.exact = s->options->select.engine != LP_ENGINE_CLONE;
  if (s->options->interval && s->options->snapshot)
    s->next_snapshot
      = s->record.begin.ns + s->options->interval * INT64_C (1000000000);
  if (s->length || s->next_snapshot || s->options->detach)
    hooks.tick_ms = 10;
  if (s->options->window_period)
    hooks.tick_ms = 1;
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
  lp_launch launch = { .path = path, .argv = s->record.argv, .preload = preload,
		       .follow = s->options->follow,
		       .group = s->options->group };
  s->record.start = time (NULL);
  s->record.begin = lp_record_now ();
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
  struct session s = { .options = options, .record.argv = argv,
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

/* Is it known who has the functions that are called in libraries, while PROC runs?  One
   that is profiled there is not counted here, and which those are is seen when it
   stands still.  */
static bool
knows_callees (lp_follow *follow, lp_process *proc)
{
  const lp_prepare_options *select = &follow->options->select;
  if (!select->libs)
    return true;
  if (lp_prepare_wants_libraries (select)
      || lp_callees_settle (follow, follow->programs, proc, NULL))
    return false;
  follow->sketched = lp_callees_count (&follow->programs->prepared);
  return true;
}

/* Before PROC is stopped: do what can be done before.  */
static void
approach (void *arg, lp_process *proc)
{
  lp_follow *follow = arg;
  lp_prepared *prepared = &follow->programs->prepared;
  if (prepared->functions.n && knows_callees (follow, proc))
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
  s->record.start = time (NULL);
  s->record.begin = lp_record_now ();
  if (seconds > 0)
    s->length = (int64_t) (seconds * 1e9);
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
  char path[4096];
  struct stat st;
  *status = -1;
  if (lp_attach_check (pid, err))
    return NULL;
  if (!lp_executable_path (pid, path, sizeof path, &st))
    snprintf (path, sizeof path, "/proc/%d/exe", (int) pid);
  char **argv = lp_record_command (pid);
  s.record.argv = argv;
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
