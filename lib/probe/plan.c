/* plan.c: the passes over one function, from bytes to a plan.  */

#include "probe/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/board.h"
#include "wire/layout.h"

static int
refuse (lp_plan *plan, enum lp_plan_engine engine, const char *reason)
{
  plan->engine = engine;
  snprintf (plan->reason, sizeof plan->reason, "%s", reason);
  return 0;
}

/* A function whose indirect jump is not understood may be entered at any
   instruction: nothing of it can be overwritten but by int3.  */
static int
check_flow (lp_plan *plan)
{
  char text[100];
  if (plan->go)
    return refuse (plan, LP_PLAN_BREAKPOINT, "Go's stacks are small and move, "
		   "and its runtime must know every address in them");
  if (!plan->flow.unresolved)
    return 0;
  snprintf (text, sizeof text, "the targets of the indirect jump at %#lx "
	    "are not known", (unsigned long) plan->flow.unresolved_at);
  return refuse (plan, LP_PLAN_BREAKPOINT, text);
}

/* Is there a block of Go's that calls and leads to the entry?  No loop does: who
   calls has set its frame up at the entry, and checked its stack.  */
static bool
regrows (const lp_plan *plan)
{
  const lp_flow *flow = &plan->flow;
  if (!plan->go)
    return false;
  uint32_t entry = lp_flow_block_of (flow, lp_flow_find (flow, plan->fn->entry));
  for (size_t b = 0; b < flow->blocks.n; b++)
    {
      const lp_basic_block *block = &flow->blocks.v[b];
      bool back = false, calls = false;
      for (uint32_t i = 0; i < block->nsucc; i++)
	back |= flow->edges.v[block->succ + i] == entry;
      for (uint32_t i = block->first; i < block->first + block->count; i++)
	calls |= flow->insns.v[i].kind == LP_INSN_CALL;
      if (back && calls)
	return true;
    }
  return false;
}

static void
place_in_go (const lp_census *census, lp_plan *plan)
{
  enum lp_go_part part = lp_module_go_part (census->mod, plan->fn);
  plan->go = part == LP_GO_CODE;
  if (part == LP_GO_RUNTIME)
    refuse (plan, LP_PLAN_NONE, "Go's runtime may call it with signals blocked,"
	    " where stopping takes the program's handlers from all threads");
  else if (part == LP_GO_STARTS)
    refuse (plan, LP_PLAN_NONE, "Go's threads begin in it, and whatever goroutine"
	    " they run, it is no caller");
}

int
lp_plan_function (const lp_census *census, const lp_function *fn,
		  struct lp_decoder *decoder, bool calls, lp_plan *plan,
		  lp_error *err)
{
  lp_error why = { 0 };
  *plan = (lp_plan) { .fn = fn, .calls = calls };
  place_in_go (census, plan);
  if (plan->engine == LP_PLAN_NONE)
    return 0;
  if (lp_module_restarts (census->mod, fn->ranges, fn->nranges))
    return refuse (plan, LP_PLAN_NONE, "it has a restartable sequence (rseq),"
		   " which nobody may interrupt or copy");
  if (lp_flow_build (census, fn, decoder, &plan->flow, &why))
    {
      if (why.code == LP_ENOMEM)
	return lp_nomem (err);
      return refuse (plan, LP_PLAN_NONE, why.text);
    }
  if (calls ? lp_hits_plan_calls (fn, &plan->flow, &plan->hits, err)
      : lp_hits_plan (fn, &plan->flow, &plan->hits, err))
    return -1;
  if (!calls && plan->hits.lines.n <= fn->only_inlined)
    return refuse (plan, LP_PLAN_NONE, fn->only_inlined
		   ? "no line of what is inlined into it has code"
		   : "no line of its own has code");
  if (!calls && lp_hits_split_again (census, fn, &plan->flow, &plan->hits, err))
    return -1;
  plan->away = calloc (plan->flow.insns.n, sizeof *plan->away);
  if (!plan->away)
    return lp_nomem (err);
  if (lp_plan_callees (census, decoder, plan))
    return lp_nomem (err);
  check_flow (plan);
  plan->regrows = regrows (plan);
  return plan->engine == LP_PLAN_CLONE ? lp_plan_sites (census, plan, err) : 0;
}

