/* auto.c: profile this process from its start to its end, and say what came out.

   Only this file prints, and thin.c where it cannot be had: it is what LINE_PROFILE asks
   for.  */

#include "auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "keeper.h"
#include "own.h"
#include "profile/output.h"
#include "report/report.h"

#define STEM "profile_output"

static lp_own *own;
static lp_error why;		/* no lines are profiled; named ranges may be all there is */
static bool told;		/* that was said at the start */
static pid_t owner;		/* forks of it report nothing */
static bool over;		/* the program has ended: there is nobody to tell */

static void
complain (const lp_error *err)
{
  if (!over)
    fprintf (stderr, "lineprof: %s\n", err->text);
}

static int
write_details (FILE *file, const void *profile)
{
  const lp_report_options options = { .sort = true, .skip_zero = true,
				      .summarize = true, .unit = 1e-6 };
  return lp_report_write ("text", (lp_profile *) profile, &options, file,
			  NULL);
}

/* OUT: where to say so, or NULL.  */
static void
put_file (const char *path, int bad, FILE *out, const lp_error *err)
{
  if (bad)
    complain (err);
  else if (out)
    fprintf (out, "Wrote profile results to %s\n", path);
}

static void
write_text (const lp_profile *profile, const char *path, FILE *out)
{
  lp_error err = { 0 };
  put_file (path, lp_output_write (path, write_details, profile, &err), out,
	    &err);
}

static void
write_files (lp_profile *profile, FILE *out)
{
  lp_error err = { 0 };
  char stamped[64];
  time_t now = time (NULL);
  struct tm local;
  strftime (stamped, sizeof stamped, STEM "_%Y-%m-%dT%H%M%S.txt",
	    localtime_r (&now, &local));
  write_text (profile, STEM ".txt", out);
  write_text (profile, stamped, out);
  put_file (STEM ".lprof", lp_profile_save (profile, STEM ".lprof", &err),
	    out, &err);
  if (out)
    fputs ("To view details run:\nkernprof view -tz " STEM ".lprof\n", out);
}

static bool
has_ranges (const lp_profile *profile)
{
  for (size_t i = 0; i < profile->parts.n; i++)
    if (profile->parts.v[i].ranges.n)
      return true;
  return false;
}

/* Why no lines were profiled: where ranges were (HAS_RANGES), that nothing is marked is no
   fault.  */
static void
explain (bool has_ranges)
{
  if (!told && !(has_ranges && why.code == LP_ENOMATCH))
    complain (&why);
}

/* What there is to say of PROFILE: the summary, and the files.  */
static void
report (lp_profile *profile)
{
  lp_error err = { 0 };
  const lp_report_options summary = { .sort = true, .skip_zero = true,
				      .summarize = true, .brief = true };
  bool lines = !why.code && lp_own_check (own, &why) == 0;
  bool ranges = has_ranges (profile);
  if (!lines)
    explain (ranges);
  if (!lines && !ranges)
    return;
  /* Where nothing can be printed, the files are all there is.  */
  bool bad = lp_report_write ("text", profile, &summary, stdout, &err);
  if (bad)
    complain (&err);
  write_files (profile, bad ? NULL : stdout);
}

static void
finish (void)
{
  lp_error err = { 0 };
  if (getpid () != owner)
    return;
  lp_keeper_end ();
  lp_profile *profile = lp_own_profile (own, &err);
  if (profile)
    report (profile);
  else
    complain (&err);
  lp_profile_free (profile);
}

/* The program has ended in another way.  */
static void
keep (void)
{
  lp_error err;
  over = true;
  lp_profile *profile = lp_own_profile (own, &err);
  if (profile && (lp_own_check (own, &err) == 0 || has_ranges (profile)))
    write_files (profile, NULL);
  lp_profile_free (profile);
}

void
lp_auto_begin (void)
{
  if (lp_sanitizer_check_own (&why))
    {
      complain (&why);
      return;
    }
  own = lp_own_start (&(lp_prepare_options) { .marked = true }, true, &why);
  owner = getpid ();
  told = !own && why.code != LP_ENOMATCH;
  if (told)
    complain (&why);
  if (!own && !(own = lp_own_start_ranges (NULL)))
    return;
  atexit (finish);
  at_quick_exit (finish);
  lp_keeper_begin (keep);
}
