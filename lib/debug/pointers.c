/* pointers.c: which places in the code does some datum of the file point to?  */

#include "debug/internal.h"

#include <stdlib.h>
#include <string.h>

static int
fail_corrupt (const lp_module *mod, const char *what, uint64_t addr,
	      lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "'%s' is corrupt: %s at 0x%lx lies outside"
		  " the file's segments; link or copy it again", mod->path,
		  what, (unsigned long) addr);
}

static int
add_pointer (lp_module *mod, uint64_t addr, lp_error *err)
{
  if (lp_module_is_code (mod, addr)
      && lp_vec_push (&mod->code_pointers, addr))
    return lp_nomem (err);
  return 0;
}

static int
read_word (const lp_module *mod, uint64_t addr, uint64_t *word, lp_error *err)
{
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (mod, addr, &avail);
  if (!p || avail < sizeof *word)
    return fail_corrupt (mod, "a relocated word", addr, err);
  memcpy (word, p, sizeof *word);
  return 0;
}

/* A relocation against dynamic symbol I: what it resolves to when the file
   itself defines that symbol.  */
static int
add_symbol_pointer (lp_module *mod, uint32_t i, int64_t addend, lp_error *err)
{
  uint64_t table, avail;
  Elf64_Sym sym;
  if (i == STN_UNDEF)
    return add_pointer (mod, addend, err);
  if (!lp_dynamic_value (mod, DT_SYMTAB, &table))
    return 0;
  uint64_t addr = table + i * sizeof sym;
  const uint8_t *p = lp_module_bytes (mod, addr, &avail);
  if (!p || avail < sizeof sym)
    return fail_corrupt (mod, "a relocation's symbol", addr, err);
  memcpy (&sym, p, sizeof sym);
  if (sym.st_shndx == SHN_UNDEF)
    return 0;
  return add_pointer (mod, sym.st_value + addend, err);
}

static int
add_relocation (lp_module *mod, const Elf64_Rela *rela, lp_error *err)
{
  switch (ELF64_R_TYPE (rela->r_info))
    {
    case R_X86_64_RELATIVE:
    case R_X86_64_RELATIVE64:
    case R_X86_64_IRELATIVE:
      return add_pointer (mod, rela->r_addend, err);
    case R_X86_64_64:
      return add_symbol_pointer (mod, ELF64_R_SYM (rela->r_info),
				 rela->r_addend, err);
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
      return add_symbol_pointer (mod, ELF64_R_SYM (rela->r_info), 0, err);
    default:
      return 0;
    }
}

static int
add_rela (lp_module *mod, const uint8_t *p, size_t size, lp_error *err)
{
  Elf64_Rela rela;
  for (size_t i = 0; i < size / sizeof rela; i++)
    {
      memcpy (&rela, p + i * sizeof rela, sizeof rela);
      if (add_relocation (mod, &rela, err))
	return -1;
    }
  return 0;
}

/* Relocations whose addend is in the relocated word (lld's -z rel).  */
static int
add_rel (lp_module *mod, const uint8_t *p, size_t size, lp_error *err)
{
  Elf64_Rel rel;
  for (size_t i = 0; i < size / sizeof rel; i++)
    {
      uint64_t word = 0;
      memcpy (&rel, p + i * sizeof rel, sizeof rel);
      if (ELF64_R_TYPE (rel.r_info) == R_X86_64_NONE)
	continue;
      if (read_word (mod, rel.r_offset, &word, err))
	return -1;
      Elf64_Rela rela = { rel.r_offset, rel.r_info, word };
      if (add_relocation (mod, &rela, err))
	return -1;
    }
  return 0;
}

static int
add_pointer_at (lp_module *mod, uint64_t addr, lp_error *err)
{
  uint64_t word = 0;
  return read_word (mod, addr, &word, err) || add_pointer (mod, word, err) ? -1 : 0;
}

/* Packed relative relocations (the generic ABI's SHT_RELR): an even entry is the
   address of a word to relocate; an odd one is a bitmap, whose bit I + 1 stands
   for the Ith of the 63 words that follow.  */
