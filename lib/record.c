/* record.c: what was counted, and all that was known before, as a profile.  */

#define _GNU_SOURCE

#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

#include "harvest.h"

lp_moment
lp_record_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (lp_moment) { __rdtsc (), t.tv_sec * 1000000000l + t.tv_nsec };
}

static int
describe (const lp_record *r, const lp_follow *follow, lp_profile *profile,
	  int status, lp_moment end)
{
  const lp_costs *costs = &follow->costs;
  char host[256] = "";
  size_t n = 0;
  while (r->argv[n])
    n++;
  gethostname (host, sizeof host - 1);
  const char **command = lp_profile_alloc (profile, (n + 1) * sizeof *command);
  bool whole = command != NULL;
  for (size_t i = 0; whole && i < n; i++)
    whole = (command[i] = lp_profile_string (profile, r->argv[i])) != NULL;
  profile->kind = follow->options->select.calls ? LP_KIND_FUNCTIONS
		  : LP_KIND_LINES;
  profile->selected = !follow->programs
		      || !follow->programs->prepared.by_default;
  profile->version = lp_version ();
  profile->host = lp_profile_string (profile, host);
  profile->command = command;
  profile->ncommand = n;
  profile->start = r->start;
  profile->duration = end.ns - r->begin.ns;
  profile->exit_status = status;
  profile->clock = "tsc";
  profile->time_mode = follow->options->timed ? "exact" : "none";
  profile->ticks_per_ns = (double) (end.ticks - r->begin.ticks)
			  / (end.ns - r->begin.ns);
  profile->probe_cost = costs->line / profile->ticks_per_ns;
  profile->call_cost = (costs->entry + costs->exit) / profile->ticks_per_ns;
  return whole && profile->host ? 0 : -1;
}

static int
fill_notes (const lp_follow *follow, lp_profile *profile)
{
  for (size_t i = 0; i < follow->notes.n; i++)
    {
      const char *note = lp_profile_string (profile, follow->notes.v[i]);
      if (!note || lp_vec_push (&profile->notes, note))
	return -1;
    }
  bool estimated = follow->options->window_period > 0;
  char *text = estimated ? lp_windows_note (follow) : NULL;
  const char *note = lp_profile_string (profile, text);
  free (text);
  return estimated && (!note || lp_vec_push (&profile->notes, note)) ? -1 : 0;
}

static int
fill_parts (lp_profile *profile, const lp_watch_list *watches, uint32_t first,
	    lp_tallies *tallies, const lp_measure *how, lp_error *err)
{
  for (size_t i = 0; i < tallies->list.n; i++)
    {
      const lp_tally *t = &tallies->list.v[i];
      lp_sums sums = { .pid = t->pid, .tid = t->tid, .name = t->name,
		       .cells = tallies->cells, .open = tallies->open };
      lp_tallies_load (tallies, i);
      int bad = lp_fill_part (profile, watches, first, &sums,
			      lp_pool_first_cell (), how, err);
      lp_tallies_clear (tallies);
      if (bad)
	return -1;
    }
  return 0;
}

/* The call trees of PROGRAM, whose WATCHES are the subjects from FIRST on.  */
static int
fill_trees (const lp_follow *follow, lp_profile *profile,
	    const lp_program *program, const lp_watch_list *watches,
	    uint32_t first, lp_error *err)
{
  lp_trees running = { 0 };
  int bad = lp_harvest_running (follow, program, &running)
	    ? lp_nomem (err)
	    : lp_trees_fill (&program->trees, profile, watches, first, err)
	      || lp_trees_fill (&running, profile, watches, first, err);
  lp_trees_free (&running);
  return bad;
}

static int
fill_program (const lp_follow *follow, lp_profile *profile,
	      const lp_program *program, const lp_measure *how, lp_error *err)
{
  lp_watch_list watches = { 0 };
  lp_tallies tallies = { 0 };
  uint32_t first = profile->subjects.n, object;
  /* Blocks with call trees have no counters.  */
  int bad = !program->prepared.calls
	    && lp_follow_sums (follow, program, &tallies, err);
  bad = bad || lp_fill_object (profile, program->prepared.mod, &object)
	    || lp_program_watches (program, &watches, err)
	    || lp_fill_subjects (profile, &watches, how, err);
  if (!bad && program->prepared.calls)
    bad = fill_trees (follow, profile, program, &watches, first, err);
  else
    bad = bad || fill_parts (profile, &watches, first, &tallies, how, err);
  lp_watch_list_free (&watches);
  lp_tallies_free (&tallies);
  return bad;
}

lp_profile *
lp_record_profile (const lp_record *r, const lp_follow *follow, int status,
		   lp_error *err)
{
  unsigned long before = lp_nomems ();
  lp_profile *profile = lp_profile_new (err);
  if (!profile)
    return NULL;
  int bad = describe (r, follow, profile, status, lp_record_now ())
	    || fill_notes (follow, profile);
  const lp_measure how = {
    .trap = follow->costs.trap / profile->ticks_per_ns,
    .step = follow->costs.step / profile->ticks_per_ns,
    .scale = lp_windows_scale (follow) };
  for (const lp_program *p = follow->programs; p && !bad; p = p->next)
    bad = p->usable && fill_program (follow, profile, p, &how, err);
  bad = bad || lp_follow_fill_ranges (follow, profile);
  /* A text that is missing for a lack of memory is like one that is not there.  */
  if (!bad && lp_nomems () == before)
    return profile;
  lp_profile_free (profile);
  return lp_fail_null (err, LP_ENOMEM, "out of memory");
}

char **
lp_record_command (pid_t pid)
{
  char path[64], *text = NULL;
  size_t size = 0, k = 0;
  snprintf (path, sizeof path, "/proc/%d/cmdline", (int) pid);
  errno = 0;
  FILE *f = fopen (path, "re");
  ssize_t n = f ? getdelim (&text, &size, EOF, f) : -1;
  if (f)
    fclose (f);
  char **argv = n < 0 && errno == ENOMEM ? NULL
		: calloc (n > 0 ? n + 2 : 2, sizeof *argv);
  for (ssize_t at = 0; argv && at < n; at += strlen (text + at) + 1)
    argv[k++] = text + at;
  if (k == 0)
    free (text);
  return argv;
}
