/* image.h: the bytes of an ELF file in memory, and its section headers.  The
   file may be truncated or hostile: every offset and size is checked here.  */

#ifndef LP_DEBUG_IMAGE_H
#define LP_DEBUG_IMAGE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct lp_image
{
  const uint8_t *bytes;
  size_t size;
  const Elf64_Shdr *sections;	/* copies; what they point at is not checked yet */
  size_t nsections;		/* 0: the file has no section headers */
} lp_image;

/* Describe the SIZE bytes at BYTES, which start with a complete Elf64_Ehdr;
   PATH is for the error's text.  The section headers live in ARENA.  0, or -1
   with LP_EFORMAT when they do not lie inside the file, LP_ENOMEM.  */
int lp_image_init (lp_image *image, lp_arena *arena, const uint8_t *bytes,
		   size_t size, const char *path, lp_error *err);

/* The contents of SECTION and their size; NULL with *N 0 when it has none in
   the file, is compressed, or does not lie inside the file.  */
const uint8_t *lp_section_bytes (const lp_image *image,
				 const Elf64_Shdr *section, size_t *n);

/* The name of SECTION, "" when it has none.  */
const char *lp_section_name (const lp_image *image, const Elf64_Shdr *section);

/* The first section of TYPE and, unless NULL, of NAME; NULL without one.  */
const Elf64_Shdr *lp_section_find (const lp_image *image, uint32_t type,
				   const char *name);

/* Are the N bytes at OFFSET inside SIZE bytes?  */
static inline int
lp_inside (uint64_t offset, uint64_t n, uint64_t size)
{
  return offset <= size && n <= size - offset;
}

#endif
