/* options.c: parsing the command line.  Letters and long names are those of
   Python's kernprof and line_profiler where these have the option.  */

#define _GNU_SOURCE

#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "kernprof.h"

/* Options without a letter.  */
enum
{
  SUMMARIZE = 256, SELF, TOP, JSON, CSV, EXPLAIN, ENGINE, TIME, NO_FOLLOW,
  COLOR, SOURCE_MAP, PID, DURATION, BY_PROCESS, BY_THREAD
};

static const char letters[] = "lvqo:i::u:zrf:p:tmVh";

static const struct option long_options[] = {
  { "line-by-line", no_argument, NULL, 'l' },
  { "view", no_argument, NULL, 'v' },
  { "verbose", no_argument, NULL, 'v' },
  { "quiet", no_argument, NULL, 'q' },
  { "outfile", required_argument, NULL, 'o' },
  { "output-interval", optional_argument, NULL, 'i' },
  { "unit", required_argument, NULL, 'u' },
  { "skip-zero", no_argument, NULL, 'z' },
  { "rich", no_argument, NULL, 'r' },
  { "function", required_argument, NULL, 'f' },
  { "prof-mod", required_argument, NULL, 'p' },
  { "sort", no_argument, NULL, 't' },
  { "version", no_argument, NULL, 'V' },
  { "help", no_argument, NULL, 'h' },
  { "summarize", no_argument, NULL, SUMMARIZE },
  { "self", no_argument, NULL, SELF },
  { "top", required_argument, NULL, TOP },
  { "json", no_argument, NULL, JSON },
  { "csv", no_argument, NULL, CSV },
  { "explain", required_argument, NULL, EXPLAIN },
  { "engine", required_argument, NULL, ENGINE },
  { "time", required_argument, NULL, TIME },
  { "no-follow", no_argument, NULL, NO_FOLLOW },
  { "color", optional_argument, NULL, COLOR },
  { "pid", required_argument, NULL, PID },
  { "duration", required_argument, NULL, DURATION },
  { "by-process", no_argument, NULL, BY_PROCESS },
  { "by-thread", no_argument, NULL, BY_THREAD },
  { "source-map", required_argument, NULL, SOURCE_MAP },
  { NULL, 0, NULL, 0 }
};

__attribute__ ((noreturn, format (printf, 1, 2)))
static void
usage_error (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  fputs ("kernprof: ", stderr);
  vfprintf (stderr, format, ap);
  fputs ("; see kernprof --help\n", stderr);
  va_end (ap);
  exit (STATUS_BAD_INPUT);
}

__attribute__ ((noreturn))
static void
out_of_memory (void)
{
  fputs ("kernprof: out of memory\n", stderr);
  exit (STATUS_BAD_INPUT);
}

/* ARG's place among the N WORDS.  */
static int
choice (const char *option, const char *arg, const char *const *words, int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp (arg, words[i]) == 0)
      return i;
  char list[128] = "";
  for (int i = 0; i < n; i++)
    {
      strcat (list, i ? ", " : "");
      strcat (list, words[i]);
    }
  usage_error ("%s=%s: choose one of %s", option, arg, list);
}

static int
whole_number (const char *option, const char *arg, long least)
{
  char *end;
  errno = 0;
  long n = strtol (arg, &end, 10);
  if (errno || end == arg || *end || n < least || n > 1000000000)
    usage_error ("%s: '%s' is not a whole number of %ld or more", option, arg,
		 least);
  return (int) n;
}

static double
seconds (const char *option, const char *arg)
{
  char *end;
  double d = strtod (arg, &end);
  if (end == arg || *end || !isfinite (d) || d <= 0)
    usage_error ("%s: '%s' is not a positive number of seconds", option, arg);
  return d;
}

static void
add_pattern (struct options *options, const char *pattern)
{
  if (!*pattern)
    usage_error ("a function pattern is empty");
  if (lp_vec_push (&options->patterns, pattern))
    out_of_memory ();
}

/* -p takes several, with commas between them.  Commas of parameter lists and
   template arguments separate nothing.  */
static void
add_patterns (struct options *options, char *list)
{
  int depth = 0;
  char *start = list;
  for (char *s = list; *s; s++)
    {
      depth += *s == '(' || *s == '<';
      depth -= *s == ')' || *s == '>';
      if (*s == ',' && depth <= 0)
	{
	  *s = '\0';
	  add_pattern (options, start);
	  start = s + 1;
	}
    }
  add_pattern (options, start);
}

static void
add_map (struct options *options, char *arg)
{
  char *equals = strchr (arg, '=');
  if (!equals || equals == arg)
    usage_error ("--source-map: '%s' is not FROM=TO", arg);
  *equals = '\0';
  lp_source_map map = { .from = arg, .to = equals[1] ? equals + 1 : "." };
  if (lp_vec_push (&options->maps, map))
    out_of_memory ();
}

/* `-i 5' is `-i5': the number is optional, and no program's name consists of
   digits.  */
static int
interval (int argc, char **argv)
{
  const char *arg = optarg;
  if (!arg && optind < argc && *argv[optind]
      && argv[optind][strspn (argv[optind], "0123456789")] == '\0')
    arg = argv[optind++];
  return arg ? whole_number ("-i", arg, 1) : 1;
}

static void
set_engine (struct options *options, const char *arg)
{
  static const char *const words[] = { "clone", "breakpoint", "step" };
  static const enum lp_engine engines[]
    = { LP_ENGINE_CLONE, LP_ENGINE_BREAKPOINT, LP_ENGINE_STEP };
  options->engine = engines[choice ("--engine", arg, words, 3)];
  options->engine_given = true;
}

