/* module.c: open and close a module; what its headers say.  */

#include "debug/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fail with what ERRNO means for opening PATH.  */
static int
fail_errno (const char *path, int errnum, lp_error *err)
{
  switch (errnum)
    {
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
      return lp_fail (err, LP_ENOTFOUND, "cannot find '%s': %s; check the path",
		      path, strerror (errnum));
    case EACCES:
    case EPERM:
      return lp_fail (err, LP_ENOEXEC, "no permission to read '%s'; make it and"
		      " its directories readable (chmod +r)", path);
    case ENOMEM:
      return lp_nomem (err);
    default:
      return lp_fail (err, LP_EIO, "cannot read '%s': %s", path,
		      strerror (errnum));
    }
}

static int
map_file (lp_module *mod, lp_error *err)
{
  struct stat st;
  /* Non-blocking: a FIFO must not hold us up.  */
  mod->fd = open (mod->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (mod->fd < 0 || fstat (mod->fd, &st))
    return fail_errno (mod->path, errno, err);
  if (S_ISDIR (st.st_mode))
    return lp_fail (err, LP_ENOEXEC, "'%s' is a directory; name the program in"
		    " it", mod->path);
  if (!S_ISREG (st.st_mode))
    return lp_fail (err, LP_ENOEXEC, "'%s' is not a regular file; name a"
		    " program", mod->path);
  if (st.st_size == 0)
    return 0;

  void *map = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, mod->fd, 0);
  if (map == MAP_FAILED)
    return fail_errno (mod->path, errno, err);
  mod->image.bytes = map;
  mod->image.size = st.st_size;
  return 0;
}

static int
fail_truncated (const lp_module *mod, const char *what, lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "'%s' is truncated or corrupt: %s beyond its"
		  " end; link or copy it again", mod->path, what);
}

/* The number of program headers; very many are counted in section 0.  */
static size_t
count_phdrs (const lp_module *mod)
{
  if (mod->ehdr.e_phnum == PN_XNUM && mod->image.nsections)
    return mod->image.sections[0].sh_info;
  return mod->ehdr.e_phnum;
}

static int
add_segment (lp_module *mod, const Elf64_Phdr *ph, lp_error *err)
{
  if (ph->p_memsz == 0)
    return 0;
  if (ph->p_filesz > ph->p_memsz || ph->p_vaddr + ph->p_memsz < ph->p_vaddr)
    return lp_fail (err, LP_EFORMAT, "'%s' is corrupt: its segment at 0x%lx has"
		    " an impossible size; link or copy it again", mod->path,
		    (unsigned long) ph->p_vaddr);
  lp_segment seg = {
    .lo = ph->p_vaddr,
    .hi = ph->p_vaddr + ph->p_memsz,
    .bytes = mod->image.bytes + ph->p_offset,
    .nbytes = ph->p_filesz,
    .exec = ph->p_flags & PF_X,
    .write = ph->p_flags & PF_W,
  };
  return lp_vec_push (&mod->segments, seg) ? lp_nomem (err) : 0;
}

static int
set_interp (lp_module *mod, const Elf64_Phdr *ph, lp_error *err)
{
  const char *s = (const char *) mod->image.bytes + ph->p_offset;
  if (!memchr (s, 0, ph->p_filesz))
    return lp_fail (err, LP_EFORMAT, "'%s' is corrupt: the name of its dynamic"
		    " linker has no end; link or copy it again", mod->path);
  mod->interp = s;
  return 0;
}

static int
read_phdr (lp_module *mod, const Elf64_Phdr *ph, lp_error *err)
{
  switch (ph->p_type)
    {
    case PT_LOAD:
    case PT_INTERP:
    case PT_NOTE:
      break;
    default:
      return 0;
    }
  if (!lp_inside (ph->p_offset, ph->p_filesz, mod->image.size))
    return fail_truncated (mod, "one of its segments lies", err);
  if (ph->p_type == PT_LOAD)
    return add_segment (mod, ph, err);
  if (ph->p_type == PT_INTERP)
    return set_interp (mod, ph, err);
  lp_build_id_take (mod->build_id, mod->image.bytes + ph->p_offset, ph->p_filesz,
		    ph->p_align);
  return 0;
}

