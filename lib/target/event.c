/* event.c: what each report of the kernel means, and what is done about it.

   ptrace(2), "Stopped states", is the source of the rules here.  */

#include "target/internal.h"

#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* ERR ends the run, unless THREAD was killed: then it says no more than that.  */
static void
fail (lp_target *target, const lp_thread *thread, const lp_error *err)
{
  errno = 0;
  if (thread->stop == LP_RUNNING
      || (ptrace (PTRACE_PEEKUSER, thread->tid, 0, 0) == -1 && errno == ESRCH))
    return;
  if (!target->failed)
    target->error = *err;
  target->failed = target->holding = true;
}

static void
forget_thread (lp_thread *thread)
{
  lp_process *proc = thread->proc;
  const lp_hooks *hooks = proc->target->hooks;
  if (proc->image.ready && hooks->thread_gone)
    hooks->thread_gone (hooks->arg, proc, thread->tid);
  lp_thread_free (proc->target, thread);
}

/* Forget all threads of PROC but the one called KEEP.  */
static void
forget_others (lp_process *proc, pid_t keep)
{
  for (lp_thread *t = proc->threads, *next; t; t = next)
    {
      next = t->next;
      if (t->tid != keep)
	forget_thread (t);
    }
}

static void
process_ended (lp_process *proc, int status)
{
  lp_target *target = proc->target;
  const lp_hooks *hooks = target->hooks;
  lp_error err;
  if (lp_birth_settle (proc, &err))
    {
      target->error = target->failed ? target->error : err;
      target->failed = true;
    }
  forget_others (proc, proc->pid);
  if (hooks->ended)
    hooks->ended (hooks->arg, proc, status);
  if (proc->pid == target->first)
    {
      target->first = 0;
      target->status = status;
      lp_signals_forget (target);
    }
  lp_process_free (proc);
}

/* A leader's end is reported after those of all others.  */
static void
ended (lp_target *target, lp_thread *thread, int status)
{
  if (!thread)
    return;
  if (!thread->proc)
    {
      target->early--;
      lp_thread_free (target, thread);
    }
  else if (thread->tid != thread->proc->pid)
    forget_thread (thread);
  else
    process_ended (thread->proc, status);
}

