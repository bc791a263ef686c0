/* run.c: kernprof [-l] PROG ARGS...: run it, save its profile, report.  */

#define _GNU_SOURCE

#include "kernprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

lp_session_options
kernprof_session_options (const struct options *options)
{
  return (lp_session_options) {
    .select = { .patterns = options->patterns.v,
		.npatterns = options->patterns.n,
		.engine = options->engine,
		.strict = options->engine_given,
		.detached = options->detach,
		.calls = !options->line_by_line,
		.libs = options->libs && !options->line_by_line },
    .window_ms = options->window_ms,
    .window_period = options->window_period,
    .timed = strcmp (options->time_mode, "none") != 0,
    .follow = options->follow,
    .detach = options->detach,
    .by_thread = options->report.by == LP_BY_THREAD,
    .start_disabled = options->start_disabled,
    .toggle = options->toggle,
    .interval = (unsigned) options->interval };
}

int
kernprof_status_of (const lp_error *err)
{
  switch (err->code)
    {
    case LP_ENOTFOUND:
      return STATUS_NOT_FOUND;
    case LP_ENOEXEC:
      return STATUS_NOT_EXECUTABLE;
    default:
      return STATUS_BAD_INPUT;
    }
}

/* pstats' table, by cumulative time.  */
static int
report_calls (const lp_profile *profile)
{
  static const char *const keys[] = { "cumulative" };
  lp_error err;
  lp_stats *stats = lp_stats_new (&err);
  int bad = !stats || lp_stats_add (stats, profile, -1, NULL, &err)
	    || lp_stats_sort (stats, keys, 1, &err)
	    || lp_stats_write (stats, LP_STATS_TABLE, NULL, 0, stdout, &err);
  lp_stats_free (stats);
  return bad ? kernprof_complain (&err, STATUS_BAD_INPUT) : 0;
}

int
kernprof_save_and_report (const struct options *options, lp_profile *profile,
			  const char *outfile)
{
  lp_error err;
  int bad = lp_profile_digest (profile, &options->report, &err)
	    || lp_profile_save (profile, outfile, &err);
  if (bad)
    kernprof_complain (&err, STATUS_BAD_INPUT);
  if (options->verbosity >= 1)
    bad |= options->line_by_line ? kernprof_report (options, profile)
	   : report_calls (profile);
  for (size_t i = 0; options->verbosity == 0 && i < profile->notes.n; i++)
    fprintf (stderr, "kernprof: %s\n", profile->notes.v[i]);
  if (!bad && options->verbosity >= 0)
    fprintf (stderr, "Wrote profile results to '%s'\n"
	     "Inspect results with: kernprof %s %s\n", outfile,
	     options->line_by_line ? "view" : "stats", outfile);
  if (!bad && options->verbosity >= 0 && !options->line_by_line
      && !options->hot)
    kernprof_print_drill (profile, stderr);
  return bad;
}

/* Where snapshots go.  */
struct snapshots
{
  const char *outfile;
  bool failed;			/* once, and the user knows */
};

static void
save_snapshot (void *arg, const lp_profile *profile)
{
  struct snapshots *s = arg;
  lp_error err;
  if (lp_profile_save (profile, s->outfile, &err) == 0 || s->failed)
    return;
  s->failed = true;
  kernprof_complain (&err, STATUS_BAD_INPUT);
}

static int
run (const struct options *options, char **argv, const char *outfile,
     pid_t group, int *waited)
{
  lp_error err = { 0 };
  int status = -1;
  bool started;
  struct snapshots snapshots = { .outfile = outfile };
  lp_session_options session = kernprof_session_options (options);
  session.group = group;
  session.snapshot = save_snapshot;
  session.snapshot_arg = &snapshots;
  if (lp_profile_check_output (outfile, &err))
    return kernprof_complain (&err, STATUS_BAD_INPUT);
  lp_profile *profile = lp_session_run (argv, &session, &status, &started,
					&err);
  if (!profile)
    return kernprof_complain (&err, kernprof_status_of (&err));
  if (options->verbosity >= 2)
    fprintf (stderr, "kernprof: subtracted %.1f ns a line, %.1f ns a call\n",
	     profile->probe_cost, profile->call_cost);
  kernprof_save_and_report (options, profile, outfile);
  lp_profile_free (profile);
  *waited = status;
  return 0;
}

/* Run ARGV once.  0, *WAITED being its status, or a status after a message.  */
static int
run_once (const struct options *options, char **argv, pid_t group,
	  int *waited)
{
  char *outfile = kernprof_outfile (options, argv[0]);
  if (!outfile)
    return kernprof_complain (&(lp_error) { LP_ENOMEM, "out of memory" },
			      STATUS_BAD_INPUT);
  int status = run (options, argv, outfile, group, waited);
  free (outfile);
  return status;
}

/* The first run of --drill: of calls, whatever OPTIONS say of lines.  What it reads from
   a file on standard input is there again for the second one.  */
static int
run_calls (const struct options *options, char **argv, pid_t group)
{
  int waited;
  off_t place = lseek (STDIN_FILENO, 0, SEEK_CUR);
  struct options calls = *options;
  calls.line_by_line = false;
  calls.outfile = NULL;
  if (calls.verbosity == 0)
    calls.verbosity = 1;
  int status = run_once (&calls, argv, group, &waited);
  if (place >= 0)
    lseek (STDIN_FILENO, place, SEEK_SET);
  return status;
}

int
kernprof_run (struct options *options, char **argv)
{
  lp_profile *hot = NULL;
  int status = 0, waited;
  pid_t group = getpgrp ();
  if (kernprof_stand_in (options, &status))
    return kernprof_end_like (status);
  if (options->drill)
    {
      status = run_calls (options, argv, group);
      options->line_by_line = true;
      options->verbosity += options->verbosity == 0;
    }
  if (!status && options->hot)
    status = kernprof_take_hot (options, argv[0], &hot);
  if (!status)
    status = run_once (options, argv, group, &waited);
  lp_profile_free (hot);
  return status ? status : kernprof_end_like (waited);
}
