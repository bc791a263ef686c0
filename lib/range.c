/* range.c: what LP_RANGE calls.  range.h says who reads it.

   A range costs two looks at the clock and a search for its name.  Names are
   found by their address: the cache below maps it to a row of the area, whose
   number is good as long as the hook's epoch is.  */

#define _GNU_SOURCE

#include "range.h"

#include <lineprof.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "collect/ranges.h"
#include "own_claim.h"

int lp_ranges_on;

/* What a kernprof finds by the note.  */
__attribute__ ((visibility ("hidden"), used))
lp_range_hook lp_the_range_hook
  = { LP_RANGES_VERSION, (uintptr_t) &lp_ranges_on, 0, 1 };

__asm__ (".pushsection " LP_RANGE_SECTION ", \"a\", @note\n"
	 "\t.balign 4\n"
	 "\t.long 8, 8, 1\n"
	 "\t.asciz \"" LP_RANGE_NOTE "\"\n"
	 "7733:\t.quad lp_the_range_hook - 7733b\n"
	 "\t.popsection\n");

/* The process's own recorder, and one that waits for the next time: threads may have
   been in the middle of a range when it was given up.  */
static lp_range_area *own, *kept;
static size_t own_blocks;	/* that the one or the other has room for */
static bool own_everyone;

/* The calling thread's.  */
static __thread struct
{
  uint64_t epoch;		/* BLOCK is of this one */
  lp_range_block *block;	/* or NULL: it records nothing */
  bool on;
} mine __attribute__ ((tls_model ("initial-exec")));

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static lp_range_area *
the_area (void)
{
  return (lp_range_area *) __atomic_load_n (&lp_the_range_hook.area, __ATOMIC_ACQUIRE);
}

static uint64_t
the_epoch (void)
{
  return __atomic_load_n (&lp_the_range_hook.epoch, __ATOMIC_ACQUIRE);
}

/* Clocks.  */

/* The lp_block that the calling thread's slot points to, if it is the thread's
   own.  */
static const lp_block *
counters_of_caller (const lp_range_area *area)
{
  uint64_t address;
  if (!area->slot)
    return NULL;
  __asm__ ("movq %%fs:(%1), %0" : "=r" (address) : "r" ((int64_t) area->slot));
  return address >= area->shared_lo && address < area->shared_hi ? NULL
	 : (const lp_block *) address;
}

/* The thread's clock goes on where it was when its counters are others.  */
static uint64_t
own_now (const lp_range_area *area, lp_range_block *block, uint64_t now)
{
  const lp_block *counters = counters_of_caller (area);
  uint64_t lag = lp_range_lag (counters, &now);
  if ((uintptr_t) counters != block->counters)
    {
      block->lost += lp_range_lag ((lp_block *) block->counters, &now) - lag;
      block->counters = (uintptr_t) counters;
    }
  return now - lag - block->lost;
}

/* Threads.  */

static void
end_thread (void *nothing)
{
  lp_range_block *block = mine.block;
  (void) nothing;
  if (block && mine.epoch == the_epoch ())
    {
      lp_range_close_all (block, own_now (the_area (), block, __rdtsc ()));
      __atomic_store_n (&block->state, LP_RANGE_ENDED, __ATOMIC_RELEASE);
    }
  mine.block = NULL;
  mine.epoch = 0;
}

/* A forked child has no range open.  Where its memory is its own, its parent's
   threads, which are not there, are ended.  */
static void
in_child (void)
{
  for (size_t i = 0; own && i < own->used && i < own->nblocks; i++)
    {
      lp_range_block *block = &own->blocks[i];
      uint64_t now = __rdtsc (), lag
	= lp_range_lag ((lp_block *) block->counters, &now);
      lp_range_close_all (block, now - lag - block->lost);
      block->state = LP_RANGE_ENDED;
    }
  lp_the_range_hook.epoch++;
}

static void
prepare_once (void)
{
  pthread_key_create (&key, end_thread);
  pthread_atfork (NULL, NULL, in_child);
}

