/* launch.c: starting a program, following it to its end.

   The child waits until it is traced, then execs; the same socket brings back
   why exec failed.  */

#include "target/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
    | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC
};

extern char **environ;
static const lp_hooks no_hooks;

static void __attribute__ ((noreturn))
run_child (const lp_launch *launch, int sock)
{
  char go;
  if (launch->group)
    setpgid (0, launch->group);
  if (read (sock, &go, 1) == 1)
    {
      execve (launch->path, launch->argv, environ);
      int errnum = errno;
      if (write (sock, &errnum, sizeof errnum) < 0)
	_exit (126);
    }
  _exit (127);
}

static int
fail_exec (const lp_launch *launch, int sock, int status, lp_error *err)
{
  int errnum;
  if (WIFSIGNALED (status))
    return lp_fail (err, LP_ETARGET, "%s was ended by signal %d before it"
		    " started", launch->path, WTERMSIG (status));
  if (recv (sock, &errnum, sizeof errnum, MSG_DONTWAIT) != sizeof errnum)
    return lp_fail (err, LP_ETARGET, "%s could not be started", launch->path);
  if (errnum == ENOENT && access (launch->path, F_OK) == 0)
    return lp_fail (err, LP_ENOEXEC, "%s cannot be started: the interpreter or"
		    " loader that it names does not exist", launch->path);
  return lp_fail (err, errnum == ENOENT ? LP_ENOTFOUND : LP_ENOEXEC,
		  "%s cannot be started: %s", launch->path, strerror (errnum));
}

/* Let the child go on until it stops in its new image.  */
static int
await_exec (const lp_launch *launch, pid_t pid, int sock, lp_error *err)
{
  int status;
  for (;;)
    {
      if (lp_wait (pid, &status, 0) < 0)
	return lp_fail (err, LP_ETARGET, "%s was lost: %s", launch->path,
			strerror (errno));
      if (!WIFSTOPPED (status))
	return fail_exec (launch, sock, status, err);
      int event = status >> 16, signal = WSTOPSIG (status);
      if (event == PTRACE_EVENT_EXEC)
	return 0;
      if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
	ptrace (PTRACE_LISTEN, pid, 0, 0);
      else
	ptrace (PTRACE_CONT, pid, 0, event ? 0L : (long) signal);
    }
}

static int
end_child (pid_t pid)
{
  int status;
  kill (pid, SIGKILL);
  lp_wait (pid, &status, 0);
  return -1;
}

static int
start (lp_target *target, const lp_launch *launch, pid_t pid, int sock,
       lp_error *err)
{
  if (ptrace (PTRACE_SEIZE, pid, 0, (long) OPTIONS))
    {
      lp_explain_ptrace (launch->path, pid, errno, err);
      return end_child (pid);
    }
  lp_signals_take (target);
  if (write (sock, "", 1) != 1)
    {
      lp_fail (err, LP_ETARGET, "%s was lost: %s", launch->path,
	       strerror (errno));
      return end_child (pid);
    }
  if (await_exec (launch, pid, sock, err))
    return -1;
  target->first = pid;
  lp_process *proc = lp_process_new (target, pid);
  if (!proc || !lp_thread_new (target, proc, pid))
    return lp_nomem (err);
  return 0;
}

static int
fork_and_start (lp_target *target, const lp_launch *launch, lp_error *err)
{
  int socks[2];
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks))
    return lp_fail (err, LP_EIO, "cannot make a socket pair: %s",
		    strerror (errno));
  pid_t pid = fork ();
  if (pid == 0)
    {
      close (socks[0]);
      run_child (launch, socks[1]);
    }
  close (socks[1]);
  int r = pid < 0
    ? lp_fail (err, LP_ETARGET, "cannot make a process: %s", strerror (errno))
    : start (target, launch, pid, socks[0], err);
  close (socks[0]);
  return r;
}

/* A descriptor's path under /proc leads to a file that may have no name (a
   memfd): what its link says is then what /proc/PID/maps will say.  */