static void
set_explain (struct options *options, const char *arg)
{
  static const char *const words[]
    = { "functions", "lines", "plan", "code", "sites" };
  options->explain
    = EXPLAIN_FUNCTIONS + (enum explain) choice ("--explain", arg, words, 5);
}

static void
set_time (struct options *options, const char *arg)
{
  static const char *const words[] = { "exact", "none" };
  options->time_mode = words[choice ("--time", arg, words, 2)];
}

static void
set_color (struct options *options, const char *arg)
{
  static const char *const words[] = { "auto", "always", "never" };
  options->color = arg ? (enum when_color) choice ("--color", arg, words, 3)
		   : COLOR_ALWAYS;
}

/* What is measured and how.  False where C is no such option, or nothing is
   run.  */
static bool
run_option (struct options *options, int c, int argc, char **argv)
{
  if (options->command != COMMAND_RUN)
    return false;
  switch (c)
    {
    case 'l': options->line_by_line = true; return true;
    case 'f': add_pattern (options, optarg); return true;
    case 'p': add_patterns (options, optarg); return true;
    case 'o': options->outfile = optarg; return true;
    case 'i': options->interval = interval (argc, argv); return true;
    case EXPLAIN: set_explain (options, optarg); return true;
    case ENGINE: set_engine (options, optarg); return true;
    case TIME: set_time (options, optarg); return true;
    case NO_FOLLOW: options->follow = false; return true;
    case PID: options->pid = whole_number ("--pid", optarg, 1); return true;
    case DURATION:
      options->duration = seconds ("--duration", optarg);
      return true;
    default: return false;
    }
}

/* What is told.  */
static bool
report_option (struct options *options, int c)
{
  lp_report_options *report = &options->report;
  switch (c)
    {
    case 'v': options->verbosity++; return true;
    case 'q': options->verbosity--; return true;
    case 'u': report->unit = seconds ("-u", optarg); return true;
    case 'z': report->skip_zero = true; return true;
    case 'r': options->rich = true; return true;
    case 't': report->sort = true; return true;
    case 'm': case SUMMARIZE: report->summarize = true; return true;
    case SELF: report->self = true; return true;
    case BY_PROCESS: report->by = LP_BY_PROCESS; return true;
    case BY_THREAD: report->by = LP_BY_THREAD; return true;
    case TOP: report->top = whole_number ("--top", optarg, 0); return true;
    case JSON: options->writer = "json"; return true;
    case CSV: options->writer = "csv"; return true;
    case COLOR: set_color (options, optarg); return true;
    case SOURCE_MAP: add_map (options, optarg); return true;
    default: return false;
    }
}

static void
defaults (struct options *options)
{
  memset (options, 0, sizeof *options);
  options->command = COMMAND_RUN;
  options->engine = LP_ENGINE_CLONE;
  options->time_mode = "exact";
  options->follow = true;
  options->writer = "text";
  options->report.top = LP_TOP_DEFAULT;
}

/* getopt returned C, ':' or '?': say why.  */
__attribute__ ((noreturn))
static void
bad_option (int c, char **argv)
{
  const char *word = argv[optind - 1];
  if (c == ':')
    usage_error ("option '%s' needs an argument", word);
  if (optopt > 0 && optopt < 256 && !strchr (letters, optopt))
    usage_error ("there is no option '-%c'", optopt);
  usage_error ("there is no option '%s'", word);
}

__attribute__ ((noreturn))
static void
print_and_exit (void (*print) (FILE *out))
{
  print (stdout);
  exit (fflush (stdout) || ferror (stdout) ? STATUS_BAD_INPUT : 0);
}

/* All options up to the first other word, or, with "" for ORDER, all options
   wherever they stand.  */
static void
parse_words (struct options *options, int argc, char **argv, const char *order)
{
  int c;
  char spec[64];
  snprintf (spec, sizeof spec, "%s:%s", order, letters);
  while ((c = getopt_long (argc, argv, spec, long_options, NULL)) != -1)
    if (c == 'h')
      print_and_exit (help_print);
    else if (c == 'V')
      print_and_exit (help_version);
    else if (c == '?' || c == ':')
      bad_option (c, argv);
    else if (!report_option (options, c)
	     && !run_option (options, c, argc, argv))
      usage_error ("option '%s' is for a run, not for view", argv[optind - 1]);
}

/* Is the word at I, where parsing stopped, a command rather than a program?
   Not behind `--', and not where -l says that it is to be run.  */
static bool
is_command (const struct options *options, int argc, char **argv, int i)
{
  return i < argc && strcmp (argv[i], "view") == 0 && !options->line_by_line
	 && !(i > 1 && strcmp (argv[i - 1], "--") == 0);
}

int
options_parse (struct options *options, int argc, char **argv)
{
  defaults (options);
  parse_words (options, argc, argv, "+");
  int first = optind;
  if (is_command (options, argc, argv, first))
    {
      /* Its options may stand anywhere.  0 starts getopt anew.  */
      options->command = COMMAND_VIEW;
      optind = 0;
      parse_words (options, argc - first, argv + first, "");
      first += optind;
    }
  options->report.maps = options->maps.v;
  options->report.nmaps = options->maps.n;
  if (options->pid && first < argc)
    usage_error ("--pid: '%s' cannot be run as well", argv[first]);
  if (options->duration > 0 && !options->pid)
    usage_error ("--duration is for --pid");
  if (first == argc && !options->pid)
    usage_error (options->command == COMMAND_VIEW ? "no profile to view"
		 : "no program to run");
  return first;
}

void
options_free (struct options *options)
{
  lp_vec_free (&options->patterns);
  lp_vec_free (&options->maps);
}
