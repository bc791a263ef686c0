/* options.c: parsing the command line.  Letters and long names are those of
   Python's kernprof and line_profiler where these have the option.  */

#define _GNU_SOURCE

#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "help.h"
#include "kernprof.h"
#include "usage.h"

/* Options without a letter.  */
enum
{
  SUMMARIZE = 256, SELF, TOP, JSON, CSV, EXPLAIN, ENGINE, STEP_WINDOW, TIME, NO_FOLLOW,
  COLOR, SOURCE_MAP, PID, DURATION, BY_PROCESS, BY_THREAD, BY_SITE, PER_INSTANCE,
  HOT, DRILL, LIBS, DETACH, START_DISABLED, TOGGLE, DEBUGINFOD
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
  { "step-window", required_argument, NULL, STEP_WINDOW },
  { "time", required_argument, NULL, TIME },
  { "no-follow", no_argument, NULL, NO_FOLLOW },
  { "detach", no_argument, NULL, DETACH },
  { "color", optional_argument, NULL, COLOR },
  { "pid", required_argument, NULL, PID },
  { "duration", required_argument, NULL, DURATION },
  { "by-process", no_argument, NULL, BY_PROCESS },
  { "by-thread", no_argument, NULL, BY_THREAD },
  { "by-site", no_argument, NULL, BY_SITE },
  { "per-instance", no_argument, NULL, PER_INSTANCE },
  { "hot", optional_argument, NULL, HOT },
  { "drill", optional_argument, NULL, DRILL },
  { "libs", no_argument, NULL, LIBS },
  { "start-disabled", no_argument, NULL, START_DISABLED },
  { "toggle", required_argument, NULL, TOGGLE },
  { "source-map", required_argument, NULL, SOURCE_MAP },
  { "debuginfod", no_argument, NULL, DEBUGINFOD },
  { NULL, 0, NULL, 0 }
};

static void
add_pattern (struct options *options, const char *pattern)
{
  if (!*pattern)
    usage_error ("a function pattern is empty");
  if (lp_vec_push (&options->patterns, pattern))
    usage_out_of_memory ();
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
  lp_source_map map = usage_source_map (arg);
  if (lp_vec_push (&options->maps, map))
    usage_out_of_memory ();
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
  return arg ? usage_whole_number ("-i", arg, 1) : 1;
}

static void
set_engine (struct options *options, const char *arg)
{
  static const char *const words[] = { "clone", "breakpoint", "step" };
  static const enum lp_engine engines[]
    = { LP_ENGINE_CLONE, LP_ENGINE_BREAKPOINT, LP_ENGINE_STEP };
  options->engine = engines[usage_choice ("--engine", arg, words, 3)];
  options->engine_given = true;
}

/* MS/PERIOD; ARG is cut in two.  */
static void
set_window (struct options *options, char *arg)
{
  char *slash = strchr (arg, '/');
  if (!slash)
    usage_error ("--step-window: '%s' is not MS/PERIOD, both in milliseconds",
		 arg);
  *slash = '\0';
  options->window_ms = usage_whole_number ("--step-window", arg, 1);
  options->window_period = usage_whole_number ("--step-window", slash + 1, 2);
  if (options->window_ms >= options->window_period)
    usage_error ("--step-window: the period of %d ms has to be longer than the "
		 "window of %d ms", options->window_period, options->window_ms);
}

static void
set_explain (struct options *options, const char *arg)
{
  static const char *const words[]
    = { "functions", "lines", "plan", "code", "sites" };
  options->explain
    = EXPLAIN_FUNCTIONS
      + (enum explain) usage_choice ("--explain", arg, words, 5);
}

static void
set_time (struct options *options, const char *arg)
{
  static const char *const words[] = { "exact", "none" };
  options->time_mode = words[usage_choice ("--time", arg, words, 2)];
}

static void
set_color (struct options *options, const char *arg)
{
  static const char *const words[] = { "auto", "always", "never" };
  options->color = !arg ? COLOR_ALWAYS
		   : (enum when_color) usage_choice ("--color", arg, words, 3);
}

/* Those that have no meaning of their own; with or without SIG.  */
static void
set_toggle (struct options *options, const char *arg)
{
  static const char *const words[] = { "USR1", "USR2" };
  static const int signals[] = { SIGUSR1, SIGUSR2 };
  if (strncmp (arg, "SIG", 3) == 0)
    arg += 3;
  options->toggle = signals[usage_choice ("--toggle", arg, words, 2)];
}

static int
number_of_hot (const char *option, const char *arg)
{
  return arg ? usage_whole_number (option, arg, 1) : HOT_DEFAULT;
}

static void
use_debuginfod (void)
{
  lp_error err = { 0 };
  if (lp_server_use (&err))
    usage_error ("%s", err.text);
}

/* Words that contradict each other.  */
static void
check_hot (const struct options *options)
{
  const char *option = options->drill ? "--drill" : "--hot";
  if (options->hot && options->pid)
    usage_error ("%s needs a program, not --pid", option);
  if (options->hot && options->patterns.n)
    usage_error ("%s chooses functions, and so does -f", option);
  if (options->hot && !options->drill && !options->line_by_line)
    usage_error ("--hot is for -l: run kernprof without it first");
}

