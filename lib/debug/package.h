/* package.h: a package of .dwo files (.dwp), as dwp and llvm-dwp make it: DWARF 5,
   section 7.3.5, and before that gcc's "DebugFissionDWP".  libdw 0.188 does not read
   them, so it gets a view of each unit that has the sections of this unit alone.  */

#ifndef LP_DEBUG_PACKAGE_H
#define LP_DEBUG_PACKAGE_H

#include "debug/dwarf.h"

typedef struct lp_package lp_package;

/* What a unit has in a package.  */
typedef struct lp_packaged
{
  Dwarf_Die die;		/* the unit's own */
  bool has_files;		/* FILES numbers the sources; else the skeleton's table does */
  lp_line_header files;
} lp_packaged;

/* Open DW's package, FILE.dwp beside the file with the debug information or beside the
   program, where there is one.  0 with dw->package set, or NULL without one; -1 with
   LP_EFORMAT, LP_EUNSUPPORTED, LP_ENOMEM.  */
int lp_package_open (lp_dwarf *dw, lp_error *err);
void lp_package_free (lp_package *package);

/* The unit that SKELETON, a unit's own DIE in DW, stands for, in *UNIT; it lives as
   long as DW.  NULL: the package does not have it.  0, or -1 as above.  */
int lp_package_unit (lp_dwarf *dw, Dwarf_Die *skeleton, lp_packaged **unit,
		     lp_error *err);

/* For package.c and packview.c: columns of the index, in what is common to both
   versions of it.  */
enum lp_pack_section
{
  LP_PACK_INFO,
  LP_PACK_ABBREV,
  LP_PACK_LINE,
  LP_PACK_STR_OFFSETS,
  LP_PACK_RNGLISTS,
  LP_PACK_SECTIONS
};

/* What a view is made of.  */
typedef struct lp_pack_parts
{
  int fd;			/* the package, ... */
  size_t size;			/* ... of so many bytes */
  lp_bytes own[LP_PACK_SECTIONS]; /* the unit's share of each section, in a mapping of FD ... */
  const uint8_t *file;		/* ... at FILE */
  lp_bytes str;			/* .debug_str.dwo, there as well */
  lp_bytes addr, ranges;	/* its shares of the program's .debug_addr and .debug_ranges */
  uint64_t base;		/* the skeleton's low_pc, or 0 */
} lp_pack_parts;

/* One unit as a file of its own for libdw.  */
typedef struct lp_packview
{
  uint8_t *map;
  size_t size;
  Elf *elf;
  Dwarf *dbg;
} lp_packview;

/* packview.c: make VIEW of PARTS, and find the unit's DIE.  0, or -1 (LP_EFORMAT,
   LP_ENOMEM), and PATH is for the error's text; either way VIEW is to be freed.  */
int lp_packview_make (const lp_pack_parts *parts, const char *path,
		      lp_packview *view, Dwarf_Die *die, lp_error *err);
void lp_packview_free (lp_packview *view);

#endif
