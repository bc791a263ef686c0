/* frames.h: charging time and closing calls, in C: what events.h and stacks.h share.

   BLOCK points to the block's first byte; NOW is the time-stamp counter.  Signal
   handlers may come in between, by the rules of runtime/thunks.S.  */

#ifndef LP_WIRE_FRAMES_H
#define LP_WIRE_FRAMES_H

#include "wire/layout.h"

static inline lp_line_cell *
lp_line_at (lp_block *block, uint32_t offset)
{
  return (lp_line_cell *) ((char *) block + offset);
}

static inline lp_func_cell *
lp_func_at (lp_block *block, uint32_t offset)
{
  return (lp_func_cell *) ((char *) block + offset);
}

static inline lp_frame *
lp_frame_at (lp_block *block, uint32_t offset)
{
  return (lp_frame *) ((char *) block + offset);
}

/* Change `func' and `top' by one instruction: a signal or a tracer comes before it or
   behind it.  They are no aligned pair, which an atomic store would have to be.  */
static inline void
lp_block_set (lp_block *block, uint32_t func, uint32_t top)
{
  typedef uint64_t __attribute__ ((may_alias, aligned (4))) pair;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  *(volatile pair *) &block->func = (uint64_t) top << 32 | func;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

/* Charge the time since the last event to the current line.  */
static inline void
lp_event_charge (lp_block *block, uint64_t now)
{
  uint64_t ticks = now - block->last;
  block->last = now;
  block->clock += ticks;
  lp_line_at (block, block->line)->self += ticks;
}

/* Count the time of a complete frame that is being closed.  */
static inline void
lp_event_count (lp_block *block, const lp_frame *frame)
{
  uint64_t elapsed = block->clock - frame->entry;
  lp_func_at (block, frame->func)->total = frame->self_before + elapsed;
  uint64_t own = lp_func_at (block, frame->caller_func)->total
		 - frame->caller_before;
  lp_line_at (block, frame->caller_line)->callees += elapsed - own;
}

/* Take the top frame off, as its function's exit does.  A handler may be faster.  */
static inline void
lp_event_pop (lp_block *block)
{
  uint32_t top = block->top;
  lp_frame *place = lp_frame_at (block, top), frame = *place;
  uint32_t func = frame.func;
  if (func && !__atomic_compare_exchange_n (&place->func, &func, 0, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;
  if (func)
    lp_event_count (block, &frame);
  block->line = frame.caller_line;
  lp_block_set (block, frame.caller_func, top - LP_FRAME_SIZE);
}

/* Drop the frames on top with a CFA below LIMIT: thrown or jumped over.  */
static inline void
lp_event_drop (lp_block *block, uint64_t limit)
{
  while (block->top > LP_FRAMES
	 && lp_frame_at (block, block->top)->cfa < limit)
    lp_event_pop (block);
}

#endif
