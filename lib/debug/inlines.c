/* inlines.c: what was inlined into a function.  */

#include <dwarf.h>
#include <string.h>

#include "debug/dwarf.h"
#include "debug/shortage.h"

enum { MAX_DEPTH = 200 };

struct walk
{
  lp_dwarf *dw;
  lp_unit *unit;
  lp_function *fn;
  LP_VEC (lp_inline) list;
  LP_VEC (lp_range) ranges;
  bool moved;			/* a variable has not one place for all of its life */
  lp_error *err;
};

/* What is walked through: instance INL (0: the function itself), which is one of the
   function at ORIGIN.  */
struct place
{
  uint32_t inl;
  Dwarf_Die origin;
  int depth;
};

/* What DIE is an instance of: itself where nothing else is named.  */
static Dwarf_Die
origin_of (Dwarf_Die *die)
{
  Dwarf_Attribute attr;
  Dwarf_Die origin;
  return dwarf_formref_die (dwarf_attr (die, DW_AT_abstract_origin, &attr), &origin)
	 ? origin : *die;
}

/* Is DIE, an instance of OF, a piece of what is around it that the compiler split off
   and took back (gcc's partial inlining)?  It is "called" where the function is
   declared, and no call.  */
static bool
was_split_off (Dwarf_Die *die, Dwarf_Die *of, const struct place *in)
{
  return of->addr == in->origin.addr && dwarf_hasattr (die, DW_AT_call_column)
	 && lp_die_number (die, DW_AT_call_line) == lp_die_number (of, DW_AT_decl_line)
	 && lp_die_number (die, DW_AT_call_column)
	    == lp_die_number (of, DW_AT_decl_column);
}

/* Fill INL's name and place from OF, which it is an instance of and which is looked up
   once.  */