static int
add_relr (lp_module *mod, const uint8_t *p, size_t size, lp_error *err)
{
  uint64_t entry, next = 0;
  for (size_t i = 0; i < size / sizeof entry; i++)
    {
      memcpy (&entry, p + i * sizeof entry, sizeof entry);
      if (!(entry & 1))
	{
	  if (add_pointer_at (mod, entry, err))
	    return -1;
	  next = entry + sizeof entry;
	  continue;
	}
      for (int bit = 1; bit < 64; bit++)
	if (entry >> bit & 1
	    && add_pointer_at (mod, next + (bit - 1) * sizeof entry, err))
	  return -1;
      next += 63 * sizeof entry;
    }
  return 0;
}

typedef int add_fn (lp_module *, const uint8_t *, size_t, lp_error *);

/* ADD the table that the dynamic section's TAG and SIZE_TAG describe.  */
static int
add_dynamic (lp_module *mod, int64_t tag, int64_t size_tag, add_fn *add,
	     lp_error *err)
{
  uint64_t addr, size, avail;
  if (!lp_dynamic_value (mod, tag, &addr)
      || !lp_dynamic_value (mod, size_tag, &size) || size == 0)
    return 0;
  const uint8_t *p = lp_module_bytes (mod, addr, &avail);
  if (!p || size > avail)
    return fail_corrupt (mod, "a table of relocations", addr, err);
  return add (mod, p, size, err);
}

static int
add_relocations (lp_module *mod, lp_error *err)
{
  uint64_t plt = DT_RELA;
  lp_dynamic_value (mod, DT_PLTREL, &plt);
  return add_dynamic (mod, DT_RELA, DT_RELASZ, add_rela, err)
	 || add_dynamic (mod, DT_REL, DT_RELSZ, add_rel, err)
	 || add_dynamic (mod, DT_JMPREL, DT_PLTRELSZ,
			 plt == DT_REL ? add_rel : add_rela, err)
	 || add_dynamic (mod, DT_RELR, DT_RELRSZ, add_relr, err) ? -1 : 0;
}

/* Every aligned word of the N bytes at P, which are mapped at ADDR.  */
static int
add_words (lp_module *mod, const uint8_t *p, size_t n, uint64_t addr,
	   lp_error *err)
{
  uint64_t word;
  for (size_t i = -addr & 7; lp_inside (i, sizeof word, n); i += sizeof word)
    {
      memcpy (&word, p + i, sizeof word);
      if (add_pointer (mod, word, err))
	return -1;
    }
  return 0;
}

/* In a file that is linked for fixed addresses nothing marks a pointer: take
   every word of data that could be one.  Without section headers data and code
   of an executable segment cannot be told apart.  */
static int
add_fixed (lp_module *mod, lp_error *err)
{
  const lp_image *image = &mod->image;
  for (size_t i = 0; i < image->nsections; i++)
    {
      const Elf64_Shdr *section = &image->sections[i];
      size_t n;
      const uint8_t *p = lp_section_bytes (image, section, &n);
      if (p && section->sh_flags & SHF_ALLOC
	  && !(section->sh_flags & SHF_EXECINSTR)
	  && add_words (mod, p, n, section->sh_addr, err))
	return -1;
    }
  for (size_t i = 0; image->nsections == 0 && i < mod->segments.n; i++)
    {
      const lp_segment *seg = &mod->segments.v[i];
      if (add_words (mod, seg->bytes, seg->nbytes, seg->lo, err))
	return -1;
    }
  return 0;
}

static int
compare (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

size_t
lp_sort_addresses (uint64_t *v, size_t n)
{
  size_t kept = 0;
  if (n)
    qsort (v, n, sizeof *v, compare);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || v[kept - 1] != v[i])
      v[kept++] = v[i];
  return kept;
}

const uint64_t *
lp_module_code_pointers (lp_module *mod, size_t *n, lp_error *err)
{
  *n = 0;
  if (!mod->have_code_pointers)
    {
      mod->code_pointers.n = 0;
      /* Room for one, so that an empty list is no NULL.  */
      if (lp_vec_reserve (&mod->code_pointers, 1))
	{
	  lp_nomem (err);
	  return NULL;
	}
      if (add_relocations (mod, err)
	  || (!lp_module_is_pie (mod) && add_fixed (mod, err)))
	return NULL;
      mod->code_pointers.n
	= lp_sort_addresses (mod->code_pointers.v, mod->code_pointers.n);
      mod->have_code_pointers = true;
    }
  *n = mod->code_pointers.n;
  return mod->code_pointers.v;
}
