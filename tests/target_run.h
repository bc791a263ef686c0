/* target_run.h: run a program bare and under the target floor, and keep all that
   can be seen of it from outside.  */

#ifndef TARGET_RUN_H
#define TARGET_RUN_H

#include "target/target.h"

/* What the hooks saw; shared with the process that traced.  */
typedef struct seen
{
  int launched, result, code, status;
  char text[1024];		/* the error's */
  int loaded, preloaded, unloaded, modules, threads, threads_gone, forked, shared,
    ended, released, traps, ticks;
  uint64_t numbers[8];		/* for a test's own hooks */
} seen;

typedef struct outcome
{
  char *out, *err;		/* what was written */
  int status;			/* as waitpid gives it */
  seen seen;
} outcome;

/* A test's own part of the hooks; called besides the counting.  All may be
   NULL.  */
typedef struct extra
{
  int (*loaded) (seen *seen, lp_process *proc, lp_error *err);
  int (*modules) (seen *seen, lp_process *proc, lp_error *err);
  int (*thread_new) (seen *seen, lp_process *proc, pid_t tid, lp_error *err);
  int (*forked) (seen *seen, lp_process *parent, lp_process *child,
		 bool shares, lp_error *err);
  int (*trap) (seen *seen, lp_process *proc, pid_t tid,
	       struct user_regs_struct *regs, lp_error *err);
  void (*released) (seen *seen, lp_process *proc);
  unsigned tick_ms;
  int (*tick) (seen *seen, lp_error *err);
  bool no_modules_hook;
} extra;

enum { WORDS = 6 };		/* of a command at most */

/* A place for the targets, which are compiled when they are asked for.  Exits,
   the tests skipped, when there is no compiler.  */
void targets_begin (void);
void targets_end (void);
/* Path of the target NAME ("t_env.musl"), or NULL when it cannot be built.  */
const char *target_path (const char *name);
/* Arguments of a command whose first word is a target or a path; overwritten by
   the next call.  NULL when it cannot be built.  */
char *const *target_argv (const char *const words[WORDS]);
/* Value of the symbol in the target, by nm.  */
uint64_t target_symbol (const char *name, const char *symbol);
/* The shared object that tests preload.  */
const char *preload_path (void);

/* The first module's bias, the number of modules, its lo and hi in numbers[0]
   to [3].  */
int first_module (seen *seen, lp_process *proc, lp_error *err);

outcome run_bare (char *const argv[]);
outcome run_traced (char *const argv[], const char *preload, bool follow,
		    const extra *extra);
/* Trace in this process; the exit status is not meant for a shell.  */
void trace_here (char *const argv[], const char *preload, bool follow,
		 const extra *extra, seen *seen);
/* A zeroed one that forks share.  */
seen *seen_new (void);
void outcome_free (outcome *outcome);
/* Assert that nothing differs.  */
void check_same (const outcome *bare, const outcome *traced, const char *mode);

#endif
