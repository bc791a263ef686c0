/* restart.c: restartable sequences (rseq(2)): code that the kernel leaves for its abort
   address when the thread is preempted, migrated or gets a signal in it.  What is cloned
   is not in the sequence any more, and one that stops in the midst never ends.

   Their descriptors are, by the convention of librseq and tcmalloc, in a section __rseq_cs:
   struct rseq_cs of <linux/rseq.h>.  */

#include "debug/internal.h"

#include <string.h>

enum { SIZE = 32, START = 8 };	/* of struct rseq_cs; of its start_ip */

static bool
is_within (uint64_t addr, const lp_range *ranges, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (addr >= ranges[i].lo && addr < ranges[i].hi)
      return true;
  return false;
}

/* Does a relocation of SECTION's words make one of them a start within the RANGES?  */
static bool
is_relocated_within (const lp_module *mod, const Elf64_Shdr *section,
		     const lp_range *ranges, size_t n)
{
  uint64_t addr, size, avail;
  Elf64_Rela rela;
  const uint8_t *p = lp_dynamic_value (mod, DT_RELA, &addr)
		     && lp_dynamic_value (mod, DT_RELASZ, &size)
		     ? lp_module_bytes (mod, addr, &avail) : NULL;
  for (uint64_t at = 0; p && at + sizeof rela <= size
       && at + sizeof rela <= avail; at += sizeof rela)
    {
      memcpy (&rela, p + at, sizeof rela);
      uint64_t offset = rela.r_offset - section->sh_addr;
      if (offset < section->sh_size && offset % SIZE == START
	  && ELF64_R_TYPE (rela.r_info) == R_X86_64_RELATIVE
	  && is_within (rela.r_addend, ranges, n))
	return true;
    }
  return false;
}

bool
lp_module_restarts (const lp_module *mod, const lp_range *ranges, size_t n)
{
  const Elf64_Shdr *section = lp_section_find (&mod->image, SHT_PROGBITS,
					       "__rseq_cs");
  size_t size;
  const uint8_t *p = section ? lp_section_bytes (&mod->image, section, &size)
		     : NULL;
  for (size_t at = 0; p && at + SIZE <= size; at += SIZE)
    {
      uint64_t start;
      memcpy (&start, p + at + START, sizeof start);
      if (is_within (start, ranges, n))
	return true;
    }
  return p && is_relocated_within (mod, section, ranges, n);
}
