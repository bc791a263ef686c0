/* sections.c: what libdw gets to see of a debug file.

   The file is mapped privately, with room behind it.  In that copy, sections that
   nothing here reads are marked as empty: libdw decompresses every section it
   knows, and location lists are a fifth of a debug file.  Sections that zlib has
   compressed are inflated into the room, several at a time: libdw would do it one
   after the other, in small pages and with zlib itself, which takes four times as
   long.  Of .debug_info, which is most of it, only what is read (unpack.h).  */

#include "debug/sections.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "debug/abbrevs.h"
#include "debug/mention.h"

#define COMPRESSED_ZSTD 2	/* ELFCOMPRESS_ZSTD of the gABI; elf.h lacks it */
#define ALIGN 4096		/* of an inflated section: it has its own pages */
#define WORKERS 4
/* A byte of a deflate stream becomes at most 1032 (RFC 1951: a length of 258 can
   take two bits).  A header that promises more lies.  */
#define MOST_PER_BYTE 1032

struct queue
{
  lp_dwarf *dw;
  LP_VEC (lp_packed *) jobs;
  atomic_size_t next;
  _Atomic (const char *) failed;	/* the name of one that does not inflate */
  atomic_bool nomem;		/* one did not for a lack of memory */
};

static bool
is_unread (const char *name)
{
  static const char *const unread[] = {
    ".debug_loc", ".debug_loclists", ".debug_macro", ".debug_macinfo",
    ".debug_aranges", ".debug_frame", ".debug_pubnames", ".debug_pubtypes",
    ".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_names", ".gdb_index"
  };
  for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
    if (strcmp (name, unread[i]) == 0)
      return true;
  return false;
}

/* Is SECTION of IMAGE compressed debug information that is read?  *CHDR is its
   compression header then.  */
static bool
is_compressed (const lp_image *image, const Elf64_Shdr *section,
	       Elf64_Chdr *chdr)
{
  const char *name = lp_section_name (image, section);
  if (!(section->sh_flags & SHF_COMPRESSED) || section->sh_type == SHT_NOBITS
      || strncmp (name, ".debug_", 7) != 0 || is_unread (name)
      || !lp_inside (section->sh_offset, section->sh_size, image->size)
      || section->sh_size < sizeof *chdr)
    return false;
  memcpy (chdr, image->bytes + section->sh_offset, sizeof *chdr);
  return true;
}

/* The room that SECTION takes inflated; 0: it is left as it is.  */
static size_t
inflated_size (const lp_image *image, const Elf64_Shdr *section)
{
  Elf64_Chdr chdr;
  if (!is_compressed (image, section, &chdr)
      || chdr.ch_type != ELFCOMPRESS_ZLIB
      || chdr.ch_size / MOST_PER_BYTE > section->sh_size)
    return 0;
  return (chdr.ch_size + ALIGN - 1) & ~(size_t) (ALIGN - 1);
}

static size_t
room_for_all (const lp_image *image)
{
  size_t room = 0;
  for (size_t i = 0; i < image->nsections; i++)
    room += inflated_size (image, &image->sections[i]);
  return room;
}

/* Refuse zstd: this libdw may say success and find no unit.  */
static int
check_compression (const lp_dwarf *dw, const Elf64_Shdr *section,
		   lp_error *err)
{
  Elf64_Chdr chdr;
  if (is_compressed (&dw->image, section, &chdr)
      && chdr.ch_type == COMPRESSED_ZSTD)
    return lp_fail (err, LP_EUNSUPPORTED, "the debug information of '%s' is"
		    " compressed with zstd, which this version does not read;"
		    " link with -gz=zlib, or run objcopy"
		    " --decompress-debug-sections on it", dw->path);
  return 0;
}

/* Rewrite the header of PACKED's section in DW's mapping to say that its contents
   are the inflated ones.  */
static void
redirect (lp_dwarf *dw, const lp_packed *packed)
{
  const Elf64_Shdr *section = &dw->image.sections[packed->section];
  uint8_t *bytes = (uint8_t *) dw->image.bytes; /* the mapping is writable */
  Elf64_Ehdr ehdr;
  Elf64_Chdr chdr;
  Elf64_Shdr shdr = *section;
  memcpy (&ehdr, bytes, sizeof ehdr);
  memcpy (&chdr, bytes + section->sh_offset, sizeof chdr);
  shdr.sh_flags &= ~(uint64_t) SHF_COMPRESSED;
  shdr.sh_offset = packed->offset;
  shdr.sh_size = packed->size;
  shdr.sh_addralign = chdr.ch_addralign;
  memcpy (bytes + ehdr.e_shoff + packed->section * sizeof shdr, &shdr,
	  sizeof shdr);
}

