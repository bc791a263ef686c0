/* clone.c: a function's clone: its body with probes inline, and around it the
   stubs that sites and branches need.

   Calls stay at home: where the original calls, the clone jumps to the original
   call instruction, whose return site leads back (sites.c).  Branches inside go
   to the clone and always have 32 bits; what leaves the function goes where the
   original goes, through an exit probe.  */

#include "probe/clone_build.h"

#include <stdlib.h>
#include <string.h>

#include "probe/live.h"
#include "probe/places.h"
#include "wire/layout.h"

enum { NO_COUNTER = UINT32_MAX };

const uint8_t *
lp_clone_bytes (const struct clone *c, const lp_insn *in)
{
  uint64_t avail;
  return lp_module_bytes (c->mod, in->addr, &avail);
}

static void
want (struct clone *c, uint64_t end, uint32_t insn)
{
  if (lp_vec_push (&c->fixups, (struct fixup) { end, insn }))
    c->nomem = true;
}

static void
want_stub (struct clone *c, struct stub stub)
{
  if (lp_vec_push (&c->stubs, stub))
    c->nomem = true;
}

/* Probes.  */

/* The counter of the edge from the branch FROM to ADDR.  */
static uint32_t
edge_counter (const lp_plan *plan, uint64_t from, uint64_t addr)
{
  for (size_t i = lp_plan_counters_at (plan, addr);
       i < plan->hits.counters.n && plan->hits.counters.v[i].addr == addr; i++)
    if (plan->hits.counters.v[i].from == from)
      return i;
  return NO_COUNTER;
}

void
lp_clone_emit_probe (struct clone *c, uint32_t i)
{
  const lp_plan *plan = c->plan;
  if (plan->calls)
    {
      lp_clone_probe_calls (c->text, plan, plan->flow.insns.v[i].addr);
      return;
    }
  uint64_t addr = plan->flow.insns.v[i].addr;
  const lp_mark *mark = lp_plan_mark_at (plan, addr);
  lp_probe probe = { .live_regs = c->live.regs[i],
		     .live_flags = c->live.flags[i] };
  c->cells.n = 0;
  for (size_t k = lp_plan_counters_at (plan, addr);
       k < plan->hits.counters.n && plan->hits.counters.v[k].addr == addr; k++)
    if (!plan->hits.counters.v[k].from
	&& lp_vec_push (&c->cells, lp_plan_counter_cell (plan, k)))
      c->nomem = true;
  probe.counters = c->cells.v;
  probe.ncounters = c->cells.n;
  if (mark && mark->timed && !lp_plan_entry_charges (plan, mark))
    probe.line_cell = lp_plan_line_cell (plan, mark->line);
  lp_emit_probe (&c->text->code, &c->text->env, &probe);
}

/* Count COUNTER alone, where instruction I comes next (-1: the function is
   left).  */
static void
emit_edge (struct clone *c, uint32_t counter, long i)
{
  if (c->plan->calls)
    {
      lp_clone_count_inlined (c->text, c->plan, counter);
      return;
    }
  uint32_t cell = lp_plan_counter_cell (c->plan, counter);
  lp_probe probe = { .counters = &cell, .ncounters = 1, .live_regs = 0xffff,
		     .live_flags = i >= 0 && c->live.flags[i] };
  if (i >= 0)
    probe.live_regs = c->live.regs[i];
  lp_emit_probe (&c->text->code, &c->text->env, &probe);
}

/* Branches.  */

static void
jump_to_insn (struct clone *c, uint32_t insn)
{
  lp_asm_jmp (&c->text->code, lp_asm_here (&c->text->code));
  want (c, lp_asm_here (&c->text->code), insn);
}

/* Leave the function for TARGET, run-time, which is CALLEE if not 0.  */
static void
leave_for (struct clone *c, uint64_t target, uint32_t callee)
{
  if (callee)
    lp_emit_call (&c->text->code, &c->text->env, callee);
  lp_emit_exit (&c->text->code, &c->text->env);
  lp_asm_jmp (&c->text->code, target);
}

