/* stats.c: kernprof stats, what pstats prints of function-level profiles.  */

#define _GNU_SOURCE

#include "stats.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "help.h"
#include "kernprof.h"
#include "usage.h"

enum { CALLERS = 256, CALLEES, STRIP_DIRS, TREE, DEPTH, BY_THREAD, JSON, CSV };

static const char letters[] = "s:rn:ih";

static const struct option long_options[] = {
  { "sort", required_argument, NULL, 's' },
  { "reverse", no_argument, NULL, 'r' },
  { "only", required_argument, NULL, 'n' },
  { "interactive", no_argument, NULL, 'i' },
  { "help", no_argument, NULL, 'h' },
  { "callers", no_argument, NULL, CALLERS },
  { "callees", no_argument, NULL, CALLEES },
  { "strip-dirs", no_argument, NULL, STRIP_DIRS },
  { "tree", optional_argument, NULL, TREE },
  { "depth", required_argument, NULL, DEPTH },
  { "by-thread", no_argument, NULL, BY_THREAD },
  { "json", no_argument, NULL, JSON },
  { "csv", no_argument, NULL, CSV },
  { NULL, 0, NULL, 0 }
};

struct choice
{
  LP_VEC (const char *) keys, only;
  bool reverse, interactive, is_tree, by_thread, strip_dirs;
  enum lp_stats_what what;
  lp_tree_options tree;
  enum { TEXT_FORM, JSON_FORM, CSV_FORM } form;
};

/* The words of LIST, with commas between them.  */
static void
add_keys (struct choice *choice, char *list)
{
  for (char *word; (word = strsep (&list, ","));)
    {
      if (!lp_stats_is_key (word))
	usage_error ("--sort: '%s' is no key, or the start of several: calls, "
		     "cumulative, filename, line, name, nfl, pcalls, stdname, "
		     "time", word);
      if (lp_vec_push (&choice->keys, word))
	usage_out_of_memory ();
    }
}

static void
add_restriction (struct choice *choice, const char *word)
{
  double value;
  if (lp_stats_restriction (word, &value) == LP_RESTRICT_BAD_SHARE)
    usage_error ("--only: '%s' is not a fraction from 0 to 1", word);
  if (lp_vec_push (&choice->only, word))
    usage_out_of_memory ();
}

static double
fraction (const char *option, const char *arg)
{
  char *end;
  double value = strtod (arg, &end);
  if (end == arg || *end || !(value >= 0 && value <= 1))
    usage_error ("%s: '%s' is not a fraction from 0 to 1", option, arg);
  return value;
}

static void
set (struct choice *choice, int c)
{
  switch (c)
    {
    case 's': add_keys (choice, optarg); break;
    case 'r': choice->reverse = true; break;
    case 'n': add_restriction (choice, optarg); break;
    case 'i': choice->interactive = true; break;
    case 'h': usage_print_and_exit (help_print);
    case CALLERS: choice->what = LP_STATS_CALLERS; break;
    case CALLEES: choice->what = LP_STATS_CALLEES; break;
    case STRIP_DIRS: choice->strip_dirs = true; break;
    case TREE:
      choice->is_tree = true;
      if (optarg)
	choice->tree.cut = fraction ("--tree", optarg);
      break;
    case DEPTH:
      choice->tree.depth = usage_whole_number ("--depth", optarg, 0);
      break;
    case BY_THREAD: choice->by_thread = true; break;
    case JSON: choice->form = JSON_FORM; break;
    case CSV: choice->form = CSV_FORM; break;
    }
}

static int
parse (struct choice *choice, int argc, char **argv)
{
  int c;
  choice->tree.cut = .01;
  optind = 0;			/* starts getopt anew */
  while ((c = getopt_long (argc, argv, ":s:rn:ih", long_options, NULL)) != -1)
    if (c == '?' || c == ':')
      usage_bad_option (c, argv, letters);
    else
      set (choice, c);
  if (optind == argc && !choice->interactive)
    usage_error ("no profile to print");
  if (choice->form == CSV_FORM && (choice->is_tree || choice->by_thread))
    usage_error ("--csv prints the table of all threads; use --json");
  if (!choice->keys.n && lp_vec_push (&choice->keys, "cumulative"))
    usage_out_of_memory ();
  choice->tree.strip_dirs = choice->strip_dirs;
  return optind;
}

char *
stats_heading (const char *path)
{
  struct stat st;
  char *text, when[32];
  if (stat (path, &st) || !ctime_r (&st.st_mtime, when))
    return strdup (path);
  when[strcspn (when, "\n")] = '\0';
  return asprintf (&text, "%s    %s", when, path) < 0 ? NULL : text;
}

