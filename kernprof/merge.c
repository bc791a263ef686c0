/* merge.c: kernprof merge, the sum of saved profiles as a file.  */

#include "kernprof.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "help.h"
#include "usage.h"

static const char letters[] = "qh";

static const struct option long_options[] = {
  { "quiet", no_argument, NULL, 'q' },
  { "help", no_argument, NULL, 'h' },
  { NULL, 0, NULL, 0 }
};

/* Parse the options; the words OUT FILE... start at the result.  */
static int
parse (int argc, char **argv, bool *quiet)
{
  int c;
  optind = 0;			/* starts getopt anew */
  while ((c = getopt_long (argc, argv, ":qh", long_options, NULL)) != -1)
    if (c == 'q')
      *quiet = true;
    else if (c == 'h')
      usage_print_and_exit (help_print);
    else
      usage_bad_option (c, argv, letters);
  if (argc - optind < 2)
    usage_error ("merge needs the name of its output and the profiles to sum");
  return optind;
}

/* Where OUT was forgotten, the first of the profiles stands in its place; and a
   file that is no profile is nothing that could be written again.  */
static int
check_out (const char *out, int nfiles, lp_error *err)
{
  struct stat st;
  if (stat (out, &st) || !S_ISREG (st.st_mode))
    return lp_profile_check_output (out, err);
  if (nfiles == 1)
    return lp_fail (err, LP_EUSAGE, "'%s' exists, and there is one profile to "
		    "sum: the first word of merge names its output", out);
  lp_profile *old = lp_profile_load (out, err);
  if (!old)
    return lp_fail (err, LP_EFORMAT, "'%s' exists and is not a profile: it is "
		    "not replaced", out);
  lp_profile_free (old);
  return lp_profile_check_output (out, err);
}

int
kernprof_merge (int argc, char **argv)
{
  lp_error err;
  bool quiet = false;
  int first = parse (argc, argv, &quiet);
  const char *out = argv[first];
  lp_profile *sum = NULL;
  if (check_out (out, argc - first - 1, &err)
      || !(sum = kernprof_load_sum (argv + first + 1, NULL, &err))
      || lp_profile_save (sum, out, &err))
    {
      lp_profile_free (sum);
      return kernprof_complain (&err, STATUS_BAD_INPUT);
    }
  if (!quiet)
    fprintf (stderr, "Wrote profile results to '%s'\n"
	     "Inspect results with: kernprof %s %s\n", out,
	     strcmp (sum->kind, LP_KIND_LINES) == 0 ? "view" : "stats", out);
  lp_profile_free (sum);
  return 0;
}
