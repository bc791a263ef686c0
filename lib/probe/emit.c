/* emit.c: the probes.

   A timed probe, where nothing can be spared (a: the block's register):

	lea   -0xa0(%rsp),%rsp		past the red zone
	mov   %rax,(%rsp); mov %rdx,8(%rsp); mov %a,16(%rsp)
	lahf; seto %al; mov %rax,24(%rsp)
	rdtsc
	shl   $32,%rdx; or %rdx,%rax
	mov   %fs:slot,%a
	mov   %rax,%rdx; sub last(%a),%rdx	ticks since the last event
	lea   cost(%rdx),%rax; add %rax,last(%a)
	mov   line(%a),%eax; movl $cell,line(%a)
	add   %rdx,clock(%a)
	add   %rdx,(%a,%rax)		charge the line that was current
	incq  counter(%a)
	mov   24(%rsp),%rax; add $0x7f,%al; sahf
	mov   (%rsp),%rax; ...
	lea   0xa0(%rsp),%rsp

   All of it but rdtsc hides in rdtsc's own latency.  Counting is one instruction,
   so that a signal handler between any two cannot lose a hit.  `last` moves by a
   difference, so the sum of all charges is right whatever a handler adds in
   between; a handler right behind rdtsc can put its own time on two lines.  */

#include "probe/emit.h"

#include <stddef.h>

#include "wire/layout.h"

enum
{
  FRAME = 0xa0,			/* red zone of 128 bytes and four words */
  SLOT_RAX = 0, SLOT_RDX = 8, SLOT_BASE = 16, SLOT_FLAGS = 24
};

/* What one probe has to save.  */
struct saves
{
  enum lp_reg base;		/* holds the block's address */
  bool rax, rdx, base_too, flags;
};

static bool
is_live (const lp_probe *probe, enum lp_reg reg)
{
  return probe->live_regs >> reg & 1;
}

/* A register for the block's address: one that is dead, else rcx.  Not rax and
   rdx (rdtsc's), and not those whose encoding as a base is special.  */
static enum lp_reg
choose_base (const lp_probe *probe)
{
  static const enum lp_reg order[] = {
    LP_RCX, LP_RSI, LP_RDI, LP_R8, LP_R9, LP_R10, LP_R11, LP_RBX, LP_R14,
    LP_R15 };
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (!is_live (probe, order[i]))
      return order[i];
  return LP_RCX;
}

static struct saves
choose_saves (const lp_probe *probe, bool timed)
{
  struct saves s = { .base = choose_base (probe), .flags = probe->live_flags };
  s.base_too = is_live (probe, s.base);
  s.rax = (timed || s.flags) && is_live (probe, LP_RAX);
  s.rdx = timed && is_live (probe, LP_RDX);
  return s;
}

static bool
needs_frame (const struct saves *s, bool timed)
{
  return s->rax || s->rdx || s->base_too || (s->flags && timed);
}

/* lahf; seto %al.  */
static void
flags_to_rax (lp_asm *a)
{
  lp_asm_bytes (a, "\x9f\x0f\x90\xc0", 4);
}

/* add $0x7f,%al; sahf: overflow from al, the others from ah.  */
static void
rax_to_flags (lp_asm *a)
{
  lp_asm_bytes (a, "\x04\x7f\x9e", 3);
}

static void
save (lp_asm *a, const struct saves *s, bool timed)
{
  if (needs_frame (s, timed))
    lp_asm_lea_sp (a, LP_RSP, -FRAME);
  if (s->rax)
    lp_asm_store_sp (a, LP_RAX, SLOT_RAX);
  if (s->rdx)
    lp_asm_store_sp (a, LP_RDX, SLOT_RDX);
  if (s->base_too)
    lp_asm_store_sp (a, s->base, SLOT_BASE);
  if (!s->flags)
    return;
  flags_to_rax (a);
  if (timed)
    lp_asm_store_sp (a, LP_RAX, SLOT_FLAGS);
}

static void
restore (lp_asm *a, const struct saves *s, bool timed)
{
  if (s->flags && timed)
    lp_asm_load_sp (a, LP_RAX, SLOT_FLAGS);
  if (s->flags)
    rax_to_flags (a);
  if (s->base_too)
    lp_asm_load_sp (a, s->base, SLOT_BASE);
  if (s->rdx)
    lp_asm_load_sp (a, LP_RDX, SLOT_RDX);
  if (s->rax)
    lp_asm_load_sp (a, LP_RAX, SLOT_RAX);
  if (needs_frame (s, timed))
    lp_asm_lea_sp (a, LP_RSP, FRAME);
}

/* incq cell(%base): REX.W ff /0.  */
static void
count (lp_asm *a, enum lp_reg base, const lp_probe *probe)
{
  for (size_t i = 0; i < probe->ncounters; i++)
    lp_asm_mem (a, true, 0xff, 0, base, probe->counters[i]);
}

/* movl $value,disp(%base): c7 /0.  */
static void
store_u32 (lp_asm *a, enum lp_reg base, int32_t disp, uint32_t value)
{
  lp_asm_mem (a, false, 0xc7, 0, base, disp);
  lp_asm_u32 (a, value);
}

/* add %rdx,(%base,%rax): 48 01 14, sib with index rax.  */
static void
charge (lp_asm *a, enum lp_reg base)
{
  lp_asm_byte (a, 0x48 | base >> 3);
  lp_asm_bytes (a, "\x01\x14", 2);
  lp_asm_byte (a, LP_RAX << 3 | (base & 7));
}

