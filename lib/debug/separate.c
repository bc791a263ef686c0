/* separate.c: find the file that holds a module's debug information, and open
   it with libdw.

   The order is gdb's: the file itself, the build-id under /usr/lib/debug,
   .gnu_debuglink, then a server, if one is to be asked.  libdwfl would ask the network
   by itself, so it is not used.  */

#include "debug/sections.h"
#include "debug/server.h"
#include "debug/shortage.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <isa-l/crc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEBUG_ROOT "/usr/lib/debug"

/* The CRC of .gnu_debuglink, which is gzip's, of the N bytes at P in a file's mapping.
   The pages are given back: hundreds of megabytes may be read for this alone.  */
static uint32_t
checksum (const uint8_t *p, size_t n)
{
  enum { PIECE = 1 << 22 };
  uint32_t crc = 0;
  for (size_t at = 0; at < n; at += PIECE)
    {
      size_t piece = n - at < PIECE ? n - at : PIECE;
      crc = crc32_gzip_refl (crc, p + at, piece);
      madvise ((void *) (p + at), piece, MADV_DONTNEED);
    }
  return crc;
}

static bool
has_dwarf (const lp_image *image)
{
  for (size_t i = 0; i < image->nsections; i++)
    {
      const char *name = lp_section_name (image, &image->sections[i]);
      if (image->sections[i].sh_type != SHT_NOBITS
	  && (strcmp (name, ".debug_info") == 0
	      || strcmp (name, ".zdebug_info") == 0))
	return true;
    }
  return false;
}

/* A search that goes on takes note of what failed for a lack of memory (lp_nomems).  */
static void
note_errno (void)
{
  if (errno == ENOMEM)
    lp_nomem (NULL);
}

/* Map the file at PATH as DW's.  False when it is not an ELF file of the
   module's kind with DWARF.  Errors are not: the search goes on.  */
static bool
map_candidate (lp_dwarf *dw, const char *path)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool ok = fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode)
    && st.st_size > (off_t) sizeof (Elf64_Ehdr);
  void *map = !ok ? MAP_FAILED
    : mmap (NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (ok && map == MAP_FAILED)
    note_errno ();
  if (fd >= 0)
    close (fd);
  if (map == MAP_FAILED)
    return false;
  errno = 0;
  if (lp_check_header (path, map, st.st_size, NULL) == 0
      && lp_image_init (&dw->image, dw->mod->arena, map, st.st_size, path,
			NULL) == 0
      && has_dwarf (&dw->image)
      && lp_sections_map (dw, map, st.st_size) == 0
      && (dw->path = lp_arena_copy (dw->mod->arena, path, strlen (path))))
    return true;
  note_errno ();
  munmap (dw->mapped ? (void *) dw->image.bytes : map,
	  dw->mapped ? dw->mapped : (size_t) st.st_size);
  dw->image.bytes = NULL;
  dw->mapped = 0;
  return false;
}

static void
unmap (lp_dwarf *dw)
{
  munmap ((void *) dw->image.bytes, dw->mapped);
  dw->image.bytes = NULL;
  dw->mapped = 0;
  dw->path = NULL;
}

static bool
find_by_build_id (lp_dwarf *dw)
{
  const char *id = dw->mod->build_id;
  char path[sizeof DEBUG_ROOT + sizeof dw->mod->build_id + 32];
  if (strlen (id) < 3)
    return false;
  snprintf (path, sizeof path, DEBUG_ROOT "/.build-id/%.2s/%s.debug", id,
	    id + 2);
  return map_candidate (dw, path);
}

/* The file name and checksum of .gnu_debuglink.  */
static const char *
debuglink (const lp_image *image, uint32_t *crc)
{
  size_t n;
  const Elf64_Shdr *section = lp_section_find (image, SHT_PROGBITS,
					       ".gnu_debuglink");
  const uint8_t *p = section ? lp_section_bytes (image, section, &n) : NULL;
  size_t length = p ? strnlen ((const char *) p, n) : 0;
  size_t at = (length + 4) & ~(size_t) 3;
  if (!length || at + 4 > n)
    return NULL;
  memcpy (crc, p + at, 4);
  return (const char *) p;
}

/* Is DW's image what the link with CRC means?  Their build-ids tell; only without these
   all of its bytes are read.  */
static bool
is_linked (const lp_dwarf *dw, uint32_t crc)
{
  lp_build_id id;
  lp_build_id_find (id, &dw->image);
  return id[0] && dw->mod->build_id[0] ? strcmp (id, dw->mod->build_id) == 0
    : checksum (dw->image.bytes, dw->image.size) == crc;
}

static bool
find_by_link (lp_dwarf *dw)
{
  static const char *const format[] = {
    "%s/%s", "%s/.debug/%s", DEBUG_ROOT "%s/%s"
  };
  uint32_t crc;
  const char *link = debuglink (&dw->mod->image, &crc);
  char *real = link ? realpath (dw->mod->path, NULL) : NULL;
  if (link && !real)
    note_errno ();
  if (!real)
    return false;
  *strrchr (real, '/') = '\0';
  bool found = false;
  for (size_t i = 0; i < sizeof format / sizeof *format && !found; i++)
    {
      char *path;
      if (asprintf (&path, format[i], real, link) < 0)
	{
	  lp_nomem (NULL);
	  break;
	}
      found = map_candidate (dw, path);
      free (path);
      if (found && !is_linked (dw, crc))
	{
	  unmap (dw);
	  found = false;
	}
    }
  free (real);
  return found;
}

static bool
find_by_server (lp_dwarf *dw)
{
  char *path = lp_server_find (dw->mod->build_id);
  bool found = path && map_candidate (dw, path);
  free (path);
  return found;
}