lp_profile *
stats_load (const char *path, lp_error *err)
{
  lp_profile *profile = lp_profile_load (path, err);
  if (!profile
      || lp_profile_check_kind (profile, LP_KIND_FUNCTIONS, path, err) == 0)
    return profile;
  lp_profile_free (profile);
  return NULL;
}

int
stats_add_file (lp_stats *stats, const char *path, lp_error *err)
{
  lp_profile *profile = stats_load (path, err);
  if (!profile)
    return -1;
  char *heading = stats_heading (path);
  int failed = lp_stats_add (stats, profile, -1, heading, err);
  free (heading);
  lp_profile_free (profile);
  return failed;
}

/* Print STATS as CHOICE says.  */
static int
put_stats (const struct choice *choice, lp_stats *stats, lp_error *err)
{
  const char *const *only = choice->only.v;
  size_t n = choice->only.n;
  if (choice->strip_dirs && lp_stats_strip_dirs (stats, err))
    return -1;
  if (lp_stats_sort (stats, choice->keys.v, choice->keys.n, err))
    return -1;
  if (choice->reverse)
    lp_stats_reverse (stats);
  return choice->form == JSON_FORM
	 ? lp_stats_write_json (stats, only, n, stdout, err)
	 : choice->form == CSV_FORM
	 ? lp_stats_write_csv (stats, only, n, stdout, err)
	 : lp_stats_write (stats, choice->what, only, n, stdout, err);
}

/* The table, or the tree, of PROFILE's PART (negative: of all).  */
static int
put_part (const struct choice *choice, const lp_profile *profile, long part,
	  lp_error *err)
{
  if (choice->is_tree)
    return choice->form == JSON_FORM
	   ? lp_tree_write_json (profile, part, &choice->tree, stdout, err)
	   : lp_tree_write (profile, part, &choice->tree, stdout, err);
  lp_stats *stats = lp_stats_new (err);
  int failed = !stats || lp_stats_add (stats, profile, part, NULL, err)
	       || put_stats (choice, stats, err);
  lp_stats_free (stats);
  return failed;
}

/* Each thread by itself.  */
static int
put_threads (const struct choice *choice, const lp_profile *profile,
	     lp_error *err)
{
  bool json = choice->form == JSON_FORM;
  int failed = 0;
  fputs (json ? "[\n" : "", stdout);
  for (size_t i = 0; !failed && i < profile->parts.n; i++)
    {
      const lp_part *part = &profile->parts.v[i];
      if (json)
	printf ("%s{ \"pid\": %ld, \"tid\": %ld, \"profile\":\n",
		i ? ",\n" : "", (long) part->pid, (long) part->tid);
      else
	lp_put_part (part, stdout);
      failed = put_part (choice, profile, (long) i, err);
      fputs (json ? "}" : "", stdout);
    }
  fputs (json ? "\n]\n" : "", stdout);
  return failed;
}

/* What is printed of one profile: the sum of FILES.  */
static int
put_sum (const struct choice *choice, char **files, lp_error *err)
{
  lp_profile *sum = kernprof_load_sum (files, LP_KIND_FUNCTIONS, err);
  int failed = !sum || (choice->by_thread ? put_threads (choice, sum, err)
			: put_part (choice, sum, -1, err));
  lp_profile_free (sum);
  return failed;
}

/* What pstats prints.  */
static int
put_files (const struct choice *choice, char **files, lp_error *err)
{
  lp_stats *stats = lp_stats_new (err);
  int failed = !stats;
  for (; !failed && *files; files++)
    failed = stats_add_file (stats, *files, err);
  failed = failed || put_stats (choice, stats, err);
  lp_stats_free (stats);
  return failed;
}

/* Print what CHOICE says of FILES.  */
static int
print (const struct choice *choice, char **files, lp_error *err)
{
  errno = 0;
  int failed = choice->is_tree || choice->by_thread
	       ? put_sum (choice, files, err) : put_files (choice, files, err);
  if (!failed && (fflush (stdout) || ferror (stdout)))
    failed = lp_fail (err, LP_EIO, "cannot write the report: %s",
		      strerror (errno ? errno : EIO));
  return failed;
}

int
kernprof_stats (int argc, char **argv)
{
  lp_error err;
  struct choice choice = { 0 };
  int first = parse (&choice, argc, argv), status = 0;
  if (choice.interactive)
    status = stats_browse (argv + first);
  else if (print (&choice, argv + first, &err))
    status = kernprof_complain (&err, STATUS_BAD_INPUT);
  lp_vec_free (&choice.keys);
  lp_vec_free (&choice.only);
  return status;
}
