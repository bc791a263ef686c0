/* attach.c: a process that runs already.

   Every thread is seized, then made to stop; threads that were born meanwhile
   show up in /proc/PID/task, so this is repeated until nothing new is there.
   The owner is told when all stand still, and once more when they are to be let
   go (`released').  */

#include "target/internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
    | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC
};

/* A thread that the kernel keeps from stopping for longer (in a read from a dead
   file server) ends the attempt.  */
#define PATIENCE INT64_C (3000000000)

static const lp_hooks no_hooks;

static int
seize (lp_process *proc, pid_t tid, lp_error *err)
{
  char name[32];
  if (ptrace (PTRACE_SEIZE, tid, 0, (long) OPTIONS))
    {
      int errnum = errno;
      snprintf (name, sizeof name, "process %d", proc->pid);
      return errnum == ESRCH && tid != proc->pid
	? 0 : lp_explain_ptrace (name, proc->pid, errnum, err);
    }
  lp_thread *thread = lp_thread_new (proc->target, proc, tid);
  if (!thread)
    return lp_nomem (err);
  thread->stop = LP_RUNNING;
  return 0;
}

/* Seize the threads that are not ours yet; *FOUND counts them.  */
static int
seize_new (lp_process *proc, size_t *found, lp_error *err)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/task", proc->pid);
  DIR *dir = opendir (path);
  if (!dir)
    return lp_fail (err, LP_ENOTFOUND, "there is no process %d", proc->pid);
  int r = 0;
  for (struct dirent *e; r == 0 && (e = readdir (dir));)
    {
      pid_t tid = atoi (e->d_name);
      if (tid <= 0 || lp_thread_find (proc->target, tid))
	continue;
      ++*found;
      r = seize (proc, tid, err);
    }
  closedir (dir);
  return r;
}

static const lp_thread *
running (const lp_process *proc)
{
  for (const lp_thread *t = proc->threads; t; t = t->next)
    if (t->stop == LP_RUNNING)
      return t;
  return NULL;
}

/* Make all threads that are known stop.  */
static int
stop_known (lp_target *target, pid_t pid, int64_t until, lp_error *err)
{
  lp_process *proc;
  for (lp_thread *t = target->processes->threads; t; t = t->next)
    if (t->stop == LP_RUNNING)
      ptrace (PTRACE_INTERRUPT, t->tid, 0, 0);
  while ((proc = lp_process_find (target, pid)) && running (proc))
    {
      int status;
      pid_t tid = lp_wait (-1, &status, WNOHANG);
      if (tid > 0)
	lp_handle (target, tid, status);
      else if (tid < 0 || lp_now () > until)
	return lp_fail (err, LP_ETRACE, "process %d: thread %d does not stop "
			"(it may be waiting in the kernel); try again", pid,
			running (proc)->tid);
      else
	lp_signals_wait (target, lp_now () + 1000000);
    }
  if (target->failed)
    *err = target->error;
  else if (!proc)
    lp_fail (err, LP_ENOTFOUND, "process %d has just ended", pid);
  return target->failed || !proc ? -1 : 0;
}

static int
stop_all (lp_target *target, pid_t pid, lp_error *err)
{
  int64_t until = lp_now () + PATIENCE;
  target->stood[0] = lp_now ();
  for (size_t found = 1; found > 0 || lp_process_relieve (target->processes);)
    {
      found = 0;
      if (seize_new (target->processes, &found, err)
	  || stop_known (target, pid, until, err))
	return -1;
    }
  return 0;
}

static int
attach (lp_target *target, const lp_attach *how, lp_error *err)
{
  pid_t pid = how->pid;
  lp_process *proc = lp_process_new (target, pid);
  size_t found = 0;
  if (!proc)
    return lp_nomem (err);
  if (how->approach && lp_image_read (proc))
    how->approach (how->arg, proc);
  lp_signals_take (target);
  target->holding = true;
  target->first = pid;
  if (seize_new (proc, &found, err) || stop_all (target, pid, err))
    return -1;
  return lp_image_attached (target->processes, err);
}

