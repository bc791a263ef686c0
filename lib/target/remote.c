/* remote.c: system calls made in a stopped thread.

   The thread is sent to a `syscall` instruction that its process already has,
   with all signals blocked, and stopped again at the call's entry and exit.
   Three things need care:
   - a thread that stopped in the middle of a call (exec, fork, clone) would get
     that call's result written over our registers: it is run to the call's
     exit first;
   - with orig_rax >= 0 the kernel may take rax for a call to restart, so it is
     -1 on the way in;
   - a thread that really was in an interrupted call needs that restart when it
     goes on.  The kernel only does it on the way out of a stop for a signal or
     an interrupt: so the thread is brought into such a stop again.  The same
     for a thread that was in a group-stop: in that stop the kernel says whether
     the group is still stopped.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGSET = 8, SCAN = 64 * 1024 };

/* The address of the bytes 0f 05 in [LO, HI), or 0.  Where they stand does not
   matter: the thread is stopped right behind them.  */
static uint64_t
scan_for_syscall (lp_process *proc, uint64_t lo, uint64_t hi)
{
  uint8_t *buf = malloc (SCAN);
  uint64_t found = 0;
  for (; buf && !found && lo + 1 < hi; lo += SCAN - 1)
    {
      size_t n = hi - lo < SCAN ? hi - lo : SCAN;
      if (lp_process_read (proc, lo, buf, n, NULL))
	break;
      const uint8_t *p = memmem (buf, n, "\x0f\x05", 2);
      found = p ? lo + (p - buf) : 0;
    }
  free (buf);
  return found;
}

/* The vdso is small and nearly always has one.  */
static uint64_t
find_syscall (lp_process *proc)
{
  size_t size;
  uint64_t found = 0;
  for (int vdso = 1; !found && vdso >= 0; vdso--)
    {
      lp_mapping m;
      char *maps = lp_procfs_read (proc, "maps", &size), *next = maps;
      while (maps && !found && lp_maps_next (&next, &m))
	if (m.exec && vdso == (strcmp (m.path, "[vdso]") == 0))
	  found = scan_for_syscall (proc, m.lo, m.hi);
      free (maps);
    }
  return found;
}

int
lp_remote_prepare (lp_process *proc, lp_error *err)
{
  if (!proc->image.syscall_insn)
    proc->image.syscall_insn = find_syscall (proc);
  if (proc->image.syscall_insn)
    return 0;
  return lp_fail (err, LP_ETARGET, "process %d has no system call instruction"
		  " to borrow", proc->pid);
}

/* What a call disturbs.  */
struct saved
{
  struct user_regs_struct regs;
  uint64_t mask;
  bool stop;			/* it has to be brought into a stop again */
};

static int
save (lp_thread *thread, struct saved *saved, lp_error *err)
{
  if (lp_thread_get_regs (thread->tid, &saved->regs, err))
    return -1;
  if (ptrace (PTRACE_GETSIGMASK, thread->tid, SIGSET, &saved->mask))
    return lp_fail (err, LP_ETARGET, "thread %d: cannot read its signal mask:"
		    " %s", thread->tid, strerror (errno));
  int64_t rax = saved->regs.rax;
  saved->stop = thread->group_stop
    || ((int64_t) saved->regs.orig_rax >= 0 && rax <= -512 && rax >= -516);
  return 0;
}

/* Bring THREAD from a call's exit into an interrupt's stop, which comes before
   anything else.  */
static int
stop_again (lp_thread *thread, lp_error *err)
{
  int status;
  ptrace (PTRACE_INTERRUPT, thread->tid, 0, 0);
  ptrace (PTRACE_CONT, thread->tid, 0, 0);
  if (lp_thread_wait (thread, &status) < 0)
    return lp_fail (err, LP_ETARGET, "thread %d was lost: %s", thread->tid,
		    strerror (errno));
  if (WIFSTOPPED (status) && status >> 16 == PTRACE_EVENT_STOP)
    {
      lp_stop_state (thread, status);
      return 0;
    }
  thread->stop = LP_RUNNING;
  if (lp_event_keep (thread->proc->target, thread->tid, status, err))
    return -1;
  return lp_fail (err, LP_ETARGET, "thread %d ended while it was prepared",
		  thread->tid);
}

