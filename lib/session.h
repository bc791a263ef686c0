/* session.h: the pipeline from a command line to a profile.  */

#ifndef LP_SESSION_H
#define LP_SESSION_H

#include <sys/types.h>

#include "prepare.h"
#include "profile/profile.h"
#include "target/target.h"

typedef struct lp_session_options
{
  lp_prepare_options select;
  bool timed;			/* false: hits only */
  bool follow;			/* profile children too */
  bool detach;			/* nobody traces the program while it runs; SELECT says so
				   too */
  unsigned window_ms, window_period; /* step so long in so long; 0: always */
  bool by_thread;		/* tell the threads of a process apart */
  pid_t group;			/* the program's process group; 0: ours */
  bool start_disabled;		/* record nothing until TOGGLE comes */
  int toggle;			/* a signal that turns recording off and on: SIGUSR1, SIGUSR2,
				   or 0 */
  int64_t *stood;		/* where lp_target_stood's numbers go, or NULL */
  /* Every INTERVAL seconds (0: never) the profile up to then, while the program
     runs.  */
  unsigned interval;
  void (*snapshot) (void *arg, const lp_profile *profile);
  void *snapshot_arg;
} lp_session_options;

/* Run ARGV (ARGV[0] is looked up as execvp does) to its end and profile it.
   *STATUS: its status as waitpid(2) gives it.  The profile, or NULL with ERR.
   When the program had not been started by then, *STARTED is false.  */
lp_profile *lp_session_run (char *const *argv,
			    const lp_session_options *options, int *status,
			    bool *started, lp_error *err);

/* The same for the running process PID: attach, record for SECONDS (0: until
   SIGINT or the program's end), restore it, let it go.  *STATUS is -1 when it
   still runs.  */
lp_profile *lp_session_attach (pid_t pid, double seconds,
			       const lp_session_options *options, int *status,
			       lp_error *err);

/* A stage of what lp_session_run would do, written to OUT; nothing is run.  */
enum lp_stage
{
  LP_STAGE_FUNCTIONS, LP_STAGE_LINES, LP_STAGE_PLAN, LP_STAGE_SITES,
  LP_STAGE_CODE
};

int lp_session_explain (const char *program, const lp_session_options *options,
			enum lp_stage stage, FILE *out, lp_error *err);

#endif
