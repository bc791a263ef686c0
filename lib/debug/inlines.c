/* inlines.c: what was inlined into a function, and which rows belong to it.  */

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"

enum { MAX_DEPTH = 200 };

struct walk
{
  lp_dwarf *dw;
  lp_unit *unit;
  LP_VEC (lp_inline) list;
  LP_VEC (lp_range) ranges;
  lp_error *err;
};

/* Fill INL's name and place from what DIE is an instance of, which is looked up
   once.  */
static int
set_origin (struct walk *w, Dwarf_Die *die, lp_inline *inl)
{
  lp_dwarf *dw = w->dw;
  Dwarf_Attribute attr;
  Dwarf_Die origin;
  Dwarf_Die *of = dwarf_formref_die (dwarf_attr (die, DW_AT_abstract_origin,
						 &attr), &origin);
  if (!of)
    of = die;
  int64_t i = lp_intmap_get (&dw->origin_index, (uintptr_t) of->addr);
  if (i < 0)
    {
      lp_origin new = { lp_origin_name (dw, of),
	lp_die_file (dw, w->unit, of, DW_AT_decl_file),
	lp_die_number (of, DW_AT_decl_line) };
      i = dw->origins.n;
      if (!new.name || new.file == LP_NO_FILE
	  || lp_vec_push (&dw->origins, new)
	  || lp_intmap_put (&dw->origin_index, (uintptr_t) of->addr, i))
	return lp_nomem (w->err);
    }
  inl->name = dw->origins.v[i].name;
  inl->decl_file = dw->origins.v[i].file;
  inl->decl_line = dw->origins.v[i].line;
  return 0;
}

static int
set_ranges (struct walk *w, Dwarf_Die *die, lp_inline *inl)
{
  Dwarf_Addr base, lo, hi;
  w->ranges.n = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges (die, at, &base, &lo, &hi)) > 0;)
    if (lo < hi && lp_vec_push (&w->ranges, (lp_range) { lo, hi }))
      return lp_nomem (w->err);
  inl->nranges = w->ranges.n;
  inl->ranges = lp_arena_alloc (w->dw->mod->arena,
				inl->nranges * sizeof *inl->ranges);
  if (!inl->ranges)
    return lp_nomem (w->err);
  if (inl->nranges)
    memcpy (inl->ranges, w->ranges.v, inl->nranges * sizeof *inl->ranges);
  return 0;
}

static int
add_inline (struct walk *w, Dwarf_Die *die, uint32_t parent)
{
  lp_inline inl = { .parent = parent,
    .call_file = lp_die_file (w->dw, w->unit, die, DW_AT_call_file),
    .call_line = lp_die_number (die, DW_AT_call_line) };
  if (inl.call_file == LP_NO_FILE)
    return lp_nomem (w->err);
  if (set_origin (w, die, &inl) || set_ranges (w, die, &inl))
    return -1;
  return lp_vec_push (&w->list, inl) ? lp_nomem (w->err) : 0;
}

/* Collect the instances below DIE, which is in instance PARENT (0: none).  */
static int
walk_children (struct walk *w, Dwarf_Die *die, uint32_t parent, int depth)
{
  Dwarf_Die child;
  if (depth > MAX_DEPTH || dwarf_child (die, &child) != 0)
    return 0;
  do
    {
      uint32_t inside = parent;
      switch (dwarf_tag (&child))
	{
	case DW_TAG_inlined_subroutine:
	  if (add_inline (w, &child, parent))
	    return -1;
	  inside = w->list.n;
	  /* fall through */
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	  if (walk_children (w, &child, inside, depth + 1))
	    return -1;
	}
    }
  while (dwarf_siblingof (&child, &child) == 0);
  return 0;
}