static void
hide (lp_dwarf *dw, size_t i)
{
  const uint32_t nobits = SHT_NOBITS;
  uint8_t *bytes = (uint8_t *) dw->image.bytes;
  Elf64_Ehdr ehdr;
  memcpy (&ehdr, bytes, sizeof ehdr);
  memcpy (bytes + ehdr.e_shoff + i * sizeof (Elf64_Shdr)
	  + offsetof (Elf64_Shdr, sh_type), &nobits, sizeof nobits);
}

static size_t
compressed_size (const lp_dwarf *dw, const lp_packed *packed)
{
  return dw->image.sections[packed->section].sh_size - sizeof (Elf64_Chdr);
}

static const uint8_t *
compressed (const lp_dwarf *dw, const lp_packed *packed)
{
  return dw->image.bytes + dw->image.sections[packed->section].sh_offset
    + sizeof (Elf64_Chdr);
}

static int
compare_jobs (const void *a, const void *b)
{
  const lp_packed *x = *(lp_packed *const *) a, *y = *(lp_packed *const *) b;
  return x->size > y->size ? -1 : x->size < y->size;
}

static const char *
name_of (const lp_dwarf *dw, const lp_packed *packed)
{
  return lp_section_name (&dw->image, &dw->image.sections[packed->section]);
}

/* Inflate PACKED.  0, -1.  */
static int
inflate (lp_dwarf *dw, const lp_packed *packed)
{
  uint8_t *out = (uint8_t *) dw->image.bytes + packed->offset;
  const uint8_t *in = compressed (dw, packed);
  size_t nin = compressed_size (dw, packed);
  if (strcmp (name_of (dw, packed), ".debug_info") == 0)
    {
      if (!dw->sparse)
	{
	  lp_unpack_init (&dw->unpack, in, nin, out, packed->size);
	  return lp_unpack_all (&dw->unpack);
	}
      lp_mentions_begin (dw);
      return lp_unpack_heads (&dw->unpack);
    }
  lp_inflater *inflater = lp_inflater_new (in, nin, true);
  int result = !inflater || lp_inflate (inflater, out, packed->size)
    || !lp_inflate_ends (inflater) ? -1 : 0;
  lp_inflater_free (inflater);
  return result;
}

/* Take jobs from the queue ARG until it is empty.  */
static void *
inflate_jobs (void *arg)
{
  struct queue *queue = arg;
  unsigned long before = lp_nomems ();
  for (size_t i; (i = queue->next++) < queue->jobs.n;)
    {
      lp_packed *packed = queue->jobs.v[i];
      if (inflate (queue->dw, packed))
	queue->failed = name_of (queue->dw, packed);
      else
	packed->ready = true;
    }
  if (lp_nomems () != before)
    queue->nomem = true;
  return NULL;
}

static void
run_jobs (struct queue *queue)
{
  pthread_t thread[WORKERS - 1];
  size_t n = 0;
  qsort (queue->jobs.v, queue->jobs.n, sizeof *queue->jobs.v, compare_jobs);
  while (n < WORKERS - 1 && n + 1 < queue->jobs.n
	 && pthread_create (&thread[n], NULL, inflate_jobs, queue) == 0)
    n++;
  inflate_jobs (queue);
  while (n)
    pthread_join (thread[--n], NULL);
}

static int
fail_damaged (const lp_dwarf *dw, const char *section, lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "the debug information of '%s' is damaged (its"
		  " section %s does not inflate); rebuild it with -g", dw->path,
		  section);
}

/* Is NAME in the list NAMES?  NULL is the list of all.  */
static bool
is_named (const char *const *names, const char *name)
{
  while (names && *names && strcmp (*names, name) != 0)
    names++;
  return !names || *names;
}

int
lp_sections_load (lp_dwarf *dw, const char *const *names, lp_error *err)
{
  struct queue queue = { .dw = dw };
  int bad = 0;
  for (size_t i = 0; i < dw->image.nsections; i++)
    if (check_compression (dw, &dw->image.sections[i], err))
      return -1;
  for (size_t i = 0; i < dw->packed.n && !bad; i++)
    if (!dw->packed.v[i].ready && is_named (names, name_of (dw, &dw->packed.v[i])))
      bad = lp_vec_push (&queue.jobs, &dw->packed.v[i]);
  if (!bad && queue.jobs.n)
    run_jobs (&queue);
  lp_vec_free (&queue.jobs);
  if (bad || queue.nomem)
    return lp_nomem (err);
  return queue.failed ? fail_damaged (dw, queue.failed, err) : 0;
}

