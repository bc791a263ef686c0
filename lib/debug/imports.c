/* imports.c: dynamic symbols and relocations, on both sides of a call.  */

#include "debug/imports.h"

#include <stdlib.h>
#include <string.h>

#include "debug/internal.h"
#include "debug/names.h"

/* The dynamic symbols and their names; N 0 where there are none.  */
struct symbols
{
  const uint8_t *syms;
  const char *names;
  size_t n, names_size;
};

static void
open_symbols (const lp_module *mod, struct symbols *s)
{
  uint64_t syms, names, size, avail;
  *s = (struct symbols) { 0 };
  if (!lp_dynamic_value (mod, DT_SYMTAB, &syms)
      || !lp_dynamic_value (mod, DT_STRTAB, &names)
      || !lp_dynamic_value (mod, DT_STRSZ, &size))
    return;
  s->names = (const char *) lp_module_bytes (mod, names, &avail);
  s->names_size = s->names && size <= avail ? size : 0;
  s->syms = lp_module_bytes (mod, syms, &avail);
  s->n = s->syms ? avail / sizeof (Elf64_Sym) : 0;
}

/* The name of symbol I, which is filled, or "" where it has none.  */
static const char *
symbol (const struct symbols *s, size_t i, Elf64_Sym *sym)
{
  *sym = (Elf64_Sym) { 0 };
  if (i >= s->n)
    return "";
  memcpy (sym, s->syms + i * sizeof *sym, sizeof *sym);
  size_t left = sym->st_name < s->names_size ? s->names_size - sym->st_name : 0;
  const char *name = s->names + sym->st_name;
  return left && memchr (name, '\0', left) ? name : "";
}

/* What a module calls.  */

static int
add_import (const struct symbols *symbols, const Elf64_Rel *rel,
	    lp_import_list *out)
{
  Elf64_Sym sym;
  uint32_t type = ELF64_R_TYPE (rel->r_info);
  if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
    return 0;
  const char *name = symbol (symbols, ELF64_R_SYM (rel->r_info), &sym);
  int kind = ELF64_ST_TYPE (sym.st_info);
  if (!*name || sym.st_shndx != SHN_UNDEF
      || (kind != STT_FUNC && kind != STT_NOTYPE && kind != STT_GNU_IFUNC))
    return 0;
  return lp_vec_push (out, (lp_import) { .slot = rel->r_offset, .name = name });
}

/* The table of entries of STEP bytes that the dynamic section's TAG and SIZE_TAG
   describe; a Rela begins as a Rel does.  */
static int
add_table (lp_module *mod, const struct symbols *symbols, int64_t tag,
	   int64_t size_tag, size_t step, lp_import_list *out)
{
  uint64_t addr, size, avail;
  Elf64_Rel rel;
  if (!lp_dynamic_value (mod, tag, &addr)
      || !lp_dynamic_value (mod, size_tag, &size))
    return 0;
  const uint8_t *p = lp_module_bytes (mod, addr, &avail);
  if (!p || size > avail)
    return 0;
  for (size_t i = 0; i + step <= size; i += step)
    {
      memcpy (&rel, p + i, sizeof rel);
      if (add_import (symbols, &rel, out))
	return -1;
    }
  return 0;
}

static int
by_slot (const void *a, const void *b)
{
  const lp_import *x = a, *y = b;
  return x->slot < y->slot ? -1 : x->slot > y->slot;
}

int
lp_module_list_imports (lp_module *mod, lp_import_list *out, lp_error *err)
{
  struct symbols symbols;
  uint64_t plt = DT_RELA;
  open_symbols (mod, &symbols);
  lp_dynamic_value (mod, DT_PLTREL, &plt);
  if (add_table (mod, &symbols, DT_RELA, DT_RELASZ, sizeof (Elf64_Rela), out)
      || add_table (mod, &symbols, DT_REL, DT_RELSZ, sizeof (Elf64_Rel), out)
      || add_table (mod, &symbols, DT_JMPREL, DT_PLTRELSZ,
		    plt == DT_REL ? sizeof (Elf64_Rel) : sizeof (Elf64_Rela),
		    out))
    return lp_nomem (err);
  if (out->n)
    qsort (out->v, out->n, sizeof *out->v, by_slot);
  return 0;
}

bool
lp_module_is_plt (const lp_module *mod, uint64_t addr)
{
  for (size_t i = 0; i < mod->image.nsections; i++)
    {
      const Elf64_Shdr *s = &mod->image.sections[i];
      if (addr >= s->sh_addr && addr - s->sh_addr < s->sh_size
	  && (s->sh_flags & SHF_EXECINSTR))
	return strncmp (lp_section_name (&mod->image, s), ".plt", 4) == 0;
    }
  return false;
}

/* Who has it.  */

/* The file of MOD whose path is "", without a look for its debug information.  -1:
   out of memory.  */
static int
no_file (lp_module *mod, uint32_t *file)
{
  for (*file = 0; *file < mod->files.n; ++*file)
    if (!*mod->files.v[*file].path)
      return 0;
  return lp_vec_push (&mod->files, (lp_file) { .path = "" });
}

/* A function of MOD that is only a name.  */
static const lp_function *
named (lp_module *mod, const char *name)
{
  lp_function *fn = lp_arena_alloc (mod->arena, sizeof *fn);
  char *display = lp_demangle (name);
  if (fn)
    {
      fn->linkage = name;
      fn->name = lp_arena_intern (mod->arena, display ? display : name);
    }
  free (display);
  return fn && fn->name && no_file (mod, &fn->file) == 0 ? fn : NULL;
}

/* The first of the N at BY_NAME with NAME, or N.  */
static size_t
first_named (lp_import **by_name, size_t n, const char *name)
{
  size_t lo = 0, hi = n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (strcmp (by_name[mid]->name, name) < 0)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < n && strcmp (by_name[lo]->name, name) == 0 ? lo : n;
}

/* Can other objects call SYM?  */
static bool
is_export (const Elf64_Sym *sym)
{
  int kind = ELF64_ST_TYPE (sym->st_info);
  return sym->st_shndx != SHN_UNDEF
	 && ELF64_ST_BIND (sym->st_info) != STB_LOCAL
	 && (kind == STT_FUNC || kind == STT_NOTYPE || kind == STT_GNU_IFUNC);
}

int
lp_imports_settle (lp_import **by_name, size_t n, lp_module *owner,
		   lp_error *err)
{
  struct symbols symbols;
  Elf64_Sym sym;
  open_symbols (owner, &symbols);
  size_t nsymbols = lp_dynamic_nsymbols (owner);
  for (size_t i = 0; i < nsymbols && i < symbols.n; i++)
    {
      const char *name = symbol (&symbols, i, &sym);
      size_t k = *name && is_export (&sym) ? first_named (by_name, n, name) : n;
      for (; k < n && strcmp (by_name[k]->name, name) == 0; k++)
	if (!by_name[k]->owner)
	  {
	    by_name[k]->owner = owner;
	    by_name[k]->value = sym.st_value;
	    by_name[k]->fn = named (owner, name);
	    if (!by_name[k]->fn)
	      return lp_nomem (err);
	  }
    }
  return 0;
}