static int
compare_segments (const void *a, const void *b)
{
  const lp_segment *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static int
read_phdrs (lp_module *mod, lp_error *err)
{
  Elf64_Phdr ph;
  size_t n = count_phdrs (mod);
  if (n && (mod->ehdr.e_phentsize != sizeof ph
	    || n > mod->image.size / sizeof ph
	    || !lp_inside (mod->ehdr.e_phoff, n * sizeof ph, mod->image.size)))
    return fail_truncated (mod, "its program headers lie", err);
  for (size_t i = 0; i < n; i++)
    {
      memcpy (&ph, mod->image.bytes + mod->ehdr.e_phoff + i * sizeof ph,
	      sizeof ph);
      if (read_phdr (mod, &ph, err))
	return -1;
    }
  if (mod->segments.n == 0)
    return lp_fail (err, LP_EFORMAT, "'%s' has no segment to load; link it"
		    " again", mod->path);
  qsort (mod->segments.v, mod->segments.n, sizeof *mod->segments.v,
	 compare_segments);
  return 0;
}

bool
lp_find_phdr (const lp_module *mod, uint32_t type, Elf64_Phdr *ph)
{
  for (size_t i = 0, n = count_phdrs (mod); i < n; i++)
    {
      memcpy (ph, mod->image.bytes + mod->ehdr.e_phoff + i * sizeof *ph,
	      sizeof *ph);
      if (ph->p_type == type
	  && lp_inside (ph->p_offset, ph->p_filesz, mod->image.size))
	return true;
    }
  return false;
}

/* A separate debug file has the program's headers, but not its code.  */
static int
refuse_debug_file (const lp_module *mod, lp_error *err)
{
  for (size_t i = 0; i < mod->image.nsections; i++)
    if (mod->image.sections[i].sh_type == SHT_NOBITS
	&& mod->image.sections[i].sh_flags & SHF_EXECINSTR)
      return lp_fail (err, LP_ENOEXEC, "'%s' holds debug information only;"
		      " profile the program it belongs to", mod->path);
  return 0;
}

/* Both have all of it in memory.  A process that profiles itself may close any number, and
   open its own files under it.  */
static int
let_go_of_file (lp_module *mod, lp_error *err)
{
  if (elf_cntl (mod->elf, ELF_C_FDREAD))
    return lp_nomem (err);
  close (mod->fd);
  mod->fd = -1;
  return 0;
}

static int
read_module (lp_module *mod, lp_error *err)
{
  if (map_file (mod, err)
      || lp_check_header (mod->path, mod->image.bytes, mod->image.size, err))
    return -1;
  memcpy (&mod->ehdr, mod->image.bytes, sizeof mod->ehdr);
  if (lp_image_init (&mod->image, mod->arena, mod->image.bytes,
		     mod->image.size, mod->path, err)
      || refuse_debug_file (mod, err) || read_phdrs (mod, err)
      || lp_read_symbols (mod, err))
    return -1;

  elf_version (EV_CURRENT);
  errno = 0;
  mod->elf = elf_begin (mod->fd, ELF_C_READ_MMAP, NULL);
  if (!mod->elf && errno == ENOMEM)
    return lp_nomem (err);
  if (!mod->elf)
    return lp_fail (err, LP_EFORMAT, "'%s' is corrupt: %s; link or copy it"
		    " again", mod->path, elf_errmsg (-1));
  return let_go_of_file (mod, err);
}

lp_module *
lp_module_open (const char *path, lp_error *err)
{
  lp_module *mod = calloc (1, sizeof *mod);
  if (!mod)
    {
      lp_nomem (err);
      return NULL;
    }
  mod->fd = -1;
  mod->arena = lp_arena_new ();
  mod->path = mod->arena ? lp_arena_copy (mod->arena, path, strlen (path)) : NULL;
  if (!mod->path)
    lp_nomem (err);
  if (!mod->path || read_module (mod, err))
    {
      lp_module_close (mod);
      return NULL;
    }
  return mod;
}

void
lp_module_close (lp_module *mod)
{
  if (!mod)
    return;
  if (mod->dwarf)
    lp_dwarf_close (mod->dwarf);
  if (mod->elf)
    elf_end (mod->elf);
  if (mod->image.bytes)
    munmap ((void *) mod->image.bytes, mod->image.size);
  if (mod->fd >= 0)
    close (mod->fd);
  lp_vec_free (&mod->segments);
  lp_vec_free (&mod->symbols);
  lp_vec_free (&mod->code_pointers);
  lp_vec_free (&mod->landing_pads);
  lp_vec_free (&mod->call_sites);
  lp_vec_free (&mod->files);
  lp_arena_free (mod->arena);
  free (mod);
}

const char *
lp_module_path (const lp_module *mod)
{
  return mod->path;
}

const char *
lp_module_build_id (const lp_module *mod)
{
  return mod->build_id;
}

bool
lp_module_is_pie (const lp_module *mod)
{
  return mod->ehdr.e_type == ET_DYN;
}

const char *
lp_module_interp (const lp_module *mod)
{
  return mod->interp;
}

const lp_segment *
lp_module_segments (const lp_module *mod, size_t *n)
{
  *n = mod->segments.n;
  return mod->segments.v;
}

const uint8_t *
lp_module_bytes (const lp_module *mod, uint64_t addr, uint64_t *avail)
{
  for (size_t i = 0; i < mod->segments.n; i++)
    {
      const lp_segment *seg = &mod->segments.v[i];
      if (addr - seg->lo < seg->nbytes && addr >= seg->lo)
	{
	  *avail = seg->nbytes - (addr - seg->lo);
	  return seg->bytes + (addr - seg->lo);
	}
    }
  *avail = 0;
  return NULL;
}

bool
lp_module_is_code (const lp_module *mod, uint64_t addr)
{
  for (size_t i = 0; i < mod->segments.n; i++)
    if (mod->segments.v[i].exec && addr >= mod->segments.v[i].lo
	&& addr < mod->segments.v[i].hi)
      return true;
  return false;
}
