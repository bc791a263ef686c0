/* internal.h: the module as the debug floor's own files see it.  */

#ifndef LP_DEBUG_INTERNAL_H
#define LP_DEBUG_INTERNAL_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "base/arena.h"
#include "debug/image.h"
#include "debug/module.h"

struct lp_module
{
  lp_arena *arena;		/* all strings and arrays that live as long as the module */
  char *path;
  int fd;
  lp_image image;		/* the whole file, mapped */
  Elf *elf;
  GElf_Ehdr ehdr;
  const char *interp;
  char build_id[129];
  LP_VEC (lp_segment) segments;
  LP_VEC (lp_symbol) symbols;	/* those of lp_module_symbols */
  LP_VEC (uint64_t) code_pointers;
  LP_VEC (uint64_t) landing_pads;
  bool have_code_pointers, have_landing_pads;

  /* The DWARF side (units.c and above).  */
  LP_VEC (lp_file) files;
  struct lp_dwarf *dwarf;	/* opened on first use */
};

/* elf side, for the DWARF side: is ADDR inside an executable segment?  */
bool lp_module_is_code (const lp_module *mod, uint64_t addr);

/* The symbols of IMAGE that name code become the module's: for a separate debug
   file, which keeps the .symtab that the program was stripped of.  Nothing
   changes when IMAGE has no .symtab.  IMAGE's bytes live as long as MOD.  */
int lp_module_add_symbols (lp_module *mod, const lp_image *image,
			   lp_error *err);

/* DWARF side, for lp_module_close: release what units.c opened.  */
void lp_dwarf_close (struct lp_dwarf *dwarf);

#endif
