/* units.c: the compilation units of a module, and which of them may hold an
   address.

   The index comes from the ranges of the unit DIEs: .debug_aranges, which
   dwarf_addrdie needs, is not written by clang and Go.  */

#include "debug/mention.h"
#include "debug/package.h"
#include "debug/shortage.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The -O option of a GNU producer: 0, or 1 for any other; -1 when the producer
   does not list its options.  */
static int
optimisation (const char *producer)
{
  int level = strstr (producer, " -m") ? 0 : -1;
  for (const char *p = producer; (p = strstr (p, " -O")); p += 3)
    level = p[3] != '0';
  return level;
}

/* Does the front end say where statements begin (-gstatement-frontiers)?  Those of C and
   C++ do, and what link-time optimisation makes of them.  */
static bool
marks_statements (const char *producer)
{
  return strncmp (producer, "GNU C", 5) == 0
	 || strncmp (producer, "GNU GIMPLE", 10) == 0;
}

static enum lp_producer
classify (const char *producer)
{
  if (strstr (producer, "clang") || strstr (producer, "rustc")
      || strstr (producer, "LLVM") || strstr (producer, "flang"))
    return LP_PRODUCER_LLVM;
  if (strncmp (producer, "Go cmd/compile", 14) == 0)
    return LP_PRODUCER_GCC_OPT;
  if (strncmp (producer, "GNU AS", 6) == 0
      || strncmp (producer, "GNU ", 4) != 0)
    return LP_PRODUCER_OTHER;
  switch (optimisation (producer))
    {
    case 0:
      return strncmp (producer, "GNU Fortran", 11) == 0
	? LP_PRODUCER_GFORTRAN_O0 : LP_PRODUCER_GCC_O0;
    case 1:
      return marks_statements (producer) ? LP_PRODUCER_GCC_OPT
	     : LP_PRODUCER_GCC_MIXED;
    default:
      return LP_PRODUCER_OTHER;
    }
}

static const char *
string_of (Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attr;
  const char *s = dwarf_formstring (dwarf_attr (die, name, &attr));
  return s ? s : "";
}

static int
add_ranges (lp_dwarf *dw, Dwarf_Die *die, uint32_t unit, lp_error *err)
{
  Dwarf_Addr base, lo, hi;
  bool any = false;
  for (ptrdiff_t at = 0; (at = dwarf_ranges (die, at, &base, &lo, &hi)) > 0;)
    {
      any = true;
      if (lo < hi && lo > 1 && lp_module_is_code (dw->mod, lo))
	{
	  lp_unit_range range = { lo, hi, hi, unit };
	  if (lp_vec_push (&dw->ranges, range))
	    return lp_nomem (err);
	}
    }
  return !any && lp_vec_push (&dw->rangeless, unit) ? lp_nomem (err) : 0;
}

/* Remember the file that should have what the skeleton DIE lacks.  */
static void
note_missing (lp_dwarf *dw, Dwarf_Die *die)
{
  const char *name = string_of (die, DW_AT_dwo_name);
  if (!*name)
    name = string_of (die, DW_AT_GNU_dwo_name);
  if (!dw->missing && *name)
    dw->missing = name;
}

/* Add the unit of DIE, with SPLIT the one of its .dwo.  */
static int
add_unit (lp_dwarf *dw, Dwarf_Die *die, Dwarf_Die *split, lp_error *err)
{
  Dwarf_Attribute attr;
  Dwarf_Word offset;
  lp_unit unit = { .top = split ? *split : *die, .split = split != NULL,
    .offset = dwarf_dieoffset (die) };
  unit.name = string_of (&unit.top, DW_AT_name);
  unit.comp_dir = string_of (die, DW_AT_comp_dir);
  if (split && !*unit.comp_dir)
    unit.comp_dir = string_of (split, DW_AT_comp_dir);
  unit.producer = classify (string_of (&unit.top, DW_AT_producer));
  unit.language = dwarf_srclang (&unit.top);
  if (dwarf_attr (die, DW_AT_stmt_list, &attr)
      && dwarf_formudata (&attr, &offset) == 0)
    {
      unit.has_lines = true;
      unit.line_offset = offset;
    }
  if (lp_vec_push (&dw->units, unit))
    return lp_nomem (err);
  return add_ranges (dw, die, dw->units.n - 1, err);
}

