/* birth.c: new threads and processes.

   The kernel attaches us to what a traced thread creates, and reports it twice,
   in any order: the creator stops at an event that names the new one, and the
   new one stops before its first instruction.  When the creator is first, the
   other stop is waited for, it cannot fail to come.  When the new one is first,
   it is kept stopped; should its creator be killed before it could tell, /proc
   tells.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <errno.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void
lp_stop_state (lp_thread *thread, int status)
{
  thread->stop = LP_AT_STOP;
  thread->group_stop = WSTOPSIG (status) != SIGTRAP;
}

/* The flags of the clone, or what fork and vfork amount to.  */
static uint64_t
clone_flags (lp_thread *creator)
{
  struct user_regs_struct regs;
  uint64_t flags = 0;
  if (lp_thread_get_regs (creator->tid, &regs, NULL))
    return 0;
  switch (regs.orig_rax)
    {
    case __NR_vfork:
      return CLONE_VM | CLONE_VFORK;
    case __NR_clone:
      return regs.rdi;
    case __NR_clone3:
      lp_process_read (creator->proc, regs.rdi, &flags, sizeof flags, NULL);
    }
  return flags;
}

static int
new_thread (lp_thread *thread, lp_process *proc, lp_error *err)
{
  const lp_hooks *hooks = proc->target->hooks;
  lp_thread_adopt (thread, proc);
  lp_sigstate_note (thread);
  int r = proc->image.ready && hooks->thread_new
    ? hooks->thread_new (hooks->arg, proc, thread->tid, err) : 0;
  lp_thread_resume (thread);
  return r;
}

static int
new_process (lp_thread *thread, lp_process *parent, bool shares, lp_error *err)
{
  lp_target *target = parent->target;
  const lp_hooks *hooks = target->hooks;
  lp_process *proc = lp_process_new (target, thread->tid);
  if (!proc)
    return lp_nomem (err);
  proc->image = parent->image;
  proc->shares_memory = shares;
  proc->leaving = !target->follow;
  lp_thread_adopt (thread, proc);
  lp_sigstate_note (thread);
  int r = proc->image.ready && hooks->forked
    ? hooks->forked (hooks->arg, parent, proc, shares, err) : 1;
  if (r >= 0 && proc->leaving && (!shares || r == 1))
    lp_release (proc);
  else
    lp_thread_resume (thread);
  return r < 0 ? -1 : 0;
}

/* Only a thread of PARENT can be reached under PARENT's pid.  */
static int
place (lp_thread *thread, lp_process *parent, bool shares, lp_error *err)
{
  return syscall (SYS_tgkill, parent->pid, thread->tid, 0) == 0
    ? new_thread (thread, parent, err)
    : new_process (thread, parent, shares, err);
}

/* The new TID, stopped; NULL with 0 in *R when it was killed instead.  */
static lp_thread *
await_stop (lp_target *target, pid_t tid, int *r, lp_error *err)
{
  int status;
  *r = 0;
  if (lp_wait_for (target, tid, &status) < 0 || !WIFSTOPPED (status))
    return NULL;
  lp_thread *thread = lp_thread_new (target, NULL, tid);
  if (thread)
    lp_stop_state (thread, status);
  else
    *r = lp_nomem (err);
  return thread;
}

int
lp_birth (lp_thread *creator, int event, lp_error *err)
{
  lp_target *target = creator->proc->target;
  unsigned long tid;
  int r;
  creator->stop = event == PTRACE_EVENT_VFORK ? LP_IN_VFORK : LP_IN_CALL;
  if (ptrace (PTRACE_GETEVENTMSG, creator->tid, 0, &tid))
    return 0;
  lp_thread *thread = lp_thread_find (target, tid);
  if (thread && thread->proc)
    return 0;
  if (thread)
    target->early--;
  else
    thread = await_stop (target, tid, &r, err);
  if (!thread)
    return r;
  bool shares = clone_flags (creator) & CLONE_VM;
  if (!shares)
    lp_handler_inherit (thread, creator);
  return place (thread, creator->proc, shares, err);
}

int
lp_birth_early (lp_target *target, pid_t tid, int status, lp_error *err)
{
  lp_thread *thread = lp_thread_new (target, NULL, tid);
  if (!thread)
    return lp_nomem (err);
  lp_stop_state (thread, status);
  thread->ppid = lp_procfs_status (tid, "PPid");
  target->early++;
  return 0;
}

/* Threads of PROC that are still early end with it.  */
int
lp_birth_settle (lp_process *proc, lp_error *err)
{
  lp_target *target = proc->target;
  int r = 0;
  for (size_t i = 0; i < LP_HASH && target->early > 0; i++)
    for (lp_thread *t = target->threads[i], *next; t; t = next)
      {
	next = t->chain;
	if (t->proc || t->ppid != proc->pid
	    || syscall (SYS_tgkill, proc->pid, t->tid, 0) == 0)
	  continue;
	target->early--;
	if (new_process (t, proc, false, err))
	  r = -1;
      }
  return r;
}
