/* trap.c: the breakpoint engine's probes, and the last resort of the clone
   engine's sites.  */

#include "probe/trap.h"

#include <stdlib.h>
#include <x86intrin.h>

#include "wire/calls.h"
#include "wire/events.h"

static int
by_addr (const void *a, const void *b)
{
  const lp_trap *x = a, *y = b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void
lp_trap_sort (lp_text *text)
{
  if (text->traps.n)
    qsort (text->traps.v, text->traps.n, sizeof *text->traps.v, by_addr);
}

const lp_trap *
lp_trap_find (const lp_text *text, uint64_t addr)
{
  lp_trap key = { .addr = addr };
  if (!text->traps.n)
    return NULL;
  return bsearch (&key, text->traps.v, text->traps.n, sizeof *text->traps.v,
		  by_addr);
}

/* syscall (0f 05), sysenter (0f 34), int (cd).  */
bool
lp_trap_calls_kernel (const lp_trap *trap)
{
  const uint8_t *op
    = trap->bytes + trap->plan->flow.insns.v[trap->insn].opcode_off;
  return op[0] == 0xcd || (op[0] == 0x0f && (op[1] == 0x05 || op[1] == 0x34));
}

static void
count (const lp_plan *plan, lp_block *block, uint32_t counter)
{
  ++*(uint64_t *) ((char *) block + lp_plan_counter_cell (plan, counter));
}

enum { CF = 1, PF = 4, ZF = 0x40, SF = 0x80, OF = 0x800 };

/* Would jcc with condition CC (Intel SDM volume 2, appendix B) be taken?  */
static bool
condition_holds (unsigned cc, unsigned long flags)
{
  bool less = !(flags & SF) != !(flags & OF);
  bool holds[8] = { flags & OF, flags & CF, flags & ZF, flags & (CF | ZF),
		    flags & SF, flags & PF, less, less || (flags & ZF) };
  return holds[cc >> 1] != (cc & 1);
}

/* loopne, loope, loop (e0 to e2) count rcx down; jrcxz (e3) looks at it.  With
   an address-size prefix (67) they do so to ecx.  */
static bool
loop_holds (const uint8_t *p, const lp_insn *in,
	    const struct user_regs_struct *regs)
{
  bool small = false;
  for (unsigned i = 0; i < in->opcode_off; i++)
    small |= p[i] == 0x67;
  uint64_t rcx = small ? (uint32_t) regs->rcx : regs->rcx;
  bool last = small ? (uint32_t) (rcx - 1) == 0 : rcx - 1 == 0;
  switch (p[in->opcode_off])
    {
    case 0xe0:
      return !last && !(regs->eflags & ZF);
    case 0xe1:
      return !last && (regs->eflags & ZF);
    case 0xe2:
      return !last;
    default:
      return rcx == 0;
    }
}

/* Where instruction IN, whose bytes are P, goes next: file address.  */
static uint64_t
next_of (const uint8_t *p, const lp_insn *in,
	 const struct user_regs_struct *regs)
{
  const uint8_t *op = p + in->opcode_off;
  bool taken = in->kind == LP_INSN_JMP;
  if (in->kind == LP_INSN_JCC)
    taken = condition_holds ((op[0] == 0x0f ? op[1] : op[0]) & 15,
			     regs->eflags);
  else if (in->kind == LP_INSN_LOOP)
    taken = loop_holds (p, in, regs);
  return taken ? in->target : in->addr + in->len;
}

static void
count_here (const lp_plan *plan, lp_block *block, uint64_t addr, uint64_t from)
{
  for (size_t i = lp_plan_counters_at (plan, addr);
       i < plan->hits.counters.n && plan->hits.counters.v[i].addr == addr; i++)
    if (plan->hits.counters.v[i].from == from)
      count (plan, block, i);
}

/* Does IN, on its way to NEXT, leave the function?  */
static bool
leaves (const lp_plan *plan, uint32_t insn, uint64_t next)
{
  const lp_insn *in = &plan->flow.insns.v[insn];
  if (in->kind == LP_INSN_RET)
    return true;
  if (in->kind == LP_INSN_JMP_IND)
    return plan->flow.blocks.v[lp_flow_block_of (&plan->flow, insn)].tail;
  bool branch = in->kind == LP_INSN_JMP || in->kind == LP_INSN_JCC
		|| in->kind == LP_INSN_LOOP;
  return branch && lp_flow_find (&plan->flow, next) < 0;
}

/* The canonical frame address where the stack pointer is at the return
   address.  */
static uint64_t
cfa_of (const struct user_regs_struct *regs, int64_t shift)
{
  return regs->rsp + 8 + shift;
}

/* Can the function itself come to its entry's instruction again?  */
static bool
loops_to_entry (const lp_plan *plan)
{
  uint32_t block = lp_flow_block_of (&plan->flow,
				     lp_flow_find (&plan->flow,
						   plan->fn->entry));
  for (size_t i = 0; i < plan->flow.edges.n; i++)
    if (plan->flow.edges.v[i] == block)
      return true;
  return false;
}

/* Does the top frame belong to this very call?  Then a loop has come back to
   the entry.  Without such a loop it is a call that longjmp left.  */
static bool
is_active (const lp_plan *plan, lp_block *block, uint64_t cfa)
{
  const lp_frame *top = lp_frame_at (block, block->top);
  uint32_t func = plan->calls ? lp_tree_at (block, block->func)->func
		  : top->func;
  return top->cfa == cfa && func == plan->func_cell && loops_to_entry (plan);
}

/* A call that is counted where it is made; a conditional tail jump makes one only when the
   function is LEFT.  Its frame is that of the stack pointer
   before the call.  */
static void
probe_callee (const lp_trap *trap, lp_block *block, uint64_t now,
	      const struct user_regs_struct *regs, bool left)
{
  const lp_plan *plan = trap->plan;
  uint8_t kind = plan->flow.insns.v[trap->insn].kind;
  uint32_t number = lp_plan_callee_number (plan, trap->insn);
  bool call = kind == LP_INSN_CALL || kind == LP_INSN_CALL_IND;
  if (number && (call || left))
    lp_tree_enter (block, now, regs->rsp, number);
}

/* What is inlined and entered at instruction ADDR, coming from the branch at FROM
   where that is not 0.  */
static void
probe_inlined (const lp_plan *plan, lp_block *block, uint64_t addr,
	       uint64_t from)
{
  const lp_hits *hits = &plan->hits;
  for (size_t i = lp_plan_counters_at (plan, addr);
       i < hits->counters.n && hits->counters.v[i].addr == addr; i++)
    for (size_t u = lp_hits_uses_of (hits, i);
	 hits->counters.v[i].from == from && u < hits->uses.n
	 && hits->uses.v[u].counter == i; u++)
      lp_tree_inlined (block, plan->func_cell,
		       lp_plan_number (plan, hits->uses.v[u].inl),
		       hits->uses.v[u].minus);
}

/* Where only calls are counted.  */
static void
probe_call (const lp_trap *trap, lp_block *block,
	    const struct user_regs_struct *regs, int64_t shift)
{
  const lp_plan *plan = trap->plan;
  const lp_insn *in = &plan->flow.insns.v[trap->insn];
  uint64_t now = __rdtsc (), cfa = cfa_of (regs, shift);
  if (in->addr == plan->fn->entry && !is_active (plan, block, cfa))
    lp_tree_enter (block, now, cfa, plan->func_cell);
  uint64_t next = next_of (trap->bytes, in, regs);
  bool left = leaves (plan, trap->insn, next);
  const lp_mark *mark = lp_plan_mark_at (plan, in->addr);
  if (plan->callees && lp_plan_comes_back (plan, trap->insn))
    lp_tree_leave (block, now, regs->rsp);
  probe_inlined (plan, block, in->addr, 0);
  if (mark && mark->timed)
    lp_tree_switch (block, now, plan->func_cell,
		    lp_plan_number (plan, plan->hits.lines.v[mark->line].inl));
  probe_callee (trap, block, now, regs, left);
  probe_inlined (plan, block, next, in->addr);
  if (left)
    lp_tree_leave (block, now, cfa);
}

static void
probe (const lp_trap *trap, bool timed, lp_block *block,
       const struct user_regs_struct *regs, int64_t shift)
{
  const lp_plan *plan = trap->plan;
  const lp_insn *in = &plan->flow.insns.v[trap->insn];
  const lp_mark *mark = lp_plan_mark_at (plan, in->addr);
  uint64_t now = __rdtsc (), next = next_of (trap->bytes, in, regs);
  uint64_t cfa = cfa_of (regs, shift);
  bool first = in->addr == plan->fn->entry && !is_active (plan, block, cfa);
  lp_event_charge (block, now);
  if (first)
    lp_event_entry (block, now, cfa, plan->func_cell,
		    lp_plan_line_cell (plan, plan->hits.entry_line));
  if (timed && mark && mark->timed)
    lp_event_line (block, now, lp_plan_line_cell (plan, mark->line));
  if (first || in->addr != plan->fn->entry || !plan->regrows)
    count_here (plan, block, in->addr, 0);
  count_here (plan, block, next, in->addr);
  if (leaves (plan, trap->insn, next))
    lp_event_exit (block, now, cfa);
}

/* What follows until the thread runs again, and from when it stops the next time,
   is ours: the stop's cost says how much that is.  */
void
lp_trap_run (const lp_text *text, const lp_trap *trap, lp_block *block,
	     struct user_regs_struct *regs, int64_t shift)
{
  uint32_t cost = trap->plan->engine == LP_PLAN_STEP ? text->step_cost
		  : text->trap_cost;
  if (trap->plan->stops)
    ++*trap->plan->stops;
  if (trap->probe && block)
    {
      block->thread = regs->fs_base;
      if (trap->plan->calls)
	probe_call (trap, block, regs, shift);
      else
	probe (trap, text->env.timed, block, regs, shift);
      block->last = __rdtsc () + cost;
    }
  else if (block)
    block->last += cost;
  regs->rip = trap->resume;
}