/* 1: THREAD's int3 was ours.  */
static int
int3 (lp_thread *thread, const siginfo_t *info, lp_error *err)
{
  lp_process *proc = thread->proc;
  const lp_hooks *hooks = proc->target->hooks;
  struct user_regs_struct regs;
  if (lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  int r = lp_image_trap (thread, &regs, err);
  if (r != 0 || !hooks->trap || !proc->image.ready)
    return r;
  r = hooks->trap (hooks->arg, proc, thread->tid, &regs, err);
  if (r == 1 && (lp_thread_set_regs (thread->tid, &regs, err)
		 || lp_forced_repair (thread, SIGTRAP, info, err)))
    return -1;
  return r;
}

/* 1: THREAD's bad access to memory was our probes', or because of closed pages.  (One
   with another signal's INFO can only be that.)  */
static int
fault (lp_thread *thread, const siginfo_t *info, lp_error *err)
{
  lp_process *proc = thread->proc;
  const lp_hooks *hooks = proc->target->hooks;
  struct user_regs_struct regs;
  if (!hooks->fault || !proc->image.ready)
    return 0;
  if (lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  uint64_t addr = info->si_code > 0 ? (uint64_t) (uintptr_t) info->si_addr
		  : regs.rip;
  int r = hooks->fault (hooks->arg, proc, thread->tid, addr, &regs, err);
  if (r == 1 && (lp_thread_set_regs (thread->tid, &regs, err)
		 || lp_forced_repair (thread, SIGSEGV, info, err)))
    return -1;
  return r;
}

/* Of the signals that may have been sent to both, the first process's.  */
static void
note_signal (lp_thread *thread, const siginfo_t *info)
{
  lp_target *target = thread->proc->target;
  if (thread->proc->pid == target->first)
    lp_signals_seen (target, info);
}

/* A signal is delivered as it is, but for our int3s and our probes' faults: the
   kernel sends those itself, which nobody else can do.  */
static int
signal_stop (lp_thread *thread, int signal, lp_error *err)
{
  siginfo_t info;
  bool known;
  if (signal == (SIGTRAP | 0x80))
    {
      lp_handler_call (thread);
      return 0;
    }
  thread->stop = LP_AT_SIGNAL;
  known = ptrace (PTRACE_GETSIGINFO, thread->tid, 0, &info) == 0;
  if (known)
    {
      int r = 0;
      bool forced = lp_sigstate_blocks (thread, signal);
      if (lp_signals_summons (thread, &info))
	return 0;
      note_signal (thread, &info);
      if (signal == SIGTRAP && (info.si_code == SI_KERNEL || forced))
	r = int3 (thread, &info, err);
      else if (signal == SIGSEGV && (info.si_code > 0 || forced))
	r = fault (thread, &info, err);
      if (r != 0)
	return r < 0 ? -1 : 0;
    }
  thread->signal = signal;
  if (known)
    lp_handler_signal (thread, &info);
  return 0;
}

void
lp_handle_exec (lp_thread *thread)
{
  lp_process *proc = thread->proc;
  lp_target *target = proc->target;
  lp_error err;
  thread->stop = LP_IN_CALL;
  if (lp_image_start (thread, &err))
    fail (target, thread, &err);
  lp_thread_resume (thread);
}

/* The memory, the other threads and what was known of them are gone; the thread
   that called exec has become the leader.  */
static void
exec_stop (lp_thread *thread)
{
  lp_process *proc = thread->proc;
  lp_target *target = proc->target;
  const lp_hooks *hooks = target->hooks;
  lp_error err;
  if (lp_birth_settle (proc, &err))
    fail (target, thread, &err);
  forget_others (proc, thread->tid);
  if (proc->image.ready && hooks->unloaded)
    hooks->unloaded (hooks->arg, proc);
  if (proc->mem >= 0)
    close (proc->mem);
  proc->mem = -1;
  proc->image = (lp_image) { 0 };
  proc->shares_memory = false;
  thread->nmoved = 0;
  thread->mask_known = false;
  if (proc->leaving)
    lp_release (proc);
  else
    lp_handle_exec (thread);
}

static void
interrupt_stop (lp_thread *thread, int status)
{
  lp_process *proc = thread->proc;
  lp_stop_state (thread, status);
  if (thread->tid == proc->target->first)
    lp_signals_stopped (proc->target,
			thread->group_stop ? WSTOPSIG (status) : 0);
}

/* Somebody waits for THREAD's process to hold still.  */
static int
pause_here (lp_thread *thread, lp_error *err)
{
  lp_process *proc = thread->proc;
  const lp_hooks *hooks = proc->target->hooks;
  bool still = thread->stop == LP_AT_STOP ? !thread->group_stop
	       : thread->stop == LP_AT_SIGNAL && !thread->signal;
  if (!proc->pausing || !still || !proc->image.ready)
    return 0;
  proc->pausing = false;
  return hooks->paused ? hooks->paused (hooks->arg, proc, err) : 0;
}

static void
stopped (lp_thread *thread, int status)
{
  lp_target *target = thread->proc->target;
  lp_error err;
  int event = status >> 16, r = 0;
  thread->vfork_wait = thread->group_stop = false;
  thread->signal = 0;
  switch (event)
    {
    case PTRACE_EVENT_EXEC:
      exec_stop (thread);
      return;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
      r = lp_birth (thread, event, &err);
      break;
    case PTRACE_EVENT_STOP:
      interrupt_stop (thread, status);
      break;
    default:
      r = signal_stop (thread, WSTOPSIG (status), &err);
    }
  if (r || pause_here (thread, &err))
    fail (target, thread, &err);
  lp_thread_resume (thread);
}

void
lp_handle (lp_target *target, pid_t tid, int status)
{
  lp_thread *thread = lp_thread_find (target, tid);
  lp_error err;
  if (!WIFSTOPPED (status))
    ended (target, thread, status);
  else if (thread && thread->proc)
    stopped (thread, status);
  else if (!thread && lp_birth_early (target, tid, status, &err))
    {
      target->error = err;
      target->failed = true;
    }
}
