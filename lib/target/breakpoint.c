/* breakpoint.c: the target's own int3s, and what an int3 does to SIGTRAP, and a
   fault to SIGSEGV.

   The kernel forces these signals on the thread: where one is blocked or ignored,
   it unblocks it and sets the default action, tracer or not.  The tracer sees
   the state afterwards only, so it has to know what was before.  At exec it is
   read.  Later a thread whose mask holds every signal that sigfillset gives, but
   this one, certainly had blocked it, too; and a process that was started with it
   ignored and has the default action now is taken to have ignored it still.  A
   program that blocks SIGTRAP alone and runs into an int3 then finds it
   unblocked, and one that has a handler for it as well has lost that.  Where the
   hooks want it exactly, sigstate.c knows.  */

#include "target/internal.h"

#include <string.h>
#include <sys/ptrace.h>

enum { INT3 = 0xcc };

int
lp_breakpoint_set (lp_process *proc, lp_breakpoint *bp, uint64_t addr,
		   lp_error *err)
{
  uint8_t int3 = INT3;
  if (lp_process_read (proc, addr, &bp->byte, 1, err)
      || lp_process_write (proc, addr, &int3, 1, err))
    return -1;
  bp->addr = addr;
  return 0;
}

int
lp_breakpoint_clear (lp_process *proc, lp_breakpoint *bp, lp_error *err)
{
  uint64_t addr = bp->addr;
  bp->addr = 0;
  return addr ? lp_process_write (proc, addr, &bp->byte, 1, err) : 0;
}

static uint64_t
bit (int signal)
{
  return UINT64_C (1) << (signal - 1);
}

/* Does MASK hold all that a program can block but SIGNAL?  32 and 33 are the C
   libraries' own.  */
static bool
all_but (int signal, uint64_t mask)
{
  uint64_t other = bit (SIGKILL) | bit (SIGSTOP) | bit (32) | bit (33)
    | bit (34);
  return (mask | other | bit (signal)) == ~UINT64_C (0)
	 && !(mask & bit (signal));
}

static bool
has_default (lp_process *proc, int signal)
{
  return !((lp_procfs_mask (proc->pid, "SigIgn")
	    | lp_procfs_mask (proc->pid, "SigCgt")) & bit (signal));
}

int
lp_forced_repair (lp_thread *thread, int signal, const siginfo_t *info,
		  lp_error *err)
{
  lp_image *image = &thread->proc->image;
  const lp_action ignore = { .handler = (uint64_t) (uintptr_t) SIG_IGN };
  uint64_t mask;
  if (thread->mask_known && image->ready)
    return lp_sigstate_repair (thread, signal, info, err);
  if (ptrace (PTRACE_GETSIGMASK, thread->tid, 8, &mask))
    return 0;
  bool blocked = image->ready ? all_but (signal, mask)
		 : image->blocked & bit (signal);
  if (blocked)
    {
      mask |= bit (signal);
      ptrace (PTRACE_SETSIGMASK, thread->tid, 8, &mask);
    }
  if (image->ignored & bit (signal) && has_default (thread->proc, signal)
      && !lp_process_confined (thread->proc))
    return lp_sigstate_set (thread, signal, ignore, err);
  return 0;
}