/* A block of a thread of this process that has ended.  Its sums stay.  */
static lp_range_block *
take_ended (lp_range_area *area, pid_t pid)
{
  uint32_t used = area->used < area->nblocks ? area->used : area->nblocks;
  for (uint32_t i = 0; i < used; i++)
    {
      uint32_t ended = LP_RANGE_ENDED;
      lp_range_block *block = &area->blocks[i];
      if (block->pid == pid
	  && __atomic_compare_exchange_n (&block->state, &ended, LP_RANGE_LIVE,
					  false, __ATOMIC_ACQ_REL,
					  __ATOMIC_RELAXED))
	return block;
    }
  return NULL;
}

static lp_range_block *
take_new (lp_range_area *area)
{
  uint32_t i = __atomic_load_n (&area->used, __ATOMIC_RELAXED);
  if (i < area->nblocks)
    i = __atomic_fetch_add (&area->used, 1, __ATOMIC_ACQ_REL);
  if (i < area->nblocks)
    return &area->blocks[i];
  area->threads_refused = 1;
  return NULL;
}

/* The calling thread's block in AREA, of EPOCH; NULL when there is none.  */
static lp_range_block *
claim (lp_range_area *area, uint64_t epoch)
{
  pid_t pid = getpid ();
  pthread_once (&once, prepare_once);
  if (area == own && own_everyone && area->slot && !counters_of_caller (area))
    lp_own_claim ();
  lp_range_block *block = area->keep ? take_new (area) : take_ended (area, pid);
  if (!block)
    block = area->keep ? take_ended (area, pid) : take_new (area);
  mine.epoch = epoch;
  mine.block = block;
  if (!block)
    return NULL;
  block->tid = gettid ();
  block->pid = pid;
  block->depth = 0;
  block->generation++;
  block->state = LP_RANGE_LIVE;
  pthread_setspecific (key, block);
  return block;
}

/* The block that the calling thread writes to now, or NULL.  */
static lp_range_block *
my_block (lp_range_area *area)
{
  uint64_t epoch = the_epoch ();
  if (area == own && !own_everyone && !mine.on)
    return NULL;
  return mine.epoch == epoch ? mine.block : claim (area, epoch);
}

/* Names.  */

enum { CACHE = 1024, TRIES = 8 };

static struct
{
  const char *name;
  uint64_t row;			/* its epoch, and in the lower 16 bits its number */
} cache[CACHE];

/* The row of the text NAME in AREA; 0: it has none.  */
static uint32_t
find_text (const lp_range_area *area, const char *name)
{
  uint32_t n = area->nnames < LP_RANGE_NAMES ? area->nnames : LP_RANGE_NAMES;
  for (uint32_t i = 1; i < n; i++)
    {
      uint32_t at = __atomic_load_n (&area->names[i], __ATOMIC_ACQUIRE);
      if (at && strcmp (area->text + at - 1, name) == 0)
	return i;
    }
  return 0;
}

/* A new row for it.  */
static uint32_t
add_text (lp_range_area *area, const char *name)
{
  size_t size = strlen (name) + 1;
  if (size > LP_RANGE_TEXT || area->ntext > LP_RANGE_TEXT - size
      || area->nnames >= LP_RANGE_NAMES)
    {
      area->names_refused = 1;
      return 0;
    }
  uint32_t at = __atomic_fetch_add (&area->ntext, size, __ATOMIC_ACQ_REL);
  uint32_t i = __atomic_fetch_add (&area->nnames, 1, __ATOMIC_ACQ_REL);
  if (at > LP_RANGE_TEXT - size || i >= LP_RANGE_NAMES)
    {
      area->names_refused = 1;
      return 0;
    }
  memcpy (area->text + at, name, size);
  __atomic_store_n (&area->names[i], at + 1, __ATOMIC_RELEASE);
  return i;
}

