/* modules.c: /proc/PID/maps, and the ELF objects that a process has mapped.

   The executable's place follows from the auxiliary vector, whatever its
   segments look like.  Any other object is found by its first page: a file's
   offset 0, an ELF header there, and its segments where that header asks for
   them.  */

#include "target/internal.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, MAX_PHDRS = 128, LINE = 4096 + 128 };

/* The kernel writes a newline in a path as \012, and nothing else so.  */
static void
unescape (char *path)
{
  for (char *p = path; (p = strstr (p, "\\012")); p++)
    {
      *p = '\n';
      memmove (p + 1, p + 4, strlen (p + 4) + 1);
    }
}

bool
lp_maps_next (char **text, lp_mapping *m)
{
  char *line = *text, x;
  int at = 0;
  if (*line == '\0')
    return false;
  char *end = strchrnul (line, '\n');
  *text = end + (*end != '\0');
  *end = '\0';
  *m = (lp_mapping) { .path = "" };
  if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64
	      " %*s %*s %n", &m->lo, &m->hi, &x, &m->offset, &at) < 4)
    return true;
  m->exec = x == 'x';
  if (at)
    {
      unescape (line + at);
      m->path = line + at;
    }
  return true;
}

/* An object's headers, and where it lies.  */
struct object
{
  Elf64_Ehdr ehdr;
  Elf64_Phdr phdrs[MAX_PHDRS];
  uint64_t first;		/* address of file offset 0, unbiased */
  uint64_t lo, hi;		/* of the loaded segments, unbiased */
};

static bool
valid_header (const Elf64_Ehdr *e)
{
  return memcmp (e->e_ident, ELFMAG, SELFMAG) == 0
    && e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_machine == EM_X86_64
    && e->e_phentsize == sizeof (Elf64_Phdr) && e->e_phnum > 0
    && e->e_phnum <= MAX_PHDRS;
}

/* False where nothing is loaded.  */
static bool
measure (struct object *o)
{
  o->lo = UINT64_MAX;
  o->hi = 0;
  for (int i = 0; i < o->ehdr.e_phnum; i++)
    {
      const Elf64_Phdr *p = &o->phdrs[i];
      if (p->p_type != PT_LOAD)
	continue;
      if (o->lo == UINT64_MAX)
	{
	  o->lo = p->p_vaddr & -(uint64_t) PAGE;
	  o->first = p->p_vaddr - p->p_offset;
	}
      if (p->p_vaddr + p->p_memsz > o->hi)
	o->hi = p->p_vaddr + p->p_memsz;
    }
  o->hi = (o->hi + PAGE - 1) & -(uint64_t) PAGE;
  return o->lo < o->hi;
}

static bool
read_object (lp_process *proc, uint64_t at, struct object *o)
{
  return lp_process_read (proc, at, &o->ehdr, sizeof o->ehdr, NULL) == 0
    && valid_header (&o->ehdr)
    && lp_process_read (proc, at + o->ehdr.e_phoff, o->phdrs,
			o->ehdr.e_phnum * sizeof *o->phdrs, NULL) == 0
    && measure (o);
}

/* Tools that run a program in a process of theirs, valgrind, let it see only its
   own link there.  */
static int
open_own_executable (void)
{
  char path[4096];
  ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);
  if (n < 0)
    return -1;
  path[n] = '\0';
  return open (path, O_RDONLY | O_CLOEXEC);
}

/* From the file: works whatever the process's root is, and when it was
   deleted.  */
static bool
read_executable (lp_process *proc, struct object *o)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/exe", proc->pid);
  int fd = proc->self ? open_own_executable ()
	   : open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool ok = pread (fd, &o->ehdr, sizeof o->ehdr, 0) == sizeof o->ehdr
    && valid_header (&o->ehdr);
  size_t size = ok ? o->ehdr.e_phnum * sizeof *o->phdrs : 0;
  ok = ok && pread (fd, o->phdrs, size, o->ehdr.e_phoff) == (ssize_t) size
    && measure (o);
  close (fd);
  return ok;
}

static int
add (lp_process *proc, const char *path, uint64_t bias, const struct object *o,
     lp_error *err)
{
  const char *copy = lp_arena_intern (proc->paths, path);
  lp_loaded loaded = { copy, bias, o->lo + bias, o->hi + bias };
  return copy && lp_vec_push (&proc->modules, loaded) == 0 ? 0 : lp_nomem (err);
}

