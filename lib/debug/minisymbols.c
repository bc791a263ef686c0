/* minisymbols.c: the symbols that distributions leave in a stripped program's
   .gnu_debugdata, an xz-compressed ELF file.  libdwfl unpacks it.  */

#include "debug/internal.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <string.h>

/* Debug information is found by the DWARF side; here nothing is searched for,
   and above all no debuginfod server is asked.  */
static int
find_nothing (Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
	      const char *file, const char *link, GElf_Word crc, char **found)
{
  (void) mod, (void) data, (void) name, (void) base, (void) file;
  (void) link, (void) crc, (void) found;
  return -1;
}

static const Dwfl_Callbacks callbacks = {
  .find_debuginfo = find_nothing,
  .section_address = dwfl_offline_section_address,
};

static int
add_all (lp_module *mod, Dwfl_Module *dwfl_mod, lp_error *err)
{
  int n = dwfl_module_getsymtab (dwfl_mod);
  for (int i = 0; i < n; i++)
    {
      GElf_Sym sym;
      const char *name = dwfl_module_getsym (dwfl_mod, i, &sym, NULL);
      int type = GELF_ST_TYPE (sym.st_info);
      if (!name || !*name || sym.st_shndx == SHN_UNDEF
	  || (type != STT_FUNC && type != STT_GNU_IFUNC)
	  || !lp_module_is_code (mod, sym.st_value))
	continue;
      lp_symbol s = {
	.name = lp_arena_copy (mod->arena, name, strcspn (name, "@")),
	.value = sym.st_value,
	.size = sym.st_size,
	.type = type,
	.bind = GELF_ST_BIND (sym.st_info),
      };
      if (!s.name || lp_vec_push (&mod->symbols, s))
	return lp_nomem (err);
    }
  return 0;
}

int
lp_read_minisymbols (lp_module *mod, lp_error *err)
{
  Dwfl *dwfl = dwfl_begin (&callbacks);
  if (!dwfl)
    return lp_nomem (err);
  dwfl_report_begin (dwfl);
  errno = 0;
  Dwfl_Module *dwfl_mod
    = dwfl_report_elf (dwfl, mod->path, mod->path, -1, 0, true);
  dwfl_report_end (dwfl, NULL, NULL);
  int result = dwfl_mod ? add_all (mod, dwfl_mod, err)
    : errno == ENOMEM ? lp_nomem (err) : 0;
  dwfl_end (dwfl);
  return result;
}
