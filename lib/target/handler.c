/* handler.c: what a signal handler sees of a thread that was interrupted in code
   that the owner made of the program's own.

   The handler shall find the original address in its signal frame: it unwinds
   from there, looks it up, throws, prints it.  And the thread shall go on in the
   copy afterwards.  So:

   - a signal that comes in the middle of a probe waits until that is over, and one
     that comes where a breakpoint has led, until the instruction there has run: Go's
     runtime sends a thread elsewhere from its handler, and back to the address that
     the handler saw, where the breakpoint would count once more;
   - the signal is delivered by a single step, which ends before the handler's
     first instruction: the frame is on the stack then, and its program counter is
     replaced;
   - until that frame is gone, the thread stops at its system calls.  At
     sigreturn the program counter is replaced again: by what it was, or, where
     the handler has changed it, by the copy of what it is now.

   A handler may also leave by longjmp or a throw, and its frame remain without
   use: whoever is above it on the stack has left it, and so, it is taken, has who
   made very many system calls.  Should the frame still be there then, it gets
   back what it had: nothing is lost, only what is seen of it.

   A signal without a handler that ends the program does so at the original
   address, for the core file.

   At the handler's start rsi points to the siginfo, rdx to the ucontext.  */

#include "target/internal.h"
#include "target/sigframe.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time that may go into such steps besides their share, ns: signals that come now and
   then always wait, however slow the machine steps.  */
#define ALLOWANCE INT64_C (250000000)

enum
{
  MOST_STEPS = 400,		/* a probe has fewer instructions */
  MOST_CALLS = 4096,		/* of a handler that is still believed to run */
  NEAR = 1 << 20,		/* bytes of stack that a handler may use */
  SHARE = 2,			/* of the time may go into steps for signals that others
				   send */
  CANCEL = 32			/* glibc's signal for pthread_cancel; Go's for sending
				   a goroutine elsewhere is SIGURG */
};

static uint64_t
original (const lp_thread *thread, uint64_t pc)
{
  const lp_hooks *hooks = thread->proc->target->hooks;
  return hooks->original (hooks->arg, thread->proc, pc);
}

/* Is THREAD, at PC, where no handler may see it?  */
static bool
is_hidden (const lp_thread *thread, uint64_t pc)
{
  const lp_hooks *hooks = thread->proc->target->hooks;
  return original (thread, pc) == LP_BETWEEN
	 || hooks->counted (hooks->arg, thread->proc, pc);
}

static uint64_t
mask_of (int signal)
{
  return UINT64_C (1) << (signal - 1);
}

/* What came between THREAD's steps, to be done again afterwards.  */
struct between
{
  bool interrupt, stop;
  bool fault;			/* the instruction cannot run */
};

/* One step, all signals held back but those of the instruction itself.  1: done; 0:
   something else came first; -1: the thread has ended.  */
static int
step (lp_thread *thread, struct between *b)
{
  int status;
  if (lp_step_once (thread, 0, &status))
    return -1;
  b->interrupt |= status >> 16 == PTRACE_EVENT_STOP;
  b->stop |= status >> 8 == SIGSTOP;
  b->fault |= status >> 8 == SIGSEGV || status >> 8 == SIGBUS
	      || status >> 8 == SIGFPE || status >> 8 == SIGILL;
  return status >> 8 == SIGTRAP;
}

/* Step THREAD on until it is at an instruction of the program's, in a stop at
   which it can get a signal.  -1: it has ended.  */
static int
step_out (lp_thread *thread, struct user_regs_struct *regs)
{
  /* One of the instruction's own that were blocked would lose its handler.  */
  uint64_t own = mask_of (SIGTRAP) | mask_of (SIGSEGV) | mask_of (SIGBUS)
		 | mask_of (SIGFPE) | mask_of (SIGILL);
  uint64_t all = ~own, mask;
  struct between b = { false, false, false };
  int done = 1;
  if (ptrace (PTRACE_GETSIGMASK, thread->tid, 8, &mask)
      || (mask & mask_of (SIGTRAP))
      || ptrace (PTRACE_SETSIGMASK, thread->tid, 8, &all))
    return 0;
  for (int i = 0; i < MOST_STEPS && !b.fault; i++)
    {
      if (done && !is_hidden (thread, regs->rip))
	break;
      done = step (thread, &b);
      if (done < 0 || lp_thread_get_regs (thread->tid, regs, NULL))
	return -1;
    }
  ptrace (PTRACE_SETSIGMASK, thread->tid, 8, &mask);
  if (b.stop)
    syscall (SYS_tgkill, thread->proc->pid, thread->tid, SIGSTOP);
  if (b.interrupt)
    ptrace (PTRACE_INTERRUPT, thread->tid, 0, 0);
  return 0;
}

