/* stack.c: LD_PRELOAD in a new image's initial stack, and out of it again.

   The kernel lays out argc, argv, envp and the auxiliary vector one behind the
   other at rsp, the strings above them.  Before ld.so runs, the whole is moved
   down by two entries and room for one string:

	before		after		when ld.so has read it
	argc		argc		argc
	argv, 0		argv, 0		argv, 0
	envp		envp		envp
	0		LD_PRELOAD=...	0
	auxv		""		AT_IGNORE, 0
			0
			auxv		auxv
			the string	the string

   Two entries, so that rsp stays aligned and what they leave is one pair of the
   auxiliary vector: it stays where ld.so saw it, and still begins right behind
   envp for those who look for it there.  A program's own LD_PRELOAD keeps its
   place; its pointer is changed for the time, and two empty entries are added.
   /proc/PID/environ shows the strings, which nobody touches.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* The words at an image's initial rsp.  */
struct stack
{
  lp_process *proc;
  uint64_t at;			/* run-time address of the first */
  LP_VEC (uint64_t) words;
  size_t env, nenv, auxv, end;	/* indices */
};

/* Read to the end of one more page: what exists exists to its end.  */
static int
read_more (struct stack *stack, lp_error *err)
{
  uint64_t at = stack->at + stack->words.n * 8;
  size_t n = (PAGE - at % PAGE) / 8;
  if (lp_vec_reserve (&stack->words, n))
    return lp_nomem (err);
  if (lp_process_read (stack->proc, at, stack->words.v + stack->words.n, n * 8,
		       err))
    return -1;
  stack->words.n += n;
  return 0;
}

/* The index of the first zero word at I, I + STEP, ...  */
static int
find_zero (struct stack *stack, size_t i, size_t step, size_t *zero,
	   lp_error *err)
{
  for (;; i += step)
    {
      while (i >= stack->words.n)
	if (read_more (stack, err))
	  return -1;
      if (stack->words.v[i] == 0)
	break;
    }
  *zero = i;
  return 0;
}

static int
read_stack (struct stack *stack, lp_error *err)
{
  size_t null;
  if (read_more (stack, err))
    return -1;
  stack->env = 1 + stack->words.v[0] + 1;
  if (find_zero (stack, stack->env, 1, &null, err))
    return -1;
  stack->nenv = null - stack->env;
  stack->auxv = null + 1;
  if (find_zero (stack, stack->auxv, 2, &null, err))
    return -1;
  stack->end = null + 2;
  while (stack->end > stack->words.n)
    if (read_more (stack, err))
      return -1;
  return 0;
}

/* The string at ADDR, in *STRING (free it).  */
static int
read_string (lp_process *proc, uint64_t addr, char **string, lp_error *err)
{
  LP_VEC (char) text = { NULL, 0, 0 };
  for (;;)
    {
      size_t n = PAGE - (addr + text.n) % PAGE;
      if (lp_vec_reserve (&text, n))
	return lp_nomem (err);
      if (lp_process_read (proc, addr + text.n, text.v + text.n, n, err))
	{
	  lp_vec_free (&text);
	  return -1;
	}
      bool end = memchr (text.v + text.n, '\0', n) != NULL;
      text.n += n;
      if (end)
	break;
    }
  *string = text.v;
  return 0;
}

/* Is the environment entry at ADDR NAME's ("LD_PRELOAD=")?  */
static bool
is_entry (lp_process *proc, uint64_t addr, const char *name)
{
  char text[32];
  size_t n = strlen (name);
  return lp_process_read (proc, addr, text, n, NULL) == 0
    && memcmp (text, name, n) == 0;
}

/* The index of NAME's last entry (it is the one that counts), or nenv.  */
static size_t
find_entry (const struct stack *stack, const char *name)
{
  for (size_t i = stack->nenv; i-- > 0;)
    if (is_entry (stack->proc, stack->words.v[stack->env + i], name))
      return i;
  return stack->nenv;
}

/* "LD_PRELOAD=" PATH [":" the user's own].  */
static char *
make_string (const struct stack *stack, const char *path, size_t user,
	     lp_error *err)
{
  char *own = NULL, *string = NULL;
  if (user < stack->nenv
      && read_string (stack->proc, stack->words.v[stack->env + user], &own,
		      err))
    return NULL;
  const char *rest = own ? own + strlen ("LD_PRELOAD=") : "";
  if (asprintf (&string, "LD_PRELOAD=%s%s%s", path, *rest ? ":" : "", rest) < 0)
    {
      string = NULL;
      lp_nomem (err);
    }
  free (own);
  return string;
}

