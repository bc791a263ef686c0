/* hits_nodes.c: a function's own lines and those of the instances in it, in one
   list.  */

#include "probe/hits_graph.h"

#include <stdlib.h>

uint32_t
lp_hits_node (const lp_function *fn, uint32_t inl, uint32_t *with)
{
  *with = 0;
  while (inl && !fn->inlines[inl - 1].wanted)
    {
      *with = inl;
      inl = fn->inlines[inl - 1].parent;
    }
  return inl == 0 && fn->only_inlined ? LP_HIT_REST : inl;
}

int
lp_hits_append (lp_hits *total, const lp_hits *part, const lp_graph *graph)
{
  uint32_t first_counter = total->counters.n, first_term = total->terms.n;
  for (size_t i = 0; i < part->counters.n; i++)
    if (lp_vec_push (&total->counters, part->counters.v[i]))
      return -1;
  for (size_t i = 0; i < part->terms.n; i++)
    if (lp_vec_push (&total->terms, first_counter + part->terms.v[i]))
      return -1;
  for (size_t i = 0; i < part->lines.n; i++)
    {
      lp_hit_line line = part->lines.v[i];
      line.inl = graph->node;
      line.first_term += first_term;
      if (graph->rows_of == LP_ROWS_OF_WHOLE)
	line.line = 0;
      if (i != graph->outside && lp_vec_push (&total->lines, line))
	return -1;
    }
  return 0;
}

int
lp_hits_set_call_line (const lp_function *fn, uint32_t inl,
		       const lp_hit_line *entered, lp_hits *total)
{
  const lp_inline *i = &fn->inlines[inl - 1];
  lp_hit_line line = *entered;
  line.inl = i->parent;
  line.file = i->call_file;
  line.line = i->call_line;
  for (size_t k = 0; k < total->lines.n; k++)
    {
      lp_hit_line *old = &total->lines.v[k];
      if (old->inl != line.inl || old->file != line.file
	  || old->line != line.line)
	continue;
      if (!old->called)
	*old = line;
      old->called = true;
      return 0;
    }
  line.called = true;
  return lp_vec_push (&total->lines, line);
}

int
lp_order_counters (const void *a, const void *b)
{
  const lp_counter *x = a, *y = b;
  if (x->addr != y->addr)
    return x->addr < y->addr ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

int
lp_hits_unite (lp_hits *total)
{
  size_t n = total->counters.n, kept = 0;
  lp_counter *counters = total->counters.v;
  lp_counter *old = malloc ((n + 1) * sizeof *old);
  if (!old)
    return -1;
  for (size_t i = 0; i < n; i++)
    old[i] = counters[i];
  if (n)
    qsort (counters, n, sizeof *counters, lp_order_counters);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || lp_order_counters (&counters[kept - 1], &counters[i]))
      counters[kept++] = counters[i];
  total->counters.n = kept;
  for (size_t i = 0; i < total->terms.n; i++)
    {
      const lp_counter *c = bsearch (&old[total->terms.v[i]], counters, kept,
				     sizeof *counters, lp_order_counters);
      total->terms.v[i] = c - counters;
    }
  free (old);
  return 0;
}

static int
order_lines (const void *a, const void *b)
{
  const lp_hit_line *x = a, *y = b;
  if (x->inl != y->inl)
    return x->inl < y->inl ? -1 : 1;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

uint32_t
lp_hits_find_line (const lp_hits *hits, uint32_t inl, uint32_t file,
		   uint32_t line)
{
  lp_hit_line key = { .inl = inl, .file = file, .line = line };
  const lp_hit_line *found = bsearch (&key, hits->lines.v, hits->lines.n,
				      sizeof key, order_lines);
  return found ? found - hits->lines.v : LP_NO_LINE;
}

/* Is NODE an instance?  */
static bool
is_instance (uint32_t node)
{
  return node && node != LP_HIT_REST;
}

/* Add the line of NODE at which instance I is called.  */
static int
add_call_line (const lp_function *fn, uint32_t node, uint32_t i,
	       lp_hits *total)
{
  const lp_inline *inl = &fn->inlines[i - 1];
  lp_hit_line line = { .inl = node, .file = inl->call_file,
		       .line = inl->call_line, .exact = true };
  return node == LP_HIT_REST || !inl->call_line ? 0
	 : lp_vec_push (&total->lines, line);
}

/* Add the lines that code of instance INL is charged to: where it is called, and
   where what holds that is.  */
static int
add_call_lines (const lp_function *fn, uint32_t inl, lp_hits *total)
{
  uint32_t with, node = lp_hits_node (fn, inl, &with);
  if (with && add_call_line (fn, node, with, total))
    return -1;
  while (is_instance (node))
    {
      uint32_t inner = node, parent = fn->inlines[node - 1].parent;
      node = lp_hits_node (fn, parent, &with);
      if (add_call_line (fn, node, with ? with : inner, total))
	return -1;
    }
  return 0;
}

/* Sort the lines; of equals that with a sum stays.  */
static void
sort_lines (lp_hits *total)
{
  lp_hit_line *v = total->lines.v;
  size_t kept = 0;
  if (total->lines.n)
    qsort (v, total->lines.n, sizeof *v, order_lines);
  for (size_t i = 0; i < total->lines.n; i++)
    if (kept == 0 || order_lines (&v[kept - 1], &v[i]))
      v[kept++] = v[i];
    else if (v[i].nterms)
      v[kept - 1] = v[i];
  total->lines.n = kept;
}

/* The opening line of an instance is hit as often as the instance is entered, as a
   function's is, whether it has rows there or not; but a function that has but one
   line has the hits of its code there.  ENTERED is the instance's line 0.  */
static int
open_instance (const lp_function *fn, size_t entered, lp_hits *total)
{
  lp_hit_line line = total->lines.v[entered];
  const lp_inline *inl = &fn->inlines[line.inl - 1];
  size_t n = 0, opening = total->lines.n;
  for (size_t i = 0; i < total->lines.n; i++)
    if (total->lines.v[i].inl == line.inl && total->lines.v[i].line)
      {
	bool opens = total->lines.v[i].line == inl->decl_line
		     && total->lines.v[i].file == inl->decl_file;
	opening = opens ? i : opening;
	n += !opens;
      }
  if (n == 0)
    return 0;
  line.file = inl->decl_file;
  line.line = inl->decl_line;
  if (opening == total->lines.n)
    return lp_vec_push (&total->lines, line);
  total->lines.v[opening] = line;
  return 0;
}

int
lp_hits_open_instances (const lp_function *fn, lp_hits *total)
{
  for (size_t i = 0, n = total->lines.n; i < n; i++)
    if (total->lines.v[i].inl && total->lines.v[i].line == 0
	&& open_instance (fn, i, total))
      return -1;
  return 0;
}

int
lp_hits_add_call_lines (const lp_function *fn, lp_hits *total)
{
  lp_hit_line rest = { .inl = LP_HIT_REST, .exact = true };
  uint32_t last = 0;
  for (size_t i = 0; i < fn->nrows; last = fn->rows[i++].inl)
    if (fn->rows[i].inl != last && add_call_lines (fn, fn->rows[i].inl, total))
      return -1;
  if (fn->only_inlined && lp_vec_push (&total->lines, rest))
    return -1;
  sort_lines (total);
  return 0;
}
