/* dwarf.h: the module's debug information as the files of the DWARF side see
   it.  From the ground up: separate.c finds and opens it, sections.c makes it ready
   for libdw, known.c knows what names it can have, units.c indexes its units, which
   package.c may have, files.c names its sources, names.c its functions, functions.c
   collects them, bare.c those without a DIE, rows.c, inlines.c and spans.c fill them.  */

#ifndef LP_DEBUG_DWARF_H
#define LP_DEBUG_DWARF_H

#include "debug/internal.h"
#include "base/intmap.h"
#include "debug/dies.h"
#include "debug/linetable.h"
#include "debug/unpack.h"

typedef struct lp_unit
{
  Dwarf_Die top;		/* its own DIE, of the .dwo where it is split; what is below
				   it may not be there: see lp_unit_die */
  const char *name, *comp_dir;	/* "" where not known */
  enum lp_producer producer;
  int language;			/* DW_LANG_*, or -1 */
  uint64_t offset;		/* of its DIE in .debug_info of the main file */
  bool split;
  struct lp_packaged *packaged;	/* in a .dwp (package.h), or NULL */
  bool has_lines;
  uint64_t line_offset;		/* of its table in .debug_line */
  bool has_header, has_rows, has_functions; /* done already */
  bool has_expected;		/* the same of lp_inlined_ahead */
  bool has_holders;		/* the same of lp_unit_holders */
  LP_VEC (uint64_t) holders;	/* its functions, by their DIEs */
  lp_line_header header;
  lp_line_rows rows;		/* live sequences only, by address */
  uint32_t *files;		/* module's index of the table's files; NO_FILE: not yet */
  size_t nfiles;
  LP_VEC (lp_function *) functions; /* in the order of their DIEs */
} lp_unit;

#define LP_NO_FILE UINT32_MAX

typedef struct lp_unit_range
{
  uint64_t lo, hi;
  uint64_t reach;		/* largest hi up to here */
  uint32_t unit;
} lp_unit_range;

/* What an inlined function is called and where it stands.  */
typedef struct lp_origin
{
  const char *name;
  uint32_t file, line;
} lp_origin;

/* A compressed section.  */
typedef struct lp_packed
{
  uint32_t section;		/* its number */
  size_t offset, size;		/* where it is inflated to in the image; how large then */
  bool ready;			/* it is inflated, units as far as they are needed */
} lp_packed;

typedef struct lp_dwarf
{
  lp_module *mod;
  /* The file that has the debug information: the module's own, or another.  */
  char *path;			/* NULL: there is none */
  lp_image image;		/* it, in a private mapping */
  size_t mapped;		/* bytes of the mapping: the file, and room behind it */
  Elf *elf;
  Dwarf *dbg;			/* NULL until lp_dwarf_open */
  Dwarf *alt;			/* what dwz moved to a file of its own */
  lp_line_sections sections;
  LP_VEC (lp_packed) packed;	/* sections to inflate */
  lp_unpack unpack;		/* the units, where .debug_info is one of them */
  bool sparse;			/* the units need not all be there */
  struct lp_mentions *mentions;	/* what is sought while they are inflated, or NULL */
  struct lp_package *package;	/* of .dwo files, or NULL */
  const char *missing;		/* the first .dwo file that could not be read, or NULL */
  const char *asked;		/* lp_dwarf_has_name's last name, and what it said */
  bool has_asked;

  LP_VEC (lp_unit) units;	/* by offset */
  LP_VEC (lp_unit_range) ranges; /* of the units, by lo */
  LP_VEC (uint32_t) rangeless;	/* units that do not say where their code is */
  size_t nrows;			/* of the units whose rows are there for functions */

  lp_intmap file_index;		/* interned path -> index into mod->files */
  lp_intmap origin_index;	/* DIE -> index into origins */
  LP_VEC (lp_origin) origins;
  lp_intmap entry_index;	/* entry -> index into functions */
  LP_VEC (lp_function *) functions; /* in the order of their loading */
  lp_function **sorted;		/* all of the module, or NULL */
} lp_dwarf;

/* separate.c: find the file that has MOD's debug information and take its
   symbols when MOD has no .symtab.  Done once; DWARF is not read yet.  0 with
   mod->dwarf set (path NULL when nothing was found), -1.  */
int lp_debug_find (lp_module *mod, lp_error *err);
/* separate.c: read its DWARF.  -1 with LP_ENOSYMBOLS or LP_ENOLINES when there
   is none, LP_EFORMAT, LP_EUNSUPPORTED.  */
int lp_debug_begin (lp_dwarf *dw, lp_error *err);
/* separate.c: the bytes of the section NAME of ELF, which libdw has decompressed.  */
lp_bytes lp_section_data (Elf *elf, const char *name);

/* known.c: sets *HAS to whether the debug information has a string that is NAME's
   last component, ends in it or has template arguments behind it: when not, no
   unit can tell of such a function.  Reads no unit, and decompresses little
   but where the strings of functions stand in the units.  */
