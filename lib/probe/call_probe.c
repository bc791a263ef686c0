/* call_probe.c: the probes inside of a function where only calls are counted: those of
   what is inlined into it.  */

#include "probe/clone.h"

void
lp_clone_count_inlined (lp_text *text, const lp_plan *plan, uint32_t counter)
{
  const lp_hits *hits = &plan->hits;
  for (size_t u = lp_hits_uses_of (hits, counter);
       u < hits->uses.n && hits->uses.v[u].counter == counter; u++)
    lp_emit_inlined (&text->code, &text->env, plan->func_cell,
		     lp_plan_number (plan, hits->uses.v[u].inl),
		     hits->uses.v[u].minus);
}

void
lp_clone_probe_calls (lp_text *text, const lp_plan *plan, uint64_t addr)
{
  const lp_mark *mark = lp_plan_mark_at (plan, addr);
  for (size_t k = lp_plan_counters_at (plan, addr);
       k < plan->hits.counters.n && plan->hits.counters.v[k].addr == addr; k++)
    if (!plan->hits.counters.v[k].from)
      lp_clone_count_inlined (text, plan, k);
  if (mark && mark->timed && !lp_plan_entry_charges (plan, mark))
    lp_emit_switch (&text->code, &text->env, plan->func_cell,
		    lp_plan_number (plan, plan->hits.lines.v[mark->line].inl));
}
