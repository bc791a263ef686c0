/* dynamic.c: the dynamic section, for what must work without section headers.  */

#include "debug/internal.h"

#include <string.h>

bool
lp_dynamic_value (const lp_module *mod, int64_t tag, uint64_t *value)
{
  Elf64_Phdr ph;
  Elf64_Dyn dyn;
  if (!lp_find_phdr (mod, PT_DYNAMIC, &ph))
    return false;
  const uint8_t *p = mod->image.bytes + ph.p_offset;
  for (size_t i = 0; i < ph.p_filesz / sizeof dyn; i++)
    {
      memcpy (&dyn, p + i * sizeof dyn, sizeof dyn);
      if (dyn.d_tag == DT_NULL)
	break;
      if (dyn.d_tag == tag)
	{
	  *value = dyn.d_un.d_val;
	  return true;
	}
    }
  return false;
}

/* Word I of the table at P of AVAIL bytes, 0 past its end.  */
static uint32_t
word (const uint8_t *p, uint64_t avail, uint64_t i)
{
  uint32_t w = 0;
  if (i < avail / sizeof w)
    memcpy (&w, p + i * sizeof w, sizeof w);
  return w;
}

/* A GNU hash table has no count: the last chain ends with the last symbol.  */
static size_t
count_gnu_hash (const uint8_t *p, uint64_t avail)
{
  uint64_t nbuckets = word (p, avail, 0), first = word (p, avail, 1);
  uint64_t buckets = 4 + 2 * (uint64_t) word (p, avail, 2);
  uint64_t last = 0;
  for (uint64_t i = 0; i < nbuckets && buckets + i < avail / 4; i++)
    if (word (p, avail, buckets + i) > last)
      last = word (p, avail, buckets + i);
  if (last < first)
    return first;
  uint64_t chain = buckets + nbuckets + (last - first);
  while (chain < avail / 4 && !(word (p, avail, chain) & 1))
    chain++, last++;
  return last + 1;
}

size_t
lp_dynamic_nsymbols (const lp_module *mod)
{
  uint64_t addr, avail;
  const uint8_t *p;
  if (lp_dynamic_value (mod, DT_HASH, &addr)
      && (p = lp_module_bytes (mod, addr, &avail)))
    return word (p, avail, 1);
  if (lp_dynamic_value (mod, DT_GNU_HASH, &addr)
      && (p = lp_module_bytes (mod, addr, &avail)))
    return count_gnu_hash (p, avail);
  return 0;
}

bool
lp_module_text_changes (const lp_module *mod)
{
  uint64_t value;
  return lp_dynamic_value (mod, DT_TEXTREL, &value)
	 || (lp_dynamic_value (mod, DT_FLAGS, &value) && (value & DF_TEXTREL));
}