int lp_dwarf_has_name (lp_module *mod, const char *name, bool *has,
		       lp_error *err);

/* units.c: the module's debug information with its units indexed, opened when
   it was not yet.  NULL as lp_debug_begin.  */
lp_dwarf *lp_dwarf_open (lp_module *mod, lp_error *err);
/* The DIE of unit number U with all that is below it.  Going through the units in
   their order is cheap.  NULL when out of memory.  */
Dwarf_Die *lp_unit_die (lp_dwarf *dw, uint32_t u, lp_error *err);
/* All of that unit, there until lp_unit_release, and its file's .debug_abbrev.  0, or -1
   when out of memory.  */
int lp_unit_bytes (lp_dwarf *dw, uint32_t u, lp_bytes *unit, lp_bytes *abbrevs,
		   lp_error *err);
/* Make DIES read it, as dies.h has it.  0, or -1 when out of memory.  */
int lp_unit_dies (lp_dwarf *dw, uint32_t u, lp_dies *dies, lp_error *err);
/* What is below the DIE of unit number U is not needed before lp_unit_die is called
   again.  */
void lp_unit_release (lp_dwarf *dw, uint32_t u);
/* The index of the unit that CU belongs to, or -1 (another file's).  */
long lp_unit_of (const lp_dwarf *dw, Dwarf_CU *cu);
/* The unit's line table header; done once.  Without a table: no files.  */
int lp_unit_header (lp_dwarf *dw, lp_unit *unit, lp_error *err);

/* files.c: index into mod->files of PATH (MD5 may be NULL); LP_NO_FILE when
   out of memory.  */
uint32_t lp_file_index (lp_dwarf *dw, const char *path, const uint8_t *md5);
/* The same of file number N of UNIT's line table.  */
uint32_t lp_unit_file (lp_dwarf *dw, lp_unit *unit, uint64_t n);
/* The same of the attribute NAME (DW_AT_decl_file, DW_AT_call_file) of DIE or
   what it stems from; of UNIT itself without one.  */
uint32_t lp_die_file (lp_dwarf *dw, lp_unit *unit, Dwarf_Die *die,
		      unsigned name);
/* The number that DIE, or what it stems from, has as attribute NAME, or 0.  */
uint32_t lp_die_number (Dwarf_Die *die, unsigned name);

/* names.c: the symbols at ADDR: their number, the first in *FIRST.  */
size_t lp_symbols_at (const lp_module *mod, uint64_t addr,
		      const lp_symbol **first);
/* names.c: fill FN's name, linkage and aliases.  SCOPE is what encloses DIE,
   "" or ending in `::'.  Without a DIE the symbol says it all.  */
int lp_name_function (lp_dwarf *dw, Dwarf_Die *die, const char *scope,
		      lp_function *fn, lp_error *err);
/* names.c: Pascal's functions inside of others do not stand in these: name them so when
   all of UNIT's are there.  */
int lp_name_nested (lp_dwarf *dw, const lp_unit *unit, lp_error *err);
/* names.c: what the origin of an inlined instance is called, in the arena; NULL
   when out of memory.  */
const char *lp_origin_name (lp_dwarf *dw, Dwarf_Die *die);

/* functions.c: keep a copy of FN as one of its unit and of the module.  */
int lp_keep_function (lp_dwarf *dw, const lp_function *fn, lp_error *err);
/* bare.c: add those functions of unit U that no DIE tells of.  */
int lp_add_bare_functions (lp_dwarf *dw, uint32_t u, lp_error *err);
/* functions.c: load the functions of unit number U; done once.  */
int lp_unit_functions (lp_dwarf *dw, uint32_t u, lp_error *err);
/* The function that starts at ADDR, else one that holds it, in *FN; NULL when
   none does.  Loads only the units that may hold it.  */
int lp_function_at (lp_dwarf *dw, uint64_t addr, lp_function **fn,
		    lp_error *err);

/* rows.c: the unit's rows; done once.  */
int lp_unit_rows (lp_dwarf *dw, lp_unit *unit, lp_error *err);
/* Its rows are not needed any more, or for now.  */
void lp_unit_drop_rows (lp_unit *unit);
/* The first row of UNIT inside RANGE that has a line; false without one.  */
bool lp_unit_row_in (lp_dwarf *dw, lp_unit *unit, const lp_range *range,
		     lp_line_row *row);

/* inlines.c: fill FN's inlines.  */
int lp_fill_inlines (lp_dwarf *dw, lp_function *fn, lp_error *err);
/* Does FN hold an instance of anything that MEANT (ARG, its DIE) says yes to?  1, 0, or -1
   as MEANT does, too.  Nothing is kept.  */
int lp_holds_inlined (lp_dwarf *dw, lp_function *fn,
		      int (*meant) (void *arg, Dwarf_Die *origin), void *arg,
		      lp_error *err);
/* spans.c: set the `inl' of FN's rows.  */
int lp_assign_inlines (lp_function *fn, lp_error *err);

#endif
