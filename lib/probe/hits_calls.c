/* hits_calls.c: what is counted of inlined functions where only calls are.

   How often an instance is entered is its line 0.  Which one is running must be known
   where that calls something, which is to stand below it in the call tree, or where it
   can take long: where it has a loop.  The others are over sooner than a clock is read;
   their time stays with what they are in.  */

#include "probe/hits_part.h"

#include <stdlib.h>

/* The instance that the code at instruction I belongs to: that of the last row before
   it.  *ROW is where to go on looking.  */
static uint32_t
instance_at (const lp_function *fn, const lp_flow *flow, uint32_t i, size_t *row)
{
  while (*row < fn->nrows && fn->rows[*row].addr <= flow->insns.v[i].addr)
    ++*row;
  return *row ? fn->rows[*row - 1].inl : 0;
}

/* The innermost instance that holds both A and B.  */
static uint32_t
common (const lp_function *fn, uint32_t a, uint32_t b)
{
  while (a != b)
    if (a > b)
      a = fn->inlines[a - 1].parent;
    else
      b = fn->inlines[b - 1].parent;
  return a;
}

/* Set RUNS of INL and what holds it.  */
static void
set_runs (const lp_function *fn, uint32_t inl, bool *runs)
{
  for (; inl && !runs[inl]; inl = fn->inlines[inl - 1].parent)
    runs[inl] = true;
}

/* Find which instances call, or loop; OWNER has room for one of each instruction.  */
static void
find_running (const lp_function *fn, const lp_flow *flow, uint32_t *owner,
	      bool *runs)
{
  size_t row = 0;
  for (uint32_t i = 0; i < flow->insns.n; i++)
    owner[i] = instance_at (fn, flow, i, &row);
  for (uint32_t i = 0; i < flow->insns.n; i++)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (lp_is_call (in))
	set_runs (fn, owner[i], runs);
      long to = lp_is_jump (in) && in->kind != LP_INSN_JMP_IND
		? lp_flow_find (flow, in->target) : -1;
      if (to >= 0 && to <= i)
	set_runs (fn, common (fn, owner[i], owner[to]), runs);
    }
}

/* Drop what is not a wanted instance's.  */
static void
keep_wanted (const lp_function *fn, bool *runs)
{
  for (uint32_t i = 1; i <= fn->ninlines; i++)
    runs[i] &= fn->inlines[i - 1].wanted;
}

/* Add instance INL's line 0, where its entry is known.  */
static int
add_entered (const lp_whole *whole, uint32_t inl, lp_hits *total)
{
  lp_hit_part part;
  size_t before = total->lines.n;
  int bad = lp_hit_part_cut (whole, inl, &part)
	    || lp_hits_add_part (&part, inl, LP_ROWS_OF_WHOLE, true, total);
  lp_hit_part_free (&part);
  if (!bad && total->lines.n > before
      && !total->lines.v[before].nterms)
    total->lines.n = before;
  return bad;
}

static int
add_runner (uint32_t inl, lp_hits *total)
{
  lp_hit_line line = { .inl = inl, .line = 1, .exact = true };
  return lp_vec_push (&total->lines, line);
}

/* The lines of FN and of its wanted instances.  What is not counted does not run
   either.  */
static int
add_lines (const lp_whole *whole, bool *runs, lp_hits *total)
{
  const lp_function *fn = whole->fn;
  if (add_runner (0, total))
    return -1;
  for (uint32_t i = 1; i <= fn->ninlines; i++)
    {
      size_t before = total->lines.n;
      if (fn->inlines[i - 1].wanted && lp_whole_has_rows (whole, i)
	  && add_entered (whole, i, total))
	return -1;
      runs[i] &= total->lines.n > before;
      if (runs[i] && add_runner (i, total))
	return -1;
    }
  return 0;
}

bool
lp_hits_place_runner (const lp_graph *graph, const lp_row *row, uint32_t *node,
		      uint32_t *file, uint32_t *line)
{
  *node = row->inl;
  while (*node && !graph->runs[*node])
    *node = graph->fn->inlines[*node - 1].parent;
  *file = 0;
  *line = 1;
  return true;
}

static int
by_counter (const void *a, const void *b)
{
  const lp_hit_use *x = a, *y = b;
  if (x->counter != y->counter)
    return x->counter < y->counter ? -1 : 1;
  return x->inl < y->inl ? -1 : x->inl > y->inl;
}

/* Whose terms each counter is.  */
static int
find_uses (lp_hits *hits)
{
  for (size_t i = 0; i < hits->lines.n; i++)
    {
      const lp_hit_line *line = &hits->lines.v[i];
      for (uint32_t t = 0; t < line->nterms; t++)
	{
	  lp_hit_use use = { hits->terms.v[line->first_term + t], line->inl,
			     t >= line->nterms - line->nminus };
	  if (lp_vec_push (&hits->uses, use))
	    return -1;
	}
    }
  if (hits->uses.n)
    qsort (hits->uses.v, hits->uses.n, sizeof *hits->uses.v, by_counter);
  return 0;
}

static int
plan (const lp_function *fn, const lp_flow *flow, bool *runs, lp_hits *hits)
{
  lp_whole whole;
  int bad = lp_whole_find (fn, flow, &whole) || add_lines (&whole, runs, hits);
  lp_whole_free (&whole);
  if (bad || lp_hits_unite (hits) || find_uses (hits))
    return -1;
  if (hits->lines.n == 1)
    hits->lines.n = 0;
  for (uint32_t i = 1; i <= fn->ninlines; i++)
    if (runs[i])
      {
	bad = lp_hits_add_marks (fn, flow, runs, hits);
	break;
      }
  hits->entry_line = 0;
  return bad;
}

static bool
wants_any (const lp_function *fn)
{
  for (size_t i = 0; i < fn->ninlines; i++)
    if (fn->inlines[i].wanted)
      return true;
  return false;
}

int
lp_hits_plan_calls (const lp_function *fn, const lp_flow *flow, lp_hits *hits,
		    lp_error *err)
{
  *hits = (lp_hits) { .entry_line = 0 };
  if (!fn->nrows || !wants_any (fn))
    return 0;
  bool *runs = calloc (fn->ninlines + 1, sizeof *runs);
  uint32_t *owner = malloc ((flow->insns.n + 1) * sizeof *owner);
  int bad = !runs || !owner;
  if (!bad)
    {
      find_running (fn, flow, owner, runs);
      keep_wanted (fn, runs);
      bad = plan (fn, flow, runs, hits);
    }
  free (owner);
  free (runs);
  return bad ? lp_nomem (err) : 0;
}

bool
lp_hits_is_timed (const lp_hits *hits, uint32_t inl)
{
  return lp_hits_find_line (hits, inl, 0, 1) != LP_NO_LINE;
}

size_t
lp_hits_uses_of (const lp_hits *hits, uint32_t counter)
{
  size_t lo = 0, hi = hits->uses.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (hits->uses.v[mid].counter < counter)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < hits->uses.n && hits->uses.v[lo].counter == counter
	 ? lo : hits->uses.n;
}
