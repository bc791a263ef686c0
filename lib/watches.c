/* watches.c: from plans to watches.

   An instance of an inlined function is watched like a function.  The time of its
   lines is also that of the line that calls it, and of the lines that call what
   holds that; but where a function is inlined into itself, its time has been
   counted on lines of its own already.  */

#include "prepare.h"

#include <stdlib.h>
#include <string.h>

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

/* Are instances I and J (0: the function itself) of one source function?  */
static bool
same_origin (const lp_function *fn, uint32_t i, uint32_t j)
{
  uint32_t file[2], line[2], which[2] = { i, j };
  for (int k = 0; k < 2; k++)
    {
      const lp_inline *inl = which[k] ? &fn->inlines[which[k] - 1] : NULL;
      file[k] = inl ? inl->decl_file : fn->file;
      line[k] = inl ? inl->decl_line : fn->line;
    }
  return file[0] == file[1] && line[0] == line[1];
}

/* Is a node of OUTER's function on the way from INNER up to it?  */
static bool
is_nested (const lp_function *fn, uint32_t inner, uint32_t outer)
{
  for (uint32_t with; inner != outer && inner && inner != LP_HIT_REST;
       inner = lp_hits_node (fn, fn->inlines[inner - 1].parent, &with))
    if (same_origin (fn, inner, outer))
      return true;
  return false;
}

/* A part of a line on its way to its watch.  */
struct part
{
  uint32_t hit_line;		/* index into the plan's lines */
  lp_watch_part part;
};

typedef LP_VEC (struct part) part_list;

/* The line I of PLAN is an instance's, or a part of one of its lines or of the
   function's: add it to the lines that call it.  */
static int
add_parts (const lp_plan *plan, uint32_t i, part_list *parts)
{
  const lp_function *fn = plan->fn;
  const lp_hit_line *line = &plan->hits.lines.v[i];
  uint32_t own = line->inl, with;
  if (own == LP_HIT_AGAIN)
    {
      struct part part = { line->line - 1,
	{ 0, lp_plan_line_cell (plan, i), NULL } };
      if (lp_vec_push (parts, part))
	return -1;
      own = plan->hits.lines.v[line->line - 1].inl;
    }
  uint32_t node = own;
  while (node && node != LP_HIT_REST)
    {
      uint32_t inner = node;
      node = lp_hits_node (fn, fn->inlines[inner - 1].parent, &with);
      const lp_inline *at = &fn->inlines[(with ? with : inner) - 1];
      struct part part = {
	lp_hits_find_line (&plan->hits, node, at->call_file, at->call_line),
	{ 0, lp_plan_line_cell (plan, i), &fn->inlines[inner - 1] } };
      if (node != LP_HIT_REST && part.hit_line < plan->hits.lines.n
	  && !is_nested (fn, own, node) && lp_vec_push (parts, part))
	return -1;
    }
  return 0;
}

static int
order_parts (const void *a, const void *b)
{
  const struct part *x = a, *y = b;
  if (x->hit_line != y->hit_line)
    return x->hit_line < y->hit_line ? -1 : 1;
  return x->part.cell < y->part.cell ? -1 : x->part.cell > y->part.cell;
}

/* All parts of PLAN's lines, by line.  */
static int
find_parts (const lp_plan *plan, part_list *parts)
{
  for (uint32_t i = 0; i < plan->hits.lines.n; i++)
    if (plan->hits.lines.v[i].line && add_parts (plan, i, parts))
      return -1;
  if (parts->n)
    qsort (parts->v, parts->n, sizeof *parts->v, order_parts);
  return 0;
}

/* Move from PARTS, from *NEXT on, to WATCH those of its line, which is number I of
   the plan.  */
static int
take_parts (const part_list *parts, size_t *next, uint32_t i, lp_watch *watch)
{
  uint32_t line = watch->lines.n - 1;
  watch->lines.v[line].first_part = watch->parts.n;
  for (; *next < parts->n && parts->v[*next].hit_line <= i; ++*next)
    {
      lp_watch_part part = parts->v[*next].part;
      part.line = line;
      if (lp_vec_push (&watch->parts, part))
	return -1;
    }
  watch->lines.v[line].nparts = watch->parts.n - watch->lines.v[line].first_part;
  return 0;
}

/* Add the plan's line I to WATCH.  */
static int
watch_line (const lp_plan *plan, uint32_t i, lp_watch *watch)
{
  const lp_hit_line *h = &plan->hits.lines.v[i];
  lp_watch_line line = { .file = h->file, .line = h->line,
			 .cell = lp_plan_line_cell (plan, i),
			 .first_term = watch->terms.n,
			 .nterms = h->nterms, .nminus = h->nminus,
			 .exact = h->exact };
  for (uint32_t t = 0; t < h->nterms; t++)
    if (lp_vec_push (&watch->terms,
		     lp_plan_counter_cell (plan,
					   plan->hits.terms.v[h->first_term + t])))
      return -1;
  if (h->line)
    return lp_vec_push (&watch->lines, line);
  watch->entered = line;
  return 0;
}

