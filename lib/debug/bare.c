/* bare.c: functions that have rows but no subprogram: what clang makes with
   -gline-tables-only, rustc with debuginfo=1, and some assemblers.  The symbol
   table says where they are and what they are called.  */

#include <stdlib.h>

#include "debug/dwarf.h"

typedef LP_VEC (lp_range) range_list;

static int
compare_lo (const void *a, const void *b)
{
  const lp_range *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* The ranges of the unit's functions, sorted.  */
static int
collect_known (const lp_unit *unit, range_list *known)
{
  for (size_t i = 0; i < unit->functions.n; i++)
    for (size_t r = 0; r < unit->functions.v[i]->nranges; r++)
      if (lp_vec_push (known, unit->functions.v[i]->ranges[r]))
	return -1;
  if (known->n)
    qsort (known->v, known->n, sizeof *known->v, compare_lo);
  return 0;
}

static bool
is_known (const range_list *known, uint64_t addr)
{
  size_t lo = 0, hi = known->n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (known->v[mid].lo <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo > 0 && addr < known->v[lo - 1].hi;
}

/* Make a function of SYMBOL, which is in unit U, when it has rows.  */
static int
add_bare (lp_dwarf *dw, uint32_t u, const lp_symbol *symbol, lp_error *err)
{
  lp_unit *unit = &dw->units.v[u];
  lp_range range = { symbol->value, symbol->value + symbol->size };
  lp_line_row row;
  if (!lp_unit_row_in (dw, unit, &range, &row))
    return 0;
  lp_function fn = { .producer = unit->producer, .unit = u,
    .entry = symbol->value, .nranges = 1, .line = row.line,
    .file = lp_unit_file (dw, unit, row.file) };
  fn.ranges = lp_arena_alloc (dw->mod->arena, sizeof *fn.ranges);
  if (fn.file == LP_NO_FILE || !fn.ranges)
    return lp_nomem (err);
  fn.ranges[0] = range;
  return lp_name_function (dw, NULL, "", &fn, err)
    || lp_keep_function (dw, &fn, err) ? -1 : 0;
}

/* Add what is missing in [LO, HI) of unit U.  */
static int
fill_range (lp_dwarf *dw, uint32_t u, uint64_t lo, uint64_t hi,
	    const range_list *known, lp_error *err)
{
  const lp_symbol *symbol, *end = dw->mod->symbols.v + dw->mod->symbols.n;
  lp_symbols_at (dw->mod, lo, &symbol);
  for (; symbol < end && symbol->value < hi; symbol++)
    if (symbol->type == STT_FUNC && symbol->size
	&& lp_intmap_get (&dw->entry_index, symbol->value) < 0
	&& !is_known (known, symbol->value)
	&& add_bare (dw, u, symbol, err))
      return -1;
  return 0;
}

int
lp_add_bare_functions (lp_dwarf *dw, uint32_t u, lp_error *err)
{
  lp_unit *unit = &dw->units.v[u];
  range_list known = { 0 };
  Dwarf_Addr base, lo, hi;
  if (!unit->has_lines || !dw->mod->symbols.n)
    return 0;
  int result = collect_known (unit, &known) ? lp_nomem (err) : 0;
  for (ptrdiff_t at = 0; !result && (at = dwarf_ranges (&unit->top, at, &base,
							&lo, &hi)) > 0;)
    if (lo < hi && lp_module_is_code (dw->mod, lo))
      result = fill_range (dw, u, lo, hi, &known, err);
  lp_vec_free (&known);
  return result;
}
