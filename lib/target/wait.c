/* wait.c: waiting for the kernel's reports and resuming threads.  */

#include "target/internal.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int64_t
lp_now (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * INT64_C (1000000000) + ts.tv_nsec;
}

/* Only what this thread traces or started: the caller may have other threads
   with children of their own.  */
pid_t
lp_wait (pid_t tid, int *status, int flags)
{
  pid_t r;
  do
    r = waitpid (tid, status, flags | __WALL | __WNOTHREAD);
  while (r < 0 && errno == EINTR);
  return r;
}

int
lp_event_keep (lp_target *target, pid_t tid, int status, lp_error *err)
{
  lp_event event = { tid, status };
  return lp_vec_push (&target->events, event) ? lp_nomem (err) : 0;
}

/* Take the first report of TID that was kept.  */
static bool
was_kept (lp_target *target, pid_t tid, int *status)
{
  lp_event *v = target->events.v;
  size_t n = target->events.n, i = 0;
  while (i < n && v[i].tid != tid)
    i++;
  if (i == n)
    return false;
  *status = v[i].status;
  memmove (v + i, v + i + 1, (n - i - 1) * sizeof *v);
  target->events.n--;
  return true;
}

pid_t
lp_wait_for (lp_target *target, pid_t tid, int *status)
{
  return was_kept (target, tid, status) ? tid : lp_wait (tid, status, 0);
}

pid_t
lp_thread_wait (lp_thread *thread, int *status)
{
  lp_target *target = thread->proc->target;
  pid_t tid = thread->tid, other;
  if (tid != thread->proc->pid)
    return lp_wait_for (target, tid, status);
  if (was_kept (target, tid, status))
    return tid;
  while ((other = lp_wait (-1, status, 0)) > 0 && other != tid)
    if (lp_event_keep (target, other, *status, NULL))
      return -1;
  return other;
}

static bool
stops_at_calls (const lp_thread *thread)
{
  return thread->nmoved
	 || (thread->proc && thread->proc->target->hooks->exact);
}

/* ESRCH: it was killed while it was stopped; its end will be reported.  */
void
lp_thread_resume (lp_thread *thread)
{
  if (thread->proc && thread->proc->target->holding)
    return;
  if (thread->stop == LP_RUNNING)
    return;
  thread->vfork_wait = thread->stop == LP_IN_VFORK;
  thread->stop = LP_RUNNING;
  if (thread->group_stop)
    ptrace (PTRACE_LISTEN, thread->tid, 0, 0);
  else
    ptrace (stops_at_calls (thread) ? PTRACE_SYSCALL : PTRACE_CONT,
	    thread->tid, 0, (long) thread->signal);
  thread->signal = 0;
}

/* An interrupt's stop comes before the handler's first instruction.  */
bool
lp_process_relieve (lp_process *proc)
{
  lp_thread *thread = proc->threads;
  if (!thread || lp_process_able (proc))
    return false;
  while (thread && !thread->signal)
    thread = thread->next;
  if (!thread || ptrace (PTRACE_INTERRUPT, thread->tid, 0, 0)
      || ptrace (PTRACE_CONT, thread->tid, 0, (long) thread->signal))
    return false;
  thread->stop = LP_RUNNING;
  thread->signal = 0;
  return true;
}

void
lp_target_pause (lp_target *target)
{
  for (lp_process *p = target->processes; p; p = p->next)
    {
      lp_thread *t = p->threads;
      while (t && (t->stop != LP_RUNNING || t->vfork_wait))
	t = t->next;
      p->pausing = true;
      if (t)
	ptrace (PTRACE_INTERRUPT, t->tid, 0, 0);
    }
}

static int
ended_meanwhile (lp_thread *thread, int status, lp_error *err)
{
  lp_process *proc = thread->proc;
  thread->stop = LP_RUNNING;
  if (lp_event_keep (proc->target, thread->tid, status, err))
    return -1;
  return lp_fail (err, LP_ETARGET, "process %d: thread %d ended while it was"
		  " prepared", proc->pid, thread->tid);
}

/* Signals are blocked or cannot come where this is used; what is left are
   SIGSTOP and the stops of job control, which take their course, and the
   thread's end.  */
int
lp_next_call_stop (lp_thread *thread, bool *stopped, lp_error *err)
{
  long signal = 0;
  for (;;)
    {
      int status;
      if (ptrace (PTRACE_SYSCALL, thread->tid, 0, signal) && errno != ESRCH)
	return lp_fail (err, LP_ETARGET, "thread %d cannot be resumed: %s",
			thread->tid, strerror (errno));
      if (lp_thread_wait (thread, &status) < 0)
	return lp_fail (err, LP_ETARGET, "thread %d was lost: %s",
			thread->tid, strerror (errno));
      if (!WIFSTOPPED (status) || status >> 16 == PTRACE_EVENT_EXEC)
	return ended_meanwhile (thread, status, err);
      if (WSTOPSIG (status) == (SIGTRAP | 0x80))
	break;
      *stopped |= WSTOPSIG (status) != SIGTRAP;
      signal = status >> 16 ? 0 : WSTOPSIG (status);
    }
  thread->stop = LP_AFTER_CALL;
  return 0;
}

int
lp_finish_call (lp_thread *thread, lp_error *err)
{
  bool stopped = false;
  if (thread->stop == LP_IN_VFORK)
    return lp_fail (err, LP_ETARGET, "thread %d waits for its vfork child",
		    thread->tid);
  if (thread->stop != LP_IN_CALL)
    return 0;
  if (lp_next_call_stop (thread, &stopped, err))
    return -1;
  lp_sigstate_leave (thread);
  return 0;
}
