/* ranges.c: reading the named ranges of a program.  The program can write where
   they are: nothing there is believed.  */

#include "collect/ranges.h"

#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "base/arena.h"
#include "profile/ranges.h"

size_t
lp_ranges_size (size_t nblocks)
{
  return sizeof (lp_range_area) + nblocks * sizeof (lp_range_block);
}

/* The least ticks that LOOPS empty ranges take, at all (*WHOLE) and between their
   own two looks at the clock (*INSIDE), each.  */
static void
measure (lp_range_area *area, lp_range_block *block, uint64_t *inside,
	 uint64_t *whole)
{
  enum { BATCHES = 8, LOOPS = 128 };
  *inside = *whole = UINT64_MAX;
  for (int batch = 0; batch < BATCHES; batch++)
    {
      uint64_t in = 0, begin = __rdtsc ();
      for (int i = 0; i < LOOPS; i++)
	{
	  lp_range_open (area, block, 1);
	  uint64_t start = block->frames[0].start = __rdtsc ();
	  uint64_t now = __rdtsc ();
	  lp_range_close (block, now, 0, true);
	  in += now - start;
	}
      uint64_t all = __rdtsc () - begin;
      *inside = in / LOOPS < *inside ? in / LOOPS : *inside;
      *whole = all / LOOPS < *whole ? all / LOOPS : *whole;
    }
}

void
lp_ranges_init (lp_range_area *area, size_t nblocks)
{
  area->version = LP_RANGES_VERSION;
  area->nblocks = nblocks;
  area->nnames = 1;
  lp_range_block *block = &area->blocks[0];
  measure (area, block, &area->inside, &area->whole);
  memset (block, 0, offsetof (lp_range_block, rows) + 2 * sizeof *block->rows);
}

void
lp_ranges_use_counters (lp_range_area *area, const lp_pool *pool, int32_t slot)
{
  area->slot = slot;
  area->shared_lo = pool->remote;
  area->shared_hi = pool->remote + 2 * pool->stride;
}

/* The lp_block at the program's address ADDR, here.  */
static const lp_block *
counters_at (const lp_pool *pool, uint64_t addr)
{
  if (!pool || !pool->local || addr < pool->remote)
    return NULL;
  uint64_t at = addr - pool->remote;
  return at % pool->stride || at / pool->stride >= pool->owners.nused ? NULL
	 : (const lp_block *) (pool->local + at);
}

static uint64_t
clock_of (const lp_range_block *block, const lp_pool *pool, uint64_t now)
{
  uint64_t lag = lp_range_lag (counters_at (pool, block->counters), &now);
  return now - lag - block->lost;
}

/* Can the stack of BLOCK, a copy, be believed?  */
static bool
is_sane (const lp_range_block *block)
{
  for (uint32_t i = 0; i < block->depth && i < LP_RANGE_DEPTH; i++)
    if (block->frames[i].row >= LP_RANGE_NAMES)
      return false;
  return true;
}

static size_t
blocks_used (const lp_range_area *area, size_t nblocks)
{
  uint32_t used = __atomic_load_n (&area->used, __ATOMIC_ACQUIRE);
  return used < nblocks ? used : nblocks;
}

/* The text of row I, or NULL.  */
static const char *
name_of (const lp_range_area *area, uint32_t i)
{
  uint32_t at = __atomic_load_n (&area->names[i], __ATOMIC_ACQUIRE);
  if (!at || at > LP_RANGE_TEXT
      || !memchr (area->text + at - 1, '\0', LP_RANGE_TEXT - at + 1))
    return NULL;
  return area->text + at - 1;
}

static lp_range_row *
sum_of (lp_range_sums *sums, const char *name, pid_t pid, pid_t tid)
{
  for (size_t i = 0; i < sums->list.n; i++)
    {
      lp_range_sum *sum = &sums->list.v[i];
      if (sum->name == name && sum->pid == pid && sum->tid == tid)
	return &sum->row;
    }
  lp_range_sum sum = { .name = name, .pid = pid, .tid = tid };
  if (!name || lp_vec_push (&sums->list, sum))
    return NULL;
  return &sums->list.v[sums->list.n - 1].row;
}

static void
add_row (lp_range_row *to, const lp_range_row *from)
{
  if (from->closed && (!to->closed || from->min < to->min))
    to->min = from->min;
  if (from->closed && from->max > to->max)
    to->max = from->max;
  to->count += from->count;
  to->closed += from->closed;
  to->total += from->total;
  to->own += from->own;
}

