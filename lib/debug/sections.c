/* sections.c: what libdw gets to see of a debug file.

   The file is mapped privately, with room behind it.  In that copy, sections that
   nothing here reads are marked as empty: libdw decompresses every section it
   knows, and location lists are a fifth of a debug file.  Sections that zlib has
   compressed are inflated into the room, largest first and several at a time:
   libdw would do it one after the other, in small pages and with zlib itself,
   which takes four times as long.  */

#include "debug/dwarf.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define COMPRESSED_ZSTD 2	/* ELFCOMPRESS_ZSTD of the gABI; elf.h lacks it */
#define ALIGN 64		/* of an inflated section, at least */
#define WORKERS 4
/* A byte of a deflate stream becomes at most 1032 (RFC 1951: a length of 258 can
   take two bits).  A header that promises more lies.  */
#define MOST_PER_BYTE 1032

/* One section to inflate.  */
struct job
{
  const char *name;
  const uint8_t *in;
  size_t nin;
  uint8_t *out;
  size_t nout;
};

struct queue
{
  LP_VEC (struct job) jobs;
  atomic_size_t next;
  _Atomic (const char *) failed;	/* the name of one that does not inflate */
  atomic_bool nomem;
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

/* Rewrite the header of section I in DW's mapping to say that its contents,
   inflated, are at OFFSET.  */
static void
redirect (lp_dwarf *dw, size_t i, size_t offset)
{
  const Elf64_Shdr *section = &dw->image.sections[i];
  uint8_t *bytes = (uint8_t *) dw->image.bytes; /* the mapping is writable */
  Elf64_Ehdr ehdr;
  Elf64_Chdr chdr;
  Elf64_Shdr shdr = *section;
  memcpy (&ehdr, bytes, sizeof ehdr);
  memcpy (&chdr, bytes + section->sh_offset, sizeof chdr);
  shdr.sh_flags &= ~(uint64_t) SHF_COMPRESSED;
  shdr.sh_offset = offset;
  shdr.sh_size = chdr.ch_size;
  shdr.sh_addralign = chdr.ch_addralign;
  memcpy (bytes + ehdr.e_shoff + i * sizeof shdr, &shdr, sizeof shdr);
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

static int
compare_jobs (const void *a, const void *b)
{
  const struct job *x = a, *y = b;
  return x->nin > y->nin ? -1 : x->nin < y->nin;
}

/* Take jobs from the queue ARG until it is empty.  */
static void *
inflate_jobs (void *arg)
{
  struct queue *queue = arg;
  struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor ();
  if (!inflater)
    queue->nomem = true;
  for (size_t i; inflater && (i = queue->next++) < queue->jobs.n;)
    {
      const struct job *job = &queue->jobs.v[i];
      if (libdeflate_zlib_decompress (inflater, job->in, job->nin, job->out,
				      job->nout, NULL) != LIBDEFLATE_SUCCESS)
	queue->failed = job->name;
    }
  if (inflater)
    libdeflate_free_decompressor (inflater);
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

/* Queue the section I for the room at OFFSET of DW's mapping.  */
static int
add_job (lp_dwarf *dw, struct queue *queue, size_t i, size_t offset)
{
  const Elf64_Shdr *section = &dw->image.sections[i];
  Elf64_Chdr chdr;
  memcpy (&chdr, dw->image.bytes + section->sh_offset, sizeof chdr);
  struct job job = {
    .name = lp_section_name (&dw->image, section),
    .in = dw->image.bytes + section->sh_offset + sizeof chdr,
    .nin = section->sh_size - sizeof chdr,
    .out = (uint8_t *) dw->image.bytes + offset,
    .nout = chdr.ch_size
  };
  redirect (dw, i, offset);
  return lp_vec_push (&queue->jobs, job);
}

static int
inflate (lp_dwarf *dw, lp_error *err)
{
  struct queue queue = { .next = 0 };
  int bad = 0;
  size_t at = dw->mapped - room_for_all (&dw->image);
  for (size_t i = 0; i < dw->image.nsections && !bad; i++)
    {
      size_t size = inflated_size (&dw->image, &dw->image.sections[i]);
      if (size)
	bad = add_job (dw, &queue, i, at);
      at += size;
    }
  if (!bad && queue.jobs.n)
    run_jobs (&queue);
  lp_vec_free (&queue.jobs);
  if (bad || queue.nomem)
    return lp_nomem (err);
  return queue.failed
    ? lp_fail (err, LP_EFORMAT, "the debug information of '%s' is damaged (its"
	       " section %s does not inflate); rebuild it with -g", dw->path,
	       queue.failed)
    : 0;
}

int
lp_sections_prepare (lp_dwarf *dw, lp_error *err)
{
  for (size_t i = 0; i < dw->image.nsections; i++)
    if (is_unread (lp_section_name (&dw->image, &dw->image.sections[i])))
      hide (dw, i);
    else if (check_compression (dw, &dw->image.sections[i], err))
      return -1;
  return inflate (dw, err);
}

int
lp_sections_map (lp_dwarf *dw, uint8_t *file, size_t size)
{
  size_t room = room_for_all (&dw->image);
  size_t start = (size + ALIGN - 1) & ~(size_t) (ALIGN - 1);
  if (!room)
    {
      dw->mapped = size;
      return 0;
    }
  uint8_t *map = mmap (NULL, start + room, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return -1;
  madvise (map, start + room, MADV_HUGEPAGE);
  if (mremap (file, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, map)
      == MAP_FAILED)
    {
      munmap (map, start + room);
      return -1;
    }
  dw->image.bytes = map;
  dw->mapped = start + room;
  return 0;
}
