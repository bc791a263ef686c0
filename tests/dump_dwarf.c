/* dump_dwarf.c: prints what the debug floor knows of a program, for scripts that
   compare it with other tools.

   dump_dwarf tables FILE	the line tables, as decoded
   dump_dwarf functions FILE	ENTRY FILE:LINE LINKAGE NAME
   dump_dwarf rows FILE		ADDR FILE:LINE S INLINE, all functions
   dump_dwarf units FILE	NAME PRODUCER
   dump_dwarf dies FILE		OFFSET DEPTH TAG NAME ORIGIN SPECIFICATION
   dump_dwarf select FILE PATTERN...	ENTRY NAME, or the error  */

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "debug/dwarf.h"
#include "debug/select.h"

static void
print_table (const lp_line_header *header, const lp_line_rows *rows)
{
  unsigned long offset = header->offset;
  for (size_t i = header->version < 5; i < header->files.n; i++)
    {
      const lp_line_file *file = &header->files.v[i];
      printf ("file %lx %zu %lu %s", offset, i, (unsigned long) file->dir,
	      file->name);
      for (int k = 0; file->md5 && k < 16; k++)
	printf ("%s%02x", k ? "" : " ", file->md5[k]);
      putchar ('\n');
    }
  for (size_t s = 0; s < rows->sequences.n; s++)
    {
      const lp_sequence *seq = &rows->sequences.v[s];
      for (size_t i = seq->first; i < (size_t) seq->first + seq->n; i++)
	printf ("row %lx %zu %016lx %u %u %s\n", offset, s,
		(unsigned long) rows->rows.v[i].addr, rows->rows.v[i].line,
		rows->rows.v[i].file, rows->rows.v[i].is_stmt ? "S" : "-");
      printf ("end %lx %zu %016lx\n", offset, s, (unsigned long) seq->hi);
    }
}

static int
print_tables (lp_module *mod, lp_error *err)
{
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  int result = dw ? 0 : -1;
  for (uint64_t offset = 0; !result && offset < dw->sections.line.n;)
    {
      lp_line_header header;
      lp_line_rows rows = { 0 };
      result = lp_line_header_read (&dw->sections, offset, &header, err)
	|| lp_line_rows_read (&dw->sections, &header, &rows, err) ? -1 : 0;
      if (!result)
	print_table (&header, &rows);
      offset = header.next;
      lp_line_header_free (&header);
      lp_line_rows_free (&rows);
    }
  return result;
}

static int
print_units (lp_module *mod, lp_error *err)
{
  static const char *const producers[] = {
    [LP_PRODUCER_OTHER] = "other", [LP_PRODUCER_GCC_O0] = "gcc-O0",
    [LP_PRODUCER_GCC_OPT] = "gcc-opt", [LP_PRODUCER_GCC_MIXED] = "gcc-mixed",
    [LP_PRODUCER_GFORTRAN_O0] = "gfortran-O0", [LP_PRODUCER_LLVM] = "llvm"
  };
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  for (size_t i = 0; dw && i < dw->units.n; i++)
    printf ("%s %s\n", dw->units.v[i].name, producers[dw->units.v[i].producer]);
  return dw ? 0 : -1;
}

/* As eu-readelf has them.  */
static const char *
tag_text (unsigned tag)
{
  switch (tag)
    {
    case DW_TAG_subprogram:
      return "subprogram";
    case DW_TAG_inlined_subroutine:
      return "inlined_subroutine";
    case DW_TAG_lexical_block:
      return "lexical_block";
    case DW_TAG_namespace:
      return "namespace";
    case DW_TAG_structure_type:
      return "structure_type";
    default:
      return "-";
    }
}

/* What VALUE is where it stands here or in .debug_str.  */
static const char *
name_text (const lp_dwarf *dw, const lp_dies *dies, lp_die_value value)
{
  uint64_t offset = 0;
  if (value.p && value.form == DW_FORM_string)
    return (const char *) value.p;
  if (!value.p || value.form != DW_FORM_strp)
    return "-";
  memcpy (&offset, value.p, dies->reference);
  return (const char *) dw->sections.str.p + offset;
}