static int
add_block (lp_range_sums *sums, const lp_range_area *area,
	   const lp_range_block *block, bool by_thread, lp_arena *strings)
{
  for (uint32_t i = 1; i < LP_RANGE_NAMES; i++)
    {
      const lp_range_row *row = &block->rows[i];
      const char *name = row->count ? name_of (area, i) : NULL;
      if (!name)
	continue;
      lp_range_row *sum = sum_of (sums, lp_arena_intern (strings, name),
				  block->pid, by_thread ? block->tid : 0);
      if (!sum)
	return -1;
      add_row (sum, row);
    }
  return 0;
}

/* Add BLOCK, whose thread may run.  */
static int
peek (lp_range_sums *sums, const lp_range_area *area,
      const lp_range_block *block, const lp_pool *pool, bool by_thread,
      uint64_t end, lp_arena *strings)
{
  lp_range_block *copy = malloc (sizeof *copy);
  if (!copy)
    return -1;
  memcpy (copy, block, sizeof *copy);
  int bad = 0;
  if (is_sane (copy))
    {
      lp_range_close_all (copy, clock_of (copy, pool, end ? end : __rdtsc ()));
      bad = add_block (sums, area, copy, by_thread, strings);
    }
  free (copy);
  return bad;
}

int
lp_ranges_add (lp_range_sums *sums, const lp_range_area *area, size_t nblocks,
	       const lp_pool *pool, pid_t pid, bool by_thread, uint64_t end,
	       lp_arena *strings)
{
  sums->threads_refused |= area->threads_refused != 0;
  sums->names_refused |= area->names_refused != 0;
  sums->too_deep |= area->too_deep != 0;
  for (size_t i = 0; i < blocks_used (area, nblocks); i++)
    {
      const lp_range_block *block = &area->blocks[i];
      if (block->pid && (!pid || block->pid == pid)
	  && peek (sums, area, block, pool, by_thread, end, strings))
	return -1;
    }
  return 0;
}

void
lp_ranges_retire (lp_range_area *area, size_t nblocks, const lp_pool *pool,
		  pid_t pid, pid_t tid)
{
  uint64_t now = __rdtsc ();
  for (size_t i = 0; i < blocks_used (area, nblocks); i++)
    {
      lp_range_block *block = &area->blocks[i];
      if (block->pid != pid || (tid && block->tid != tid)
	  || block->state != LP_RANGE_LIVE || !is_sane (block))
	continue;
      lp_range_close_all (block, clock_of (block, pool, now));
      block->state = LP_RANGE_ENDED;
    }
}

void
lp_range_sums_free (lp_range_sums *sums)
{
  lp_vec_free (&sums->list);
  *sums = (lp_range_sums) { .too_deep = false };
}

/* Into a profile.  */

static lp_part *
part_of (lp_profile *profile, pid_t pid, pid_t tid, const char *name)
{
  for (size_t i = 0; i < profile->parts.n; i++)
    if (profile->parts.v[i].pid == pid && profile->parts.v[i].tid == tid)
      return &profile->parts.v[i];
  lp_part part = { .pid = pid, .tid = tid,
		   .name = lp_profile_string (profile, name) };
  if (!part.name || lp_vec_push (&profile->parts, part))
    return NULL;
  return &profile->parts.v[profile->parts.n - 1];
}

static int64_t
to_ns (const lp_profile *profile, uint64_t ticks)
{
  return (int64_t) (ticks / profile->ticks_per_ns + 0.5);
}

static int
note_if (lp_profile *profile, bool so, const char *text)
{
  const char *note = so ? lp_profile_string (profile, text) : NULL;
  return so && (!note || lp_vec_push (&profile->notes, note)) ? -1 : 0;
}

int
lp_ranges_fill (lp_profile *profile, const lp_range_sums *sums,
		const char *name)
{
  for (size_t i = 0; i < sums->list.n; i++)
    {
      const lp_range_sum *sum = &sums->list.v[i];
      const lp_range_row *row = &sum->row;
      lp_part *part = part_of (profile, sum->pid, sum->tid, name);
      lp_range_stat stat = {
	.name = sum->name, .count = row->count,
	.total = to_ns (profile, row->total), .own = to_ns (profile, row->own),
	.min = row->closed ? to_ns (profile, row->min) : -1,
	.max = row->closed ? to_ns (profile, row->max) : -1,
	.open = row->count > row->closed ? row->count - row->closed : 0 };
      if (!part || lp_part_add_range (profile, part, &stat))
	return -1;
    }
  return note_if (profile, sums->threads_refused, "named ranges: there were "
		  "more threads than are told apart or recorded")
	 || note_if (profile, sums->names_refused, "named ranges: there are more "
		     "names than are recorded (511, of 32768 bytes)")
	 || note_if (profile, sums->too_deep, "named ranges: more than 128 in "
		     "each other; the inner ones were not recorded") ? -1 : 0;
}