static void
check_detach (const struct options *options)
{
  if (options->detach && options->pid)
    usage_error ("--detach is for programs that kernprof starts; --pid takes out "
		 "what it has put in");
  if (options->detach && options->engine != LP_ENGINE_CLONE)
    usage_error ("this --engine needs kernprof there all the time, and --detach "
		 "lets go");
  if (options->detach && options->report.by == LP_BY_THREAD)
    usage_error ("--by-thread: threads cannot be told apart with --detach");
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
    case STEP_WINDOW: set_window (options, optarg); return true;
    case TIME: set_time (options, optarg); return true;
    case HOT: options->hot = number_of_hot ("--hot", optarg); return true;
    case DRILL:
      options->drill = true;
      options->hot = number_of_hot ("--drill", optarg);
      return true;
    case LIBS: options->libs = true; return true;
    case DETACH: options->detach = true; return true;
    case START_DISABLED: options->start_disabled = true; return true;
    case TOGGLE: set_toggle (options, optarg); return true;
    case DEBUGINFOD: use_debuginfod (); return true;
    case NO_FOLLOW: options->follow = false; return true;
    case PID: options->pid = usage_whole_number ("--pid", optarg, 1); return true;
    case DURATION:
      options->duration = usage_seconds ("--duration", optarg);
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
    case 'u': report->unit = usage_seconds ("-u", optarg); return true;
    case 'z': report->skip_zero = true; return true;
    case 'r': options->rich = true; return true;
    case 't': report->sort = true; return true;
    case 'm': case SUMMARIZE: report->summarize = true; return true;
    case SELF: report->self = true; return true;
    case BY_PROCESS: report->by = LP_BY_PROCESS; return true;
    case BY_THREAD: report->by = LP_BY_THREAD; return true;
    case BY_SITE: report->by_site = true; return true;
    case PER_INSTANCE: report->per_instance = true; return true;
    case TOP: report->top = usage_whole_number ("--top", optarg, 0); return true;
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
      usage_print_and_exit (help_print);
    else if (c == 'V')
      usage_print_and_exit (help_version);
    else if (c == '?' || c == ':')
      usage_bad_option (c, argv, letters);
    else if (!report_option (options, c)
	     && !run_option (options, c, argc, argv))
      usage_error ("option '%s' is for a run, not for view", argv[optind - 1]);
}

/* The command that the word at I, where parsing stopped, stands for rather than
   a program.  None behind `--', nor where -l says that it is to be run.  */
static enum command
command_at (const struct options *options, int argc, char **argv, int i)
{
  static const char *const words[] = {
    [COMMAND_VIEW] = "view", [COMMAND_STATS] = "stats",
    [COMMAND_MERGE] = "merge", [COMMAND_DIFF] = "diff",
  };
  if (i == argc || options->line_by_line || options->explain
      || (i > 1 && strcmp (argv[i - 1], "--") == 0))
    return COMMAND_RUN;
  for (size_t c = COMMAND_VIEW; c < sizeof words / sizeof *words; c++)
    if (strcmp (argv[i], words[c]) == 0)
      return (enum command) c;
  return COMMAND_RUN;
}

static bool
is_program (const char *word)
{
  struct stat st;
  return strchr (word, '/') && stat (word, &st) == 0 && S_ISREG (st.st_mode)
	 && access (word, X_OK) == 0;
}

/* --explain=functions PATTERN... PROG: no program runs, and has arguments.  The index
   of PROG, I being that of the first word.  */
static int
take_patterns (struct options *options, int argc, char **argv, int i)
{
  if (options->explain == EXPLAIN_FUNCTIONS && options->patterns.n == 0)
    while (i + 1 < argc && !is_program (argv[i]))
      add_pattern (options, argv[i++]);
  return i;
}

/* The options of view are those of a report, and may stand anywhere.  */
static int
parse_view (struct options *options, int argc, char **argv, int first)
{
  optind = 0;			/* starts getopt anew */
  parse_words (options, argc - first, argv + first, "");
  return first + optind;
}

int
options_parse (struct options *options, int argc, char **argv)
{
  defaults (options);
  parse_words (options, argc, argv, "+");
  int first = optind;
  options->command = command_at (options, argc, argv, first);
  if (options->command > COMMAND_VIEW && first > 1)
    usage_error ("the options of '%s' stand behind it", argv[first]);
  if (options->command > COMMAND_VIEW)
    return first;
  if (options->command == COMMAND_VIEW)
    first = parse_view (options, argc, argv, first);
  first = take_patterns (options, argc, argv, first);
  options->report.maps = options->maps.v;
  options->report.nmaps = options->maps.n;
  check_hot (options);
  check_detach (options);
  if (options->pid && first < argc)
    usage_error ("--pid: '%s' cannot be run as well", argv[first]);
  if (options->libs && options->line_by_line && !options->drill)
    usage_error ("--libs is for calls: the lines of libraries are selected by "
		 "-f LIB:FUNC");
  if (options->toggle && options->detach)
    usage_error ("--toggle needs a program that is traced, not --detach");
  if (options->start_disabled && !options->toggle)
    usage_error ("--start-disabled needs --toggle: nothing would be recorded");
  if (options->window_period
      && (options->engine != LP_ENGINE_STEP || !options->line_by_line))
    usage_error ("--step-window is for --engine=step -l");
  if (options->window_period && options->toggle)
    usage_error ("--toggle takes away what was counted, and --step-window only "
		 "estimates it");
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