/* May a signal with INFO wait until THREAD is out of a probe?  Not one that the
   instruction itself caused.  Those that can come at any rate have a share of the
   time.  */
static bool
may_wait (lp_target *target, const siginfo_t *info)
{
  if (info->si_code > 0 && info->si_code != SI_KERNEL
      && (info->si_signo == SIGSEGV || info->si_signo == SIGBUS
	  || info->si_signo == SIGFPE || info->si_signo == SIGILL
	  || info->si_signo == SIGTRAP))
    return false;
  return info->si_signo == CANCEL || info->si_signo == SIGURG
	 || target->stepping <= ALLOWANCE + (lp_now () - target->began) / SHARE;
}

/* Bring THREAD, which is about to get the signal of INFO, to where the program's
   state is whole.  */
static int
come_out (lp_thread *thread, siginfo_t *info, struct user_regs_struct *regs)
{
  lp_target *target = thread->proc->target;
  int64_t start = lp_now ();
  if (!target->began)
    target->began = start;
  if (!may_wait (target, info))
    return 0;
  if (step_out (thread, regs))
    return -1;
  target->stepping += lp_now () - start;
  return ptrace (PTRACE_SETSIGINFO, thread->tid, 0, info);
}

/* Has the program a handler for SIGNAL, and, without, does SIGNAL end it with a
   core file?  */
static bool
is_caught (lp_process *proc, int signal)
{
  return lp_procfs_mask (proc->pid, "SigCgt") & mask_of (signal);
}

static bool
dumps_core (lp_process *proc, int signal)
{
  uint64_t dumping = mask_of (SIGQUIT) | mask_of (SIGILL) | mask_of (SIGTRAP)
    | mask_of (SIGABRT) | mask_of (SIGBUS) | mask_of (SIGFPE)
    | mask_of (SIGSEGV) | mask_of (SIGSYS) | mask_of (SIGXCPU)
    | mask_of (SIGXFSZ);
  return (dumping & mask_of (signal))
	 && !(lp_procfs_mask (proc->pid, "SigIgn") & mask_of (signal));
}

/* Where a thread goes on whose frame has RIP now.  */
static uint64_t
where_on (const lp_thread *thread, const lp_moved *m, uint64_t rip)
{
  const lp_hooks *hooks = thread->proc->target->hooks;
  if (rip == m->home)
    return m->copy;
  return hooks->copy (hooks->arg, thread->proc, rip);
}

/* Forget the Nth of THREAD's frames; LEFT: it is not known to be used now.  */
static void
give_back (lp_thread *thread, size_t n, bool left)
{
  const lp_moved m = thread->moved[n];
  uint64_t rip, at = m.frame + LP_SAVED_RIP;
  thread->moved[n] = thread->moved[--thread->nmoved];
  if (lp_process_read (thread->proc, at, &rip, 8, NULL)
      || (left && rip != m.home))
    return;
  uint64_t to = where_on (thread, &m, rip);
  if (to)
    lp_process_write (thread->proc, at, &to, 8, NULL);
}

static bool
has_left (lp_moved *m, uint64_t sp)
{
  return sp > m->frame + 8 || sp < m->frame - NEAR || m->calls++ > MOST_CALLS;
}

/* SP is THREAD's stack pointer: who has left their handlers?  */
static void
forget_left (lp_thread *thread, uint64_t sp)
{
  for (size_t i = thread->nmoved; i-- > 0;)
    if (has_left (&thread->moved[i], sp))
      give_back (thread, i, true);
}