static void
free_watch (lp_watch *watch)
{
  lp_vec_free (&watch->lines);
  lp_vec_free (&watch->terms);
  lp_vec_free (&watch->parts);
}

/* The lines of one node, from *I on, which moves behind them.  */
static int
watch_node (const lp_plan *plan, lp_watch watch, const part_list *parts,
	    size_t *next, uint32_t *i, lp_watch_list *watches)
{
  const lp_hit_line *lines = plan->hits.lines.v;
  uint32_t node = lines[*i].inl;
  bool bad = false;
  watch.inl = node ? &plan->fn->inlines[node - 1] : NULL;
  watch.func_cell = plan->func_cell;
  for (; *i < plan->hits.lines.n && lines[*i].inl == node && !bad; ++*i)
    bad = watch_line (plan, *i, &watch)
	  || (lines[*i].line && take_parts (parts, next, *i, &watch));
  if (!bad && lp_vec_push (watches, watch) == 0)
    return 0;
  free_watch (&watch);
  return -1;
}

/* What is measured of PLAN.  */
static int
watch_plan (const lp_plan *plan, lp_watch watch, lp_watch_list *watches)
{
  part_list parts = { 0 };
  size_t next = 0;
  int bad = find_parts (plan, &parts);
  for (uint32_t i = 0; i < plan->hits.lines.n && !bad;)
    if (plan->hits.lines.v[i].inl >= LP_HIT_REST)
      i++;
    else
      bad = watch_node (plan, watch, &parts, &next, &i, watches);
  lp_vec_free (&parts);
  return bad;
}

/* The number of the nearest instance around INL of PLAN that is counted, or 0.  */
static uint32_t
number_above (const lp_plan *plan, uint32_t inl)
{
  uint32_t at = plan->fn->inlines[inl - 1].parent;
  while (at && lp_hits_find_line (&plan->hits, at, 0, 0) == UINT32_MAX)
    at = plan->fn->inlines[at - 1].parent;
  return at ? lp_plan_number (plan, at) : 0;
}

/* Has the compiler split FN off the rest of its function?  It is called by that alone,
   and the source calls it never.  */
static bool
is_part (const lp_function *fn)
{
  return fn->line && fn->linkage && strstr (fn->linkage, ".part.");
}

/* PLAN's function, where only calls are counted, and the instances in it.  */
static int
watch_calls (const lp_plan *plan, lp_watch watch, lp_watch_list *watches)
{
  watch.func_cell = plan->engine == LP_PLAN_NONE ? 0 : plan->func_cell;
  watch.split = is_part (plan->fn);
  if (!plan->fn->only_inlined && lp_vec_push (watches, watch))
    return -1;
  watch.split = false;
  for (size_t i = 0; watch.func_cell && i < plan->hits.lines.n; i++)
    {
      uint32_t inl = plan->hits.lines.v[i].inl;
      if (plan->hits.lines.v[i].line)
	continue;
      watch.inl = &plan->fn->inlines[inl - 1];
      watch.func_cell = lp_plan_number (plan, inl);
      watch.above = number_above (plan, inl);
      watch.untimed = !lp_hits_is_timed (&plan->hits, inl);
      if (lp_vec_push (watches, watch))
	return -1;
    }
  return 0;
}

/* PLAN was refused: so are the functions whose lines were wanted.  */
static int
watch_refused (const lp_plan *plan, lp_watch watch, lp_watch_list *watches)
{
  const lp_function *fn = plan->fn;
  if (!fn->only_inlined)
    return lp_vec_push (watches, watch);
  for (uint32_t i = 1; i <= fn->ninlines; i++)
    {
      bool again = !fn->inlines[i - 1].wanted;
      for (uint32_t j = 1; j < i && !again; j++)
	again = fn->inlines[j - 1].wanted && same_origin (fn, i, j);
      watch.inl = &fn->inlines[i - 1];
      if (!again && lp_vec_push (watches, watch))
	return -1;
    }
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
      if (p->calls ? watch_calls (plan, watch, watches)
	  : plan->engine == LP_PLAN_NONE ? watch_refused (plan, watch, watches)
	  : watch_plan (plan, watch, watches))
	return lp_nomem (err);
    }
  return watch_imports (p, watches) ? lp_nomem (err) : 0;
}
