/* diff.c: kernprof diff, what changed between two profiles.  */

#define _GNU_SOURCE

#include "kernprof.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "usage.h"

enum { MIN = 256, TOP, JSON, CSV, SOURCE_MAP };

static const char letters[] = "s:u:h";

static const struct option long_options[] = {
  { "sort", required_argument, NULL, 's' },
  { "unit", required_argument, NULL, 'u' },
  { "help", no_argument, NULL, 'h' },
  { "min", required_argument, NULL, MIN },
  { "top", required_argument, NULL, TOP },
  { "json", no_argument, NULL, JSON },
  { "csv", no_argument, NULL, CSV },
  { "source-map", required_argument, NULL, SOURCE_MAP },
  { NULL, 0, NULL, 0 }
};

struct choice
{
  lp_diff_options diff;
  lp_report_options report;
  LP_VEC (lp_source_map) maps;
  enum { TEXT_FORM, JSON_FORM, CSV_FORM } form;
  bool sorted;			/* --sort was given */
};

static void
set_key (struct choice *choice, const char *arg)
{
  static const char *const words[]
    = { "time", "cumulative", "hits", "per-hit", "line", "calls", "per-call" };
  static const enum lp_diff_key keys[]
    = { LP_DIFF_TIME, LP_DIFF_CUMULATIVE, LP_DIFF_HITS, LP_DIFF_PER_HIT,
	LP_DIFF_LINE, LP_DIFF_HITS, LP_DIFF_PER_HIT };
  choice->diff.key = keys[usage_choice ("--sort", arg, words, 7)];
  choice->sorted = true;
}

static double
minimum (const char *arg)
{
  char *end;
  double value = strtod (arg, &end);
  if (end == arg || *end || !isfinite (value) || value < 0)
    usage_error ("--min: '%s' is not a number of 0 or more", arg);
  return value;
}

static void
add_map (struct choice *choice, char *arg)
{
  if (lp_vec_push (&choice->maps, usage_source_map (arg)))
    usage_out_of_memory ();
}

static void
set (struct choice *choice, int c)
{
  switch (c)
    {
    case 's': set_key (choice, optarg); break;
    case 'u': choice->report.unit = usage_seconds ("-u", optarg); break;
    case 'h': usage_print_and_exit (help_print);
    case MIN: choice->diff.min = minimum (optarg); break;
    case TOP: choice->diff.top = usage_whole_number ("--top", optarg, 0); break;
    case JSON: choice->form = JSON_FORM; break;
    case CSV: choice->form = CSV_FORM; break;
    case SOURCE_MAP: add_map (choice, optarg); break;
    }
}

static int
parse (struct choice *choice, int argc, char **argv)
{
  int c;
  choice->diff.top = 10;
  optind = 0;			/* starts getopt anew */
  while ((c = getopt_long (argc, argv, ":s:u:h", long_options, NULL)) != -1)
    if (c == '?' || c == ':')
      usage_bad_option (c, argv, letters);
    else
      set (choice, c);
  if (argc - optind != 2)
    usage_error ("diff needs two profiles: the old one and the new one");
  choice->report.maps = choice->maps.v;
  choice->report.nmaps = choice->maps.n;
  choice->diff.report = &choice->report;
  choice->diff.old_name = argv[optind];
  choice->diff.new_name = argv[optind + 1];
  return optind;
}

static int
write_diff (const struct choice *choice, const lp_diff *diff, lp_error *err)
{
  int failed = 0;
  errno = 0;
  if (choice->form == CSV_FORM)
    lp_diff_write_csv (diff, stdout);
  else
    failed = choice->form == JSON_FORM
	     ? lp_diff_write_json (diff, stdout, err)
	     : lp_diff_write (diff, stdout, err);
  if (!failed && (fflush (stdout) || ferror (stdout)))
    failed = lp_fail (err, LP_EIO, "cannot write the report: %s",
		      strerror (errno ? errno : EIO));
  return failed;
}

/* Compare the profiles, where there is nothing but hits by these.  */
static int
compare (struct choice *choice, lp_profile *was, lp_profile *is, lp_error *err)
{
  lp_diff diff;
  if (!choice->sorted && (strcmp (was->time_mode, "none") == 0
			  || strcmp (is->time_mode, "none") == 0))
    choice->diff.key = LP_DIFF_HITS;
  if (lp_profile_digest (was, &choice->report, err)
      || lp_profile_digest (is, &choice->report, err)
      || lp_diff_make (&diff, was, is, &choice->diff, err))
    return -1;
  int failed = write_diff (choice, &diff, err);
  lp_diff_free (&diff);
  return failed;
}

int
kernprof_diff (int argc, char **argv)
{
  lp_error err;
  struct choice choice = { 0 };
  int first = parse (&choice, argc, argv);
  lp_profile *was = lp_profile_load (argv[first], &err);
  lp_profile *is = was ? lp_profile_load (argv[first + 1], &err) : NULL;
  int failed = !is || compare (&choice, was, is, &err);
  lp_profile_free (was);
  lp_profile_free (is);
  lp_vec_free (&choice.maps);
  return failed ? kernprof_complain (&err, STATUS_BAD_INPUT) : 0;
}