lp_target *
lp_target_attach (const lp_attach *how, lp_error *err)
{
  pid_t pid = how->pid;
  lp_target *target = calloc (1, sizeof *target);
  if (!target)
    {
      lp_nomem (err);
      return NULL;
    }
  target->hooks = &no_hooks;
  target->follow = how->follow;
  target->attached = target->ran = true;
  if (pid == getpid ())
    lp_fail (err, LP_EUSAGE, "process %d is kernprof itself", pid);
  else if (attach (target, how, err) == 0)
    return target;
  lp_target_free (target);
  return NULL;
}

/* Tell the owner, then let everybody run.  */
void
lp_attached_start (lp_target *target)
{
  const lp_hooks *hooks = target->hooks;
  lp_process *proc = target->processes;
  for (lp_thread *t = proc->threads; t; t = t->next)
    lp_sigstate_note (t);
  if (hooks->exact && !lp_process_confined (proc)
      && lp_sigstate_read (proc->threads, &target->error))
    target->failed = true;
  if ((hooks->modules && lp_image_watch_loader (proc, &target->error))
      || (hooks->loaded && hooks->loaded (hooks->arg, proc, &target->error)))
    target->failed = true;
  if (target->failed)
    return;
  target->holding = false;
  for (lp_thread *t = proc->threads; t; t = t->next)
    lp_thread_resume (t);
  target->stood[0] = lp_now () - target->stood[0];
}

void
lp_target_stood (const lp_target *target, int64_t ns[2])
{
  memcpy (ns, target->stood, sizeof target->stood);
}

void
lp_target_stop (lp_target *target)
{
  target->enough = true;
}

size_t
lp_process_threads (const lp_process *proc, pid_t *tids, size_t max)
{
  size_t n = 0;
  for (const lp_thread *t = proc->threads; t; t = t->next, n++)
    if (n < max)
      tids[n] = t->tid;
  return n;
}

pid_t
lp_process_able (const lp_process *proc)
{
  for (const lp_thread *t = proc->threads; t; t = t->next)
    if (t->stop == LP_AT_STOP && !t->signal && !t->group_stop)
      return t->tid;
  for (const lp_thread *t = proc->threads; t; t = t->next)
    if (t->stop != LP_RUNNING && t->stop != LP_IN_VFORK && !t->signal)
      return t->tid;
  return 0;
}

/* The signal of a single step is forced on the thread: were SIGTRAP blocked, too,
   the kernel would take the program's handler away.  */
#define ALL_BUT_TRAP (~(UINT64_C (1) << (SIGTRAP - 1)))

static int
step (lp_thread *thread, lp_error *err)
{
  uint64_t held = ALL_BUT_TRAP, mask;
  int status;
  pid_t tid = thread->tid;
  if (ptrace (PTRACE_GETSIGMASK, tid, 8, &mask)
      || ptrace (PTRACE_SETSIGMASK, tid, 8, &held)
      || lp_step_once (thread, 0, &status))
    return lp_fail (err, LP_ETARGET, "thread %d ended", tid);
  ptrace (PTRACE_SETSIGMASK, tid, 8, &mask);
  return thread->proc->image.ignored & ~ALL_BUT_TRAP
	 ? lp_forced_repair (thread, SIGTRAP, NULL, err) : 0;
}

/* Not in the middle of a call.  A signal that is about to be delivered is still
   so afterwards: the step's own stop is one for a signal, which then becomes that
   one.  */
int
lp_thread_step (lp_process *proc, pid_t tid, lp_error *err)
{
  lp_thread *thread = lp_thread_find (proc->target, tid);
  siginfo_t info;
  if (proc->self)
    return lp_standstill_step (proc, tid, err);
  if (!thread || thread->stop == LP_RUNNING || thread->stop == LP_IN_CALL
      || thread->stop == LP_IN_VFORK
      || (thread->signal && ptrace (PTRACE_GETSIGINFO, tid, 0, &info)))
    return lp_fail (err, LP_ETARGET, "thread %d cannot be stepped", tid);
  if (step (thread, err))
    return -1;
  if (thread->signal)
    ptrace (PTRACE_SETSIGINFO, tid, 0, &info);
  return 0;
}
