/* dumpable.c: looking into a process that forbade it.

   A process that calls prctl (PR_SET_DUMPABLE, 0) closes its /proc files to all
   but root.  Its tracer can still make it call: it is told to open them, and to
   close them again as soon as we have what we need.  A process that the kernel
   itself closed (2, or a program that may not be read) stays closed.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <sys/prctl.h>

static int64_t
call_prctl (lp_process *proc, int what, int value)
{
  const uint64_t args[6] = { what, value };
  lp_thread *thread = lp_process_stopped (proc);
  int64_t result;
  if (!thread
      || lp_remote_syscall (proc, thread->tid, __NR_prctl, args, &result, NULL))
    return -1;
  return result;
}

bool
lp_dumpable_allow (lp_process *proc)
{
  return proc->image.syscall_insn && call_prctl (proc, PR_GET_DUMPABLE, 0) == 0
    && call_prctl (proc, PR_SET_DUMPABLE, 1) == 0;
}

void
lp_dumpable_forbid (lp_process *proc)
{
  call_prctl (proc, PR_SET_DUMPABLE, 0);
}
