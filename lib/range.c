/* range.c: what LP_RANGE calls, and the thread-local words of the library.  This is
   there from the start, whoever records; range_own.c and range.h are the process as
   its own recorder, in the engine.

   A range costs two looks at the clock and a search for its name.  Names are
   found by their address: the cache below maps it to a row of the area, whose
   number is good as long as the hook's epoch is.  */

#define _GNU_SOURCE

#include "host.h"

#include <lineprof.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

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

static lp_own_ranges own;
static __thread lp_host_thread self __attribute__ ((tls_model ("initial-exec")));

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
  lp_range_block *block = self.range.block;
  (void) nothing;
  if (block && self.range.epoch == the_epoch ())
    {
      lp_range_close_all (block, own_now (the_area (), block, __rdtsc ()));
      __atomic_store_n (&block->state, LP_RANGE_ENDED, __ATOMIC_RELEASE);
    }
  self.range.block = NULL;
  self.range.epoch = 0;
}

/* A forked child has no range open.  Where its memory is its own, its parent's
   threads, which are not there, are ended.  */
static void
in_child (void)
{
  lp_range_area *area = own.area;
  for (size_t i = 0; area && i < area->used && i < area->nblocks; i++)
    {
      lp_range_block *block = &area->blocks[i];
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
  if (area == own.area && own.everyone && area->slot
      && !counters_of_caller (area))
    own.claim ();
  lp_range_block *block = area->keep ? take_new (area) : take_ended (area, pid);
  if (!block)
    block = area->keep ? take_ended (area, pid) : take_new (area);
  self.range.epoch = epoch;
  self.range.block = block;
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
  if (area == own.area && !own.everyone && !self.range.on)
    return NULL;
  return self.range.epoch == epoch ? self.range.block : claim (area, epoch);
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
  lp_range_block *block = self.range.block;
  if (!area || !block || self.range.epoch != the_epoch () || !block->depth)
    return;
  if (mark == 0)
    leave (area, block, block->depth);
  else if (mark >> 32 == block->generation)
    leave (area, block, (uint32_t) mark);
}

/* What the engine uses.  */

/* Nothing here may touch vector registers.  */
#pragma GCC push_options
#pragma GCC target ("general-regs-only")

static lp_host_thread *
this_thread (void)
{
  return &self;
}

#pragma GCC pop_options

static void
close_ranges (void)
{
  lp_range_block *block = self.range.block;
  if (own.area && block && self.range.epoch == the_epoch ())
    lp_range_close_all (block, own_now (own.area, block, __rdtsc ()));
}

static const lp_host host = { &lp_the_range_hook, &own, this_thread, close_ranges };
const lp_host *lp_the_host = &host;
