/* help.c: what --help and --version print.  */

#include "help.h"

#include <lineprof.h>

/* The options of stats and of diff.  */
static void
put_saved (FILE *out)
{
  fputs ("\
Calls of functions (stats prints PROG.prof as Python's pstats does):\n\
  -s, --sort=KEY,...      calls, cumulative (default), filename, line, name,\n\
                          nfl, pcalls, stdname, time, or a prefix of one\n\
  -r, --reverse           the other way round\n\
  -n, --only=WHAT         so many rows (10), a share of them (0.1), or those\n\
                          that match a regular expression; may be repeated\n\
      --callers, --callees\n\
                          who calls each function, or whom it calls\n\
      --strip-dirs        file names without folders\n\
      --tree[=SHARE]      the call tree, without what has less than that share\n\
                          of the time (default: 0.01)\n\
      --depth=N           N levels of it\n\
      --by-thread         each thread by itself\n\
      --json, --csv       that form instead, times in nanoseconds\n\
  -i, --interactive       read commands, as python3 -m pstats does; try `help'\n\
\n\
Changes (diff, of PROG.lprof or PROG.prof):\n\
  -s, --sort=KEY          the largest change first of: time (default), hits,\n\
                          per-hit, cumulative, calls, per-call; or line\n\
      --min=N             without smaller changes: seconds, or hits or calls\n\
      --top=N             lines of N functions, 0: all (default: 10)\n\
      --unit, --json, --csv, --source-map as above\n\
\n", out);
}

/* Those of the output and of a report.  */
static void
put_report (FILE *out)
{
  fputs ("\
Output:\n\
  -o, --outfile=FILE      write the profile to FILE (default: PROG.prof,\n\
                          with -l PROG.lprof)\n\
  -i, --output-interval[=N]\n\
                          write it every N seconds too (default: 1)\n\
  -v, --view, --verbose   print the report at the end; twice: diagnostics too\n\
  -q, --quiet             no messages\n\
\n\
Report (after -v, and of view):\n\
  -u, --unit=SECONDS      unit of Time and Per Hit (default: 1e-6)\n\
  -z, --skip-zero         hide functions that never ran\n\
  -t, --sort              sort functions by total time, the hottest last\n\
      --top=N             the N functions with the most time, 0: all (default:\n\
                          10, or all where functions were chosen)\n\
      --by-process        the tables of each process\n\
      --by-thread         the tables of each thread, told apart by a run\n\
      --by-site           a table for each place where a function was inlined\n\
      --per-instance      a table for each instance of a template, each copy of\n\
                          a function\n\
      --self              a column of time not spent in other functions\n\
  -m, --summarize         a line for each function at the end\n\
  -r, --rich              colours by heat, on a terminal\n\
      --color[=auto|always|never]\n\
                          colours always, or never\n\
      --json, --csv       that form instead, times in nanoseconds\n\
      --source-map=FROM=TO\n\
                          sources below FROM are below TO now; may be repeated\n\
\n", out);
}

void
help_print (FILE *out)
{
  fputs ("\
Usage: kernprof [OPTION...] PROG [ARG...]           profile the calls of PROG\n\
       kernprof -l [-v] [OPTION...] PROG [ARG...]   profile it line by line\n\
       kernprof -l --pid=PID [--duration=S] [OPTION...]\n\
                                                    a running process\n\
       kernprof view [OPTION...] FILE...            print saved profiles\n\
       kernprof stats [OPTION...] FILE...           print calls of functions\n\
       kernprof merge [-q] OUT FILE...              save the sum as OUT\n\
       kernprof diff [OPTION...] OLD NEW            what changed between two\n\
       kernprof --explain=WHAT [OPTION...] PROG     show what would be done\n\
       kernprof --explain=functions PATTERN... PROG what patterns select\n\
\n\
PROG is any program built with -g (symbols are enough for its calls); it is not\n\
changed, and keeps its arguments, streams, exit status and signals.  A program\n\
that is called `view', or like another command, is run with `kernprof -l view'\n\
or `kernprof -- view'.\n\
\n\
What to profile:\n\
  -l, --line-by-line      count and time lines, not only calls\n\
  -f, --function=PATTERN  functions: a name, a glob, file.c, file.c:name,\n\
                          file.c:LINE, dir/, or LIB: and one of these for\n\
                          a shared library; may be repeated\n\
                          (default: those marked with PROFILE_FN, else all of\n\
                          the program's own)\n\
      --libs              calls into shared libraries, too: {libc.so.6 malloc}\n\
      --hot[=N]           the N functions with the most own time in the newest\n\
                          PROG.prof here (default: 5)\n\
      --drill[=N]         run PROG twice: its calls, and then those lines\n\
  -p, --prof-mod=LIST     the same, several with commas between them\n\
      --pid=PID           profile a running process, until ^C or its end\n\
      --duration=S        ... for S seconds\n\
      --toggle=USR1|USR2  that signal, sent to kernprof or PROG, turns recording\n\
                          off and on\n\
      --start-disabled    ... and it is off until then\n\
      --time=exact|none   time every line (default), or only count\n\
      --engine=clone|breakpoint|step\n\
                          how lines are counted (default: clone, and breakpoint\n\
                          where a function cannot be cloned)\n\
      --step-window=MS/PERIOD\n\
                          --engine=step for MS of every PERIOD milliseconds:\n\
                          hits and times are estimates\n\
      --no-follow         leave the program's child processes alone\n\
      --detach            do not trace the program while it runs: gdb and strace\n\
                          can, and more is left out (see the manual)\n\
      --debuginfod        ask $DEBUGINFOD_URLS for debug information\n\
                          that is not installed\n\
      --explain=functions|lines|plan|code|sites\n\
                          print that stage and do not run the program\n\
\n", out);
  put_report (out);
  put_saved (out);
  fputs ("\
  -h, --help              print this\n\
  -V, --version           print the version\n\
\n\
Exit status: the program's own; 2 for bad usage or input, 126 where PROG cannot\n\
be executed, 127 where it is not found.\n", out);
}

void
help_version (FILE *out)
{
  fprintf (out, "kernprof %s\n", lp_version ());
}
