/* main.c: kernprof, the command.

   The map of this folder:
     options.c	the command line as data
     usage.c	its words as values, and complaints about them
     help.c	--help and --version
     run.c	kernprof [-l] PROG: the run
     drill.c	from a function-level profile to lines
     attach.c	kernprof [-l] --pid PID
     stand_in.c	the two processes that both of them are
     explain.c	kernprof --explain=WHAT PROG: a stage, printed
     view.c	kernprof view FILE...: saved profiles
     stats.c	kernprof stats FILE...: what pstats prints
     browse.c	its commands, interactively; input.c reads them
     merge.c	kernprof merge OUT FILE...: their sum as a file
     diff.c	kernprof diff OLD NEW: what changed
     output.c	what run and view share: messages, the report, the output file  */

#include "kernprof.h"

#include <signal.h>
#include <stdio.h>

static int
dispatch (struct options *options, int nwords, char **words)
{
  if (options->command == COMMAND_STATS)
    return kernprof_stats (nwords, words);
  if (options->command == COMMAND_DIFF)
    return kernprof_diff (nwords, words);
  if (options->command == COMMAND_MERGE)
    return kernprof_merge (nwords, words);
  if (options->command == COMMAND_VIEW)
    return kernprof_view (options, words);
  if (options->explain != EXPLAIN_NOTHING)
    return kernprof_explain (options, words);
  return options->pid ? kernprof_attach (options) : kernprof_run (options, words);
}

static void
go_on (int sig)
{
  (void) sig;
}

/* A file that grows too large (ulimit -f) is an error, not our end.  A handler,
   since exec resets it for the program, as it would not what is ignored; where it is
   ignored already, the program is to find it so.  */
int
main (int argc, char **argv)
{
  struct options options;
  if (signal (SIGXFSZ, go_on) == SIG_IGN)
    signal (SIGXFSZ, SIG_IGN);
  int first = options_parse (&options, argc, argv);
  int status = dispatch (&options, argc - first, argv + first);
  options_free (&options);
  return status;
}
