/* release.c: letting processes go, so that they run on as if nobody had ever
   traced them.  */

#include "target/internal.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

enum { PENDING = 32 };		/* signals looked at */

/* How long to wait for threads to stop.  One that the kernel holds longer is
   let go when this process ends.  */
#define PATIENCE INT64_C (2000000000)

/* Did THREAD run into an int3 or a fault without having been told so yet?  An
   interrupt's stop comes before the signal.  */
static bool
trap_pends (const lp_thread *thread)
{
  struct __ptrace_peeksiginfo_args args = { 0, 0, PENDING };
  siginfo_t infos[PENDING];
  int n = thread->stop == LP_AT_STOP
    ? ptrace (PTRACE_PEEKSIGINFO, thread->tid, &args, infos) : 0;
  for (int i = 0; i < n; i++)
    if ((infos[i].si_signo == SIGTRAP && infos[i].si_code == SI_KERNEL)
	|| (infos[i].si_signo == SIGSEGV && infos[i].si_code > 0))
      return true;
  return false;
}

/* A thread that went on with that signal pending would die of it: let the
   signal come first.  */
static void
take_traps (lp_target *target)
{
  for (lp_process *p = target->processes; p; p = p->next)
    for (lp_thread *t = p->threads; t; t = t->next)
      {
	int status;
	if (trap_pends (t) && ptrace (PTRACE_CONT, t->tid, 0, 0) == 0
	    && lp_thread_wait (t, &status) == t->tid
	    && lp_event_keep (target, t->tid, status, NULL) == 0)
	  t->stop = LP_RUNNING;
      }
}

void
lp_release (lp_process *proc)
{
  const lp_hooks *hooks = proc->target->hooks;
  if (!proc->shares_memory)
    lp_image_undo (proc);
  if (hooks->released)
    hooks->released (hooks->arg, proc);
  for (lp_thread *t = proc->threads; t; t = t->next)
    ptrace (PTRACE_DETACH, t->tid, 0, (long) t->signal);
  lp_process_free (proc);
}

/* Does some thread of PROC run that could be made to stop?  */
static bool
runs (const lp_process *proc)
{
  for (const lp_thread *t = proc->threads; t; t = t->next)
    if (t->stop == LP_RUNNING && !t->vfork_wait)
      return true;
  return false;
}

static bool
waits_for_vfork (const lp_process *proc)
{
  for (const lp_thread *t = proc->threads; t; t = t->next)
    if (t->vfork_wait)
      return true;
  return false;
}

static bool
any (const lp_target *target, bool (*is) (const lp_process *))
{
  for (const lp_process *p = target->processes; p; p = p->next)
    if (is (p))
      return true;
  return false;
}

static void
interrupt_all (lp_target *target)
{
  for (lp_process *p = target->processes; p; p = p->next)
    for (lp_thread *t = p->threads; t; t = t->next)
      if (t->stop == LP_RUNNING)
	ptrace (PTRACE_INTERRUPT, t->tid, 0, 0);
}

/* Handle what comes until IS holds for no process any more, or UNTIL.  */
static void
drain (lp_target *target, bool (*is) (const lp_process *), int64_t until)
{
  while (any (target, is) && lp_now () < until)
    {
      int status;
      pid_t tid = lp_wait (-1, &status, WNOHANG);
      if (tid < 0)
	break;
      if (tid > 0)
	lp_handle (target, tid, status);
      else
	lp_signals_wait (target, until);
    }
}

static void
release_each (lp_target *target, bool even_waiting)
{
  for (lp_process *p = target->processes, *next; p; p = next)
    {
      next = p->next;
      if (even_waiting || !waits_for_vfork (p))
	lp_release (p);
    }
}

/* Threads that were early are of processes that go, too.  */
static void
release_early (lp_target *target)
{
  for (size_t i = 0; i < LP_HASH; i++)
    for (lp_thread *t = target->threads[i], *next; t; t = next)
      {
	next = t->chain;
	ptrace (PTRACE_DETACH, t->tid, 0, 0);
	lp_thread_free (target, t);
      }
}

/* Some thread of each process must be able to put back what is to be put back.  */
static void
relieve (lp_target *target, int64_t until)
{
  bool waiting = true;
  while (waiting && lp_now () < until)
    {
      waiting = false;
      for (lp_process *p = target->processes; p; p = p->next)
	waiting |= lp_process_relieve (p);
      drain (target, runs, until);
    }
}

static void
handle_kept (lp_target *target)
{
  for (size_t i = 0; i < target->events.n; i++)
    lp_handle (target, target->events.v[i].tid, target->events.v[i].status);
  target->events.n = 0;
}

/* A thread that waits for its vfork child cannot stop before that child is
   gone: the others go first.  */
void
lp_release_all (lp_target *target)
{
  int64_t start = lp_now (), until = start + PATIENCE;
  bool any_left = target->processes;
  target->holding = true;
  handle_kept (target);
  interrupt_all (target);
  drain (target, runs, until);
  take_traps (target);
  handle_kept (target);
  relieve (target, until);
  release_each (target, false);
  drain (target, waits_for_vfork, until);
  release_each (target, true);
  release_early (target);
  if (any_left)
    target->stood[1] = lp_now () - start;
}
