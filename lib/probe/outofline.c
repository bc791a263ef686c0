/* outofline.c: the code of the breakpoint and step engines.  Every instruction
   where something is counted, charged, entered or left gets an int3 at home and a
   copy of its own, which does what the original does and goes on at home.  To
   step, every instruction gets a copy, and none an int3.  */

#include <string.h>

#include "probe/places.h"

/* Does a trap have to stand at instruction I?  */
static bool
is_wanted (const lp_plan *plan, uint32_t i)
{
  const lp_insn *in = &plan->flow.insns.v[i];
  const lp_basic_block *block
    = &plan->flow.blocks.v[lp_flow_block_of (&plan->flow, i)];
  if (plan->engine == LP_PLAN_STEP
      || in->addr == plan->fn->entry || in->kind == LP_INSN_RET
      || lp_plan_has_probe (plan, in->addr))
    return true;
  if (in->kind == LP_INSN_JMP_IND)
    return block->tail;
  bool branch = in->kind == LP_INSN_JMP || in->kind == LP_INSN_JCC
		|| in->kind == LP_INSN_LOOP;
  if (branch && lp_flow_find (&plan->flow, in->target) < 0)
    return true;
  for (size_t k = 0; branch && k < plan->hits.counters.n; k++)
    if (plan->hits.counters.v[k].from == in->addr)
      return true;
  return false;
}

void
lp_outofline_copy (lp_text *text, const lp_insn *in, const uint8_t *p)
{
  lp_asm *a = &text->code;
  uint64_t next = in->addr + in->len + text->bias;
  uint64_t target = in->target + text->bias;
  const uint8_t *op = p + in->opcode_off;
  switch ((enum lp_insn_kind) in->kind)
    {
    case LP_INSN_JMP:
      lp_asm_jmp (a, target);
      return;
    case LP_INSN_JCC:
      lp_asm_jcc (a, (op[0] == 0x0f ? op[1] : op[0]) & 15, target);
      break;
    case LP_INSN_LOOP:
      lp_asm_fix (a, lp_clone_loop (text, in, p), target);
      break;
    case LP_INSN_XBEGIN:
      lp_asm_bytes (a, "\xc7\xf8\0\0\0\0", 6);
      lp_asm_fix (a, lp_asm_here (a), target);
      break;
    case LP_INSN_CALL:
      lp_clone_push (text, next);
      lp_asm_jmp (a, target);
      return;
    case LP_INSN_CALL_IND:
      lp_clone_push (text, next);
      lp_clone_jump_through (text, in, p, 8);
      return;
    case LP_INSN_JMP_IND: case LP_INSN_RET:
      lp_clone_copy (text, in, p);
      return;
    case LP_INSN_PLAIN: case LP_INSN_STOP:
      lp_clone_copy (text, in, p);
      break;
    }
  lp_asm_jmp (a, next);
}

int
lp_outofline_emit (lp_text *text, const lp_module *mod, const lp_plan *plan)
{
  uint64_t avail;
  for (uint32_t i = 0; i < plan->flow.insns.n; i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      if (!is_wanted (plan, i))
	continue;
      lp_trap trap = { .addr = in->addr + text->bias,
		       .resume = lp_asm_here (&text->code), .plan = plan,
		       .insn = i, .probe = true };
      memcpy (trap.bytes, lp_module_bytes (mod, in->addr, &avail), in->len);
      lp_outofline_copy (text, in, trap.bytes);
      if (lp_places_add (text, trap.addr, trap.resume, 0)
	  || lp_vec_push (&text->traps, trap)
	  || (plan->engine == LP_PLAN_BREAKPOINT
	      && lp_clone_patch (text, mod, in->addr, (uint8_t[]) { 0xcc }, 1)))
	return -1;
    }
  return 0;
}