static void
clock_and_charge (lp_asm *a, const lp_emit_env *env, enum lp_reg base,
		  uint32_t line_cell)
{
  lp_asm_bytes (a, "\x0f\x31", 2);		/* rdtsc */
  lp_asm_bytes (a, "\x48\xc1\xe2\x20", 4);	/* shl $32,%rdx */
  lp_asm_reg (a, 0x09, LP_RDX, LP_RAX);		/* or %rdx,%rax */
  lp_asm_load_fs (a, base, env->slot);
  lp_asm_reg (a, 0x89, LP_RAX, LP_RDX);		/* mov %rax,%rdx */
  lp_asm_mem (a, true, 0x2b, LP_RDX, base, offsetof (lp_block, last));
  lp_asm_mem (a, true, 0x8d, LP_RAX, LP_RDX, env->line_cost);
  lp_asm_mem (a, true, 0x01, LP_RAX, base, offsetof (lp_block, last));
  lp_asm_mem (a, false, 0x8b, LP_RAX, base, offsetof (lp_block, line));
  store_u32 (a, base, offsetof (lp_block, line), line_cell);
  lp_asm_mem (a, true, 0x01, LP_RDX, base, offsetof (lp_block, clock));
  charge (a, base);
}

void
lp_emit_probe (lp_asm *a, const lp_emit_env *env, const lp_probe *probe)
{
  bool timed = probe->line_cell && env->timed;
  if (!timed && !probe->ncounters)
    return;
  struct saves s = choose_saves (probe, timed);
  save (a, &s, timed);
  if (timed)
    clock_and_charge (a, env, s.base, probe->line_cell);
  else
    lp_asm_load_fs (a, s.base, env->slot);
  count (a, s.base, probe);
  restore (a, &s, timed);
}

static void
push (lp_asm *a, enum lp_reg reg)
{
  lp_asm_byte (a, 0x50 | reg);
}

static void
pop (lp_asm *a, enum lp_reg reg)
{
  lp_asm_byte (a, 0x58 | reg);
}

void
lp_emit_entry (lp_asm *a, const lp_emit_env *env, uint32_t func_cell,
	       uint32_t line_cell)
{
  push (a, LP_RAX);
  push (a, LP_RCX);
  lp_asm_load_fs (a, LP_RCX, env->slot);
  if (env->thunk_claim)
    lp_asm_call (a, env->thunk_claim);
  if (env->calls)
    {
      lp_asm_byte (a, 0xb8);			/* mov $...,%eax */
      lp_asm_u32 (a, func_cell);
      lp_asm_call (a, env->thunk_entry);
    }
  else if (env->timed)
    {
      lp_asm_bytes (a, "\x48\xb8", 2);		/* movabs $...,%rax */
      lp_asm_u32 (a, func_cell);
      lp_asm_u32 (a, line_cell);
      lp_asm_call (a, env->thunk_entry);
    }
  else
    lp_asm_mem (a, true, 0xff, 0, LP_RCX,
		func_cell + offsetof (lp_func_cell, calls));
  pop (a, LP_RCX);
  pop (a, LP_RAX);
}

void
lp_emit_exit (lp_asm *a, const lp_emit_env *env)
{
  if (!env->timed && !env->calls)
    return;
  push (a, LP_RAX);
  push (a, LP_RCX);
  lp_asm_load_fs (a, LP_RCX, env->slot);
  lp_asm_call (a, env->thunk_exit);
  pop (a, LP_RCX);
  pop (a, LP_RAX);
}

/* Nothing below the stack pointer is in use around a call.  A word there stands for
   the return address, which an entry and an exit expect.  */
void
lp_emit_call (lp_asm *a, const lp_emit_env *env, uint32_t number)
{
  lp_asm_lea_sp (a, LP_RSP, -8);
  lp_emit_entry (a, env, number, 0);
  lp_asm_lea_sp (a, LP_RSP, 8);
}

void
lp_emit_called (lp_asm *a, const lp_emit_env *env)
{
  lp_asm_lea_sp (a, LP_RSP, -8);
  lp_emit_exit (a, env);
  lp_asm_lea_sp (a, LP_RSP, 8);
}

/* Past the red zone, as anywhere in a function: call THUNK with both numbers.  */
static void
call_between (lp_asm *a, const lp_emit_env *env, uint64_t thunk, uint32_t holder,
	      uint32_t number)
{
  lp_asm_lea_sp (a, LP_RSP, -0x80);
  push (a, LP_RAX);
  push (a, LP_RCX);
  lp_asm_load_fs (a, LP_RCX, env->slot);
  lp_asm_bytes (a, "\x48\xb8", 2);		/* movabs $...,%rax */
  lp_asm_u32 (a, number);
  lp_asm_u32 (a, holder);
  lp_asm_call (a, thunk);
  pop (a, LP_RCX);
  pop (a, LP_RAX);
  lp_asm_lea_sp (a, LP_RSP, 0x80);
}

void
lp_emit_inlined (lp_asm *a, const lp_emit_env *env, uint32_t holder,
		 uint32_t number, bool minus)
{
  call_between (a, env, minus ? env->thunk_uninlined : env->thunk_inlined,
		holder, number);
}

void
lp_emit_switch (lp_asm *a, const lp_emit_env *env, uint32_t holder,
		uint32_t number)
{
  call_between (a, env, env->thunk_switch, holder, number);
}

void
lp_emit_resync (lp_asm *a, const lp_emit_env *env)
{
  if (!env->timed && !env->calls)
    return;
  lp_asm_lea_sp (a, LP_RSP, -0x80);
  push (a, LP_RAX);
  push (a, LP_RCX);
  lp_asm_load_fs (a, LP_RCX, env->slot);
  lp_asm_lea_sp (a, LP_RAX, 0x90);
  lp_asm_call (a, env->thunk_resync);
  pop (a, LP_RCX);
  pop (a, LP_RAX);
  lp_asm_lea_sp (a, LP_RSP, 0x80);
}
