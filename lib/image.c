/* image.c: installing the profiler in a process.  */

#define _GNU_SOURCE

#include "image.h"

#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/runtime.h"

enum { PAGE = 4096 };

/* What a limit on file sizes leaves is a short write; the next one says why.  */
static int
write_all (int fd, const uint8_t *p, const uint8_t *end)
{
  while (p < end)
    {
      ssize_t n = write (fd, p, end - p);
      if (n < 0)
	return -1;
      p += n;
    }
  return 0;
}

int
lp_slot_file (lp_error *err)
{
  int fd = memfd_create (LP_SLOT_SONAME, MFD_CLOEXEC);
  if (fd < 0 || write_all (fd, lp_slot_image, lp_slot_image_end))
    {
      if (fd >= 0)
	close (fd);
      return lp_fail (err, LP_EIO, "cannot make the object to preload: %m");
    }
  return fd;
}

/* The slot.  */

/* File address of the thread-local storage's initial image.  */
static uint64_t
slot_tls (void)
{
  const Elf64_Ehdr *ehdr = (const Elf64_Ehdr *) lp_slot_image;
  const Elf64_Phdr *phdr
    = (const Elf64_Phdr *) (lp_slot_image + ehdr->e_phoff);
  for (int i = 0; i < ehdr->e_phnum; i++)
    if (phdr[i].p_type == PT_TLS)
      return phdr[i].p_vaddr;
  return 0;
}

/* File address of the dynamic symbol NAME of the slot's object.  */
static uint64_t
slot_symbol (const char *name)
{
  const Elf64_Ehdr *ehdr = (const Elf64_Ehdr *) lp_slot_image;
  const Elf64_Shdr *shdr
    = (const Elf64_Shdr *) (lp_slot_image + ehdr->e_shoff);
  for (int i = 0; i < ehdr->e_shnum; i++)
    {
      if (shdr[i].sh_type != SHT_DYNSYM)
	continue;
      const Elf64_Sym *sym
	= (const Elf64_Sym *) (lp_slot_image + shdr[i].sh_offset);
      const char *strings = (const char *) lp_slot_image
			    + shdr[shdr[i].sh_link].sh_offset;
      for (size_t k = 0; k < shdr[i].sh_size / sizeof *sym; k++)
	if (strcmp (strings + sym[k].st_name, name) == 0)
	  return sym[k].st_value;
    }
  return 0;
}

static const lp_loaded *
find_slot (const lp_loaded *modules, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strstr (modules[i].path, LP_SLOT_SONAME))
      return &modules[i];
  return NULL;
}

/* The preloaded object's slot; block 0 becomes what new threads start with.  */
static int
use_object (lp_image *image, lp_process *proc, const lp_loaded *object,
	    lp_error *err)
{
  int64_t offset;
  if (lp_process_read (proc, object->bias
			     + slot_symbol (LP_SLOT_OFFSET_SYMBOL),
		       &offset, sizeof offset, err)
      || lp_process_write (proc, object->bias + slot_tls (),
			   &image->pool.remote, 8, err))
    return -1;
  image->slot = offset;
  return 0;
}

/* glibc's tcbhead_t keeps 512 bytes from fs:0x80 on that nothing has used since
   2.16 (sysdeps/x86_64/nptl/tls.h, `__glibc_unused2`).  0 in a new thread.  */
enum { TCB_SPARE = 0x278 };

/* musl's struct pthread has a word for i386's way into the kernel, which nothing reads
   on x86-64 (src/internal/pthread_impl.h, `sysinfo'); it stands before the canary,
   whose place the psABI fixes.  A new thread has its creator's until it is given
   its own.  */
enum { MUSL_SYSINFO = 0x20 };

static bool
glibc_is_loaded (const lp_loaded *modules, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strstr (modules[i].path, "/libc.so.6")
	|| strstr (modules[i].path, "/libc-2."))
      return true;
  return false;
}

/* The place in the memory that the C library keeps for each thread of what
   PREPARED's executable loads, or 0: the library is not known.  A static one is known
   by what sets its threads up.  */
static int64_t
spare_place (const lp_prepared *prepared, const lp_loaded *modules, size_t n)
{
  uint64_t value;
  const lp_module *mod = prepared->mod;
  const char *interp = lp_module_interp (mod);
  if (interp ? glibc_is_loaded (modules, n)
      : lp_module_symbol (mod, "__libc_setup_tls", &value) == 0)
    return TCB_SPARE;
  if (interp ? strstr (interp, "/ld-musl-") != NULL
      : lp_module_symbol (mod, "__init_tp", &value) == 0)
    return MUSL_SYSINFO;
  return 0;
}

/* Without a place for a pointer in each thread only breakpoints can count.  */
static void
fall_back (lp_prepared *prepared)
{
  for (size_t i = 0; i < prepared->plans.n; i++)
    {
      lp_plan *plan = &prepared->plans.v[i];
      if (plan->engine != LP_PLAN_CLONE)
	continue;
      plan->engine = prepared->strict ? LP_PLAN_NONE : LP_PLAN_BREAKPOINT;
      strcpy (plan->reason, "no place for a pointer in each thread of this "
			    "kind of program");
    }
}