int
lp_debug_find (lp_module *mod, lp_error *err)
{
  if (mod->dwarf)
    return 0;
  unsigned long before = lp_nomems ();
  lp_dwarf *dw = calloc (1, sizeof *dw);
  if (!dw)
    return lp_nomem (err);
  dw->mod = mod;
  mod->dwarf = dw;
  if (has_dwarf (&mod->image))
    {
      if (!map_candidate (dw, mod->path))
	return lp_nomems () != before ? lp_nomem (err)
	  : lp_fail (err, LP_EIO, "cannot read '%s' again; do not change it"
			" while it is profiled", mod->path);
      return 0;
    }
  if (!find_by_build_id (dw) && !find_by_link (dw) && !find_by_server (dw))
    return lp_nomems () != before ? lp_nomem (err) : 0;
  return lp_section_find (&mod->image, SHT_SYMTAB, NULL) ? 0
    : lp_module_add_symbols (mod, &dw->image, err);
}

static int
fail_missing (const lp_module *mod, lp_error *err)
{
  char id[sizeof mod->build_id + 16] = "";
  if (mod->build_id[0])
    snprintf (id, sizeof id, " (build-id %s)", mod->build_id);
  if (mod->symbols.n == 0)
    return lp_fail (err, LP_ENOSYMBOLS, "'%s' has no symbols and no line"
		    " information: it was stripped; rebuild it with -g and do"
		    " not strip it, or install its -dbgsym package%s",
		    mod->path, id);
  return lp_fail (err, LP_ENOLINES, "'%s' has symbols but no line information;"
		  " rebuild it with -g, or install its -dbgsym package%s",
		  mod->path, id);
}

/* Take the file PATH for the one that dwz moved shared parts to, if its build-id is
   the N bytes at ID: in another build's they are elsewhere.  */
static bool
take_alt (lp_dwarf *dw, const char *path, const void *id, size_t n)
{
  const void *its;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  Dwarf *alt = fd >= 0 ? dwarf_begin (fd, DWARF_C_READ) : NULL;
  if (fd >= 0 && !alt)
    note_errno ();
  if (alt && elf_cntl (dwarf_getelf (alt), ELF_C_FDREAD) == 0
      && dwelf_elf_gnu_build_id (dwarf_getelf (alt), &its) == (ssize_t) n
      && memcmp (its, id, n) == 0)
    {
      dw->alt = alt;
      lp_shortage_watch (alt);
    }
  else
    dwarf_end (alt);
  if (fd >= 0)
    close (fd);
  return dw->alt != NULL;
}

/* Give libdw the file that dwz moved shared parts to, when there is one.  */
static void
attach_alt (lp_dwarf *dw)
{
  const char *name;
  const void *id;
  char path[4096], hex[2 * 64 + 1] = "";
  ssize_t n = dwelf_dwarf_gnu_debugaltlink (dw->dbg, &name, &id);
  if (n <= 0)
    return;
  for (ssize_t i = 0; i < n && i < 64; i++)
    sprintf (hex + 2 * i, "%02x", ((const uint8_t *) id)[i]);
  errno = 0;
  char *real = *name == '/' ? NULL : realpath (dw->path, NULL);
  if (!real)
    note_errno ();
  if (real)
    *strrchr (real, '/') = '\0';
  snprintf (path, sizeof path, "%s%s%s", real ? real : "", real ? "/" : "",
	    name);
  free (real);
  bool taken = take_alt (dw, path, id, n);
  snprintf (path, sizeof path, DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
  if (taken || (n > 1 && take_alt (dw, path, id, n)))
    dwarf_setalt (dw->dbg, dw->alt);
}

lp_bytes
lp_section_data (Elf *elf, const char *name)
{
  size_t names;
  GElf_Shdr shdr;
  errno = 0;
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn (elf, scn));)
    {
      const char *s = elf_getshdrstrndx (elf, &names) == 0
	&& gelf_getshdr (scn, &shdr) ? elf_strptr (elf, names, shdr.sh_name)
	: NULL;
      /* .zdebug_line is the older name of a compressed one.  */
      if (!s || (strcmp (s, name) != 0
		 && (strncmp (s, ".z", 2) != 0 || strcmp (s + 2, name + 1) != 0)))
	continue;
      Elf_Data *data = elf_getdata (scn, NULL);
      if (data && data->d_buf && shdr.sh_type != SHT_NOBITS)
	return (lp_bytes) { data->d_buf, data->d_size };
    }
  note_errno ();
  return (lp_bytes) { NULL, 0 };
}

int
lp_debug_begin (lp_dwarf *dw, lp_error *err)
{
  if (!dw->path)
    return fail_missing (dw->mod, err);
  if (lp_sections_prepare (dw, err))
    return -1;
  elf_version (EV_CURRENT);
  errno = 0;
  dw->elf = elf_memory ((char *) dw->image.bytes, dw->mapped);
  dw->dbg = dw->elf ? dwarf_begin_elf (dw->elf, DWARF_C_READ, NULL) : NULL;
  if (!dw->dbg && errno == ENOMEM)
    return lp_nomem (err);
  if (!dw->dbg)
    return lp_fail (err, LP_EFORMAT, "the debug information of '%s' is damaged"
		    " (%s); rebuild it with -g", dw->path,
		    dw->elf ? dwarf_errmsg (-1) : elf_errmsg (-1));
  lp_shortage_watch (dw->dbg);
  attach_alt (dw);
  dw->sections.line = lp_section_data (dw->elf, ".debug_line");
  dw->sections.line_str = lp_section_data (dw->elf, ".debug_line_str");
  dw->sections.str = lp_section_data (dw->elf, ".debug_str");
  dw->sections.path = dw->path;
  return 0;
}
