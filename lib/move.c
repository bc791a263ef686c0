/* move.c: moving program counters.

   Return addresses need no moving: they are the original ones, and a springboard
   stands there.  What is left are the threads' own program counters and those
   that the kernel has saved in signal frames.  A frame is recognised by the
   return address of its handler, which is the C library's sigreturn stub:

	mov $15,%rax; syscall		48 c7 c0 0f 00 00 00 0f 05

   and the saved registers behind it (target/sigframe.h); cs is 0x33 for 64-bit user
   code.  */

#include "move.h"

#include <stdlib.h>
#include <string.h>

#include "probe/places.h"
#include "target/sigframe.h"

enum
{
  WINDOW = 64 * 1024,		/* bytes of stack that are searched for frames */
  CODE_64 = 0x33,
  MOST_STEPS = 400,		/* a probe has fewer instructions */
  MOST_THREADS = 65536
};

/* One direction of moving.  */
struct move
{
  lp_process *proc;
  lp_text *text;
  const lp_mover *with;
  bool in;
  size_t stay;
  lp_error *err;
};

/* Where program counter PC goes, or 0: it stays.  */
static uint64_t
target_of (const struct move *m, uint64_t pc)
{
  return m->in ? lp_places_clone (m->text, pc) : lp_places_home (m->text, pc);
}

static bool
is_sigreturn (lp_process *proc, uint64_t addr)
{
  uint8_t code[9];
  return lp_process_read (proc, addr, code, sizeof code, NULL) == 0
	 && memcmp (code, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", sizeof code) == 0;
}

/* May WORD be an address of code?  */
static bool
looks_like_code (const lp_mover *with, uint64_t word)
{
  for (size_t i = 0; i < with->nmodules; i++)
    if (word >= with->modules[i].lo && word < with->modules[i].hi)
      return true;
  return false;
}

/* The saved program counter at run-time address AT.  */
static int
move_saved (struct move *m, uint64_t at)
{
  uint64_t pc;
  if (lp_process_read (m->proc, at, &pc, 8, NULL))
    return 0;
  uint64_t to = target_of (m, pc);
  if (!to)
    m->stay += !m->in && lp_places_cover (m->text, pc);
  else if (lp_process_write (m->proc, at, &to, 8, m->err))
    return -1;
  return 0;
}

/* Read the stack from SP on, as far as it is mapped; returns the bytes read.  */
static size_t
read_stack (lp_process *proc, uint64_t sp, void *buf)
{
  size_t n = 0;
  while (n < WINDOW)
    {
      size_t page = 4096 - (sp + n) % 4096;
      size_t more = page < WINDOW - n ? page : WINDOW - n;
      if (lp_process_read (proc, sp + n, (char *) buf + n, more, NULL))
	break;
      n += more;
    }
  return n;
}

/* Search the stack from SP on for signal frames.  A thread that is in the stub has
   taken the return address off already: it is right below SP.  */
static int
move_frames (struct move *m, uint64_t sp)
{
  uint64_t known = 0;
  uint64_t *words = m->with->words;
  int bad = 0;
  sp = (sp & ~UINT64_C (7)) - 8;
  size_t size = read_stack (m->proc, sp, words);
  for (size_t i = 0; !bad && i + LP_SAVED_CS / 8 < size / 8; i++)
    {
      if ((words[i + LP_SAVED_CS / 8] & 0xffff) != CODE_64)
	continue;
      if (words[i] != known
	  && (!looks_like_code (m->with, words[i])
	      || !is_sigreturn (m->proc, words[i])))
	continue;
      known = words[i];
      bad = move_saved (m, sp + 8 * i + LP_SAVED_RIP);
    }
  return bad;
}

/* Step TID out of the middle of a probe, to an instruction's place or out of the
   clones.  */
static int
step_to_place (struct move *m, pid_t tid, struct user_regs_struct *regs)
{
  for (int i = 0; i < MOST_STEPS; i++)
    {
      if (!lp_places_cover (m->text, regs->rip) || target_of (m, regs->rip))
	return 0;
      if (lp_thread_step (m->proc, tid, NULL)
	  || lp_thread_get_regs (tid, regs, NULL))
	return -1;
    }
  return -1;
}

static int
move_thread (struct move *m, pid_t tid)
{
  struct user_regs_struct regs;
  if (lp_thread_get_regs (tid, &regs, NULL))
    return 0;
  if (!m->in && step_to_place (m, tid, &regs))
    m->stay++;
  uint64_t to = target_of (m, regs.rip);
  if (to)
    {
      regs.rip = to;
      if (lp_thread_set_regs (tid, &regs, m->err))
	return -1;
    }
  return move_frames (m, regs.rsp);
}

int
lp_mover_begin (lp_mover *mover, lp_process *proc, lp_error *err)
{
  size_t n = lp_process_threads (proc, NULL, 0);
  pid_t *tids = malloc ((n + 1) * sizeof *tids);
  *mover = (lp_mover) { .tids = tids, .ntids = n, .words = malloc (WINDOW) };
  int bad = !tids || !mover->words ? lp_nomem (err)
	    : lp_process_modules (proc, &mover->modules, &mover->nmodules, err);
  if (bad)
    lp_mover_end (mover);
  else
    lp_process_threads (proc, tids, n);
  return bad;
}

void
lp_mover_end (lp_mover *mover)
{
  free ((pid_t *) mover->tids);
  free (mover->words);
  *mover = (lp_mover) { .tids = NULL };
}

static int
move_all (struct move *m)
{
  int bad = 0;
  for (size_t i = 0; i < m->with->ntids && !bad; i++)
    bad = move_thread (m, m->with->tids[i]);
  return bad;
}

int
lp_move_in (lp_process *proc, lp_text *text, const lp_mover *mover,
	    lp_error *err)
{
  struct move m = { proc, text, mover, true, 0, err };
  return move_all (&m);
}

int
lp_move_out (lp_process *proc, lp_text *text, const lp_mover *mover,
	     size_t *stay, lp_error *err)
{
  struct move m = { proc, text, mover, false, 0, err };
  int bad = move_all (&m);
  *stay = m.stay;
  return bad;
}