static int
restore (lp_thread *thread, const struct saved *saved, bool stopped,
	 lp_error *err)
{
  if (lp_thread_set_regs (thread->tid, &saved->regs, err)
      || ((saved->stop || stopped) && stop_again (thread, err)))
    return -1;
  ptrace (PTRACE_SETSIGMASK, thread->tid, SIGSET, &saved->mask);
  return 0;
}

static void
load_call (struct user_regs_struct *regs, uint64_t insn, long nr,
	   const uint64_t args[6])
{
  regs->rip = insn;
  regs->rax = nr;
  regs->orig_rax = -1;
  regs->rdi = args[0];
  regs->rsi = args[1];
  regs->rdx = args[2];
  regs->r10 = args[3];
  regs->r8 = args[4];
  regs->r9 = args[5];
}

static int
make_call (lp_thread *thread, long nr, const uint64_t args[6], int64_t *result,
	   lp_error *err)
{
  struct saved saved;
  uint64_t all = ~UINT64_C (0);
  bool stopped = false;
  if (save (thread, &saved, err))
    return -1;
  struct user_regs_struct regs = saved.regs;
  load_call (&regs, thread->proc->image.syscall_insn, nr, args);
  ptrace (PTRACE_SETSIGMASK, thread->tid, SIGSET, &all);
  if (lp_thread_set_regs (thread->tid, &regs, err)
      || lp_next_call_stop (thread, &stopped, err)
      || lp_next_call_stop (thread, &stopped, err)
      || lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  *result = regs.rax;
  return restore (thread, &saved, stopped, err);
}

/* A call in this process itself.  */
static int
call_here (long nr, const uint64_t args[6], int64_t *result)
{
  long r = syscall (nr, args[0], args[1], args[2], args[3], args[4], args[5]);
  *result = r == -1 ? -errno : r;
  return 0;
}

int
lp_remote_syscall (lp_process *proc, pid_t tid, long nr,
		   const uint64_t args[6], int64_t *result, lp_error *err)
{
  if (proc->self)
    return call_here (nr, args, result);
  lp_thread *thread = lp_thread_find (proc->target, tid);
  if (!thread || thread->proc != proc || thread->stop == LP_RUNNING
      || thread->signal)
    return lp_fail (err, LP_ETARGET, "thread %d is not stopped where it could"
		    " make a system call", tid);
  if (lp_process_confined (proc))
    return lp_fail (err, LP_EUNSUPPORTED, "process %d is confined by seccomp:"
		    " no system call is made in it", proc->pid);
  if (lp_finish_call (thread, err) || lp_remote_prepare (proc, err))
    return -1;
  return make_call (thread, nr, args, result, err);
}

/* The 128 bytes below rsp may be in use; what lies further down is put back,
   too, for code that does not keep to the ABI.  */
int
lp_remote_with_string (lp_thread *thread, long nr, uint64_t args[6], int arg,
		       const char *string, int64_t *result, lp_error *err)
{
  lp_process *proc = thread->proc;
  size_t n = strlen (string) + 1;
  struct user_regs_struct regs;
  if (proc->self)
    {
      args[arg] = (uintptr_t) string;
      return call_here (nr, args, result);
    }
  if (lp_finish_call (thread, err)
      || lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  uint64_t at = (regs.rsp - 256 - n) & ~UINT64_C (15);
  char *old = malloc (n);
  if (!old)
    return lp_nomem (err);
  int r = -1;
  if (lp_process_read (proc, at, old, n, err) == 0
      && lp_process_write (proc, at, string, n, err) == 0)
    {
      args[arg] = at;
      r = lp_remote_syscall (proc, thread->tid, nr, args, result, err);
      if (lp_process_write (proc, at, old, n, err))
	r = -1;
    }
  free (old);
  return r;
}
