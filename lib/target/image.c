/* image.c: from exec to `loaded`, and what the loader reports later.

   An image that is not x86-64, or that we may not read, runs, and nothing
   more.

   A dynamic image is stopped where ld.so says that all is loaded and relocated
   and no constructor has run: glibc and musl call the empty function
   `_dl_debug_state` then, for debuggers.  If that never comes, the program's
   entry is the place.  A static image is at its entry when exec returns.  */

#include "target/internal.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>

enum
{
  CODE_64 = 0x33,		/* cs of 64-bit user code on x86 Linux */
  RET = 0xc3,
  RET_SCAN = 4096,
  RT_CONSISTENT = 0, RT_ADD = 1	/* struct r_debug's r_state, <link.h> */
};

/* struct r_debug of a 64-bit process, the same in glibc and musl.  */
struct r_debug
{
  uint32_t version, pad;
  uint64_t map, brk;
  uint32_t state, pad2;
  uint64_t base;
};

/* False when the kernel does not let us look into the process: its program can be
   executed but not read, and we are not root.  */
static bool
read_auxv (lp_process *proc)
{
  size_t size;
  char *text = lp_procfs_read (proc, "auxv", &size);
  if (!text)
    return false;
  lp_image *image = &proc->image;
  for (size_t i = 0; i + 16 <= size; i += 16)
    {
      uint64_t pair[2];
      memcpy (pair, text + i, sizeof pair);
      if (pair[0] == AT_BASE)
	image->base = pair[1];
      else if (pair[0] == AT_ENTRY)
	image->entry = pair[1];
      else if (pair[0] == AT_SECURE)
	image->secure = pair[1] != 0;
      else if (pair[0] == AT_EXECFN)
	image->stack_end = pair[1];
    }
  free (text);
  return true;
}

/* Some ret in the loader's code near ADDR.  The breakpoint there is left
   through it, whatever instruction stands under the int3: the function has no
   effect, and a real ret keeps a shadow stack right.  */
static uint64_t
find_ret (lp_process *proc, uint64_t addr)
{
  uint8_t code[RET_SCAN];
  size_t n = RET_SCAN - addr % RET_SCAN;
  if (lp_process_read (proc, addr, code, n, NULL))
    return 0;
  const uint8_t *ret = memchr (code + 1, RET, n - 1);
  return ret ? addr + (ret - code) : 0;
}

/* glibc has the struct itself as a symbol; musl a pointer to it, and the one
   state only.  */
static int
find_r_debug (lp_process *proc)
{
  lp_image *image = &proc->image;
  if (lp_remote_symbol (proc, image->base, "_r_debug", &image->r_debug) == 0)
    return 0;
  image->one_state = true;
  return lp_remote_symbol (proc, image->base, "_dl_debug_addr",
			   &image->r_debug);
}

int
lp_image_watch_loader (lp_process *proc, lp_error *err)
{
  lp_image *image = &proc->image;
  uint64_t addr;
  if (!image->base
      || (lp_remote_symbol (proc, image->base, "_dl_debug_state", &addr)
	  && lp_remote_symbol (proc, image->base, "dl_debug_state", &addr))
      || find_r_debug (proc))
    return 0;
  image->ret_insn = find_ret (proc, addr);
  return image->ret_insn
    ? lp_breakpoint_set (proc, &image->at_debug_state, addr, err) : 0;
}

/* A program can forbid even this, by PR_SET_DUMPABLE: then -1.  */
static int
read_state (lp_process *proc, struct r_debug *debug)
{
  uint64_t addr = proc->image.r_debug;
  if (proc->image.one_state
      && lp_process_read (proc, addr, &addr, sizeof addr, NULL))
    return -1;
  return lp_process_read (proc, addr, debug, sizeof *debug, NULL);
}

/* Is the preload object among what is mapped?  */
static bool
is_loaded (lp_process *proc, const char *path)
{
  const lp_loaded *modules;
  size_t n;
  if (!path || lp_process_modules (proc, &modules, &n, NULL))
    return false;
  for (size_t i = 0; i < n; i++)
    if (strcmp (modules[i].path, path) == 0)
      return true;
  return false;
}

