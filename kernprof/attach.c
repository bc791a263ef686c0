/* attach.c: kernprof -l --pid PID: a process that runs already.  */

#define _GNU_SOURCE

#include "kernprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of PID's executable; free it.  NULL when it cannot be known.  */
static char *
program_of (pid_t pid)
{
  char link[64], path[4096];
  snprintf (link, sizeof link, "/proc/%d/exe", (int) pid);
  ssize_t n = readlink (link, path, sizeof path - 1);
  if (n < 0)
    return strdup ("program");
  path[n] = '\0';
  return strdup (path);
}

static int
attach (const struct options *options, const char *outfile)
{
  lp_error err = { 0 };
  int status;
  int64_t stood[2];
  lp_session_options session = kernprof_session_options (options);
  session.stood = stood;
  if (lp_profile_check_output (outfile, &err))
    return kernprof_complain (&err, STATUS_BAD_INPUT);
  lp_profile *profile = lp_session_attach (options->pid, options->duration,
					   &session, &status, &err);
  if (!profile)
    return kernprof_complain (&err, STATUS_BAD_INPUT);
  if (options->verbosity >= 2)
    fprintf (stderr, "kernprof: process %d stood still for %.1f ms to begin, "
	     "%.1f ms to end\n", (int) options->pid, stood[0] / 1e6,
	     stood[1] / 1e6);
  int bad = kernprof_save_and_report (options, profile, outfile);
  lp_profile_free (profile);
  return bad ? STATUS_BAD_INPUT : 0;
}

int
kernprof_attach (const struct options *options)
{
  int status;
  if (options->pid == getpid ())
    return kernprof_complain (&(lp_error) { LP_EUSAGE, "--pid names kernprof "
					    "itself" }, STATUS_BAD_INPUT);
  if (kernprof_stand_in (options, &status))
    return kernprof_end_like (status);
  char *program = program_of (options->pid);
  char *outfile = program ? kernprof_outfile (options, program) : NULL;
  status = outfile ? attach (options, outfile)
	       : kernprof_complain (&(lp_error) { LP_ENOMEM, "out of memory" },
				    STATUS_BAD_INPUT);
  free (program);
  free (outfile);
  return status;
}
