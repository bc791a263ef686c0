/* events.h: what an entry, an exit and a change of line do to a block, in C:
   for engines that count from outside, and for closing what is open when a block
   is read.  runtime/thunks.S does the same inside the program.

   BLOCK points to the block's first byte; CFA is the canonical frame address of
   the call, NOW the time-stamp counter.  */

#ifndef LP_WIRE_EVENTS_H
#define LP_WIRE_EVENTS_H

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

/* A block that was never used, or whose thread is gone, gets a new owner.  Its
   cells keep their sums.  */
static inline void
lp_event_begin (lp_block *block, uint64_t now, uint32_t entry_cost,
		uint32_t exit_cost)
{
  block->last = now;
  block->line = LP_OUTSIDE_LINE;
  block->func = LP_OUTSIDE_FUNC;
  block->limit = LP_FRAMES + (LP_MAX_FRAMES - 1) * LP_FRAME_SIZE;
  block->version = LP_WIRE_VERSION;
  block->entry_cost = entry_cost;
  block->exit_cost = exit_cost;
  lp_frame_at (block, LP_FRAMES)->cfa = ~(uint64_t) 0;
  block->top = LP_FRAMES;
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

static inline void
lp_event_line (lp_block *block, uint64_t now, uint32_t line)
{
  lp_event_charge (block, now);
  block->line = line;
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

/* Take the top frame off, as its function's exit does.  */
static inline void
lp_event_pop (lp_block *block)
{
  lp_frame *frame = lp_frame_at (block, block->top);
  if (frame->func)
    lp_event_count (block, frame);
  frame->func = 0;
  block->line = frame->caller_line;
  block->func = frame->caller_func;
  block->top -= LP_FRAME_SIZE;
}

/* Drop the frames on top with a CFA below LIMIT: thrown or jumped over.  */
static inline void
lp_event_drop (lp_block *block, uint64_t limit)
{
  while (block->top > LP_FRAMES
	 && lp_frame_at (block, block->top)->cfa < limit)
    lp_event_pop (block);
}

static inline void
lp_event_entry (lp_block *block, uint64_t now, uint64_t cfa, uint32_t func,
		uint32_t line)
{
  lp_event_charge (block, now);
  lp_event_drop (block, cfa + 1);
  lp_func_at (block, func)->calls++;
  if (block->top >= block->limit)
    block->overflow++;
  else
    {
      lp_frame frame = {
	.cfa = cfa, .entry = block->clock,
	.self_before = lp_func_at (block, func)->total,
	.caller_before = lp_func_at (block, block->func)->total,
	.caller_line = block->line, .caller_func = block->func,
	.func = func };
      block->top += LP_FRAME_SIZE;
      *lp_frame_at (block, block->top) = frame;
      block->func = func;
    }
  block->line = line;
}

static inline void
lp_event_exit (lp_block *block, uint64_t now, uint64_t cfa)
{
  lp_event_charge (block, now);
  lp_event_drop (block, cfa);
  if (lp_frame_at (block, block->top)->cfa == cfa)
    lp_event_pop (block);
}

static inline void
lp_event_resync (lp_block *block, uint64_t now, uint64_t sp)
{
  lp_event_charge (block, now);
  lp_event_drop (block, sp + 1);
}

/* CHILD, just begun, is the block of a process that a thread with block PARENT
   has forked: it is in the same calls and on the same line, which count for it
   from now on.  */
static inline void
lp_event_fork (lp_block *child, const lp_block *parent)
{
  for (uint32_t at = LP_FRAMES + LP_FRAME_SIZE; at <= parent->top;
       at += LP_FRAME_SIZE)
    {
      lp_frame *frame = lp_frame_at (child, at);
      *frame = *lp_frame_at ((lp_block *) parent, at);
      frame->entry = child->clock;
      frame->self_before = lp_func_at (child, frame->func)->total;
      frame->caller_before = lp_func_at (child, frame->caller_func)->total;
    }
  child->line = parent->line;
  child->func = parent->func;
  child->top = parent->top;
}

/* The thread is gone, or the program has ended: close everything.  */
static inline void
lp_event_end (lp_block *block, uint64_t now)
{
  lp_event_charge (block, now);
  lp_event_drop (block, ~(uint64_t) 0);
}

#endif
