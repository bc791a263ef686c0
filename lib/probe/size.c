/* size.c: how much room a plan's code takes.  */

#include "probe/clone.h"

/* What counting a call takes: in the clone, in a site's stub, and its return.  */
enum { CALL_ROOM = 160 };

size_t
lp_clone_size (const lp_plan *plan)
{
  size_t ncallees = 0, nuses = plan->hits.uses.n;
  if (plan->engine == LP_PLAN_STEP)
    return 256 + plan->flow.insns.n * 48;
  for (uint32_t i = 0; i < plan->flow.insns.n; i++)
    ncallees += lp_plan_callee (plan, i) != NULL;
  return 256 + plan->flow.insns.n * 24 + plan->hits.counters.n * 80
	 + plan->hits.marks.n * 160 + plan->sites.n * 64
	 + plan->flow.blocks.n * 48 + (ncallees + nuses) * CALL_ROOM;
}