/* Can the process itself open PATH?  Its root or rights may not be ours, and
   ld.so complains about what it cannot preload.  */
static int
can_open (lp_thread *thread, const char *path, bool *can, lp_error *err)
{
  uint64_t args[6] = { (uint64_t) AT_FDCWD, 0, O_RDONLY | O_CLOEXEC, 0 };
  int64_t fd, closed;
  if (lp_remote_with_string (thread, __NR_openat, args, 1, path, &fd, err))
    return -1;
  *can = fd >= 0;
  const uint64_t close_args[6] = { fd };
  return fd < 0 ? 0 : lp_remote_syscall (thread->proc, thread->tid, __NR_close,
					 close_args, &closed, err);
}

/* The new words: see the picture above.  */
static int
write_stack (const struct stack *stack, const lp_entries *entries, uint64_t at,
	     const char *string, size_t room, lp_error *err)
{
  size_t old = stack->env + stack->nenv, n = stack->end + 2 + room / 8;
  uint64_t *words = calloc (n, sizeof *words);
  if (!words)
    return lp_nomem (err);
  uint64_t empty = entries->string + strlen (string);
  memcpy (words, stack->words.v, old * 8);
  words[old] = words[old + 1] = empty;
  words[entries->user < entries->n ? stack->env + entries->user : old]
    = entries->string;
  memcpy (words + old + 2, stack->words.v + old, (stack->end - old) * 8);
  memcpy (words + stack->end + 2, string, strlen (string) + 1);
  int r = lp_process_write (stack->proc, at, words, n * 8, err);
  free (words);
  return r;
}

static int
add (struct stack *stack, lp_thread *thread, struct user_regs_struct *regs,
     lp_error *err)
{
  lp_entries *entries = &stack->proc->image.entries;
  size_t user = find_entry (stack, "LD_PRELOAD=");
  char *string = make_string (stack, thread->proc->target->preload, user, err);
  if (!string)
    return -1;
  size_t room = (strlen (string) + 1 + 15) & ~15u;
  uint64_t at = regs->rsp - 16 - room;
  entries->n = stack->nenv;
  entries->user = user;
  entries->user_string = user < stack->nenv
    ? stack->words.v[stack->env + user] : 0;
  entries->envp = at + stack->env * 8;
  entries->string = at + (stack->end + 2) * 8;
  int r = write_stack (stack, entries, at, string, room, err);
  free (string);
  if (r)
    return -1;
  regs->rsp = at;
  stack->proc->image.preload_asked = true;
  return 0;
}

/* A loader that only lists what it would load (ldd) must not list ours.  */
int
lp_stack_add_preload (lp_thread *thread, struct user_regs_struct *regs,
		      lp_error *err)
{
  lp_process *proc = thread->proc;
  struct stack stack = { .proc = proc, .at = regs->rsp };
  bool can = false;
  int r = -1;
  if (can_open (thread, proc->target->preload, &can, err) == 0
      && read_stack (&stack, err) == 0)
    r = can && find_entry (&stack, "LD_TRACE_LOADED_OBJECTS=") == stack.nenv
      ? add (&stack, thread, regs, err) : 0;
  lp_vec_free (&stack.words);
  return r;
}

int
lp_stack_drop_preload (lp_process *proc, lp_error *err)
{
  const lp_entries *e = &proc->image.entries;
  uint64_t tail = e->envp + e->n * 8, words[3];
  static const uint64_t gap[3] = { 0, AT_IGNORE, 0 };
  if (!proc->image.preload_asked)
    return 0;
  proc->image.preload_asked = false;
  if (lp_process_read (proc, tail, words, sizeof words, err))
    return -1;
  if (words[2] != 0 || (e->user == e->n && words[0] != e->string))
    return lp_fail (err, LP_ETARGET, "process %d: the loader rearranged the"
		    " environment; LD_PRELOAD stays in it", proc->pid);
  if (e->user < e->n
      && lp_process_write (proc, e->envp + e->user * 8, &e->user_string, 8,
			   err))
    return -1;
  return lp_process_write (proc, tail, gap, sizeof gap, err);
}
