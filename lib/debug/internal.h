/* internal.h: the module as the debug floor's own files see it.  */

#ifndef LP_DEBUG_INTERNAL_H
#define LP_DEBUG_INTERNAL_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "base/arena.h"
#include "debug/module.h"

struct lp_module
{
  lp_arena *arena;		/* all strings and arrays that live as long as the module */
  char *path;
  int fd;
  const uint8_t *map;		/* the whole file */
  size_t size;
  const Elf64_Shdr *sections;	/* checked only to be inside the file themselves */
  size_t nsections;		/* 0 when stripped of them */
  Elf *elf;
  GElf_Ehdr ehdr;
  const char *interp;
  char build_id[129];
  LP_VEC (lp_segment) segments;
  LP_VEC (lp_symbol) symbols;	/* functions with code, by value; .symtab, else .dynsym */
  LP_VEC (uint64_t) code_pointers;
  LP_VEC (uint64_t) landing_pads;
  bool have_code_pointers, have_landing_pads;

  /* The DWARF side (units.c and above).  */
  LP_VEC (lp_file) files;
  struct lp_dwarf *dwarf;	/* opened on first use */
};

/* elf side, for the DWARF side: is ADDR inside an executable segment?  */
bool lp_module_is_code (const lp_module *mod, uint64_t addr);

/* DWARF side, for lp_module_close: release what units.c opened.  */
void lp_dwarf_close (struct lp_dwarf *dwarf);

#endif
