/* watches.c: what the cells of a prepared module mean.  */

#include "prepare.h"

static enum lp_engine
engine_of (const lp_plan *plan)
{
  switch (plan->engine)
    {
    case LP_PLAN_CLONE:
      return LP_ENGINE_CLONE;
    case LP_PLAN_BREAKPOINT:
      return LP_ENGINE_BREAKPOINT;
    case LP_PLAN_STEP:
      return LP_ENGINE_STEP;
    default:
      return LP_ENGINE_NONE;
    }
}

static int
watch_lines (const lp_plan *plan, lp_watch *watch)
{
  for (size_t i = 0; i < plan->hits.lines.n; i++)
    {
      const lp_hit_line *h = &plan->hits.lines.v[i];
      lp_watch_line line = { .file = h->file, .line = h->line,
			     .cell = lp_plan_line_cell (plan, i),
			     .first_term = h->first_term,
			     .nterms = h->nterms, .nminus = h->nminus,
			     .exact = h->exact };
      if (lp_vec_push (&watch->lines, line))
	return -1;
    }
  for (size_t i = 0; i < plan->hits.terms.n; i++)
    if (lp_vec_push (&watch->terms,
		     lp_plan_counter_cell (plan, plan->hits.terms.v[i])))
      return -1;
  return 0;
}

/* What was called in other objects.  */
static int
watch_imports (const lp_prepared *p, lp_watch_list *watches)
{
  for (size_t i = 0; i < p->imports.n; i++)
    {
      const lp_import *import = &p->imports.v[i];
      if (import->called && import->number
	  && lp_vec_push (watches,
			  (lp_watch) { .mod = import->owner, .fn = import->fn,
				       .func_cell = import->number,
				       .engine = LP_ENGINE_CLONE }))
	return -1;
    }
  return 0;
}

int
lp_prepare_watches (const lp_prepared *p, lp_watch_list *watches,
		    lp_error *err)
{
  for (size_t i = 0; i < p->plans.n; i++)
    {
      const lp_plan *plan = &p->plans.v[i];
      lp_watch watch = { .mod = p->mod, .fn = plan->fn,
			 .engine = engine_of (plan), .stops = *plan->stops };
      if (plan->reason[0])
	watch.reason = plan->reason;
      int bad = 0;
      if (plan->engine != LP_PLAN_NONE)
	{
	  watch.func_cell = plan->func_cell;
	  bad = watch_lines (plan, &watch);
	}
      if (bad || lp_vec_push (watches, watch))
	{
	  lp_vec_free (&watch.lines);
	  lp_vec_free (&watch.terms);
	  return lp_nomem (err);
	}
    }
  return watch_imports (p, watches) ? lp_nomem (err) : 0;
}
