/* stand_in.c: kernprof in two processes.

   A tracer that is killed leaves its program alone with what it has put in:
   breakpoints, of which the program dies, and threads that nobody gives a block.
   So the process that the user started, whose pid others know and may kill,
   is not the tracer.  It starts the tracer, hands signals on to it, stops when it
   stops and ends as it ends.  When it is killed, the tracer stays: a program that
   was started is profiled to its end, one that was attached to is restored and
   let go; the profile is written all the same.

   The tracer has a process group of its own, so that a terminal, or whoever
   kills the group, reaches the program and the stand-in: the tracer hears of each
   signal once, from here, and is told who sent it.  */

#define _GNU_SOURCE

#include "kernprof.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last three are our own business where the program was not started here.  */
static const int taken[] = {
  SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN,
  SIGTTOU
};
enum { NTAKEN = sizeof taken / sizeof *taken, NSTOPS = 3 };

/* Without a core file of our own.  */
int
kernprof_end_like (int status)
{
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  int sig = WTERMSIG (status);
  sigset_t set;
  struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  signal (sig, SIG_DFL);
  sigemptyset (&set);
  sigaddset (&set, sig);
  sigprocmask (SIG_UNBLOCK, &set, NULL);
  fflush (NULL);
  raise (sig);
  return 128 + sig;
}

/* Only a signal that says it was queued may bear another's name.  What a terminal
   sent has the tracer's own, for which it has no program to pass it on to.  */
static void
hand_on (pid_t tracer, const siginfo_t *info)
{
  siginfo_t copy = *info;
  copy.si_code = SI_QUEUE;
  if (info->si_code > 0)
    copy.si_pid = tracer;
  syscall (SYS_rt_sigqueueinfo, tracer, info->si_signo, &copy);
}

/* True when the tracer has ended.  Its stop is the job's.  */
static bool
look_after (pid_t tracer, int *status)
{
  while (waitpid (tracer, status, WNOHANG | WUNTRACED) == tracer)
    {
      if (!WIFSTOPPED (*status))
	return true;
      lp_stop_by (WSTOPSIG (*status));
      kill (tracer, SIGCONT);
    }
  return false;
}

static int
stand_in (pid_t tracer, const sigset_t *set)
{
  int status;
  siginfo_t info;
  while (!look_after (tracer, &status))
    if (sigwaitinfo (set, &info) > 0 && info.si_signo != SIGCHLD)
      hand_on (tracer, &info);
  return status;
}

/* Killed with its parent until the library knows better (lp_signals_take).  */
static void
begin_tracer (pid_t parent)
{
  prctl (PR_SET_NAME, LP_TRACER_NAME);
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    raise (SIGKILL);
}

bool
kernprof_stand_in (const struct options *options, int *status)
{
  sigset_t set, old;
  pid_t self = getpid ();
  struct sigaction chld = { .sa_handler = SIG_DFL }, old_chld;
  sigemptyset (&set);
  for (int i = 0; i < NTAKEN - (options->pid ? NSTOPS : 0); i++)
    sigaddset (&set, taken[i]);
  fflush (NULL);
  sigaction (SIGCHLD, &chld, &old_chld);
  sigprocmask (SIG_BLOCK, &set, &old);
  pid_t tracer = fork ();
  if (tracer > 0)
    *status = stand_in (tracer, &set);
  else
    {
      if (tracer == 0)
	begin_tracer (self);
      sigaction (SIGCHLD, &old_chld, NULL);
      sigprocmask (SIG_SETMASK, &old, NULL);
    }
  return tracer > 0;
}
