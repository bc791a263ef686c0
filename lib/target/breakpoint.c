/* breakpoint.c: the target's own int3s, and what an int3 does to SIGTRAP.

   The kernel forces the signal of an int3 on the thread: where SIGTRAP is
   blocked or ignored, it unblocks it and sets the default action, tracer or
   not.  The tracer sees the state afterwards only, so it has to know what was
   before.  At exec it is read.  Later a thread whose mask holds every signal
   that sigfillset gives, but SIGTRAP, certainly had blocked it, too; and a
   process that was started with SIGTRAP ignored and has the default action now
   is taken to have ignored it still.  A program that blocks SIGTRAP alone and
   runs into an int3 then finds it unblocked.  */

#include "target/internal.h"

#include <asm/unistd.h>
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

/* Does MASK hold all that a program can block but SIGTRAP?  32 and 33 are the
   C libraries' own.  */
static bool
all_but_trap (uint64_t mask)
{
  uint64_t other = bit (SIGTRAP) | bit (SIGKILL) | bit (SIGSTOP) | bit (32)
    | bit (33) | bit (34);
  return (mask | other) == ~UINT64_C (0) && !(mask & bit (SIGTRAP));
}

static bool
has_default_trap (lp_process *proc)
{
  return !((lp_procfs_status (proc->pid, "SigIgn", 16)
	    | lp_procfs_status (proc->pid, "SigCgt", 16)) & bit (SIGTRAP));
}

/* The kernel's struct sigaction: handler, flags, restorer, mask.  */
static int
ignore_trap (lp_thread *thread, lp_error *err)
{
  uint64_t action[4] = { (uint64_t) (uintptr_t) SIG_IGN, 0, 0, 0 }, old[4];
  struct user_regs_struct regs;
  int64_t result;
  lp_process *proc = thread->proc;
  if (lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  uint64_t at = (regs.rsp - 256 - sizeof action) & ~UINT64_C (15);
  const uint64_t args[6] = { SIGTRAP, at, 0, 8 };
  if (lp_process_read (proc, at, old, sizeof old, err)
      || lp_process_write (proc, at, action, sizeof action, err)
      || lp_remote_syscall (proc, thread->tid, __NR_rt_sigaction, args,
			    &result, err))
    return -1;
  return lp_process_write (proc, at, old, sizeof old, err);
}

int
lp_sigtrap_repair (lp_thread *thread, lp_error *err)
{
  lp_image *image = &thread->proc->image;
  uint64_t mask;
  if (ptrace (PTRACE_GETSIGMASK, thread->tid, 8, &mask))
    return 0;
  bool blocked = image->ready ? all_but_trap (mask) : image->trap_blocked;
  if (blocked)
    {
      mask |= bit (SIGTRAP);
      ptrace (PTRACE_SETSIGMASK, thread->tid, 8, &mask);
    }
  if (image->trap_ignored && has_default_trap (thread->proc)
      && !lp_process_confined (thread->proc))
    return ignore_trap (thread, err);
  return 0;
}
