/* sigstate.c: what the program has made of the signals that stop it for us.

   The kernel forces SIGTRAP and SIGSEGV on a thread that runs into an int3 or a
   fault: where the thread blocks the signal, or the process ignores it, it is
   unblocked and gets the default action, and one that was pending for the thread
   comes instead.  The tracer sees the state afterwards only.  With the hooks'
   `exact' it knows the one before: masks change in system calls and at the start
   of handlers, actions in rt_sigaction, and threads stop at all of these.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>

enum { BELOW = 256 };		/* the stack's red zone, and more */

static uint64_t
bit (int signal)
{
  return UINT64_C (1) << (signal - 1);
}

/* What THREAD's process has set for SIGNAL, or NULL: that is not kept.  */
static lp_action *
action_of (lp_thread *thread, int signal)
{
  lp_image *image = &thread->proc->image;
  return signal == SIGTRAP ? &image->actions[0]
	 : signal == SIGSEGV ? &image->actions[1] : NULL;
}

static bool
is_exact (const lp_thread *thread)
{
  return thread->proc->target->hooks->exact;
}

void
lp_sigstate_note (lp_thread *thread)
{
  if (is_exact (thread))
    thread->mask_known
      = ptrace (PTRACE_GETSIGMASK, thread->tid, 8, &thread->mask) == 0;
}

void
lp_sigstate_enter (lp_thread *thread, const struct __ptrace_syscall_info *info)
{
  uint64_t from = info->entry.args[1];
  int signal = (int) info->entry.args[0];
  thread->setting = 0;
  if (is_exact (thread) && info->entry.nr == __NR_rt_sigaction && from
      && action_of (thread, signal)
      && lp_process_read (thread->proc, from, &thread->action,
			  sizeof thread->action, NULL) == 0)
    thread->setting = signal;
}

void
lp_sigstate_leave (lp_thread *thread)
{
  struct user_regs_struct regs;
  int signal = thread->setting;
  lp_sigstate_note (thread);
  thread->setting = 0;
  if (signal && lp_thread_get_regs (thread->tid, &regs, NULL) == 0
      && regs.rax == 0)
    *action_of (thread, signal) = thread->action;
}

void
lp_sigstate_delivered (lp_thread *thread, int signal)
{
  lp_action *action = action_of (thread, signal);
  if (action && action->flags & SA_RESETHAND)
    *action = (lp_action) { .handler = 0 };
}

bool
lp_sigstate_blocks (const lp_thread *thread, int signal)
{
  return is_exact (thread) && thread->mask_known
	 && thread->mask & bit (signal);
}

/* A system call with the N bytes at DATA below THREAD's stack, as argument ARG;
   DATA is what is there afterwards.  */
static int
call_with (lp_thread *thread, long nr, uint64_t args[6], int arg, void *data,
	   size_t n, lp_error *err)
{
  lp_process *proc = thread->proc;
  struct user_regs_struct regs;
  uint8_t old[sizeof (siginfo_t)];
  int64_t result;
  if (lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  uint64_t at = (regs.rsp - BELOW - n) & ~UINT64_C (15);
  args[arg] = at;
  if (lp_process_read (proc, at, old, n, err)
      || lp_process_write (proc, at, data, n, err)
      || lp_remote_syscall (proc, thread->tid, nr, args, &result, err)
      || lp_process_read (proc, at, data, n, err))
    return -1;
  return lp_process_write (proc, at, old, n, err);
}

int
lp_sigstate_set (lp_thread *thread, int signal, lp_action action,
		 lp_error *err)
{
  uint64_t args[6] = { signal, 0, 0, 8 };
  return call_with (thread, __NR_rt_sigaction, args, 1, &action,
		    sizeof action, err);
}

int
lp_sigstate_read (lp_thread *thread, lp_error *err)
{
  static const int signals[] = { SIGTRAP, SIGSEGV };
  for (int i = 0; i < 2; i++)
    {
      uint64_t args[6] = { signals[i], 0, 0, 8 };
      if (call_with (thread, __NR_rt_sigaction, args, 2,
		     action_of (thread, signals[i]), sizeof (lp_action), err))
	return -1;
    }
  return 0;
}

/* The signal of INFO, which came instead of ours, was pending for THREAD.  */
static int
send_again (lp_thread *thread, siginfo_t info, lp_error *err)
{
  uint64_t args[6] = { thread->proc->pid, thread->tid, info.si_signo };
  return call_with (thread, __NR_rt_tgsigqueueinfo, args, 3, &info,
		    sizeof info, err);
}

int
lp_sigstate_repair (lp_thread *thread, int signal, const siginfo_t *info,
		    lp_error *err)
{
  const lp_action *action = action_of (thread, signal);
  bool blocked = thread->mask & bit (signal);
  bool ignored = action->handler == (uint64_t) (uintptr_t) SIG_IGN;
  if (!blocked && !ignored)
    return 0;
  if (blocked)
    ptrace (PTRACE_SETSIGMASK, thread->tid, 8, &thread->mask);
  if (lp_process_confined (thread->proc))
    return 0;
  if (action->handler && lp_sigstate_set (thread, signal, *action, err))
    return -1;
  return info && info->si_code <= 0 ? send_again (thread, *info, err) : 0;
}
