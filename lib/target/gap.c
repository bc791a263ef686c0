/* gap.c: a free place for code near a module.

   Below the module is best: nothing grows there.  A program at 0x400000 has
   little room below; above it lies the heap, which grows up, so the place is
   then as far away as a 32-bit displacement reaches.

   What grows is put far away from both: in the widest gap, below the place from
   which the kernel maps downwards.  */

#include "target/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

#define REACH (INT64_C (0x7fff0000))	/* of rel32, with an instruction's slack */
#define TOP UINT64_C (0x7ffffffff000)	/* of user addresses with four levels */
#define STACK_GAP UINT64_C (0x10000000)	/* what a stack may still grow */
#define HEAP UINT64_C (0x4000000) /* what a heap may soon grow */
#define NEW_MAPPINGS UINT64_C (0x4000000000) /* what a program may still map: 256 GB */

struct wish
{
  uint64_t lo, hi, size;	/* the module; the place's size */
  uint64_t below, above;	/* best so far on either side, or 0 */
};

static uint64_t
lowest_address (void)
{
  uint64_t min = 0;
  FILE *f = fopen ("/proc/sys/vm/mmap_min_addr", "re");
  if (f)
    {
      if (fscanf (f, "%" SCNu64, &min) != 1)
	min = 0;
      fclose (f);
    }
  min = min > 0x10000 ? min : 0x10000;
  return (min + PAGE - 1) & -(uint64_t) PAGE;
}

/* [LO, HI) is free: the highest place in it that still reaches everything.  */
static void
consider (struct wish *w, uint64_t lo, uint64_t hi)
{
  if (hi <= lo || hi - lo < w->size)
    return;
  if (hi <= w->lo)
    {
      uint64_t at = hi - w->size;
      if (w->hi - at <= REACH && at > w->below)
	w->below = at;
      return;
    }
  uint64_t far = w->lo + REACH;
  uint64_t at = (far < hi ? far : hi) - w->size;
  if (lo >= w->hi && at >= lo && at > w->above)
    w->above = at & -(uint64_t) PAGE;
}

int
lp_find_gap (lp_process *proc, uint64_t lo, uint64_t hi, uint64_t size,
	     uint64_t *addr, lp_error *err)
{
  size_t n;
  char *maps = lp_procfs_read (proc, "maps", &n), *next = maps;
  struct wish w = { lo, hi, (size + PAGE - 1) & -(uint64_t) PAGE, 0, 0 };
  uint64_t end = lowest_address ();
  lp_mapping m;
  if (!maps)
    return lp_procfs_fail (proc, "its mappings", err);
  while (lp_maps_next (&next, &m) && m.hi <= TOP)
    {
      bool stack = strcmp (m.path, "[stack]") == 0;
      uint64_t top = stack && m.lo > STACK_GAP ? m.lo - STACK_GAP : m.lo;
      consider (&w, end, top);
      end = m.hi;
    }
  consider (&w, end, TOP);
  free (maps);
  *addr = w.below ? w.below : w.above;
  if (*addr)
    return 0;
  return lp_fail (err, LP_ETARGET, "process %d: no free %" PRIu64 " bytes within"
		  " 2 GB of 0x%" PRIx64, proc->pid, w.size, lo);
}

/* The page of [LO, HI) next to the middle of FIRST and LAST, if it is better than *ADDR
   (0: nothing).  */
static void
consider_page (uint64_t lo, uint64_t hi, uint64_t first, uint64_t last,
	       uint64_t *addr)
{
  uint64_t middle = (first + (last - first) / 2) & -(uint64_t) PAGE;
  lo = lo > first ? lo : first;
  hi = hi < last + PAGE ? hi : last + PAGE;
  if (lo >= hi || hi - lo < PAGE)
    return;
  uint64_t at = lo > middle ? lo : middle > hi - PAGE ? hi - PAGE : middle;
  uint64_t far = at > middle ? at - middle : middle - at;
  uint64_t before = *addr > middle ? *addr - middle : middle - *addr;
  if (!*addr || far < before)
    *addr = at;
}

int
lp_find_page (lp_process *proc, uint64_t first, uint64_t last,
	      uint64_t *addr, lp_error *err)
{
  size_t n, nmodules;
  const lp_loaded *modules;
  uint64_t end = lowest_address (), program = 0;
  lp_mapping m;
  *addr = 0;
  if (lp_process_modules (proc, &modules, &nmodules, err))
    return -1;
  if (nmodules)
    program = modules[0].hi;
  char *maps = lp_procfs_read (proc, "maps", &n), *next = maps;
  if (!maps)
    return lp_procfs_fail (proc, "its mappings", err);
  while (lp_maps_next (&next, &m) && m.hi <= TOP)
    {
      bool stack = strcmp (m.path, "[stack]") == 0;
      bool grows = strcmp (m.path, "[heap]") == 0 || m.hi == program;
      consider_page (end, stack && m.lo > STACK_GAP ? m.lo - STACK_GAP : m.lo, first,
		     last, addr);
      end = grows ? m.hi + HEAP : m.hi > end ? m.hi : end;
    }
  consider_page (end, TOP, first, last, addr);
  free (maps);
  return *addr ? 0 : lp_fail (err, LP_ETARGET, "process %d: no free page at 0x%"
			      PRIx64 " to 0x%" PRIx64, proc->pid, first, last);
}

int
lp_find_wide_gap (lp_process *proc, uint64_t size, uint64_t *addr,
		  lp_error *err)
{
  size_t n;
  char *maps = lp_procfs_read (proc, "maps", &n), *next = maps;
  uint64_t end = lowest_address (), lo = 0, hi = 0;
  lp_mapping m;
  while (maps && lp_maps_next (&next, &m) && m.hi <= TOP)
    {
      if (m.lo > end && m.lo - end > hi - lo)
	lo = end, hi = m.lo;
      end = m.hi;
    }
  free (maps);
  if (hi - lo < size + NEW_MAPPINGS + PAGE)
    return lp_fail (err, LP_ETARGET, "process %d: no room for %" PRIu64
		    " bytes", proc->pid, size);
  *addr = (hi - NEW_MAPPINGS - size) & -(uint64_t) PAGE;
  return 0;
}
