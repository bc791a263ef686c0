/* files.c: the source files of a module, each once.  */

#include "debug/package.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/path.h"

uint32_t
lp_file_index (lp_dwarf *dw, const char *path, const uint8_t *md5)
{
  lp_module *mod = dw->mod;
  const char *known = lp_arena_intern (mod->arena, path);
  if (!known)
    return LP_NO_FILE;
  int64_t i = lp_intmap_get (&dw->file_index, (uintptr_t) known);
  if (i < 0)
    {
      lp_file file = { .path = known, .system = lp_path_is_system (known) };
      i = mod->files.n;
      if (lp_vec_push (&mod->files, file)
	  || lp_intmap_put (&dw->file_index, (uintptr_t) known, i))
	return LP_NO_FILE;
    }
  if (md5 && !mod->files.v[i].has_md5)
    {
      mod->files.v[i].has_md5 = true;
      memcpy (mod->files.v[i].md5, md5, 16);
    }
  return i;
}

/* The index of DIR/NAME in UNIT's compilation directory.  */
static uint32_t
index_joined (lp_dwarf *dw, const lp_unit *unit, const char *dir,
	      const char *name, const uint8_t *md5)
{
  /* A name such as <built-in> is no path.  */
  char *path = *name == '<' ? strdup (name)
    : lp_path_join (unit->comp_dir, dir, name);
  uint32_t i = path ? lp_file_index (dw, path, md5) : LP_NO_FILE;
  free (path);
  return i;
}

/* The index of file N of HEADER, the list of UNIT or what was split off it.  */
static uint32_t
index_table_file (lp_dwarf *dw, const lp_unit *unit,
		  const lp_line_header *header, uint64_t n)
{
  const lp_line_file *file = &header->files.v[n];
  if (!*file->name)
    return *unit->name ? index_joined (dw, unit, "", unit->name, NULL)
      : lp_file_index (dw, "<unknown>", NULL);
  const char *dir = file->dir < header->dirs.n ? header->dirs.v[file->dir] : "";
  /* From version 5 on, directories are relative to the first one.  */
  char *full = header->version >= 5 && file->dir && *dir != '/'
    ? lp_path_join ("", header->dirs.v[0], dir) : strdup (dir);
  uint32_t i = full ? index_joined (dw, unit, full, file->name, file->md5)
    : LP_NO_FILE;
  free (full);
  return i;
}

uint32_t
lp_unit_file (lp_dwarf *dw, lp_unit *unit, uint64_t n)
{
  /* A damaged header is reported where the rows are read.  */
  lp_unit_header (dw, unit, NULL);
  if (n >= unit->header.files.n)
    return *unit->name ? index_joined (dw, unit, "", unit->name, NULL)
      : lp_file_index (dw, "<unknown>", NULL);
  if (unit->nfiles < unit->header.files.n)
    {
      size_t all = unit->header.files.n;
      uint32_t *files = realloc (unit->files, all * sizeof *files);
      if (!files)
	return LP_NO_FILE;
      memset (files + unit->nfiles, 0xff,
	      (all - unit->nfiles) * sizeof *files);
      unit->files = files;
      unit->nfiles = all;
    }
  if (unit->files[n] == LP_NO_FILE)
    unit->files[n] = index_table_file (dw, unit, &unit->header, n);
  return unit->files[n];
}

uint32_t
lp_die_number (Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attr;
  Dwarf_Word value;
  return dwarf_attr_integrate (die, name, &attr)
    && dwarf_formudata (&attr, &value) == 0 && value < UINT32_MAX ? value : 0;
}

/* The index of file N as numbered by CU, which is not one of our units: it is
   of a .dwo, or of dwz's file.  */
static uint32_t
foreign_file (lp_dwarf *dw, lp_unit *unit, Dwarf_CU *cu, uint64_t n)
{
  Dwarf_Die die;
  Dwarf_Files *files;
  size_t nfiles;
  const char *name = NULL;
  if (dwarf_cu_die (cu, &die, NULL, NULL, NULL, NULL, NULL, NULL)
      && dwarf_getsrcfiles (&die, &files, &nfiles) == 0 && n < nfiles)
    name = dwarf_filesrc (files, n, NULL, NULL);
  return name ? index_joined (dw, unit, "", name, NULL)
    : lp_unit_file (dw, unit, UINT64_MAX);
}

/* The index of file N as numbered by what UNIT has in a package.  */
static uint32_t
packaged_file (lp_dwarf *dw, lp_unit *unit, uint64_t n)
{
  const lp_packaged *packaged = unit->packaged;
  return packaged->has_files && n < packaged->files.files.n
    ? index_table_file (dw, unit, &packaged->files, n)
    : lp_unit_file (dw, unit, packaged->has_files ? UINT64_MAX : n);
}

uint32_t
lp_die_file (lp_dwarf *dw, lp_unit *unit, Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attr;
  Dwarf_Word n;
  if (!dwarf_attr_integrate (die, name, &attr)
      || dwarf_formudata (&attr, &n) != 0)
    return lp_unit_file (dw, unit, UINT64_MAX);
  if (attr.cu == unit->top.cu && !unit->split)
    return lp_unit_file (dw, unit, n);
  if (attr.cu == unit->top.cu && unit->packaged)
    return packaged_file (dw, unit, n);
  long owner = lp_unit_of (dw, attr.cu);
  return owner >= 0 ? lp_unit_file (dw, &dw->units.v[owner], n)
    : foreign_file (dw, unit, attr.cu, n);
}

const lp_file *
lp_module_files (const lp_module *mod, size_t *n)
{
  *n = mod->files.n;
  return mod->files.v;
}