static void
print_dies_of (const lp_dwarf *dw, lp_dies *dies)
{
  uint64_t start = dies->unit - lp_section_data (dw->elf, ".debug_info").p;
  for (lp_die die; lp_dies_next (dies, &die);)
    {
      uint64_t origin = lp_die_reference (dies, die.part[LP_DIE_ORIGIN]);
      uint64_t from = lp_die_reference (dies, die.part[LP_DIE_SPECIFICATION]);
      printf ("%lx %u %s %s %lx %lx\n", start + die.offset, die.depth,
	      tag_text (die.tag), name_text (dw, dies, die.part[LP_DIE_NAME]),
	      origin ? start + origin : 0, from ? start + from : 0);
    }
}

static int
print_dies (lp_module *mod, lp_error *err)
{
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  lp_dies dies = { 0 };
  int result = dw ? 0 : -1;
  for (uint32_t u = 0; !result && u < dw->units.n; u++)
    {
      result = lp_unit_dies (dw, u, &dies, err);
      if (!result)
	print_dies_of (dw, &dies);
    }
  lp_dies_free (&dies);
  return result;
}

static void
print_function (const lp_file *files, const lp_function *fn)
{
  printf ("%016lx %s:%u %s %s", (unsigned long) fn->entry,
	  files[fn->file].path, fn->line, fn->linkage ? fn->linkage : "-",
	  fn->name);
  if (fn->aliases)
    printf (" = %s", fn->aliases);
  putchar ('\n');
}

static void
print_rows (const lp_file *files, const lp_function *fn)
{
  for (size_t i = 0; i < fn->nrows; i++)
    {
      const lp_row *row = &fn->rows[i];
      printf ("%016lx %s:%u %s %s\n", (unsigned long) row->addr,
	      files[row->file].path, row->line, row->is_stmt ? "S" : "-",
	      row->inl ? fn->inlines[row->inl - 1].name : "");
    }
}

static int
print_functions (lp_module *mod, int with_rows, lp_error *err)
{
  lp_function **functions;
  size_t n, nfiles;
  if (lp_module_functions (mod, &functions, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    {
      if (with_rows && lp_module_rows (mod, functions[i], err))
	return -1;
      const lp_file *files = lp_module_files (mod, &nfiles);
      if (with_rows)
	print_rows (files, functions[i]);
      else
	print_function (files, functions[i]);
    }
  return 0;
}

static int
print_selected (lp_module *mod, char **patterns, lp_error *err)
{
  size_t nfiles;
  for (; *patterns; patterns++)
    {
      lp_function_list list = { 0 };
      int found = lp_select (mod, *patterns, &list, err);
      if (found < 0 || (found == 0 && lp_select_nearest (mod, *patterns, err)))
	return -1;
      for (size_t i = 0; i < list.n; i++)
	print_function (lp_module_files (mod, &nfiles), list.v[i]);
      lp_vec_free (&list);
    }
  return 0;
}

int
main (int argc, char **argv)
{
  lp_error err = { 0 };
  if (argc < 3)
    return 2;
  lp_module *mod = lp_module_open (argv[2], &err);
  int result = !mod ? -1
    : strcmp (argv[1], "tables") == 0 ? print_tables (mod, &err)
    : strcmp (argv[1], "units") == 0 ? print_units (mod, &err)
    : strcmp (argv[1], "dies") == 0 ? print_dies (mod, &err)
    : strcmp (argv[1], "functions") == 0 ? print_functions (mod, 0, &err)
    : strcmp (argv[1], "rows") == 0 ? print_functions (mod, 1, &err)
    : print_selected (mod, argv + 3, &err);
  lp_module_close (mod);
  if (result)
    fprintf (stderr, "%s\n", err.text);
  return result ? 1 : 0;
}