static int
resolve_preload (lp_target *target, const char *path, lp_error *err)
{
  char link[PATH_MAX];
  target->preload = realpath (path, NULL);
  target->preload_mapped = target->preload ? strdup (target->preload) : NULL;
  ssize_t n = target->preload ? -1 : readlink (path, link, sizeof link - 1);
  if (n > 0)
    {
      link[n] = '\0';
      target->preload = strdup (path);
      target->preload_mapped = strdup (link);
    }
  if (target->preload && target->preload_mapped)
    return 0;
  return lp_fail (err, LP_EIO, "%s: %s", path, strerror (errno));
}

lp_target *
lp_target_launch (const lp_launch *launch, lp_error *err)
{
  lp_target *target = calloc (1, sizeof *target);
  if (!target)
    {
      lp_nomem (err);
      return NULL;
    }
  target->hooks = &no_hooks;
  target->follow = launch->follow;
  int r = 0;
  if (launch->preload)
    r = resolve_preload (target, launch->preload, err);
  if (r == 0 && fork_and_start (target, launch, err) == 0)
    return target;
  lp_target_free (target);
  return NULL;
}

pid_t
lp_target_pid (const lp_target *target)
{
  return target->first;
}

/* The thread whose report is next; -1 for whichever it is.  One that has ended
   is still a zombie now, with a name.  */
static pid_t
look_ahead (lp_target *target)
{
  const lp_hooks *hooks = target->hooks;
  siginfo_t info = { 0 };
  if (!hooks->thread_ends
      || waitid (P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT
				  | __WALL | __WNOTHREAD) || !info.si_pid)
    return -1;
  lp_thread *thread = lp_thread_find (target, info.si_pid);
  if (thread && thread->proc && thread->proc->image.ready
      && info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
    hooks->thread_ends (hooks->arg, thread->proc, thread->tid);
  return info.si_pid;
}

/* The next report: one that was kept, or a new one.  */
static bool
next_event (lp_target *target, lp_event *event)
{
  if (target->events.n > 0)
    {
      *event = target->events.v[0];
      memmove (target->events.v, target->events.v + 1,
	       --target->events.n * sizeof *target->events.v);
      return true;
    }
  event->tid = lp_wait (look_ahead (target), &event->status, WNOHANG);
  if (event->tid < 0)
    {
      lp_fail (&target->error, LP_ETARGET, "process %d was lost: %s",
	       target->processes->pid, strerror (errno));
      target->failed = true;
    }
  return event->tid > 0;
}

void
lp_tick (lp_target *target, int64_t *next)
{
  const lp_hooks *hooks = target->hooks;
  int64_t now;
  if (!*next || (now = lp_now ()) < *next)
    return;
  *next = now + hooks->tick_ms * INT64_C (1000000);
  if (hooks->tick && hooks->tick (hooks->arg, &target->error))
    target->failed = true;
}

int
lp_target_run (lp_target *target, const lp_hooks *hooks, int *status,
	       lp_error *err)
{
  int64_t next = hooks->tick_ms ? lp_now () : 0;
  target->hooks = hooks;
  target->ran = true;
  if (target->attached)
    lp_attached_start (target);
  else
    lp_handle_exec (target->processes->threads);
  while (target->processes && !target->failed && !target->enough
	 && !target->letting_go)
    {
      lp_event event;
      if (next_event (target, &event))
	lp_handle (target, event.tid, event.status);
      else if (!target->failed)
	lp_signals_wait (target, next);
      lp_tick (target, &next);
    }
  if (target->letting_go && !target->failed)
    lp_detached_run (target, next);
  else
    lp_release_all (target);
  *status = target->status;
  if (target->failed && err)
    *err = target->error;
  return target->failed ? -1 : 0;
}

void
lp_target_free (lp_target *target)
{
  if (!target)
    return;
  if (target->first && !target->ran)
    end_child (target->first);
  else
    lp_release_all (target);
  while (target->processes)
    lp_process_free (target->processes);
  lp_signals_give_back (target);
  lp_vec_free (&target->events);
  free (target->preload);
  free (target->preload_mapped);
  free (target);
}
