/* step.c: single steps.

   The processor steps by the trap flag, which must not be left behind: it would kill
   whoever nobody traces by then.  A stepped pushf saves it with the others.  And the
   kernel takes it for the program's own from a stepped popf on, whatever that has
   restored, and leaves it set (enable_single_step in arch/x86/kernel/step.c); also in
   what it saves for the handler of a signal that comes there, or behind it.  */

#include "target/internal.h"
#include "target/sigframe.h"

#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum { TRAP_FLAG = 0x100, LONGEST = 4, PUSHF = 0x9c, POPF = 0x9d };

/* The opcode of CODE behind what pushf and popf may have before it.  *LENGTH: up to its
   end; *SIZE: of the flags.  */
static uint8_t
opcode (const uint8_t code[LONGEST], size_t *length, size_t *size)
{
  size_t i = 0;
  *size = 8;
  for (; i < LONGEST - 1 && (code[i] == 0x66 || (code[i] & 0xf0) == 0x40); i++)
    if (code[i] == 0x66)
      *size = 2;
  *length = i + 1;
  return code[i];
}

/* The code at ADDR, as far as its page.  */
static void
read_code (lp_process *proc, uint64_t addr, uint8_t code[LONGEST])
{
  size_t left = 4096 - addr % 4096;
  memset (code, 0, LONGEST);
  lp_process_read (proc, addr, code, left < LONGEST ? left : LONGEST, NULL);
}

void
lp_step_begin (lp_process *proc, pid_t tid, int signal, lp_step *step)
{
  struct user_regs_struct regs;
  uint8_t code[LONGEST];
  size_t length, size;
  uint16_t flags;
  *step = (lp_step) { .trap = true };
  if (lp_thread_get_regs (tid, &regs, NULL))
    return;
  *step = (lp_step) { .trap = regs.eflags & TRAP_FLAG, .handler = signal };
  if (signal)
    return;
  read_code (proc, regs.rip, code);
  uint8_t op = opcode (code, &length, &size);
  if (op == PUSHF && !step->trap)
    *step = (lp_step) { .pushes = true, .next = regs.rip + length,
			.at = regs.rsp - size };
  if (op == POPF
      && lp_process_read (proc, regs.rsp, &flags, sizeof flags, NULL) == 0)
    step->trap = flags & TRAP_FLAG;
}

/* Where STEP, which left REGS, has saved the flags; 0: nowhere.  */
static uint64_t
saved (const lp_step *step, const struct user_regs_struct *regs)
{
  if (step->handler)
    return regs->rdx == regs->rsp + 8 ? regs->rsp + LP_SAVED_FLAGS : 0;
  return step->pushes && regs->rip == step->next && regs->rsp == step->at
	 ? step->at : 0;
}

void
lp_step_end (lp_process *proc, pid_t tid, const lp_step *step)
{
  struct user_regs_struct regs;
  uint16_t flags;
  if (step->trap || lp_thread_get_regs (tid, &regs, NULL))
    return;
  uint64_t at = saved (step, &regs);
  if (at && lp_process_read (proc, at, &flags, sizeof flags, NULL) == 0
      && flags & TRAP_FLAG)
    {
      flags &= ~TRAP_FLAG;
      lp_process_write (proc, at, &flags, sizeof flags, NULL);
    }
  if (regs.eflags & TRAP_FLAG)
    {
      regs.eflags &= ~(uint64_t) TRAP_FLAG;
      lp_thread_set_regs (tid, &regs, NULL);
    }
}

int
lp_step_once (lp_thread *thread, int signal, int *status)
{
  lp_step step;
  lp_step_begin (thread->proc, thread->tid, signal, &step);
  if (ptrace (PTRACE_SINGLESTEP, thread->tid, 0, (long) signal)
      || lp_thread_wait (thread, status) != thread->tid)
    return -1;
  if (WIFSTOPPED (*status))
    {
      lp_step_end (thread->proc, thread->tid, &step);
      return 0;
    }
  thread->stop = LP_RUNNING;
  lp_event_keep (thread->proc->target, thread->tid, *status, NULL);
  return -1;
}
