/* output.c: what run and view share: messages, the report, the output file.  */

#define _GNU_SOURCE

#include "kernprof.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
kernprof_complain (const lp_error *err, int status)
{
  fprintf (stderr, "kernprof: %s\n", err->text);
  return status;
}

static void
warn (void *arg, const char *text)
{
  (void) arg;
  fprintf (stderr, "kernprof: warning: %s\n", text);
}

int
kernprof_report (const struct options *options, lp_profile *profile)
{
  lp_error err;
  lp_report_options report = options->report;
  report.color = options->color == COLOR_ALWAYS
		 || (options->color == COLOR_AUTO && options->rich
		     && isatty (STDOUT_FILENO));
  if (options->verbosity >= 0)
    report.warn = warn;
  if (lp_report_write (options->writer, profile, &report, stdout, &err))
    return kernprof_complain (&err, STATUS_BAD_INPUT);
  return 0;
}

char *
kernprof_outfile (const struct options *options, const char *program)
{
  char *name;
  if (options->outfile)
    return strdup (options->outfile);
  return asprintf (&name, "%s.%s", basename (program),
		   options->line_by_line ? "lprof" : "prof") < 0 ? NULL : name;
}
