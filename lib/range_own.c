/* range_own.c: this process as the recorder of its own named ranges.  */

#define _GNU_SOURCE

#include "range.h"

#include <string.h>
#include <sys/mman.h>

#include "collect/ranges.h"
#include "host.h"
#include "own_claim.h"

/* One that waits for the next time: threads may have been in the middle of a range when it
   was given up.  */
static lp_range_area *kept;
static size_t own_blocks;	/* that the process's own one has room for */

static lp_range_area *
own_area (void)
{
  return lp_the_host ? lp_the_host->ranges->area : NULL;
}

static void
use (lp_range_area *area)
{
  lp_range_hook *hook = lp_the_host->hook;
  hook->epoch++;
  __atomic_store_n (&hook->area, (uintptr_t) area, __ATOMIC_RELEASE);
  __atomic_store_n ((int *) (uintptr_t) hook->on, area != NULL, __ATOMIC_RELEASE);
}

/* Empty memory for an area.  */
static void *
map_area (lp_error *err)
{
  void *area = kept ? kept : MAP_FAILED;
  kept = NULL;
  for (size_t n = LP_RANGES_BLOCKS; area == MAP_FAILED && n >= LP_RANGES_FEWEST;
       n /= 2)
    area = mmap (NULL, lp_ranges_size (own_blocks = n), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (area != MAP_FAILED)
    return area;
  lp_fail (err, LP_ENOMEM, "no memory for %zu bytes of ranges: %m (ulimit -v?)",
	   lp_ranges_size (own_blocks));
  return NULL;
}

int
lp_range_record (const lp_pool *pool, bool everyone, lp_error *err)
{
  if (__atomic_load_n (&lp_the_host->hook->area, __ATOMIC_ACQUIRE))
    return 0;
  lp_range_area *area = map_area (err);
  if (!area)
    return -1;
  lp_ranges_init (area, own_blocks);
  if (pool)
    lp_ranges_use_counters (area, pool, lp_own_slot_offset ());
  *lp_the_host->ranges = (lp_own_ranges) { area, everyone, lp_own_claim };
  use (area);
  return 0;
}

void
lp_range_record_end (bool alone)
{
  lp_range_area *area = own_area ();
  size_t size = lp_ranges_size (own_blocks);
  if (!area)
    return;
  use (NULL);
  if (alone)
    munmap (area, size);
  else if (madvise (area, size, MADV_DONTNEED) == 0)
    kept = area;
  lp_the_host->ranges->area = NULL;
  lp_the_host->thread ()->range.on = false;
}

void
lp_range_thread_on (void)
{
  lp_the_host->thread ()->range.on = true;
}

void
lp_range_thread_off (void)
{
  lp_the_host->close_ranges ();
  lp_the_host->thread ()->range.on = false;
}

void
lp_range_clear (void)
{
  lp_range_area *area = own_area ();
  for (size_t i = 0; area && i < area->used && i < area->nblocks; i++)
    memset (area->blocks[i].rows, 0, sizeof area->blocks[i].rows);
}

const lp_range_area *
lp_range_own_area (void)
{
  return own_area ();
}
