/* events.h: what an entry, an exit and a change of line do to a block, in C:
   for engines that count from outside, and for closing what is open when a block
   is read.  runtime/thunks.S does the same inside the program.

   BLOCK points to the block's first byte; CFA is the canonical frame address of
   the call, NOW the time-stamp counter.  */

#ifndef LP_WIRE_EVENTS_H
#define LP_WIRE_EVENTS_H

#include "wire/stacks.h"

/* A block that was never used, or whose thread is gone, gets a new owner.  Its
   cells keep their sums.  */
static inline void
lp_event_begin (lp_block *block, uint64_t now, uint32_t entry_cost,
		uint32_t exit_cost)
{
  block->last = now;
  block->line = LP_OUTSIDE_LINE;
  block->func = LP_OUTSIDE_FUNC;
  block->limit = LP_FRAMES + (LP_MAX_FRAMES - 2) * LP_FRAME_SIZE;
  block->version = LP_WIRE_VERSION;
  block->entry_cost = entry_cost;
  block->exit_cost = exit_cost;
  lp_stack_begin (block);
  block->top = LP_FRAMES;
}

/* The same for a block that is nobody's own: many may be in it, without frames, which
   would mix.  */
static inline void
lp_event_share (lp_block *block)
{
  block->limit = LP_FRAMES;
  lp_stack_ignore (block);
}

static inline void
lp_event_line (lp_block *block, uint64_t now, uint32_t line)
{
  lp_event_charge (block, now);
  block->line = line;
}

static inline void
lp_event_entry (lp_block *block, uint64_t now, uint64_t cfa, uint32_t func,
		uint32_t line)
{
  lp_event_charge (block, now);
  lp_stack_check (block, cfa, LP_AT_ENTRY, false);
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
  lp_stack_check (block, cfa, LP_AT_EXIT, false);
  lp_event_drop (block, cfa + 1);
  lp_stack_check_left (block, false);
}

static inline void
lp_event_resync (lp_block *block, uint64_t now, uint64_t sp)
{
  lp_event_charge (block, now);
  lp_stack_settle (block, sp, LP_AT_RESYNC, false);
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
  lp_stack_fork (child, parent);
  child->line = parent->line;
  child->func = parent->func;
  child->top = parent->top;
}

/* The thread is gone, or the program has ended: close everything.  */
static inline void
lp_event_end (lp_block *block, uint64_t now)
{
  lp_event_charge (block, now);
  while (block->top > LP_FRAMES)
    lp_event_pop (block);
}

#endif