/* THREAD is at the first instruction of its handler for SIGNAL.  (The interrupted
   program counter is not always what it was at the signal's stop: the kernel sets it
   back to make a system call again.)  Go's runtime does nothing at an address that it
   does not know.  */
static void
show_original (lp_thread *thread, int signal)
{
  lp_process *proc = thread->proc;
  struct user_regs_struct regs;
  siginfo_t info;
  uint64_t saved, home;
  if (lp_thread_get_regs (thread->tid, &regs, NULL)
      || regs.rdx != regs.rsp + 8
      || lp_process_read (proc, regs.rsp + LP_SAVED_RIP, &saved, 8, NULL)
      || (home = original (thread, saved)) <= LP_BETWEEN
      || (signal == SIGURG && is_hidden (thread, saved))
      || lp_process_write (proc, regs.rsp + LP_SAVED_RIP, &home, 8, NULL))
    return;
  if (thread->nmoved == LP_MOST_MOVED)
    give_back (thread, 0, true);
  thread->moved[thread->nmoved++]
    = (lp_moved) { .frame = regs.rsp, .home = home, .copy = saved };
  if (lp_process_read (proc, regs.rsi, &info, sizeof info, NULL) == 0
      && info.si_code > 0 && (uint64_t) (uintptr_t) info.si_addr == saved)
    lp_process_write (proc, regs.rsi + offsetof (siginfo_t, si_addr), &home, 8,
		      NULL);
}

/* Deliver THREAD's signal and stop before the handler's first instruction.  */
static void
deliver (lp_thread *thread)
{
  int signal = thread->signal, status;
  thread->signal = 0;
  if (lp_step_once (thread, signal, &status))
    return;
  if (status >> 8 != SIGTRAP)
    {
      /* Something else came first.  */
      lp_event_keep (thread->proc->target, thread->tid, status, NULL);
      thread->stop = LP_RUNNING;
      return;
    }
  thread->stop = LP_AT_STOP;
  lp_sigstate_note (thread);
  lp_sigstate_delivered (thread, signal);
  show_original (thread, signal);
}

void
lp_handler_inherit (lp_thread *child, const lp_thread *creator)
{
  memcpy (child->moved, creator->moved, sizeof child->moved);
  child->nmoved = creator->nmoved;
}

void
lp_handler_signal (lp_thread *thread, siginfo_t *info)
{
  const lp_hooks *hooks = thread->proc->target->hooks;
  struct user_regs_struct regs;
  int signal = thread->signal;
  if (!hooks->original || !thread->proc->image.ready || signal == SIGKILL
      || lp_thread_get_regs (thread->tid, &regs, NULL))
    return;
  forget_left (thread, regs.rsp);
  uint64_t home = original (thread, regs.rip);
  if (home == 0 && !hooks->exact)
    return;
  bool caught = is_caught (thread->proc, signal);
  if (!caught && !dumps_core (thread->proc, signal))
    return;
  if (is_hidden (thread, regs.rip))
    {
      if (come_out (thread, info, &regs))
	return;
      home = original (thread, regs.rip);
    }
  if (caught && (hooks->exact || home > LP_BETWEEN))
    deliver (thread);
  else if (home > LP_BETWEEN)
    {
      regs.rip = home;
      lp_thread_set_regs (thread->tid, &regs, NULL);
    }
}

void
lp_handler_call (lp_thread *thread)
{
  struct __ptrace_syscall_info info;
  thread->stop = LP_AFTER_CALL;
  const lp_hooks *hooks = thread->proc->target->hooks;
  if (ptrace (PTRACE_GET_SYSCALL_INFO, thread->tid, sizeof info, &info) < 0
      || info.op != PTRACE_SYSCALL_INFO_ENTRY)
    {
      lp_sigstate_leave (thread);
      if (hooks->exact && hooks->called)
	hooks->called (hooks->arg, thread->proc, thread->tid);
      return;
    }
  thread->stop = LP_IN_CALL;
  lp_sigstate_enter (thread, &info);
  for (size_t i = thread->nmoved; i-- > 0;)
    if (info.entry.nr == SYS_rt_sigreturn
	&& thread->moved[i].frame + 8 == info.stack_pointer)
      give_back (thread, i, false);
  forget_left (thread, info.stack_pointer);
}