static uint32_t
row_of_text (lp_range_area *area, const char *name)
{
  uint32_t row = find_text (area, name);
  return row ? row : add_text (area, name);
}

static uint32_t
row_of (lp_range_area *area, const char *name)
{
  uint64_t epoch = the_epoch () << 16;
  size_t i = ((uintptr_t) name * UINT64_C (0x9e3779b97f4a7c15)) >> 54;
  for (int tries = 0; tries < TRIES; tries++, i = (i + 1) % CACHE)
    {
      const char *there = __atomic_load_n (&cache[i].name, __ATOMIC_ACQUIRE);
      if (!there
	  && __atomic_compare_exchange_n (&cache[i].name, &there, name, false,
					  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
	there = name;
      if (there != name)
	continue;
      uint64_t row = __atomic_load_n (&cache[i].row, __ATOMIC_RELAXED);
      if (row >> 16 << 16 == epoch)
	return row & 0xffff;
      row = row_of_text (area, name);
      __atomic_store_n (&cache[i].row, epoch | row, __ATOMIC_RELAXED);
      return row;
    }
  return row_of_text (area, name);
}

/* What the header calls.  */

uint64_t
lp_range_enter (const char *name)
{
  lp_range_area *area = the_area ();
  lp_range_block *block = area ? my_block (area) : NULL;
  if (!block)
    return 0;
  uint32_t depth = block->depth;
  lp_range_open (area, block, row_of (area, name));
  if (depth < LP_RANGE_DEPTH)
    block->frames[depth].start = own_now (area, block, __rdtsc ());
  return (uint64_t) block->generation << 32 | (depth + 1);
}

/* End the ranges of BLOCK from the innermost to the one that made the depth
   DEPTH.  */
static void
leave (const lp_range_area *area, lp_range_block *block, uint32_t depth)
{
  uint64_t now = own_now (area, block, __rdtsc ());
  while (block->depth >= depth)
    {
      lp_range_close (block, now, area->inside, true);
      block->lost += area->whole;
    }
}

void
lp_range_leave (uint64_t mark)
{
  lp_range_area *area = the_area ();
  lp_range_block *block = mine.block;
  if (!area || !block || mine.epoch != the_epoch () || !block->depth)
    return;
  if (mark == 0)
    leave (area, block, block->depth);
  else if (mark >> 32 == block->generation)
    leave (area, block, (uint32_t) mark);
}

/* This process as its own recorder.  */

static void
use (lp_range_area *area)
{
  lp_the_range_hook.epoch++;
  __atomic_store_n (&lp_the_range_hook.area, (uintptr_t) area, __ATOMIC_RELEASE);
  __atomic_store_n (&lp_ranges_on, area != NULL, __ATOMIC_RELEASE);
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
  if (the_area ())
    return 0;
  own = map_area (err);
  if (!own)
    return -1;
  own_everyone = everyone;
  lp_ranges_init (own, own_blocks);
  if (pool)
    lp_ranges_use_counters (own, pool, lp_own_slot_offset ());
  use (own);
  return 0;
}

void
lp_range_record_end (bool alone)
{
  size_t size = lp_ranges_size (own_blocks);
  if (!own)
    return;
  use (NULL);
  if (alone)
    munmap (own, size);
  else if (madvise (own, size, MADV_DONTNEED) == 0)
    kept = own;
  own = NULL;
  mine.on = false;
}

void
lp_range_thread_on (void)
{
  mine.on = true;
}

void
lp_range_thread_off (void)
{
  lp_range_block *block = mine.block;
  if (own && block && mine.epoch == the_epoch ())
    lp_range_close_all (block, own_now (own, block, __rdtsc ()));
  mine.on = false;
}

void
lp_range_clear (void)
{
  for (size_t i = 0; own && i < own->used && i < own->nblocks; i++)
    memset (own->blocks[i].rows, 0, sizeof own->blocks[i].rows);
}

const lp_range_area *
lp_range_own_area (void)
{
  return own;
}
