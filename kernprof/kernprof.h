/* kernprof.h: the command's parts.  Each returns kernprof's exit status.  */

#ifndef KERNPROF_KERNPROF_H
#define KERNPROF_KERNPROF_H

#include "options.h"

enum
{
  STATUS_BAD_INPUT = 2,		/* usage, and files that are not what they should be */
  STATUS_NOT_EXECUTABLE = 126,
  STATUS_NOT_FOUND = 127
};

/* Profile the program ARGV[0] with its arguments; the status is its own.  */
int kernprof_run (struct options *options, char **argv);

/* Profile the running process that --pid names.  */
int kernprof_attach (const struct options *options);

/* Add patterns for the hottest functions of PROGRAM's newest function-level profile
   to OPTIONS; they live as long as *PROFILE.  0, or a status after a message.  */
int kernprof_take_hot (struct options *options, const char *program,
		       lp_profile **profile);

/* The command that shows the lines of PROFILE's hottest functions, as a line.  */
enum { DRILL_ROWS = 3 };
void kernprof_print_drill (lp_profile *profile, FILE *out);

/* Print a stage of what would be done to ARGV[0], which is not run.  */
int kernprof_explain (const struct options *options, char **argv);

/* Print the sum of the profiles FILES (NULL behind the last).  */
int kernprof_view (const struct options *options, char **files);

/* The sum of the profiles FILES (NULL behind the last), which are of KIND where
   that is not NULL; or NULL.  */
lp_profile *kernprof_load_sum (char **files, const char *kind, lp_error *err);

/* The commands that parse their own options: ARGV[0] is the command's name, NULL
   stands behind the ARGC words.  */
int kernprof_stats (int argc, char **argv);
int kernprof_merge (int argc, char **argv);
int kernprof_diff (int argc, char **argv);

/* Print PROFILE on standard output as OPTIONS say.  0, or a status after a
   message.  */
int kernprof_report (const struct options *options, lp_profile *profile);

/* Where the profile of PROGRAM goes: -o, or its base name with .lprof in the
   current directory.  Free it.  NULL when out of memory.  */
char *kernprof_outfile (const struct options *options, const char *program);

/* What the options mean to the library.  */
lp_session_options kernprof_session_options (const struct options *options);

/* The exit status that ERR means: 127, 126 or 2.  */
int kernprof_status_of (const lp_error *err);

/* Save PROFILE as OUTFILE and print what OPTIONS ask for.  0, or not after a
   message.  */
int kernprof_save_and_report (const struct options *options,
			      lp_profile *profile, const char *outfile);

/* Go on in another process, the tracer: false there, and where none can be made.
   True here when it has ended, with its *STATUS as waitpid(2) gives it.  */
bool kernprof_stand_in (const struct options *options, int *status);

/* End as STATUS says: by its signal, or the exit status is returned.  */
int kernprof_end_like (int status);

/* Print ERR on stderr; returns STATUS.  */
int kernprof_complain (const lp_error *err, int status);

#endif