static void
emit_jmp (struct clone *c, uint32_t i)
{
  const lp_insn *in = &c->plan->flow.insns.v[i];
  long to = lp_flow_find (&c->plan->flow, in->target);
  uint32_t counter = edge_counter (c->plan, in->addr, in->target);
  if (counter != NO_COUNTER)
    emit_edge (c, counter, to);
  if (to >= 0)
    jump_to_insn (c, to);
  else
    leave_for (c, in->target + c->text->bias,
	       lp_plan_callee_number (c->plan, i));
}

/* Low nibble of a jcc's opcode.  */
static unsigned
condition (const uint8_t *p, const lp_insn *in)
{
  const uint8_t *op = p + in->opcode_off;
  return (op[0] == 0x0f ? op[1] : op[0]) & 15;
}

/* jcc, loop, jrcxz.  */
static void
emit_conditional (struct clone *c, uint32_t i)
{
  const lp_insn *in = &c->plan->flow.insns.v[i];
  lp_asm *a = &c->text->code;
  long to = lp_flow_find (&c->plan->flow, in->target);
  uint32_t counter = edge_counter (c->plan, in->addr, in->target);
  uint64_t end;
  if (in->kind == LP_INSN_LOOP)
    end = lp_clone_loop (c->text, in, lp_clone_bytes (c, in));
  else
    {
      lp_asm_jcc (a, condition (lp_clone_bytes (c, in), in), lp_asm_here (a));
      end = lp_asm_here (a);
    }
  if (to >= 0 && counter == NO_COUNTER)
    want (c, end, to);
  else
    want_stub (c, (struct stub) { end, to, in->target + c->text->bias, counter,
				  lp_plan_callee_number (c->plan, i) });
  counter = edge_counter (c->plan, in->addr, in->addr + in->len);
  if (counter != NO_COUNTER)
    emit_edge (c, counter, i + 1);
}

static void
emit_xbegin (struct clone *c, const lp_insn *in)
{
  lp_asm *a = &c->text->code;
  long to = lp_flow_find (&c->plan->flow, in->target);
  lp_asm_bytes (a, "\xc7\xf8\0\0\0\0", 6);
  if (to >= 0)
    want (c, lp_asm_here (a), to);
  else
    lp_asm_fix (a, lp_asm_here (a), in->target + c->text->bias);
}

static void
emit_call (struct clone *c, uint32_t i)
{
  const lp_insn *in = &c->plan->flow.insns.v[i];
  lp_asm *a = &c->text->code;
  uint32_t callee = lp_plan_callee_number (c->plan, i);
  if (callee)
    lp_emit_call (a, &c->text->env, callee);
  if (!c->plan->away[i])
    {
      lp_asm_jmp (a, in->addr + c->text->bias);
      return;
    }
  lp_clone_push (c->text, in->addr + in->len + c->text->bias);
  if (in->kind == LP_INSN_CALL)
    lp_asm_jmp (a, in->target + c->text->bias);
  else
    lp_clone_jump_through (c->text, in, lp_clone_bytes (c, in), 8);
}

static void
emit_jump_through (struct clone *c, uint32_t i)
{
  const lp_insn *in = &c->plan->flow.insns.v[i];
  uint32_t block = lp_flow_block_of (&c->plan->flow, i);
  uint32_t callee = lp_plan_callee_number (c->plan, i);
  if (callee)
    lp_emit_call (&c->text->code, &c->text->env, callee);
  if (c->plan->flow.blocks.v[block].tail)
    lp_emit_exit (&c->text->code, &c->text->env);
  lp_clone_copy (c->text, in, lp_clone_bytes (c, in));
}

/* The instruction itself.  */
static void
emit_insn (struct clone *c, uint32_t i)
{
  const lp_insn *in = &c->plan->flow.insns.v[i];
  switch ((enum lp_insn_kind) in->kind)
    {
    case LP_INSN_JMP:
      emit_jmp (c, i);
      break;
    case LP_INSN_JCC: case LP_INSN_LOOP:
      emit_conditional (c, i);
      break;
    case LP_INSN_XBEGIN:
      emit_xbegin (c, in);
      break;
    case LP_INSN_JMP_IND:
      emit_jump_through (c, i);
      break;
    case LP_INSN_CALL: case LP_INSN_CALL_IND:
      emit_call (c, i);
      break;
    case LP_INSN_RET:
      lp_emit_exit (&c->text->code, &c->text->env);
      lp_clone_copy (c->text, in, lp_clone_bytes (c, in));
      break;
    case LP_INSN_PLAIN: case LP_INSN_STOP:
      lp_clone_copy (c->text, in, lp_clone_bytes (c, in));
      break;
    }
}

