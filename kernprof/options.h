/* options.h: the command line as data.  */

#ifndef KERNPROF_OPTIONS_H
#define KERNPROF_OPTIONS_H

#include "tool.h"

enum command
{
  COMMAND_RUN,			/* kernprof [options] PROG [ARGS...] */
  COMMAND_VIEW,			/* kernprof view FILE... */
  /* These parse their own options.  */
  COMMAND_STATS,		/* kernprof stats FILE... */
  COMMAND_MERGE,		/* kernprof merge OUT FILE... */
  COMMAND_DIFF			/* kernprof diff OLD NEW */
};

enum explain
{
  EXPLAIN_NOTHING,
  EXPLAIN_FUNCTIONS,
  EXPLAIN_LINES,
  EXPLAIN_PLAN,
  EXPLAIN_CODE,
  EXPLAIN_SITES
};

enum { HOT_DEFAULT = 5 };	/* functions that --hot and --drill take */

enum when_color
{
  COLOR_AUTO,			/* with -r on a terminal */
  COLOR_ALWAYS,
  COLOR_NEVER
};

struct options
{
  enum command command;

  /* What to run and how.  */
  bool line_by_line;		/* -l */
  int hot;			/* --hot, --drill: so many of the hottest functions; 0: no */
  bool drill;			/* --drill */
  pid_t pid;			/* --pid, or 0: a program is run */
  double duration;		/* --duration, seconds; 0: until SIGINT or the end */
  LP_VEC (const char *) patterns; /* -f and -p, in their order */
  bool libs;			/* --libs */
  enum lp_engine engine;	/* --engine; LP_ENGINE_CLONE unless given */
  bool engine_given;
  int window_ms, window_period;	/* --step-window; 0: none */
  const char *time_mode;	/* --time: "exact" (also the default) or "none" */
  bool follow;			/* false: --no-follow */
  bool detach;			/* --detach */
  bool start_disabled;		/* --start-disabled */
  int toggle;			/* --toggle: a signal, or 0 */
  enum explain explain;
  int interval;			/* -i: write the profile every so many seconds; 0: no */

  /* What to tell.  */
  const char *outfile;		/* -o, or NULL: kernprof_outfile */
  int verbosity;		/* number of -v minus number of -q: 1 and up prints the
				   report, 2 and up diagnostics, below 0 no messages */
  const char *writer;		/* "text", "json", "csv" */
  bool rich;			/* -r */
  enum when_color color;
  lp_report_options report;
  LP_VEC (lp_source_map) maps;	/* behind report.maps */
};

/* Parse ARGV.  Returns the index of the first word that is not an option:
   ARGV + that is the program with its arguments, or the files to view (then ARGV
   may have been reordered), or the name of a command that parses its own
   options.  Prints and exits for --help and --version, and
   with status 2, after one line on stderr, where the command line is wrong.  */
int options_parse (struct options *options, int argc, char **argv);

/* Release what OPTIONS holds.  */
void options_free (struct options *options);

#endif
