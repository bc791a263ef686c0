/* internal.h: the module as the debug floor's own files see it.  */

#ifndef LP_DEBUG_INTERNAL_H
#define LP_DEBUG_INTERNAL_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "base/arena.h"
#include "debug/buildid.h"
#include "debug/image.h"
#include "debug/module.h"

struct lp_module
{
  lp_arena *arena;		/* all strings and arrays that live as long as the module */
  char *path;
  int fd;			/* until all of the file is in memory; then -1 */
  lp_image image;		/* the whole file, mapped */
  Elf *elf;
  GElf_Ehdr ehdr;
  const char *interp;
  lp_build_id build_id;
  LP_VEC (lp_segment) segments;
  LP_VEC (lp_symbol) symbols;	/* those of lp_module_symbols */
  LP_VEC (uint64_t) code_pointers;
  LP_VEC (uint64_t) landing_pads;
  LP_VEC (lp_call_site) call_sites;
  bool have_code_pointers, have_landing_pads;

  /* The DWARF side (units.c and above).  */
  LP_VEC (lp_file) files;
  struct lp_dwarf *dwarf;	/* opened on first use */
};

/* The ELF side's steps of lp_module_open.  Are the SIZE bytes at BYTES the start
   of an x86-64 program or shared object?  0, or -1 with LP_ENOEXEC, LP_EFORMAT
   and what the file PATH is instead.  */
int lp_check_header (const char *path, const uint8_t *bytes, size_t size,
		     lp_error *err);
/* Fill MOD's symbols.  A file may have none.  */
int lp_read_symbols (lp_module *mod, lp_error *err);
/* Add the functions of .gnu_debugdata, and those of .dynsym, to MOD's symbols;
   they are not sorted then.  */
int lp_read_minisymbols (lp_module *mod, lp_error *err);

/* Sort the N addresses at V and drop doubles; returns how many are left.  */
size_t lp_sort_addresses (uint64_t *v, size_t n);

/* The first program header of TYPE whose contents lie inside the file.  */
bool lp_find_phdr (const lp_module *mod, uint32_t type, Elf64_Phdr *ph);
/* Does the dynamic section have TAG (DT_*)?  *VALUE is its value then.  */
bool lp_dynamic_value (const lp_module *mod, int64_t tag, uint64_t *value);
/* The number of dynamic symbols, as the hash tables tell it; 0 without.  */
size_t lp_dynamic_nsymbols (const lp_module *mod);

/* The symbols of IMAGE that name code become the module's: for a separate debug
   file, which keeps the .symtab that the program was stripped of.  Nothing
   changes when IMAGE has no .symtab.  IMAGE's bytes live as long as MOD.  */
int lp_module_add_symbols (lp_module *mod, const lp_image *image,
			   lp_error *err);

/* DWARF side, for lp_module_close: release what units.c opened.  */
void lp_dwarf_close (struct lp_dwarf *dwarf);

#endif