/* Does control run from instruction I off the end of its range?  */
static bool
falls_off (const lp_flow *flow, uint32_t i)
{
  const lp_insn *in = &flow->insns.v[i];
  if (in->kind == LP_INSN_JMP || in->kind == LP_INSN_JMP_IND
      || in->kind == LP_INSN_RET || in->kind == LP_INSN_STOP
      || in->kind == LP_INSN_CALL || in->kind == LP_INSN_CALL_IND)
    return false;
  return i + 1 == flow->insns.n || in[1].addr != in->addr + in->len;
}

static void
emit_body (struct clone *c)
{
  const lp_plan *plan = c->plan;
  lp_asm *a = &c->text->code;
  c->entry = lp_asm_here (a);
  lp_emit_entry (a, &c->text->env, plan->func_cell,
		 lp_plan_line_cell (plan, plan->hits.entry_line));
  uint32_t first = lp_flow_find (&plan->flow, plan->fn->entry);
  if (first != 0)
    jump_to_insn (c, first);
  for (uint32_t i = 0; i < plan->flow.insns.n; i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      c->at[i] = lp_asm_here (a);
      lp_clone_emit_probe (c, i);
      c->body = lp_asm_here (a);
      emit_insn (c, i);
      if (lp_places_add (c->text, in->addr + c->text->bias, c->at[i], c->body))
	c->nomem = true;
      if (falls_off (&plan->flow, i))
	leave_for (c, in->addr + in->len + c->text->bias, 0);
    }
}

static void
emit_stubs (struct clone *c)
{
  lp_asm *a = &c->text->code;
  for (size_t i = 0; i < c->stubs.n; i++)
    {
      struct stub *s = &c->stubs.v[i];
      lp_asm_fix (a, s->end, lp_asm_here (a));
      if (s->counter != NO_COUNTER)
	emit_edge (c, s->counter, s->insn);
      if (s->insn >= 0)
	jump_to_insn (c, s->insn);
      else
	leave_for (c, s->target, s->callee);
    }
}

/* A whole function.  */

static int
emit_all (struct clone *c)
{
  emit_body (c);
  emit_stubs (c);
  for (size_t i = 0; i < c->plan->sites.n; i++)
    if (lp_clone_patch_site (c, &c->plan->sites.v[i]))
      return -1;
  for (size_t i = 0; i < c->fixups.n; i++)
    lp_asm_fix (&c->text->code, c->fixups.v[i].end,
		c->at[c->fixups.v[i].insn]);
  return c->nomem ? -1 : 0;
}

static int
emit_clone (lp_text *text, const lp_module *mod, const lp_plan *plan)
{
  struct clone c = { .text = text, .mod = mod, .plan = plan };
  int bad = lp_live_compute (&plan->flow, &c.live);
  c.at = bad ? NULL : calloc (plan->flow.insns.n, sizeof *c.at);
  bad = !c.at || emit_all (&c);
  free (c.at);
  lp_live_free (&c.live);
  lp_vec_free (&c.fixups);
  lp_vec_free (&c.stubs);
  lp_vec_free (&c.cells);
  return bad;
}

int
lp_clone_emit (lp_text *text, const lp_module *mod, const lp_plan *plan,
	       lp_error *err)
{
  size_t code = text->code.n, patches = text->patches.n,
	 traps = text->traps.n, places = text->places.n, puns = text->puns.n,
	 detours = text->detours.n;
  int bad = plan->engine == LP_PLAN_CLONE
	    ? emit_clone (text, mod, plan) : lp_outofline_emit (text, mod, plan);
  bool full = text->code.full, far = text->code.far;
  if (!bad && !full && !far)
    return 0;
  text->code.n = code;
  text->patches.n = patches;
  text->traps.n = traps;
  text->places.n = places;
  text->puns.n = puns;
  text->detours.n = detours;
  text->code.full = text->code.far = false;
  if (far)
    return lp_fail (err, LP_EUNSUPPORTED,
		    "its data or code is out of a 32-bit displacement's reach");
  if (full)
    return lp_fail (err, LP_EUNSUPPORTED, "the code area is full");
  return lp_nomem (err);
}
