/* patch.c: apply and undo.

   A page's worth of text is read, changed here and written back at once, so the
   number of system calls follows the pages touched and not the patches.  */

#include "probe/patch.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, JUMP = 5 };

static int
by_addr (const void *a, const void *b)
{
  const lp_patch *x = a, *y = b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void
lp_patch_sort (lp_text *text)
{
  if (text->patches.n)
    qsort (text->patches.v, text->patches.n, sizeof *text->patches.v, by_addr);
}

/* Can a jump that patch P ends with reach into the one behind it?  */
static bool
touches_next (const lp_patch *p)
{
  return p[1].addr < p[0].addr + p[0].len + JUMP;
}

/* How many of RUN (N) to write at once: those that lie, with the first, within one page's
   length; where that can be, none whose last bytes are the next one's, which should not
   be alone there when this process is killed between.  */
static size_t
run_length (const lp_patch *run, size_t n)
{
  size_t k = 1;
  while (k < n && run[k].addr + run[k].len <= run[0].addr + PAGE)
    k++;
  size_t whole = k;
  while (whole > 0 && whole < n && touches_next (&run[whole - 1]))
    whole--;
  return whole ? whole : k;
}

static int
differs (const lp_patch *p, lp_error *err)
{
  return lp_fail (err, LP_ETARGET,
		  "the program's code at %#lx is not what its file says: "
		  "something else has changed it (a debugger's breakpoint?)",
		  (unsigned long) p->addr);
}

/* Change the bytes of N patches that lie within a page's length.  */
static int
write_run (lp_process *proc, const lp_patch *run, size_t n, bool undo,
	   lp_error *err)
{
  uint8_t buf[PAGE];
  uint64_t lo = run[0].addr;
  size_t size = run[n - 1].addr + run[n - 1].len - lo;
  if (lp_process_read (proc, lo, buf, size, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    {
      const lp_patch *p = &run[i];
      const uint8_t *from = undo ? p->new : p->old, *to = undo ? p->old : p->new;
      if (memcmp (buf + (p->addr - lo), from, p->len) != 0)
	return differs (p, err);
      memcpy (buf + (p->addr - lo), to, p->len);
    }
  return lp_process_write (proc, lo, buf, size, err);
}

static int
write_all (lp_process *proc, const lp_patch *v, size_t n, bool undo,
	   size_t *done, lp_error *err)
{
  for (*done = 0; *done < n;)
    {
      size_t k = run_length (v + *done, n - *done);
      if (write_run (proc, v + *done, k, undo, err))
	return -1;
      *done += k;
    }
  return 0;
}

int
lp_patch_apply (lp_process *proc, const lp_text *text, lp_error *err)
{
  size_t done, undone;
  const lp_patch *v = text->patches.v;
  int bad = write_all (proc, v, text->patches.n, false, &done, err);
  if (bad)
    write_all (proc, v, done, true, &undone, NULL);
  return bad;
}

int
lp_patch_undo (lp_process *proc, const lp_text *text, lp_error *err)
{
  size_t done;
  return write_all (proc, text->patches.v, text->patches.n, true, &done, err);
}