static int
install_slot (lp_image *image, lp_process *proc, lp_prepared *prepared,
	      const lp_loaded *modules, size_t n, lp_error *err)
{
  const lp_loaded *object = find_slot (modules, n);
  if (object)
    return use_object (image, proc, object, err);
  image->slot = spare_place (prepared, modules, n);
  return 0;
}

int
lp_image_set_slot (lp_image *image, lp_process *proc, pid_t tid,
		   uint64_t block, lp_error *err)
{
  struct user_regs_struct regs;
  if (!image->slot)
    return 0;
  if (lp_thread_get_regs (tid, &regs, err))
    return -1;
  if (!regs.fs_base)
    return 0;
  return lp_process_write (proc, regs.fs_base + image->slot, &block, 8, err);
}

static int
claim (lp_image *image, lp_process *proc, pid_t tid, lp_error *err)
{
  uint64_t block = lp_pool_claim (&image->pool, proc, tid);
  return lp_image_set_slot (image, proc, tid, block, err);
}

/* The flags of the call that made the thread with REGS, which has not run yet, in
   its creator's memory.  */
static uint64_t
birth_flags (lp_process *proc, const struct user_regs_struct *regs)
{
  uint64_t flags = CLONE_SETTLS;
  if (regs->orig_rax == SYS_vfork)
    flags = CLONE_VFORK;
  else if (regs->orig_rax == SYS_clone)
    flags = regs->rdi;
  else if (regs->orig_rax == SYS_clone3)
    lp_process_read (proc, regs->rdi, &flags, sizeof flags, NULL);
  return flags;
}

/* The block of the thread that forked CHILD: its slot was copied.  PARENT's first
   thread's where there are no slots.  */
static uint64_t
block_of_parent (lp_image *image, lp_process *child, pid_t parent)
{
  uint64_t block = 0;
  struct user_regs_struct regs;
  if (image->slot
      && lp_thread_get_regs (lp_process_pid (child), &regs, NULL) == 0
      && lp_process_read (child, regs.fs_base + image->slot, &block, 8,
			  NULL) == 0)
    return block;
  lp_block *first = lp_pool_find (&image->pool, parent);
  return first ? image->pool.remote + ((uint8_t *) first - image->pool.local)
	 : 0;
}

/* Without thread-local storage of its own its slot is its creator's.  */
int
lp_image_claim_thread (lp_image *image, lp_process *proc, pid_t tid,
		       pid_t creator, lp_error *err)
{
  struct user_regs_struct regs;
  if (lp_thread_get_regs (tid, &regs, err))
    return -1;
  uint64_t flags = birth_flags (proc, &regs);
  if (flags & CLONE_SETTLS)
    return claim (image, proc, tid, err);
  lp_pool_claim (&image->pool, proc, tid);
  if (!(flags & CLONE_VFORK))
    return image->slot != 0;
  lp_pool_lend (&image->pool, tid, block_of_parent (image, proc, creator));
  return 0;
}

int
lp_image_claim_fork (lp_image *image, lp_process *child, pid_t parent,
		     lp_error *err)
{
  pid_t pid = lp_process_pid (child);
  uint64_t old = block_of_parent (image, child, parent);
  return lp_image_set_slot (image, child, pid,
			    lp_pool_claim_fork (&image->pool, child, old), err);
}

int
lp_image_claim_nobody (lp_image *image, lp_process *child, lp_error *err)
{
  return lp_image_set_slot (image, child, lp_process_pid (child),
			    lp_pool_nobody (&image->pool), err);
}

uint64_t
lp_image_block (lp_image *image, lp_process *proc, pid_t tid)
{
  lp_block *block = lp_pool_find (&image->pool, tid);
  if (!block)
    return lp_pool_claim (&image->pool, proc, tid);
  return image->pool.remote + ((uint8_t *) block - image->pool.local);
}

/* In and out.  */

/* Blocks for the threads that exist.  */
static int
claim_all (lp_image *image, lp_process *proc, lp_error *err)
{
  size_t n = lp_process_threads (proc, NULL, 0);
  pid_t *tids = malloc ((n + 1) * sizeof *tids);
  if (!tids)
    return lp_nomem (err);
  int bad = 0;
  lp_process_threads (proc, tids, n);
  for (size_t i = 0; i < n && !bad; i++)
    bad = claim (image, proc, tids[i], err);
  free (tids);
  return bad;
}

