/* symbol.c: dynamic symbols of an ELF object in a process's memory.

   Only the loader's few names are looked up, so the hash table is walked in
   place (System V gABI "Hash Table"; DT_GNU_HASH as binutils lays it out).  */

#include "target/internal.h"

#include <elf.h>
#include <string.h>

enum { MAX_PHDRS = 64, MAX_DYNS = 128, MAX_CHAIN = 4096 };

struct dynamic
{
  lp_process *proc;
  uint64_t bias, symtab, strtab, hash, gnu_hash;
};

/* The program headers of the object at BASE: their number, 0 when none.  */
static size_t
read_phdrs (lp_process *proc, uint64_t base, Elf64_Phdr phdrs[MAX_PHDRS])
{
  Elf64_Ehdr ehdr;
  if (lp_process_read (proc, base, &ehdr, sizeof ehdr, NULL)
      || memcmp (ehdr.e_ident, ELFMAG, SELFMAG) != 0
      || ehdr.e_ident[EI_CLASS] != ELFCLASS64 || ehdr.e_phnum > MAX_PHDRS
      || ehdr.e_phentsize != sizeof *phdrs
      || lp_process_read (proc, base + ehdr.e_phoff, phdrs,
			  ehdr.e_phnum * sizeof *phdrs, NULL))
    return 0;
  return ehdr.e_phnum;
}

/* Loaders differ in whether they relocate the addresses in here (glibc does,
   musl does not).  */
static uint64_t
dyn_addr (const struct dynamic *d, uint64_t ptr)
{
  return ptr < d->bias ? ptr + d->bias : ptr;
}

static int
read_dynamic (struct dynamic *d, uint64_t base)
{
  Elf64_Phdr phdrs[MAX_PHDRS];
  Elf64_Dyn dyn = { 0 };
  uint64_t at = 0;
  size_t n = read_phdrs (d->proc, base, phdrs);
  for (size_t i = n; i-- > 0;)
    {
      if (phdrs[i].p_type == PT_LOAD)	/* the first is seen last */
	d->bias = base - (phdrs[i].p_vaddr - phdrs[i].p_offset);
      if (phdrs[i].p_type == PT_DYNAMIC)
	at = phdrs[i].p_vaddr;
    }
  for (size_t i = 0; at && i < MAX_DYNS; i++)
    {
      if (lp_process_read (d->proc, d->bias + at + i * sizeof dyn, &dyn,
			   sizeof dyn, NULL) || dyn.d_tag == DT_NULL)
	break;
      uint64_t addr = dyn_addr (d, dyn.d_un.d_ptr);
      if (dyn.d_tag == DT_SYMTAB)
	d->symtab = addr;
      else if (dyn.d_tag == DT_STRTAB)
	d->strtab = addr;
      else if (dyn.d_tag == DT_HASH)
	d->hash = addr;
      else if (dyn.d_tag == DT_GNU_HASH)
	d->gnu_hash = addr;
    }
  return d->symtab && d->strtab ? 0 : -1;
}

static int
read_word (const struct dynamic *d, uint64_t addr, uint32_t *word)
{
  return lp_process_read (d->proc, addr, word, sizeof *word, NULL);
}

/* Is symbol INDEX defined and called NAME?  */
static bool
matches (const struct dynamic *d, uint32_t index, const char *name,
	 uint64_t *addr)
{
  Elf64_Sym sym;
  char text[64];
  size_t n = strlen (name) + 1;
  if (n > sizeof text
      || lp_process_read (d->proc, d->symtab + (uint64_t) index * sizeof sym,
			  &sym, sizeof sym, NULL)
      || sym.st_shndx == SHN_UNDEF
      || lp_process_read (d->proc, d->strtab + sym.st_name, text, n, NULL)
      || memcmp (text, name, n) != 0)
    return false;
  *addr = d->bias + sym.st_value;
  return true;
}

static uint32_t
gnu_hash (const char *name)
{
  uint32_t h = 5381;
  for (; *name; name++)
    h = h * 33 + (unsigned char) *name;
  return h;
}

/* Header: nbuckets, symoffset, bloom_size, bloom_shift; then the bloom filter of
   64-bit words, the buckets, and the chains of hashes, bit 0 marking an end.  */
static int
find_gnu (const struct dynamic *d, const char *name, uint64_t *addr)
{
  uint32_t head[4], hash = gnu_hash (name), index, h;
  if (!d->gnu_hash
      || lp_process_read (d->proc, d->gnu_hash, head, sizeof head, NULL)
      || head[0] == 0)
    return -1;
  uint64_t buckets = d->gnu_hash + sizeof head + UINT64_C (8) * head[2];
  uint64_t chains = buckets + UINT64_C (4) * head[0];
  if (read_word (d, buckets + UINT64_C (4) * (hash % head[0]), &index)
      || index < head[1])
    return -1;
  for (int i = 0; i < MAX_CHAIN; i++, index++)
    {
      if (read_word (d, chains + UINT64_C (4) * (index - head[1]), &h))
	return -1;
      if ((h | 1) == (hash | 1) && matches (d, index, name, addr))
	return 0;
      if (h & 1)
	return -1;
    }
  return -1;
}

static uint32_t
sysv_hash (const char *name)
{
  uint32_t h = 0;
  for (; *name; name++)
    {
      h = (h << 4) + (unsigned char) *name;
      h ^= (h >> 24) & 0xf0;
      h &= 0x0fffffff;
    }
  return h;
}

/* Header: nbucket, nchain; then the buckets and the chains of indices.  */
static int
find_sysv (const struct dynamic *d, const char *name, uint64_t *addr)
{
  uint32_t head[2], index;
  if (!d->hash
      || lp_process_read (d->proc, d->hash, head, sizeof head, NULL)
      || head[0] == 0)
    return -1;
  uint64_t buckets = d->hash + sizeof head;
  uint64_t chains = buckets + UINT64_C (4) * head[0];
  if (read_word (d, buckets + UINT64_C (4) * (sysv_hash (name) % head[0]),
		 &index))
    return -1;
  for (int i = 0; i < MAX_CHAIN && index; i++)
    {
      if (matches (d, index, name, addr))
	return 0;
      if (read_word (d, chains + UINT64_C (4) * index, &index))
	return -1;
    }
  return -1;
}

int
lp_remote_symbol (lp_process *proc, uint64_t base, const char *name,
		  uint64_t *addr)
{
  struct dynamic d = { .proc = proc };
  if (read_dynamic (&d, base))
    return -1;
  return find_gnu (&d, name, addr) == 0 ? 0 : find_sysv (&d, name, addr);
}