static int
keep_inlines (struct walk *w, lp_function *fn)
{
  size_t size = w->list.n * sizeof *fn->inlines;
  fn->inlines = lp_arena_alloc (w->dw->mod->arena, size);
  if (!fn->inlines)
    return lp_nomem (w->err);
  if (size)
    memcpy (fn->inlines, w->list.v, size);
  fn->ninlines = w->list.n;
  return 0;
}

int
lp_fill_inlines (lp_dwarf *dw, lp_function *fn, lp_error *err)
{
  Dwarf_Die die;
  struct walk w = { .dw = dw, .unit = &dw->units.v[fn->unit], .err = err };
  if (fn->inlines)
    return 0;
  if (!dwarf_offdie (dwarf_cu_getdwarf (w.unit->die.cu), fn->die, &die))
    return lp_fail (err, LP_EFORMAT, "the debug information of '%s' is damaged"
		    " (%s); rebuild it with -g", dw->path, dwarf_errmsg (-1));
  int result = walk_children (&w, &die, 0, 0) || keep_inlines (&w, fn) ? -1 : 0;
  lp_vec_free (&w.list);
  lp_vec_free (&w.ranges);
  return result;
}

/* A range of an instance; DEPTH is how many instances it is in.  */
struct span
{
  uint64_t lo, hi;
  uint32_t inl, depth;
};

typedef LP_VEC (struct span) span_list;

static int
compare_spans (const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static int
collect_spans (const lp_function *fn, span_list *spans)
{
  uint32_t *depth = calloc (fn->ninlines + 1, sizeof *depth);
  int result = depth ? 0 : -1;
  for (size_t i = 0; i < fn->ninlines && !result; i++)
    {
      const lp_inline *inl = &fn->inlines[i];
      depth[i + 1] = depth[inl->parent] + 1;
      for (size_t r = 0; r < inl->nranges && !result; r++)
	{
	  struct span span = { inl->ranges[r].lo, inl->ranges[r].hi, i + 1,
	    depth[i + 1] };
	  result = lp_vec_push (spans, span);
	}
    }
  free (depth);
  if (!result && spans->n)
    qsort (spans->v, spans->n, sizeof *spans->v, compare_spans);
  return result;
}

/* The instance that ROW belongs to, INL being the innermost one that covers its
   address.  A row of the line that an instance was called from is the caller's,
   even inside the instance: at its first address both may have rows, and the
   arguments are set up there.  */
static uint32_t
owner (const lp_function *fn, const lp_row *row, uint32_t inl)
{
  while (inl && fn->inlines[inl - 1].call_line == row->line
	 && fn->inlines[inl - 1].call_file == row->file)
    inl = fn->inlines[inl - 1].parent;
  return inl;
}

/* Sweep over rows and spans, both by address.  ACTIVE, of SPANS' size, holds the
   spans that cover the row.  */
static void
sweep (lp_function *fn, const span_list *spans, struct span *active)
{
  size_t next = 0, n = 0;
  for (size_t i = 0; i < fn->nrows; i++)
    {
      uint64_t addr = fn->rows[i].addr;
      while (next < spans->n && spans->v[next].lo <= addr)
	active[n++] = spans->v[next++];
      size_t kept = 0;
      const struct span *innermost = NULL;
      for (size_t k = 0; k < n; k++)
	if (active[k].hi > addr)
	  {
	    active[kept] = active[k];
	    if (!innermost || active[kept].depth >= innermost->depth)
	      innermost = &active[kept];
	    kept++;
	  }
      n = kept;
      fn->rows[i].inl = innermost ? owner (fn, &fn->rows[i], innermost->inl) : 0;
    }
}

int
lp_assign_inlines (lp_function *fn, lp_error *err)
{
  span_list spans = { 0 };
  struct span *active = NULL;
  int result = collect_spans (fn, &spans);
  if (!result)
    {
      active = malloc ((spans.n + 1) * sizeof *active);
      result = active ? 0 : -1;
    }
  if (!result)
    sweep (fn, &spans, active);
  free (active);
  lp_vec_free (&spans);
  return result ? lp_nomem (err) : 0;
}