static int
set_origin (struct walk *w, Dwarf_Die *of, lp_inline *inl)
{
  lp_dwarf *dw = w->dw;
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
  inl->origin = i;
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
    if (lo <= hi && lp_vec_push (&w->ranges, (lp_range) { lo, hi }))
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
add_inline (struct walk *w, Dwarf_Die *die, Dwarf_Die *of, uint32_t parent)
{
  lp_inline inl = { .parent = parent,
    .call_file = lp_die_file (w->dw, w->unit, die, DW_AT_call_file),
    .call_line = lp_die_number (die, DW_AT_call_line) };
  Dwarf_Addr entry;
  if (inl.call_file == LP_NO_FILE)
    return lp_nomem (w->err);
  if (dwarf_hasattr (die, DW_AT_entry_pc) && dwarf_entrypc (die, &entry) == 0)
    inl.entry = entry;
  if (set_origin (w, of, &inl) || set_ranges (w, die, &inl))
    return -1;
  return lp_vec_push (&w->list, inl) ? lp_nomem (w->err) : 0;
}

/* Add DIE, an instance in IN.  *INSIDE is where its children are.  */
static int
enter_inline (struct walk *w, Dwarf_Die *die, const struct place *in,
	      struct place *inside)
{
  Dwarf_Die of = origin_of (die);
  if (was_split_off (die, &of, in))
    return 0;
  if (add_inline (w, die, &of, in->inl))
    return -1;
  inside->inl = w->list.n;
  inside->origin = of;
  return 0;
}

/* Has DIE, a variable, a list of places?  */
static bool
has_places (Dwarf_Die *die)
{
  Dwarf_Attribute attr;
  if (!dwarf_attr (die, DW_AT_location, &attr))
    return false;
  unsigned form = dwarf_whatform (&attr);
  return form == DW_FORM_sec_offset || form == DW_FORM_loclistx
    || form == DW_FORM_data4 || form == DW_FORM_data8;
}

/* Collect the instances below DIE, which is in IN.  */
static int
walk_children (struct walk *w, Dwarf_Die *die, const struct place *in)
{
  Dwarf_Die child;
  if (in->depth > MAX_DEPTH || dwarf_child (die, &child) != 0)
    return 0;
  do
    {
      struct place inside = { in->inl, in->origin, in->depth + 1 };
      switch (dwarf_tag (&child))
	{
	case DW_TAG_inlined_subroutine:
	  if (enter_inline (w, &child, in, &inside))
	    return -1;
	  /* fall through */
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	  if (walk_children (w, &child, &inside))
	    return -1;
	  break;
	case DW_TAG_variable:
	case DW_TAG_formal_parameter:
	  w->moved = w->moved || has_places (&child);
	}
    }
  while (dwarf_siblingof (&child, &child) == 0);
  return 0;
}

static int
keep_inlines (struct walk *w)
{
  lp_function *fn = w->fn;
  size_t size = w->list.n * sizeof *fn->inlines;
  fn->inlines = lp_arena_alloc (w->dw->mod->arena, size);
  if (!fn->inlines)
    return lp_nomem (w->err);
  if (size)
    memcpy (fn->inlines, w->list.v, size);
  fn->ninlines = w->list.n;
  return 0;
}

/* FN's DIE, in *DIE.  */
static int
find_die (lp_dwarf *dw, const lp_function *fn, Dwarf_Die *die, lp_error *err)
{
  Dwarf_Die *unit = lp_unit_die (dw, fn->unit, err);
  if (!unit)
    return -1;
  return dwarf_offdie (dwarf_cu_getdwarf (unit->cu), fn->die, die) ? 0
    : lp_fail (err, LP_EFORMAT, "the debug information of '%s' is damaged (%s);"
	       " rebuild it with -g", dw->path, dwarf_errmsg (-1));
}

static int
walk_function (void *arg)
{
  struct walk *w = arg;
  Dwarf_Die die;
  if (find_die (w->dw, w->fn, &die, w->err))
    return -1;
  struct place whole = { 0, origin_of (&die), 0 };
  if (walk_children (w, &die, &whole) || keep_inlines (w))
    return -1;
  w->fn->optimised = w->fn->producer == LP_PRODUCER_LLVM
    && (w->moved || dwarf_hasattr (&die, DW_AT_call_all_calls)
	|| dwarf_hasattr (&die, DW_AT_GNU_all_call_sites));
  return 0;
}

int
lp_fill_inlines (lp_dwarf *dw, lp_function *fn, lp_error *err)
{
  struct walk w = { .dw = dw, .unit = &dw->units.v[fn->unit], .fn = fn,
		    .err = err };
  if (fn->inlines || !fn->die)
    return 0;
  int result = lp_shortage_guard (walk_function, &w, err);
  lp_vec_free (&w.list);
  lp_vec_free (&w.ranges);
  return result;
}

/* A look for instances.  */
struct look
{
  lp_dwarf *dw;
  lp_function *fn;
  int (*meant) (void *arg, Dwarf_Die *origin);
  void *arg;
  lp_error *err;
};

static int
look_below (struct look *l, Dwarf_Die *die, int depth)
{
  Dwarf_Die child;
  int found = 0;
  if (depth > MAX_DEPTH || dwarf_child (die, &child) != 0)
    return 0;
  do
    switch (dwarf_tag (&child))
      {
      case DW_TAG_inlined_subroutine:
	{
	  Dwarf_Die of = origin_of (&child);
	  found = l->meant (l->arg, &of);
	}
	/* fall through */
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
      case DW_TAG_with_stmt:
	if (!found)
	  found = look_below (l, &child, depth + 1);
      }
  while (!found && dwarf_siblingof (&child, &child) == 0);
  return found;
}

static int
look (void *arg)
{
  struct look *l = arg;
  Dwarf_Die die;
  return find_die (l->dw, l->fn, &die, l->err) ? -1 : look_below (l, &die, 0);
}

int
lp_holds_inlined (lp_dwarf *dw, lp_function *fn,
		  int (*meant) (void *arg, Dwarf_Die *origin), void *arg,
		  lp_error *err)
{
  struct look l = { dw, fn, meant, arg, err };
  return fn->die ? lp_shortage_guard (look, &l, err) : 0;
}
