/* instances.c: a walk through all inlined subroutines.  */

#include "debug/instances.h"

#include <dwarf.h>

#include "debug/shortage.h"

enum { MAX_DEPTH = 200 };

struct count
{
  lp_instances *c;
  lp_dwarf *dw;
  uint32_t u;
  lp_intmap origins;		/* DIE -> is it wanted? */
  lp_error *err;
};

static bool
is_instance (struct count *w, Dwarf_Die *die)
{
  Dwarf_Attribute attr;
  Dwarf_Die origin;
  if (!dwarf_formref_die (dwarf_attr (die, DW_AT_abstract_origin, &attr),
			  &origin))
    return false;
  int64_t known = lp_intmap_get (&w->origins, (uintptr_t) origin.addr);
  if (known < 0)
    {
      known = w->c->wanted (w->c->arg, w->dw, &w->dw->units.v[w->u], &origin);
      lp_intmap_put (&w->origins, (uintptr_t) origin.addr, known);
    }
  return known;
}

static void
count_one (struct count *w, Dwarf_Die *die)
{
  if (!is_instance (w, die) || w->c->n++ > 0)
    return;
  uint32_t file = lp_die_file (w->dw, &w->dw->units.v[w->u], die,
			       DW_AT_call_file);
  w->c->file = file < w->dw->mod->files.n
	       ? w->dw->mod->files.v[file].path : "?";
  w->c->line = lp_die_number (die, DW_AT_call_line);
}

static void
count_below (struct count *w, Dwarf_Die *die, int depth)
{
  Dwarf_Die child;
  if (depth > MAX_DEPTH || dwarf_child (die, &child) != 0)
    return;
  do
    switch (dwarf_tag (&child))
      {
      case DW_TAG_inlined_subroutine:
	count_one (w, &child);
	/* fall through */
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
	count_below (w, &child, depth + 1);
      }
  while (dwarf_siblingof (&child, &child) == 0);
}

static int
count_all (void *arg)
{
  struct count *w = arg;
  for (; w->u < w->dw->units.n; w->u++)
    {
      Dwarf_Die *die = lp_unit_die (w->dw, w->u, w->err);
      if (!die)
	return -1;
      count_below (w, die, 0);
    }
  return 0;
}

int
lp_instances_count (lp_instances *c, lp_dwarf *dw, lp_error *err)
{
  struct count w = { .c = c, .dw = dw, .err = err };
  int result = lp_shortage_guard (count_all, &w, err);
  lp_intmap_free (&w.origins);
  return result;
}