/* Is all of the unit's own DIE in the part of it that is always there?  */
static bool
is_in_head (Dwarf_Die *die, Dwarf_Off unit)
{
  Dwarf_Die child;
  return dwarf_child (die, &child) == 0
    && dwarf_dieoffset (&child) - unit <= LP_UNIT_HEAD;
}

/* Inflate the unit of DIE where its own DIE needs that.  */
static int
complete_unit (lp_dwarf *dw, Dwarf_Die *die, lp_error *err)
{
  Dwarf_Off offset = dwarf_dieoffset (die);
  return !is_in_head (die, offset - dwarf_cuoffset (die))
    && lp_unpack_unit (&dw->unpack, offset) ? lp_nomem (err) : 0;
}

static int
compare_ranges (const void *a, const void *b)
{
  const lp_unit_range *x = a, *y = b;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static int
add_skeleton (lp_dwarf *dw, Dwarf_Die *die, Dwarf_Die *split, lp_error *err)
{
  lp_packaged *packaged = NULL;
  if (!split->addr && lp_package_unit (dw, die, &packaged, err))
    return -1;
  if (packaged)
    split = &packaged->die;
  if (!split->addr)
    note_missing (dw, die);
  if (add_unit (dw, die, split->addr ? split : NULL, err))
    return -1;
  dw->units.v[dw->units.n - 1].packaged = packaged;
  return 0;
}

/* dwarf_get_units, which returned RESULT: was it the last one?  */
static int
check_last (const lp_dwarf *dw, int result, lp_error *err)
{
  if (result >= 0)
    return 0;
  return errno == ENOMEM ? lp_nomem (err)
	 : lp_fail (err, LP_EFORMAT, "the debug information of '%s' is damaged"
		    " (%s); rebuild it with -g", dw->path, dwarf_errmsg (-1));
}

static int
add_units (lp_dwarf *dw, lp_error *err)
{
  Dwarf_CU *cu = NULL;
  Dwarf_Die die, split;
  uint8_t type;
  int result;
  if (lp_section_find (&dw->image, SHT_PROGBITS, ".debug_addr")
      && lp_package_open (dw, err))
    return -1;
  errno = 0;
  while ((result = dwarf_get_units (dw->dbg, cu, &cu, NULL, &type, &die,
				    &split)) == 0)
    if (complete_unit (dw, &die, err))
      return -1;
    else if (type == DW_UT_skeleton
	? add_skeleton (dw, &die, &split, err)
	: (type == DW_UT_compile && dwarf_tag (&die) == DW_TAG_compile_unit
	   && add_unit (dw, &die, NULL, err)))
      return -1;
  return check_last (dw, result, err);
}

/* The argument of what libdw may not come back from.  */
struct opening
{
  lp_dwarf *dw;
  lp_error *err;
};

static int
index_units (void *arg)
{
  const struct opening *o = arg;
  lp_dwarf *dw = o->dw;
  lp_error *err = o->err;
  if (add_units (dw, err))
    return -1;
  if (dw->units.n == 0)
    return lp_fail (err, LP_ENOLINES, "the debug information of '%s' has no"
		    " compilation unit; rebuild it with -g", dw->path);
  if (dw->ranges.n)
    qsort (dw->ranges.v, dw->ranges.n, sizeof *dw->ranges.v, compare_ranges);
  for (size_t i = 1; i < dw->ranges.n; i++)
    if (dw->ranges.v[i].reach < dw->ranges.v[i - 1].reach)
      dw->ranges.v[i].reach = dw->ranges.v[i - 1].reach;
  return 0;
}

lp_dwarf *
lp_dwarf_open (lp_module *mod, lp_error *err)
{
  if (mod->dwarf && mod->dwarf->units.n)
    return mod->dwarf;
  if (lp_debug_find (mod, err))
    return NULL;
  struct opening opening = { mod->dwarf, err };
  if (lp_debug_begin (mod->dwarf, err)
      || lp_shortage_guard (index_units, &opening, err))
    return NULL;
  return mod->dwarf;
}

Dwarf_Die *
lp_unit_die (lp_dwarf *dw, uint32_t u, lp_error *err)
{
  lp_unit *unit = &dw->units.v[u];
  if (lp_unpack_unit (&dw->unpack, unit->offset) == 0)
    return &unit->top;
  lp_nomem (err);
  return NULL;
}

int
lp_unit_bytes (lp_dwarf *dw, uint32_t u, lp_bytes *bytes, lp_bytes *abbrevs,
	       lp_error *err)
{
  const lp_unit *unit = &dw->units.v[u];
  Dwarf_Die *die = lp_unit_die (dw, u, err);
  if (!die)
    return -1;
  bytes->p = (const uint8_t *) die->addr - dwarf_cuoffset (die);
  bytes->n = lp_unit_size (bytes->p);
  *abbrevs = lp_section_data (dwarf_getelf (dwarf_cu_getdwarf (die->cu)),
			      unit->split && !unit->packaged
			      ? ".debug_abbrev.dwo" : ".debug_abbrev");
  return 0;
}

int
lp_unit_dies (lp_dwarf *dw, uint32_t u, lp_dies *dies, lp_error *err)
{
  lp_bytes unit, abbrevs;
  if (lp_unit_bytes (dw, u, &unit, &abbrevs, err))
    return -1;
  return lp_dies_open (dies, unit, abbrevs) ? lp_nomem (err) : 0;
}

void
lp_unit_release (lp_dwarf *dw, uint32_t u)
{
  lp_unpack_release (&dw->unpack, dw->units.v[u].offset);
}

static void
free_unit (lp_unit *unit)
{
  lp_line_header_free (&unit->header);
  lp_line_rows_free (&unit->rows);
  free (unit->files);
  lp_vec_free (&unit->functions);
  lp_vec_free (&unit->holders);
}

void
lp_dwarf_close (struct lp_dwarf *dw)
{
  for (size_t i = 0; i < dw->units.n; i++)
    free_unit (&dw->units.v[i]);
  lp_vec_free (&dw->units);
  lp_vec_free (&dw->ranges);
  lp_vec_free (&dw->rangeless);
  lp_package_free (dw->package);
  lp_unpack_free (&dw->unpack);
  lp_mentions_free (dw->mentions);
  lp_vec_free (&dw->packed);
  lp_vec_free (&dw->origins);
  lp_vec_free (&dw->functions);
  lp_intmap_free (&dw->file_index);
  lp_intmap_free (&dw->origin_index);
  lp_intmap_free (&dw->entry_index);
  dwarf_end (dw->dbg);
  dwarf_end (dw->alt);
  elf_end (dw->elf);
  if (dw->image.bytes)
    munmap ((void *) dw->image.bytes, dw->mapped);
  free (dw);
}

long
lp_unit_of (const lp_dwarf *dw, Dwarf_CU *cu)
{
  Dwarf_Die die;
  if (!dwarf_cu_die (cu, &die, NULL, NULL, NULL, NULL, NULL, NULL)
      || dwarf_cu_getdwarf (cu) != dw->dbg)
    return -1;
  Dwarf_Off offset = dwarf_dieoffset (&die);
  size_t lo = 0, hi = dw->units.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (dw->units.v[mid].offset == offset)
	return mid;
      if (dw->units.v[mid].offset < offset)
	lo = mid + 1;
      else
	hi = mid;
    }
  return -1;
}

int
lp_unit_header (lp_dwarf *dw, lp_unit *unit, lp_error *err)
{
  if (unit->has_header)
    return 0;
  if (unit->has_lines)
    {
      int result = lp_line_header_read (&dw->sections, unit->line_offset,
					&unit->header, err);
      if (result)
	{
	  lp_line_header_free (&unit->header);
	  return -1;
	}
    }
  unit->has_header = true;
  return 0;
}