void
lp_plan_free (lp_plan *plan)
{
  lp_flow_free (&plan->flow);
  lp_hits_free (&plan->hits);
  lp_vec_free (&plan->sites);
  lp_board_clear (plan);
  lp_vec_free (&plan->strips);
  free (plan->away);
  plan->away = NULL;
  free (plan->callees);
  plan->callees = NULL;
}

bool
lp_plan_needs_int3 (const lp_plan *plan)
{
  for (size_t i = 0; i < plan->sites.n; i++)
    if (plan->sites.v[i].tactic == LP_TACTIC_TRAP)
      return true;
  return false;
}

void
lp_plan_place (lp_plan *plan, uint32_t *next)
{
  plan->func_cell = *next;
  if (plan->calls)
    {
      *next += 1 + (plan->hits.lines.n ? plan->fn->ninlines : 0);
      return;
    }
  plan->line_cells = plan->func_cell + sizeof (lp_func_cell);
  plan->counter_cells = plan->line_cells
			+ plan->hits.lines.n * sizeof (lp_line_cell);
  *next = plan->counter_cells + plan->hits.counters.n * sizeof (uint64_t);
}

size_t
lp_plan_counters_at (const lp_plan *plan, uint64_t addr)
{
  size_t lo = 0, hi = plan->hits.counters.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (plan->hits.counters.v[mid].addr < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

const lp_mark *
lp_plan_mark_at (const lp_plan *plan, uint64_t addr)
{
  size_t lo = 0, hi = plan->hits.marks.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (plan->hits.marks.v[mid].addr < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  if (lo < plan->hits.marks.n && plan->hits.marks.v[lo].addr == addr)
    return &plan->hits.marks.v[lo];
  return NULL;
}

bool
lp_plan_entry_charges (const lp_plan *plan, const lp_mark *mark)
{
  if (mark->addr != plan->fn->entry || mark->line != plan->hits.entry_line)
    return false;
  uint32_t block = lp_flow_block_of (&plan->flow,
				     lp_flow_find (&plan->flow, mark->addr));
  for (size_t i = 0; i < plan->flow.edges.n; i++)
    if (plan->flow.edges.v[i] == block)
      return false;
  return plan->flow.blocks.v[block].entry == LP_ENTRY_FUNCTION;
}

static bool
has_call_event (const lp_plan *plan, uint64_t addr)
{
  long i = plan->callees ? lp_flow_find (&plan->flow, addr) : -1;
  return i >= 0 && (lp_plan_callee (plan, i) || lp_plan_comes_back (plan, i));
}

bool
lp_plan_has_probe (const lp_plan *plan, uint64_t addr)
{
  if (has_call_event (plan, addr))
    return true;
  const lp_mark *mark = lp_plan_mark_at (plan, addr);
  if (mark && mark->timed)
    return true;
  for (size_t i = lp_plan_counters_at (plan, addr);
       i < plan->hits.counters.n && plan->hits.counters.v[i].addr == addr; i++)
    if (plan->hits.counters.v[i].from == 0)
      return true;
  return false;
}

uint32_t
lp_plan_number (const lp_plan *plan, uint32_t inl)
{
  return plan->func_cell + inl;
}

uint32_t
lp_plan_line_cell (const lp_plan *plan, uint32_t line)
{
  return plan->line_cells + line * sizeof (lp_line_cell);
}

uint32_t
lp_plan_counter_cell (const lp_plan *plan, uint32_t counter)
{
  return plan->counter_cells + counter * sizeof (uint64_t);
}
