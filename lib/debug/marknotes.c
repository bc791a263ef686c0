/* marknotes.c: the notes that PROFILE_FN and its like leave in a file.  */

#define _GNU_SOURCE

#include "debug/marks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/cursor.h"
#include "debug/internal.h"

#define SECTION ".note.lineprof"

enum { NOTE_NEXT = 1, NOTE_PATTERN = 2 };

/* The string at C, which ends inside it.  */
static const char *
take_string (lp_cursor *c)
{
  size_t n = strnlen ((const char *) c->p, lp_left (c));
  return (const char *) lp_take (c, n + 1);
}

static bool
same_string (const char *a, const char *b)
{
  return a == b || (a && b && strcmp (a, b) == 0);
}

/* Code that is inlined takes its marks along: each counts once.  */
static int
add_mark (lp_source_mark_list *out, const lp_source_mark *mark)
{
  for (size_t i = 0; i < out->n; i++)
    if (out->v[i].line == mark->line
	&& same_string (out->v[i].file, mark->file)
	&& same_string (out->v[i].pattern, mark->pattern))
      return 0;
  return lp_vec_push (out, *mark);
}

static int
fail_note (const lp_module *mod, lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "'%s' has marks of functions (" SECTION ") "
		  "that are damaged or of a newer version; build it again, or "
		  "choose functions with -f", mod->path);
}

/* Take one note from C.  */
static int
read_note (const lp_module *mod, lp_cursor *c, lp_source_mark_list *out,
	   lp_error *err)
{
  uint64_t name_size = lp_fixed (c, 4), size = lp_fixed (c, 4);
  uint64_t type = lp_fixed (c, 4);
  const uint8_t *name = lp_take (c, (name_size + 3) & ~UINT64_C (3));
  const uint8_t *desc = lp_take (c, size);
  lp_take (c, -size & 3 & lp_left (c)); /* the last one may go without */
  if (c->bad || name_size != sizeof "lineprof"
      || memcmp (name, "lineprof", sizeof "lineprof") != 0
      || (type != NOTE_NEXT && type != NOTE_PATTERN))
    return fail_note (mod, err);

  lp_cursor d = { desc, desc + size, false };
  lp_source_mark mark = { .line = lp_fixed (&d, 4) };
  mark.file = take_string (&d);
  mark.pattern = take_string (&d);
  if (d.bad)
    return fail_note (mod, err);
  if (type == NOTE_NEXT)
    mark.pattern = NULL;
  return add_mark (out, &mark) ? lp_nomem (err) : 0;
}

int
lp_module_marks (const lp_module *mod, lp_source_mark_list *out, lp_error *err)
{
  size_t n;
  const Elf64_Shdr *section = lp_section_find (&mod->image, SHT_NOTE, SECTION);
  const uint8_t *bytes = section ? lp_section_bytes (&mod->image, section, &n)
    : NULL;
  if (!bytes)
    return 0;
  lp_cursor c = { bytes, bytes + n, false };
  while (lp_left (&c))
    if (read_note (mod, &c, out, err))
      return -1;
  return 0;
}

/* Notes lie in memory, so that a PT_NOTE covers them; sections can be
   missing.  */

enum { MOST_HEADERS = 128, MOST_NOTES = 1 << 24 };

/* Do the notes of PH in FD name us?  */
static bool
names_us (int fd, const Elf64_Phdr *ph)
{
  if (ph->p_type != PT_NOTE || ph->p_filesz == 0 || ph->p_filesz > MOST_NOTES)
    return false;
  char *notes = malloc (ph->p_filesz);
  ssize_t n = notes ? pread (fd, notes, ph->p_filesz, ph->p_offset) : -1;
  bool names = n > 0 && memmem (notes, n, "lineprof", sizeof "lineprof");
  if (!notes)
    lp_nomem (NULL);
  free (notes);
  return names;
}

bool
lp_file_has_marks (const char *path)
{
  Elf64_Ehdr ehdr;
  Elf64_Phdr phdrs[MOST_HEADERS];
  bool has = false;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  if (pread (fd, &ehdr, sizeof ehdr, 0) == sizeof ehdr
      && memcmp (ehdr.e_ident, ELFMAG, SELFMAG) == 0
      && ehdr.e_ident[EI_CLASS] == ELFCLASS64 && ehdr.e_phnum <= MOST_HEADERS)
    {
      ssize_t n = pread (fd, phdrs, ehdr.e_phnum * sizeof *phdrs,
			 ehdr.e_phoff);
      for (ssize_t i = 0; i < n / (ssize_t) sizeof *phdrs && !has; i++)
	has = names_us (fd, &phdrs[i]);
    }
  close (fd);
  return has;
}
