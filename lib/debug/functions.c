/* functions.c: the subprograms with code, unit by unit.  */

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"
#include "debug/language.h"
#include "debug/shortage.h"

enum { MAX_DEPTH = 200 };

/* A DIE around that at hand: a namespace, a module, a class, a function or a block.  */
struct level
{
  uint64_t offset;
  bool names;			/* what is in it is called after it ... */
  const char *name;		/* ... so, or NULL where that is not looked up yet */
};

struct walk
{
  lp_dwarf *dw;
  uint32_t u;
  lp_dies dies;
  uint64_t start;		/* of the unit in its section */
  LP_VEC (struct level) levels;	/* from the outermost in */
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

/* The DIE at OFFSET of W's unit.  */
static Dwarf_Die *
die_at (struct walk *w, uint64_t offset, Dwarf_Die *die)
{
  return dwarf_offdie (dwarf_cu_getdwarf (w->dw->units.v[w->u].top.cu),
		       w->start + offset, die);
}

/* What the levels around are called: "a::b::".  In the arena; NULL when out of memory.  */
static const char *
scope_text (struct walk *w)
{
  const char *separator = lp_separator (w->dw->units.v[w->u].language);
  size_t n = 1;
  Dwarf_Die die;
  for (struct level *l = w->levels.v; l < w->levels.v + w->levels.n; l++)
    {
      if (l->names && !l->name && die_at (w, l->offset, &die))
	l->name = dwarf_diename (&die);
      n += l->name ? strlen (l->name) + strlen (separator) : 0;
    }
  char *text = malloc (n), *end = text;
  if (!text)
    return NULL;
  *text = '\0';
  for (struct level *l = w->levels.v; l < w->levels.v + w->levels.n; l++)
    if (l->name)
      end = stpcpy (stpcpy (end, l->name), separator);
  const char *kept = lp_arena_intern (w->dw->mod->arena, text);
  free (text);
  return kept;
}

/* Add the function at OFFSET when it has code here.  Most in a header are declared only:
   what they are in need not be known.  */
static int
add_at (struct walk *w, uint64_t offset)
{
  Dwarf_Die die;
  if (!die_at (w, offset, &die))
    return 0;
  if (collect_ranges (w, &die))
    return -1;
  if (w->ranges.n == 0)
    return 0;
  const char *scope = scope_text (w);
  return scope ? add_function (w, &die, scope) : lp_nomem (w->err);
}

/* Is TAG of a named scope that can hold functions?  */
static bool
is_scope (unsigned tag)
{
  switch (tag)
    {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
      return true;
    default:
      return false;
    }
}

/* May what has TAG be or hold a function?  */
static bool
may_hold (unsigned tag)
{
  switch (tag)
    {
    case DW_TAG_subprogram:	/* nested functions, methods of local classes */
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
      return true;
    default:
      return is_scope (tag);
    }
}

/* Do functions in what has TAG have its name in theirs?  */
static bool
is_named_after (const struct walk *w, unsigned tag)
{
  return tag == DW_TAG_subprogram
	 ? lp_nests_functions (w->dw->units.v[w->u].language) : is_scope (tag);
}

/* Take DIE, below the unit's.  */
static int
visit (struct walk *w, const lp_die *die)
{
  w->levels.n = die->depth - 1;
  if (die->tag == DW_TAG_subprogram && die->has_code && add_at (w, die->offset))
    return -1;
  struct level level = { die->offset, is_named_after (w, die->tag), NULL };
  return die->children && lp_vec_push (&w->levels, level) ? lp_nomem (w->err) : 0;
}

/* Visit everything in the unit that may be or hold a function.  */
static int
visit_all (struct walk *w)
{
  lp_die die;
  lp_dies_next (&w->dies, &die); /* the unit's own */
  while (lp_dies_next (&w->dies, &die))
    if (!may_hold (die.tag) || die.depth > MAX_DEPTH)
      lp_dies_pass (&w->dies, &die);
    else if (visit (w, &die))
      return -1;
  return 0;
}

static int
walk_unit (void *arg)
{
  struct walk *w = arg;
  lp_unit *unit = &w->dw->units.v[w->u];
  if (lp_unit_dies (w->dw, w->u, &w->dies, w->err))
    return -1;
  w->start = dwarf_dieoffset (&unit->top) - dwarf_cuoffset (&unit->top);
  return visit_all (w) || lp_add_bare_functions (w->dw, w->u, w->err)
    || lp_name_nested (w->dw, unit, w->err) ? -1 : 0;
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
  lp_dies_free (&w.dies);
  lp_vec_free (&w.levels);
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
