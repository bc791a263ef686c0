/* image.c: an ELF file's bytes by section, with every offset checked.  */

#include "debug/image.h"

#include <string.h>

/* The number of section headers; large files keep it in the first of them.  */
static uint64_t
count_sections (const Elf64_Ehdr *ehdr, const uint8_t *bytes, size_t size)
{
  Elf64_Shdr first;
  if (ehdr->e_shnum || !lp_inside (ehdr->e_shoff, sizeof first, size))
    return ehdr->e_shnum;
  memcpy (&first, bytes + ehdr->e_shoff, sizeof first);
  return first.sh_size;
}

int
lp_image_init (lp_image *image, lp_arena *arena, const uint8_t *bytes,
	       size_t size, const char *path, lp_error *err)
{
  Elf64_Ehdr ehdr;
  memcpy (&ehdr, bytes, sizeof ehdr);
  *image = (lp_image) { .bytes = bytes, .size = size };
  if (ehdr.e_shoff == 0)
    return 0;

  uint64_t n = count_sections (&ehdr, bytes, size);
  if (n == 0)
    return 0;
  if (ehdr.e_shentsize != sizeof (Elf64_Shdr)
      || n > size / sizeof (Elf64_Shdr)
      || !lp_inside (ehdr.e_shoff, n * sizeof (Elf64_Shdr), size))
    return lp_fail (err, LP_EFORMAT, "'%s' is truncated or corrupt: its section"
		    " headers lie beyond its end; link or copy it again", path);

  Elf64_Shdr *sections = lp_arena_alloc (arena, n * sizeof *sections);
  if (!sections)
    return lp_nomem (err);
  memcpy (sections, bytes + ehdr.e_shoff, n * sizeof *sections);
  image->sections = sections;
  image->nsections = n;
  return 0;
}

const uint8_t *
lp_section_bytes (const lp_image *image, const Elf64_Shdr *section, size_t *n)
{
  *n = 0;
  if (section->sh_type == SHT_NOBITS || section->sh_flags & SHF_COMPRESSED
      || section->sh_size == 0
      || !lp_inside (section->sh_offset, section->sh_size, image->size))
    return NULL;
  *n = section->sh_size;
  return image->bytes + section->sh_offset;
}

/* The section that holds the names: its index may not fit the file header.  */
static const Elf64_Shdr *
name_section (const lp_image *image)
{
  Elf64_Ehdr ehdr;
  memcpy (&ehdr, image->bytes, sizeof ehdr);
  uint32_t i = ehdr.e_shstrndx;
  if (i == SHN_XINDEX && image->nsections)
    i = image->sections[0].sh_link;
  return i < image->nsections ? &image->sections[i] : NULL;
}

const char *
lp_section_name (const lp_image *image, const Elf64_Shdr *section)
{
  const Elf64_Shdr *names = name_section (image);
  size_t n;
  const uint8_t *bytes = names ? lp_section_bytes (image, names, &n) : NULL;
  if (!bytes || section->sh_name >= n
      || !memchr (bytes + section->sh_name, 0, n - section->sh_name))
    return "";
  return (const char *) bytes + section->sh_name;
}

const Elf64_Shdr *
lp_section_find (const lp_image *image, uint32_t type, const char *name)
{
  for (size_t i = 0; i < image->nsections; i++)
    if (image->sections[i].sh_type == type
	&& (!name
	    || strcmp (lp_section_name (image, &image->sections[i]), name) == 0))
      return &image->sections[i];
  return NULL;
}
