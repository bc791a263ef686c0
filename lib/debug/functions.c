/* functions.c: the subprograms with code, unit by unit.  */

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"
#include "debug/language.h"
#include "debug/shortage.h"

enum { MAX_DEPTH = 200 };

/* What encloses a DIE: namespaces, modules, classes.  */
struct scope
{
  const struct scope *outer;
  const char *name;
};

struct walk
{
  lp_dwarf *dw;
  uint32_t u;
  LP_VEC (lp_range) ranges;	/* of the DIE at hand */
  lp_error *err;
};

/* Collect the live ranges of DIE.  */
static int
collect_ranges (struct walk *w, Dwarf_Die *die)
{
  Dwarf_Addr base, lo, hi;
  w->ranges.n = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges (die, at, &base, &lo, &hi)) > 0;)
    if (lo < hi && lo > 1 && lp_module_is_code (w->dw->mod, lo)
	&& lp_vec_push (&w->ranges, (lp_range) { lo, hi }))
      return lp_nomem (w->err);
  return 0;
}

/* Is a whole function, not its .cold part, called by a symbol at ADDR?  */
static bool
starts_function (const lp_module *mod, uint64_t addr)
{
  const lp_symbol *symbols;
  size_t n = lp_symbols_at (mod, addr, &symbols);
  for (size_t i = 0; i < n; i++)
    if (!strstr (symbols[i].name, ".cold"))
      return true;
  return false;
}

/* Which range of W holds the entry of DIE, and where that is.  */
static size_t
find_entry (struct walk *w, Dwarf_Die *die, uint64_t *entry)
{
  Dwarf_Addr addr;
  if (dwarf_hasattr (die, DW_AT_entry_pc) && dwarf_entrypc (die, &addr) == 0)
    for (size_t i = 0; i < w->ranges.n; i++)
      if (addr >= w->ranges.v[i].lo && addr < w->ranges.v[i].hi)
	{
	  *entry = addr;
	  return i;
	}
  size_t at = 0;
  for (size_t i = 0; w->ranges.n > 1 && i < w->ranges.n; i++)
    if (starts_function (w->dw->mod, w->ranges.v[i].lo))
      {
	at = i;
	break;
      }
  *entry = w->ranges.v[at].lo;
  return at;
}

