/* rangenote.c: where a file that has the library in it keeps the hook of its named
   ranges (wire/ranges.h).  */

#include "debug/rangenote.h"

#include <string.h>

#include "debug/cursor.h"
#include "debug/internal.h"

int
lp_module_range_hook (const lp_module *mod, const char *section_name,
		      const char *name, uint64_t *addr)
{
  size_t n;
  const Elf64_Shdr *section
    = lp_section_find (&mod->image, SHT_NOTE, section_name);
  const uint8_t *bytes = section ? lp_section_bytes (&mod->image, section, &n)
    : NULL;
  if (!bytes)
    return -1;
  lp_cursor c = { bytes, bytes + n, false };
  uint64_t name_size = lp_fixed (&c, 4), size = lp_fixed (&c, 4);
  uint64_t type = lp_fixed (&c, 4);
  if (c.bad || name_size != strlen (name) + 1 || name_size % 4 || size != 8
      || type != 1)
    return -1;
  const uint8_t *text = lp_take (&c, name_size), *at = c.p;
  uint64_t distance = lp_fixed (&c, 8);
  if (c.bad || memcmp (text, name, name_size) != 0)
    return -1;
  *addr = section->sh_addr + (at - bytes) + distance;
  return 0;
}
