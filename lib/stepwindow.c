/* stepwindow.c: when windows begin and end.  Only the tracer writes blocks while threads
   are stepped, so none has to be stopped for that.  */

#define _GNU_SOURCE

#include "stepwindow.h"

#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#include "follow.h"
#include "wire/events.h"

static int64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

static bool
are_wanted (const lp_follow *follow)
{
  return follow->options->window_period > 0;
}

/* How long what has begun shall last.  */
static int64_t
length (const lp_follow *follow)
{
  unsigned window = follow->options->window_ms;
  unsigned ms = follow->windows.shut ? follow->options->window_period - window
		: window;
  return ms * INT64_C (1000000);
}

void
lp_windows_begin (lp_follow *follow)
{
  lp_windows *w = &follow->windows;
  w->began = w->since = now ();
  w->next = w->since + length (follow);
}

/* What is open when a window ends has ended for us; what happens until the next one
   is nobody's.  */
static void
turn (lp_live *live, bool shut)
{
  lp_pool *pool = &live->image.pool;
  live->image.idle = shut;
  for (size_t i = 0; (i = lp_pool_next (pool, i, 0)) != SIZE_MAX; i++)
    {
      lp_block *block = (lp_block *) lp_pool_block (pool, i);
      if (shut && block->version == LP_WIRE_VERSION)
	lp_event_end (block, __rdtsc ());
      block->last = __rdtsc ();
    }
}

void
lp_windows_tick (lp_follow *follow, lp_target *target)
{
  lp_windows *w = &follow->windows;
  int64_t t = now ();
  if (!are_wanted (follow) || !w->began || t < w->next)
    return;
  w->open += w->shut ? 0 : t - w->since;
  w->shut = !w->shut;
  w->since = t;
  w->next = t + length (follow);
  for (lp_live *live = follow->live; live; live = live->next)
    turn (live, w->shut);
  lp_target_pause (target);
}

/* What cannot be done now leaves PROC as slow as it was, and uncounted.  */
int
lp_windows_paused (void *arg, lp_process *proc, lp_error *err)
{
  const lp_follow *follow = arg;
  const lp_member *member = lp_process_data (proc);
  (void) err;
  if (member && !member->guest)
    lp_grafts_guard (&member->grafts, proc, !follow->windows.shut);
  return 0;
}

/* The nanoseconds in windows up to T.  */
static int64_t
open_until (const lp_windows *w, int64_t t)
{
  return w->open + (w->shut ? 0 : t - w->since);
}

double
lp_windows_scale (const lp_follow *follow)
{
  const lp_windows *w = &follow->windows;
  int64_t t = now (), open = open_until (w, t);
  return are_wanted (follow) && w->began && open > 0
	 ? (double) (t - w->began) / (double) open : 1;
}

char *
lp_windows_note (const lp_follow *follow)
{
  char *text;
  double scale = lp_windows_scale (follow);
  if (asprintf (&text, "hits and times are estimates: what was counted in windows "
		"of %u ms every %u ms, %.1f %% of the time, times %.2f; compare "
		"lines with each other", follow->options->window_ms,
		follow->options->window_period, 100 / scale, scale) < 0)
    return NULL;
  return text;
}