static int
compare_lo (const void *a, const void *b)
{
  const lp_range *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* FN's ranges: number AT first, then the others by address.  */
static int
set_ranges (struct walk *w, lp_function *fn, size_t at)
{
  size_t n = w->ranges.n;
  fn->ranges = lp_arena_alloc (w->dw->mod->arena, n * sizeof *fn->ranges);
  if (!fn->ranges)
    return lp_nomem (w->err);
  memcpy (fn->ranges, w->ranges.v, n * sizeof *fn->ranges);
  fn->ranges[0] = w->ranges.v[at];
  fn->ranges[at] = w->ranges.v[0];
  if (n > 2)
    qsort (fn->ranges + 1, n - 1, sizeof *fn->ranges, compare_lo);
  fn->nranges = n;
  return 0;
}

int
lp_keep_function (lp_dwarf *dw, const lp_function *fn, lp_error *err)
{
  lp_function *kept = lp_arena_alloc (dw->mod->arena, sizeof *kept);
  if (!kept)
    return lp_nomem (err);
  *kept = *fn;
  if (lp_intmap_put (&dw->entry_index, fn->entry, dw->functions.n)
      || lp_vec_push (&dw->functions, kept)
      || lp_vec_push (&dw->units.v[fn->unit].functions, kept))
    return lp_nomem (err);
  return 0;
}

/* Where FN is declared.  What the compiler made (a lambda's operator, static
   initialisers) may not say: then where its code starts.  */
static int
set_place (struct walk *w, Dwarf_Die *die, lp_function *fn)
{
  lp_unit *unit = &w->dw->units.v[w->u];
  lp_line_row row;
  fn->line = lp_die_number (die, DW_AT_decl_line);
  if (fn->line == 0 && lp_unit_row_in (w->dw, unit, &fn->ranges[0], &row))
    {
      fn->line = row.line;
      fn->file = lp_unit_file (w->dw, unit, row.file);
    }
  else
    fn->file = lp_die_file (w->dw, unit, die, DW_AT_decl_file);
  return fn->file == LP_NO_FILE ? lp_nomem (w->err) : 0;
}

/* Add the function of DIE, whose ranges are W's.  Of two with one entry (folded code,
   copies of an inline function) the first one known stays.  */
static int
add_function (struct walk *w, Dwarf_Die *die, const char *scope)
{
  lp_dwarf *dw = w->dw;
  lp_unit *unit = &dw->units.v[w->u];
  lp_function fn = { .producer = unit->producer, .unit = w->u,
    .die = dwarf_dieoffset (die),
    .made = dwarf_hasattr (die, DW_AT_artificial) };
  size_t at = find_entry (w, die, &fn.entry);
  if (lp_intmap_get (&dw->entry_index, fn.entry) >= 0)
    return 0;
  if (set_ranges (w, &fn, at) || set_place (w, die, &fn)
      || lp_name_function (dw, die, scope, &fn, w->err))
    return -1;
  return lp_keep_function (dw, &fn, w->err);
}

/* SCOPE as text: "a::b::", or with another SEPARATOR.  To be freed.  */
static char *
scope_text (const struct scope *scope, size_t tail, const char *separator)
{
  if (!scope)
    return calloc (1, tail + 1);
  size_t n = strlen (scope->name);
  char *s = scope_text (scope->outer, tail + n + 2, separator);
  if (s)
    {
      strcat (s, scope->name);
      strcat (s, separator);
    }
  return s;
}

/* Add the function of DIE when it has code here.  Most in a header are declared only:
   what they are in need not be known.  */
static int
add_with_scope (struct walk *w, Dwarf_Die *die, const struct scope *scope)
{
  if (!dwarf_hasattr (die, DW_AT_low_pc) && !dwarf_hasattr (die, DW_AT_ranges))
    return 0;
  if (collect_ranges (w, die))
    return -1;
  if (w->ranges.n == 0)
    return 0;
  if (!scope)
    return add_function (w, die, "");
  char *text = scope_text (scope, 0,
			   lp_separator (w->dw->units.v[w->u].language));
  const char *kept = text ? lp_arena_intern (w->dw->mod->arena, text) : NULL;
  free (text);
  return kept ? add_function (w, die, kept) : lp_nomem (w->err);
}

/* Visit everything below DIE that may be or hold a function.  */
static int
walk_children (struct walk *w, Dwarf_Die *die, const struct scope *scope,
	       int depth)
{
  Dwarf_Die child;
  struct scope inner = { scope, NULL };
  if (depth > MAX_DEPTH || dwarf_child (die, &child) != 0)
    return 0;
  do
    {
      int result = 0;
      switch (dwarf_tag (&child))
	{
	case DW_TAG_subprogram:
	  /* It may hold others: nested functions, methods of local classes.  */
	  inner.name = lp_nests_functions (w->dw->units.v[w->u].language)
	    ? dwarf_diename (&child) : NULL;
	  result = add_with_scope (w, &child, scope)
	    || walk_children (w, &child, inner.name ? &inner : scope,
			      depth + 1) ? -1 : 0;
	  break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	  result = walk_children (w, &child, scope, depth + 1);
	  break;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	  inner.name = dwarf_diename (&child);
	  result = walk_children (w, &child, inner.name ? &inner : scope,
				  depth + 1);
	  break;
	}
      if (result)
	return -1;
    }
  while (dwarf_siblingof (&child, &child) == 0);
  return 0;
}

static int
walk_unit (void *arg)
{
  struct walk *w = arg;
  Dwarf_Die *die = lp_unit_die (w->dw, w->u, w->err);
  return !die || walk_children (w, die, NULL, 0)
    || lp_add_bare_functions (w->dw, w->u, w->err)
    || lp_name_nested (w->dw, &w->dw->units.v[w->u], w->err) ? -1 : 0;
}

int
lp_unit_functions (lp_dwarf *dw, uint32_t u, lp_error *err)
{
  lp_unit *unit = &dw->units.v[u];
  if (unit->has_functions)
    return 0;
  struct walk w = { .dw = dw, .u = u, .err = err };
  bool had_rows = unit->has_rows;
  int result = lp_shortage_guard (walk_unit, &w, err);
  lp_vec_free (&w.ranges);
  if (!had_rows)
    lp_unit_drop_rows (unit);
  unit->has_functions = result == 0;
  return result;
}

static lp_function *
function_holding (const lp_unit *unit, uint64_t addr)
{
  for (size_t i = 0; i < unit->functions.n; i++)
    for (size_t r = 0; r < unit->functions.v[i]->nranges; r++)
      if (addr >= unit->functions.v[i]->ranges[r].lo
	  && addr < unit->functions.v[i]->ranges[r].hi)
	return unit->functions.v[i];
  return NULL;
}

static lp_function *
function_at_entry (const lp_dwarf *dw, uint64_t addr)
{
  int64_t i = lp_intmap_get (&dw->entry_index, addr);
  return i >= 0 ? dw->functions.v[i] : NULL;
}

/* Load unit U and look there.  */
static int
look_in_unit (lp_dwarf *dw, uint32_t u, uint64_t addr, lp_function **fn,
	      lp_error *err)
{
  if (lp_unit_functions (dw, u, err))
    return -1;
  *fn = function_at_entry (dw, addr);
  if (!*fn)
    *fn = function_holding (&dw->units.v[u], addr);
  return 0;
}

/* Number of the unit ranges that start at or below ADDR.  */
static size_t
ranges_below (const lp_dwarf *dw, uint64_t addr)
{
  size_t lo = 0, hi = dw->ranges.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (dw->ranges.v[mid].lo <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

int
lp_function_at (lp_dwarf *dw, uint64_t addr, lp_function **fn, lp_error *err)
{
  *fn = function_at_entry (dw, addr);
  for (size_t i = ranges_below (dw, addr);
       !*fn && i > 0 && dw->ranges.v[i - 1].reach > addr; i--)
    if (addr < dw->ranges.v[i - 1].hi
	&& look_in_unit (dw, dw->ranges.v[i - 1].unit, addr, fn, err))
      return -1;
  for (size_t i = 0; !*fn && i < dw->rangeless.n; i++)
    if (look_in_unit (dw, dw->rangeless.v[i], addr, fn, err))
      return -1;
  return 0;
}

static int
compare_entries (const void *a, const void *b)
{
  const lp_function *x = *(lp_function *const *) a;
  const lp_function *y = *(lp_function *const *) b;
  return x->entry < y->entry ? -1 : x->entry > y->entry;
}

int
lp_module_functions (lp_module *mod, lp_function ***functions, size_t *n,
		     lp_error *err)
{
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  if (!dw)
    return -1;
  for (uint32_t u = 0; u < dw->units.n; u++)
    if (lp_unit_functions (dw, u, err))
      return -1;
  if (!dw->sorted && dw->functions.n)
    {
      dw->sorted = lp_arena_alloc (mod->arena,
				   dw->functions.n * sizeof *dw->sorted);
      if (!dw->sorted)
	return lp_nomem (err);
      memcpy (dw->sorted, dw->functions.v,
	      dw->functions.n * sizeof *dw->sorted);
      qsort (dw->sorted, dw->functions.n, sizeof *dw->sorted, compare_entries);
    }
  *functions = dw->sorted;
  *n = dw->functions.n;
  return 0;
}
