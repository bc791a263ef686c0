/* ranges.h: the named ranges of a program's threads (<lineprof.h>, LP_RANGE), in memory
   that the library in the program writes and the profiler reads.

   An area has the names, and a block for each thread: a row of sums for each name, and
   the stack of the ranges that are open.  Only its thread writes a block.  Names are
   added by whoever needs one, without a lock: two threads, or two processes that share
   the area, may add the same one at once, so the reader adds up equal names.

   Times are ticks of the thread's own clock: the time-stamp counter, without what
   the probes cost (the difference of `last' and `clock' in the thread's lp_block,
   layout.h) and what the ranges themselves cost.  */

#ifndef LP_WIRE_RANGES_H
#define LP_WIRE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/layout.h"

#define LP_RANGES_VERSION 1

/* The note of a file that has the library in it: name LP_RANGE_NOTE, type 1; its
   descriptor is the distance, as 8 bytes, from itself to an lp_range_hook.  */
#define LP_RANGE_NOTE "LPRange"
#define LP_RANGE_SECTION ".note.LPRange"

enum
{
  LP_RANGE_NAMES = 512,		/* number 0 is for what finds no place among them */
  LP_RANGE_TEXT = 1 << 15,	/* bytes of all names */
  LP_RANGE_DEPTH = 128		/* ranges in ranges; deeper ones are not recorded */
};

/* How the library learns that somebody records.  All addresses are run-time ones.  */
typedef struct lp_range_hook
{
  uint64_t version;		/* LP_RANGES_VERSION */
  uint64_t on;			/* of the `int' that callers look at */
  uint64_t area;		/* 0: nobody records */
  uint64_t epoch;		/* another one whenever AREA is, or the process */
} lp_range_hook;

typedef struct lp_range_row
{
  uint64_t count;		/* how often it was begun */
  uint64_t closed;		/* how often it was ended by itself */
  uint64_t total;		/* with it open, each tick counted once */
  uint64_t own;			/* without the ranges in it */
  uint64_t min, max;		/* of those that are closed */
  uint64_t active;		/* how many are open */
  uint64_t spare;
} lp_range_row;

typedef struct lp_range_frame
{
  uint64_t start;
  uint64_t nested;		/* ticks in ranges directly in it */
  uint64_t row;			/* its index */
  uint64_t spare;
} lp_range_frame;

enum { LP_RANGE_FREE, LP_RANGE_LIVE, LP_RANGE_ENDED };

typedef struct lp_range_block
{
  uint32_t state;
  int32_t pid, tid;		/* of its thread, the last one where that has ended */
  uint32_t depth;		/* of the open ranges; may be more than LP_RANGE_DEPTH */
  uint32_t generation;		/* changes when all that is open is ended from outside */
  uint32_t spare;
  uint64_t lost;		/* ticks that the thread's clock is behind */
  uint64_t counters;		/* the run-time address of its lp_block, or 0 */
  lp_range_frame frames[LP_RANGE_DEPTH];
  lp_range_row rows[LP_RANGE_NAMES];
} lp_range_block;

typedef struct lp_range_area
{
  uint64_t version;
  uint32_t nblocks, used;	/* blocks that there are, and that were taken; USED may be
				   more */
  uint32_t keep;		/* a block whose thread has ended is taken last */
  int32_t slot;			/* distance from fs:0 to the thread's slot, or 0 */
  uint64_t shared_lo, shared_hi; /* lp_blocks between these are no thread's own */
  uint64_t inside, whole;	/* ticks that a range costs: between its two looks at the
				   clock, and at all */
  uint32_t threads_refused, names_refused, too_deep; /* what found no place */
  uint32_t nnames, ntext;	/* that were asked for: may be more than there is */
  uint32_t names[LP_RANGE_NAMES]; /* 1 + the offset of its text; 0: not there yet */
  char text[LP_RANGE_TEXT];
  lp_range_block blocks[];
} lp_range_area;

/* How far the clock of the thread of COUNTERS is behind the counter, which is at
   *NOW, at least.  */
static inline uint64_t
lp_range_lag (const lp_block *counters, uint64_t *now)
{
  if (!counters)
    return 0;
  uint64_t last = counters->last;
  if (*now < last)
    *now = last;
  return last - counters->clock;
}

static inline void
lp_range_open (lp_range_area *area, lp_range_block *block, uint32_t row)
{
  if (block->depth < LP_RANGE_DEPTH)
    {
      block->frames[block->depth]
	= (lp_range_frame) { .row = row };
      block->rows[row].count++;
      block->rows[row].active++;
    }
  else
    area->too_deep = 1;
  block->depth++;
}

/* End the innermost range at NOW of the thread's clock.  It took the ticks that
   SPENT says too much.  REGULAR: by itself.  */
static inline void
lp_range_close (lp_range_block *block, uint64_t now, uint64_t spent,
		bool regular)
{
  if (--block->depth >= LP_RANGE_DEPTH)
    return;
  const lp_range_frame *frame = &block->frames[block->depth];
  lp_range_row *row = &block->rows[frame->row];
  uint64_t ticks = now - frame->start;
  ticks = (int64_t) ticks < (int64_t) spent ? 0 : ticks - spent;
  row->own += ticks > frame->nested ? ticks - frame->nested : 0;
  if (--row->active == 0)
    row->total += ticks;
  if (block->depth > 0)
    block->frames[block->depth - 1].nested += ticks;
  if (!regular)
    return;
  if (row->closed++ == 0 || ticks < row->min)
    row->min = ticks;
  if (ticks > row->max)
    row->max = ticks;
}

/* End all that is open at NOW, because recording ends, or the thread.  */
static inline void
lp_range_close_all (lp_range_block *block, uint64_t now)
{
  if (block->depth > LP_RANGE_DEPTH)
    block->depth = LP_RANGE_DEPTH;
  while (block->depth)
    lp_range_close (block, now, 0, false);
  block->generation++;
}

#endif