int
lp_image_install (lp_image *image, lp_process *proc, lp_prepared *prepared,
		  uint32_t room, const lp_costs *costs, bool timed,
		  bool running, bool by_thread, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  *image = (lp_image) { .pool.fd = -1 };
  image->pool.entry_cost = costs->entry;
  image->pool.exit_cost = costs->exit;
  image->pool.inlined_cost = costs->inlined;
  image->pool.tree = prepared->calls;
  image->how.running = image->how.undoable = running;
  if (lp_process_modules (proc, &modules, &n, err)
      || lp_pool_map (&image->pool, proc, lp_process_able (proc), room, err)
      || lp_pool_extend (&image->pool, prepared->end)
      || install_slot (image, proc, prepared, modules, n, err)
      || claim_all (image, proc, err))
    return -1;
  lp_ranging_begin (&image->ranging, proc, lp_process_able (proc),
		    prepared->mod, modules, n, &image->pool, image->slot,
		    by_thread);
  image->how.env = (lp_emit_env) { .slot = image->slot, .timed = timed,
				   .line_cost = costs->line,
				   .calls = prepared->calls };
  image->how.trap_cost = costs->trap;
  image->how.step_cost = costs->step;
  return 0;
}

/* A page of PROC's own that forked children find empty (since Linux 4.14), with a
   word in it that is not 0.  */
static int
map_mark (lp_process *proc, uint64_t *mark, lp_error *err)
{
  pid_t tid = lp_process_able (proc);
  int64_t result;
  uint64_t one = 1, args[6] = { 0, PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 };
  if (lp_remote_syscall (proc, tid, SYS_mmap, args, &result, err))
    return -1;
  *mark = result;
  uint64_t advice[6] = { *mark, PAGE, MADV_WIPEONFORK };
  if (result < 0 && result >= -4095)
    return lp_fail (err, LP_ETARGET, "--detach: no memory in the program: %s",
		    strerror (-result));
  if (lp_remote_syscall (proc, tid, SYS_madvise, advice, &result, err))
    return -1;
  if (result)
    return lp_fail (err, LP_ETARGET, "--detach: this kernel cannot tell forked "
		    "children apart (MADV_WIPEONFORK): %s; leave it out",
		    strerror (-result));
  return lp_process_write (proc, *mark, &one, sizeof one, err);
}

int
lp_image_let_go (lp_image *image, lp_process *proc, lp_error *err)
{
  if (!lp_process_has_preload (proc) || !image->slot)
    return lp_fail (err, LP_EUNSUPPORTED, "--detach needs a program that the "
		    "dynamic loader starts, without more privileges than its "
		    "caller's: its threads have no place for their counters; "
		    "leave it out");
  image->how.env.block0 = image->pool.remote;
  lp_pool_offer (&image->pool, proc, lp_process_able (proc), image->slot);
  return map_mark (proc, &image->how.env.mark, err);
}

int
lp_image_graft (lp_image *image, lp_grafts *grafts, lp_process *proc,
		lp_prepared *prepared, const lp_loaded *where, lp_error *err)
{
  if (!image->slot)
    fall_back (prepared);
  return lp_graft_add (grafts, proc, prepared, where, &image->how, err);
}

/* A process that has the preloaded object was launched by a kernprof that is
   gone.  */
void
lp_image_sketch (lp_sketch *sketch, lp_process *proc, lp_prepared *prepared,
		 const lp_costs *costs, bool timed)
{
  const lp_loaded *modules;
  size_t n;
  lp_graft_how how = { .env = { .timed = timed, .line_cost = costs->line },
		       .trap_cost = costs->trap, .step_cost = costs->step,
		       .running = true, .undoable = true };
  if (lp_process_modules (proc, &modules, &n, NULL) == 0 && n > 0
      && !find_slot (modules, n)
      && (how.env.slot = spare_place (prepared, modules, n)) != 0)
    lp_graft_sketch (sketch, proc, prepared, &modules[0], &how);
}

/* Empty the slots of all threads.  */
static int
clear_slots (lp_image *image, lp_process *proc, lp_error *err)
{
  size_t n = lp_process_threads (proc, NULL, 0);
  pid_t *tids = malloc ((n + 1) * sizeof *tids);
  if (!tids)
    return lp_nomem (err);
  int bad = 0;
  lp_process_threads (proc, tids, n);
  for (size_t i = 0; i < n && !bad; i++)
    bad = lp_image_set_slot (image, proc, tids[i], 0, err);
  free (tids);
  return bad;
}

/* A thread that stays in a clone needs its block and the code.  One that is in the middle
   of a named range's end may look at its block once more.  */
int
lp_image_remove (lp_image *image, const lp_grafts *grafts, lp_process *proc,
		 lp_error *err)
{
  size_t stay;
  lp_ranging_stop (&image->ranging, proc);
  if (lp_grafts_undo (grafts, proc, NULL, &stay, err))
    return -1;
  pid_t tid = lp_process_able (proc);
  if (stay || !tid)
    return 0;
  if (clear_slots (image, proc, err)
      || lp_grafts_unmap (grafts, proc, tid, err))
    return -1;
  return image->ranging.area ? 0
	 : lp_pool_unmap (&image->pool, proc, tid, err);
}

void
lp_image_free (lp_image *image)
{
  lp_pool_free (&image->pool);
  lp_ranging_free (&image->ranging);
  lp_strands_free (&image->strands);
  *image = (lp_image) { .pool.fd = -1 };
}
