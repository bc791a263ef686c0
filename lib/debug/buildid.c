/* buildid.c: the note NT_GNU_BUILD_ID.  */

#include "debug/buildid.h"

#include <elf.h>
#include <string.h>

void
lp_build_id_take (lp_build_id id, const uint8_t *p, size_t n, size_t align)
{
  Elf64_Nhdr note;
  size_t mask = align == 8 ? 7 : 3, at = 0;
  while (!id[0] && lp_inside (at, sizeof note, n))
    {
      memcpy (&note, p + at, sizeof note);
      size_t name = at + sizeof note;
      size_t desc = (name + note.n_namesz + mask) & ~mask;
      if (!lp_inside (desc, note.n_descsz, n))
	return;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
	  && memcmp (p + name, "GNU", 4) == 0
	  && note.n_descsz <= (sizeof (lp_build_id) - 1) / 2)
	for (size_t i = 0; i < note.n_descsz; i++)
	  {
	    id[2 * i] = "0123456789abcdef"[p[desc + i] >> 4];
	    id[2 * i + 1] = "0123456789abcdef"[p[desc + i] & 15];
	  }
      at = (desc + note.n_descsz + mask) & ~mask;
    }
}

void
lp_build_id_find (lp_build_id id, const lp_image *image)
{
  memset (id, 0, sizeof (lp_build_id));
  for (size_t i = 0; i < image->nsections; i++)
    {
      size_t n;
      const Elf64_Shdr *section = &image->sections[i];
      const uint8_t *p = section->sh_type == SHT_NOTE
	? lp_section_bytes (image, section, &n) : NULL;
      if (p)
	lp_build_id_take (id, p, n, section->sh_addralign);
    }
}
