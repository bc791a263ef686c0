/* stops.c: what it means that a thread has stopped: at an int3, where it may not
   execute, or in a probe without a block.  */

#include "image.h"

#include <x86intrin.h>

#include "goroutine.h"
#include "probe/trap.h"

/* The thread with REGS comes to TRAP, of GRAFT, in Go's code: let its BLOCK have its
   goroutine's calls.  How far its stack is from where it stands for here.  */
static int64_t
settle (lp_image *image, const lp_graft *graft, const lp_trap *trap,
	lp_process *proc, lp_block *block, const struct user_regs_struct *regs)
{
  uint64_t top, g;
  if (!block || !trap->probe || !trap->plan->go
      || !(g = lp_goroutine_find (proc, regs, &top)))
    return 0;
  /* Forks have the same addresses.  */
  uint64_t key = g ^ (uint64_t) lp_process_pid (proc) << 47;
  lp_strands_run (&image->strands, block, graft->prepared->calls, key,
		  __rdtsc ());
  return LP_GO_STACKS_END - top;
}

/* The thread with REGS, BLOCK its own or NULL, comes to TRAP, of GRAFT.  */
static void
run (lp_image *image, const lp_graft *graft, const lp_trap *trap,
     lp_process *proc, lp_block *block, struct user_regs_struct *regs)
{
  int64_t shift = settle (image, graft, trap, proc, block, regs);
  lp_trap_run (&graft->text, trap, block, regs, shift);
  if (shift)
    lp_strands_ran (&image->strands, block);
}

int
lp_image_int3 (lp_image *image, const lp_grafts *grafts, lp_process *proc,
	       pid_t tid, struct user_regs_struct *regs)
{
  const lp_graft *graft;
  const lp_trap *trap = lp_grafts_trap (grafts, regs->rip - 1, &graft);
  if (!trap)
    return 0;
  lp_block *block = lp_pool_find (&image->pool, tid);
  run (image, graft, trap, proc, block, regs);
  return 1;
}

/* Closed pages.  */

lp_graft *
lp_grafts_closed (const lp_grafts *grafts, uint64_t addr,
		  const struct user_regs_struct *regs)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (grafts->v[i].there
	&& lp_guard_stops (&grafts->v[i].graft->guard, addr, regs))
      return grafts->v[i].graft;
  return NULL;
}

void
lp_grafts_guard (const lp_grafts *grafts, lp_process *proc, bool shut)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (grafts->v[i].there && shut)
      lp_guard_close (&grafts->v[i].graft->guard, proc, NULL);
    else if (grafts->v[i].there)
      lp_guard_open (&grafts->v[i].graft->guard, proc, NULL);
}

/* Stepping: TID comes to an instruction of GRAFT's module that is watched, or to
   its neighbours.  */
static int
step (lp_image *image, lp_graft *graft, lp_process *proc, pid_t tid,
      struct user_regs_struct *regs, lp_error *err)
{
  const lp_trap *trap = lp_trap_find (&graft->text, regs->rip);
  lp_block *block = image->idle ? NULL : lp_pool_find (&image->pool, tid);
  if (trap)
    {
      run (image, graft, trap, proc, block, regs);
      return 1;
    }
  if (block)
    block->last += graft->text.step_cost;
  return lp_guard_pass (&graft->guard, &graft->text, regs, err);
}

/* Probes without a block.  */

/* The general register number N of REGS.  */
static unsigned long long *
register_at (struct user_regs_struct *regs, unsigned n)
{
  unsigned long long *const all[16] = {
    &regs->rax, &regs->rcx, &regs->rdx, &regs->rbx, &regs->rsp, &regs->rbp,
    &regs->rsi, &regs->rdi, &regs->r8, &regs->r9, &regs->r10, &regs->r11,
    &regs->r12, &regs->r13, &regs->r14, &regs->r15 };
  return all[n];
}

/* `mov %fs:slot,%reg' (64 REX 8b modrm 25 disp32) without thread-local storage:
   count in block 0 and go on behind it.  */
static int
skip_load (lp_image *image, const uint8_t *p, struct user_regs_struct *regs)
{
  *register_at (regs, (p[3] >> 3 & 7) | (p[1] & 4) << 1)
    = image->pool.remote;
  regs->rip += 9;
  return 1;
}

/* A thread comes to its functions' own bad accesses only behind a probe: with an
   empty slot it is the probe that fails.  */
static bool
is_slot_empty (const lp_image *image, lp_process *proc,
	       const struct user_regs_struct *regs)
{
  uint64_t block;
  return regs->fs_base
	 && lp_process_read (proc, regs->fs_base + image->slot, &block, 8,
			     NULL) == 0
	 && block == 0;
}

/* The first access through the slot's value: [REX] opcode modrm, no sib.  */
static int
fill_base (lp_image *image, lp_process *proc, pid_t tid, const uint8_t *p,
	   struct user_regs_struct *regs, lp_error *err)
{
  unsigned rex = (p[0] & 0xf0) == 0x40 ? *p++ : 0;
  unsigned long long *base = register_at (regs, (p[1] & 7) | (rex & 1) << 3);
  if (p[1] >> 6 == 3 || (p[1] & 7) == 4 || *base != 0
      || !is_slot_empty (image, proc, regs))
    return 0;
  uint64_t block = lp_image_block (image, proc, tid);
  *base = block;
  return lp_image_set_slot (image, proc, tid, block, err) ? -1 : 1;
}

/* In the code that is ours, a probe's access failed.  */
static int
probe (lp_image *image, const lp_grafts *grafts, lp_process *proc, pid_t tid,
       struct user_regs_struct *regs, lp_error *err)
{
  const lp_text *text = lp_grafts_text (grafts, regs->rip);
  if (!text || regs->rip + 16 > text->code.base + text->code.cap)
    return 0;
  const uint8_t *p = text->code.buf + (regs->rip - text->code.base);
  if (p[0] == 0x64 && !regs->fs_base)
    return skip_load (image, p, regs);
  return fill_base (image, proc, tid, p, regs, err);
}

int
lp_image_fault (lp_image *image, const lp_grafts *grafts, lp_process *proc,
		pid_t tid, uint64_t addr, struct user_regs_struct *regs,
		lp_error *err)
{
  lp_graft *graft = lp_grafts_closed (grafts, addr, regs);
  return graft ? step (image, graft, proc, tid, regs, err)
	 : probe (image, grafts, proc, tid, regs, err);
}