static int
add_executable (lp_process *proc, char *maps, lp_error *err)
{
  struct object o;
  lp_mapping m;
  if (!read_executable (proc, &o))
    return 0;
  uint64_t bias = proc->image.entry - o.ehdr.e_entry;
  while (lp_maps_next (&maps, &m))
    if (m.lo <= proc->image.entry && proc->image.entry < m.hi)
      return add (proc, m.path, bias, &o, err);
  return 0;
}

static bool
known (const lp_process *proc, uint64_t addr)
{
  for (size_t i = 0; i < proc->modules.n; i++)
    if (addr >= proc->modules.v[i].lo && addr < proc->modules.v[i].hi)
      return true;
  return false;
}

/* Was PATH loaded to [LO, HI), which MAPS come to next?  Then there is code, or, in
   an object of data alone, more than one mapping.  A file that a linker or a
   debugger reads is one piece.  FIRST is the mapping that came before.  */
static bool
is_loaded (const char *maps, uint64_t lo, uint64_t hi, const lp_mapping *first)
{
  char line[LINE];
  lp_mapping m = *first;
  int pieces = 0;
  bool code = false;
  for (;;)
    {
      if (m.lo >= lo && m.hi <= hi && strcmp (m.path, first->path) == 0)
	{
	  pieces++;
	  code |= m.exec;
	}
      size_t n = strcspn (maps, "\n");
      char *text = line;
      if (m.lo >= hi || n >= sizeof line)
	return code || pieces > 1;
      memcpy (line, maps, n);
      line[n] = '\0';
      maps += n + (maps[n] != '\0');
      if (!lp_maps_next (&text, &m))
	return code || pieces > 1;
    }
}

/* Which objects are looked for.  */
struct wish
{
  bool (*wanted) (void *arg, const char *path);
  void *arg;
};

static int
add_objects (lp_process *proc, char *maps, const struct wish *wish,
	     lp_error *err)
{
  struct object o;
  lp_mapping m;
  int r = 0;
  for (char *next = maps; r == 0 && lp_maps_next (&next, &m);)
    {
      if (m.path[0] != '/' || m.offset != 0 || known (proc, m.lo)
	  || (wish->wanted && !wish->wanted (wish->arg, m.path))
	  || !read_object (proc, m.lo, &o))
	continue;
      uint64_t bias = m.lo - o.first;
      if (is_loaded (next, o.lo + bias, o.hi + bias, &m))
	r = add (proc, m.path, bias, &o, err);
    }
  return r;
}

int
lp_process_modules_like (lp_process *proc,
			 bool (*wanted) (void *arg, const char *path),
			 void *arg, const lp_loaded **modules, size_t *n,
			 lp_error *err)
{
  size_t size;
  const struct wish wish = { wanted, arg };
  char *maps = lp_procfs_read (proc, "maps", &size);
  char *copy = maps ? strdup (maps) : NULL;
  proc->modules.n = 0;
  lp_arena_free (proc->paths);
  proc->paths = lp_arena_new ();
  int r = -1;
  if (!maps)
    lp_procfs_fail (proc, "its mappings", err);
  else if (!copy || !proc->paths)
    lp_nomem (err);
  else
    r = add_executable (proc, copy, err) || add_objects (proc, maps, &wish, err)
      ? -1 : 0;
  free (copy);
  free (maps);
  *modules = proc->modules.v;
  *n = proc->modules.n;
  return r;
}

int
lp_process_modules (lp_process *proc, const lp_loaded **modules, size_t *n,
		    lp_error *err)
{
  return lp_process_modules_like (proc, NULL, NULL, modules, n, err);
}

void
lp_maps_each_code (pid_t pid, void (*found) (void *arg, const char *path), void *arg)
{
  char name[64], *line = NULL;
  size_t size = 0;
  lp_mapping m;
  snprintf (name, sizeof name, "/proc/%d/maps", (int) pid);
  FILE *maps = fopen (name, "re");
  while (maps && getline (&line, &size, maps) > 0)
    {
      char *text = line;
      if (lp_maps_next (&text, &m) && m.exec && m.path[0] == '/')
	found (arg, m.path);
    }
  free (line);
  if (maps)
    fclose (maps);
}