static const lp_packed *
find_packed (const lp_dwarf *dw, const char *name)
{
  for (size_t i = 0; i < dw->packed.n; i++)
    if (strcmp (name_of (dw, &dw->packed.v[i]), name) == 0)
      return &dw->packed.v[i];
  return NULL;
}

lp_bytes
lp_section_loaded (const lp_dwarf *dw, const char *name)
{
  lp_bytes bytes = { NULL, 0 };
  const lp_packed *packed = find_packed (dw, name);
  if (packed)
    return packed->ready ? (lp_bytes) { dw->image.bytes + packed->offset,
					packed->size } : bytes;
  const Elf64_Shdr *section = lp_section_find (&dw->image, SHT_PROGBITS, name);
  if (section)
    bytes.p = lp_section_bytes (&dw->image, section, &bytes.n);
  return bytes;
}

int
lp_section_look (lp_dwarf *dw, const char *name, size_t overlap,
		 lp_look *look, void *arg, lp_error *err)
{
  const lp_packed *packed = find_packed (dw, name);
  if (!packed)
    {
      lp_bytes bytes = lp_section_loaded (dw, name);
      return bytes.n ? look (arg, bytes.p, bytes.n) : 0;
    }
  lp_inflater *inflater = lp_inflater_new (compressed (dw, packed),
					   compressed_size (dw, packed), true);
  if (!inflater)
    return lp_nomem (err);
  unsigned long before = lp_nomems ();
  int result = lp_inflate_look (inflater, packed->size, overlap, look, arg);
  lp_inflater_free (inflater);
  if (lp_nomems () != before)
    return lp_nomem (err);
  return result < 0 ? fail_damaged (dw, name, err) : result;
}

/* Units are to be inflated when they are read: a thread begins with what they all
   need.  */
static int
begin_units (lp_dwarf *dw)
{
  const lp_packed *info = find_packed (dw, ".debug_info");
  if (!info || info->ready || dw->unpack.stream)
    return 0;
  lp_unpack_free (&dw->unpack);	/* of a try that failed */
  lp_unpack_init (&dw->unpack, compressed (dw, info), compressed_size (dw, info),
		  (uint8_t *) dw->image.bytes + info->offset, info->size);
  return lp_unpack_begin (&dw->unpack);
}

int
lp_sections_prepare (lp_dwarf *dw, lp_error *err)
{
  static const char *const first[] = { ".debug_abbrev", NULL };
  static const char *const strings[] = { ".debug_str", NULL };
  if (lp_sections_load (dw, first, err))
    return -1;
  lp_abbrevs abbrevs = lp_abbrevs_read (lp_section_loaded (dw, first[0]));
  dw->sparse = !abbrevs.damaged && !abbrevs.across_units;
  if (dw->sparse && begin_units (dw))
    return lp_nomem (err);
  /* Who looks for a name needs the strings before the units.  */
  if (dw->mentions && lp_sections_load (dw, strings, err))
    return -1;
  if (lp_sections_load (dw, NULL, err))
    return -1;
  for (size_t i = 0; i < dw->packed.n; i++)
    redirect (dw, &dw->packed.v[i]);
  for (size_t i = 0; i < dw->image.nsections; i++)
    if (is_unread (lp_section_name (&dw->image, &dw->image.sections[i])))
      hide (dw, i);
  return 0;
}

/* List the compressed sections; the first one is inflated to START.  */
static int
list_packed (lp_dwarf *dw, size_t start)
{
  Elf64_Chdr chdr;
  for (size_t i = 0; i < dw->image.nsections; i++)
    {
      const Elf64_Shdr *section = &dw->image.sections[i];
      size_t room = inflated_size (&dw->image, section);
      if (!room)
	continue;
      memcpy (&chdr, dw->image.bytes + section->sh_offset, sizeof chdr);
      lp_packed packed = { i, start, chdr.ch_size, false };
      if (lp_vec_push (&dw->packed, packed))
	return -1;
      start += room;
    }
  return 0;
}

int
lp_sections_map (lp_dwarf *dw, uint8_t *file, size_t size)
{
  size_t room = room_for_all (&dw->image);
  size_t start = (size + ALIGN - 1) & ~(size_t) (ALIGN - 1);
  dw->mapped = size;
  if (!room)
    return 0;
  uint8_t *map = mmap (NULL, start + room, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return -1;
  if (list_packed (dw, start)
      || mremap (file, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, map)
	 == MAP_FAILED)
    {
      lp_vec_free (&dw->packed);
      munmap (map, start + room);
      dw->mapped = 0;
      return -1;
    }
  madvise (map + start, room, MADV_HUGEPAGE);
  dw->image.bytes = map;
  dw->mapped = start + room;
  return 0;
}