/* Everything is in place: no trace of how we got here may stay.  */
static int
ready (lp_process *proc, lp_error *err)
{
  lp_image *image = &proc->image;
  const lp_hooks *hooks = proc->target->hooks;
  bool asked = image->preload_asked;
  if (lp_breakpoint_clear (proc, &image->at_entry, err)
      || lp_stack_drop_preload (proc, err))
    return -1;
  if (!hooks->modules
      && lp_breakpoint_clear (proc, &image->at_debug_state, err))
    return -1;
  image->preloaded = asked && is_loaded (proc, proc->target->preload_mapped);
  image->ready = true;
  return hooks->loaded ? hooks->loaded (hooks->arg, proc, err) : 0;
}

static int
start_dynamic (lp_thread *thread, struct user_regs_struct *regs, lp_error *err)
{
  lp_process *proc = thread->proc;
  lp_image *image = &proc->image;
  if (proc->target->preload && !image->secure && !lp_process_confined (proc)
      && (lp_stack_add_preload (thread, regs, err)
	  || lp_thread_set_regs (thread->tid, regs, err)))
    return -1;
  if (lp_image_watch_loader (proc, err))
    return -1;
  return lp_breakpoint_set (proc, &image->at_entry, image->entry, err);
}

static void
note_signals (lp_thread *thread)
{
  lp_image *image = &thread->proc->image;
  ptrace (PTRACE_GETSIGMASK, thread->tid, 8, &image->blocked);
  image->ignored = lp_procfs_mask (thread->proc->pid, "SigIgn");
  image->actions[0].handler = image->ignored >> (SIGTRAP - 1) & 1;
  image->actions[1].handler = image->ignored >> (SIGSEGV - 1) & 1;
}

int
lp_image_start (lp_thread *thread, lp_error *err)
{
  lp_process *proc = thread->proc;
  lp_image *image = &proc->image;
  struct user_regs_struct regs;
  if (lp_finish_call (thread, err)
      || lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  if (regs.cs != CODE_64 || !read_auxv (proc))
    return 0;
  note_signals (thread);
  lp_remote_prepare (proc, NULL);
  return image->base ? start_dynamic (thread, &regs, err) : ready (proc, err);
}

/* RT_CONSISTENT alone does not say it: before the loader's first RT_ADD the
   state is that, too, and an audit library's loading is reported first.  */
static int
loader_stop (lp_process *proc, lp_error *err)
{
  lp_image *image = &proc->image;
  const lp_hooks *hooks = proc->target->hooks;
  struct r_debug debug;
  if (read_state (proc, &debug))
    return 0;
  if (debug.state == RT_ADD)
    image->adding = true;
  if (debug.state != RT_CONSISTENT)
    return 0;
  if (image->ready)
    return hooks->modules ? hooks->modules (hooks->arg, proc, err) : 0;
  return image->adding || image->one_state ? ready (proc, err) : 0;
}

int
lp_image_trap (lp_thread *thread, struct user_regs_struct *regs, lp_error *err)
{
  lp_process *proc = thread->proc;
  lp_image *image = &proc->image;
  uint64_t addr = regs->rip - 1;
  int r = 0;
  if (addr == image->at_debug_state.addr)
    {
      regs->rip = image->ret_insn;
      if (lp_thread_set_regs (thread->tid, regs, err)
	  || lp_forced_repair (thread, SIGTRAP, NULL, err) || loader_stop (proc, err))
	r = -1;
    }
  else if (addr == image->at_entry.addr)
    {
      regs->rip = addr;
      if (lp_thread_set_regs (thread->tid, regs, err)
	  || lp_forced_repair (thread, SIGTRAP, NULL, err) || ready (proc, err))
	r = -1;
    }
  else
    return 0;
  return r ? -1 : 1;
}

void
lp_image_undo (lp_process *proc)
{
  lp_breakpoint_clear (proc, &proc->image.at_entry, NULL);
  lp_breakpoint_clear (proc, &proc->image.at_debug_state, NULL);
  lp_stack_drop_preload (proc, NULL);
}

bool
lp_image_read (lp_process *proc)
{
  return read_auxv (proc);
}

int
lp_image_attached (lp_process *proc, lp_error *err)
{
  lp_thread *thread = lp_process_stopped (proc);
  struct user_regs_struct regs;
  if (!thread || lp_thread_get_regs (thread->tid, &regs, err))
    return -1;
  if (regs.cs != CODE_64)
    return lp_fail (err, LP_ENOEXEC, "process %d is not a 64-bit program",
		    proc->pid);
  if (!read_auxv (proc))
    return lp_fail (err, LP_ETRACE, "process %d: its memory cannot be read",
		    proc->pid);
  note_signals (thread);
  proc->image.ready = true;
  return lp_remote_prepare (proc, err);
}
