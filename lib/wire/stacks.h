/* stacks.h: threads that change stacks: fibers, coroutines with stacks, handlers on an
   alternate one.

   The frames in a block are the calls of the stack that its thread runs on.  A call's
   time is that in which its stack runs: when the thread runs on another, the calls
   are parked (depot.h), closed as far as times go, and opened again, uncounted, when
   the stack goes on, in this thread or another.  So a stack is to its calls as a
   thread is: what it calls is on it, and nobody has called its outermost one.

   Nobody says when the thread changes stacks.  An event's CFA does: mostly it is
   within LP_STACK_REACH of those seen on the stack before (`floor' to `ceiling'; that is all
   that the fast ways look at).  If not, then it is on a parked stack if it belongs between
   that one's calls, or below them; else on a stack that was not known.  The stack that
   the process or the thread began on has a place that is known, of LP_STACK_HOME bytes: there,
   a function may have large arrays.  On other stacks, what one with an array of
   LP_STACK_REACH calls is taken for another stack's.

   A stack that is abandoned stays parked, until a thread runs where its calls were, or others
   need the place.

   A guest is a stack that a call started on, and that nobody has left since: when that call
   returns, the thread is taken to be back where it was.  So a handler on an alternate
   stack leaves the line that it interrupted the current one.

   Signals.  While something is moved, `settling' is not 0, and a frame that no event
   ends is on top: what a handler does goes on and off above it.  A handler
   that leaves by longjmp meanwhile takes the open calls with it.  */

#ifndef LP_WIRE_STACKS_H
#define LP_WIRE_STACKS_H

#include "wire/park.h"

/* Smaller than stacks usually are, larger than most functions' frames.  */
#define LP_STACK_REACH 12288
#define LP_STACK_HOME (8 << 20)	/* of bytes below its upper end */

/* Set what the fast ways compare with.  In between, no event reaches the root.  */
static inline void
lp_stack_window (lp_block *block)
{
  uint64_t *root = &lp_frame_at (block, LP_FRAMES)->cfa;
  __atomic_store_n (root, ~(uint64_t) 0, __ATOMIC_SEQ_CST);
  block->floor = block->deep > LP_STACK_REACH ? block->deep - LP_STACK_REACH
		 : 0;
  __atomic_store_n (&block->ceiling, block->high + LP_STACK_REACH,
		    __ATOMIC_SEQ_CST);
  *root = block->ceiling + 1;
}

/* BLOCK is in no call, on no stack that is known.  */
static inline void
lp_stack_begin (lp_block *block)
{
  block->floor = block->ceiling = block->deep = block->high = 0;
  block->previous = block->guest = block->settling = 0;
  lp_frame_at (block, LP_FRAMES)->cfa = 0;
}

/* CHILD is the block of a process that was forked on the stack that PARENT's thread runs on.
   The stacks that wait are there, too.  */
static inline void
lp_stack_fork (lp_block *child, const lp_block *parent)
{
  child->deep = parent->deep;
  child->high = parent->high;
  child->guest = parent->guest;
  child->previous = parent->previous;
  if (child->high)
    lp_stack_window (child);
  lp_depot *depot = child->process == parent->process ? NULL
		    : lp_depot_open (child);
  if (depot)
    lp_depot_fork (depot, parent->process, child->process);
  lp_depot_close (depot, child);
}

/* BLOCK's stacks are not told apart: calls are ended by their CFA alone.  */
static inline void
lp_stack_ignore (lp_block *block)
{
  lp_frame_at (block, LP_FRAMES)->cfa = ~(uint64_t) 0;
  block->floor = block->guest = 0;
  block->ceiling = ~(uint64_t) 0;
}

static inline void
lp_stack_settling (lp_block *block, uint32_t how)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  block->settling = how;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

static inline void
lp_stack_widen (lp_block *block, uint64_t cfa)
{
  if (!block->high || cfa < block->deep)
    block->deep = cfa;
  if (cfa > block->high)
    block->high = cfa;
  lp_stack_window (block);
}

static inline bool
lp_stack_is_below (uint64_t end, uint64_t cfa)
{
  return cfa <= end && end - cfa < LP_STACK_HOME;
}

/* Are A and B both on the stack that the process, or the thread, began on?  C libraries put
   what the thread pointer points to at its upper end.  */
static inline bool
lp_stack_is_home (const lp_change *c, uint64_t a, uint64_t b)
{
  uint64_t end = c->block->depot ? lp_depot_of (c->block)->main : 0;
  return (lp_stack_is_below (end, a) && lp_stack_is_below (end, b))
	 || (lp_stack_is_below (c->block->thread, a)
	     && lp_stack_is_below (c->block->thread, b));
}

/* Is C's event on the stack that runs?  */
static inline bool
lp_stack_has (const lp_change *c)
{
  lp_block *block = c->block;
  uint64_t low = block->deep;
  if (block->top > LP_FRAMES && lp_frame_at (block, block->top)->cfa < low)
    low = lp_frame_at (block, block->top)->cfa;
  return block->high
	 && ((c->cfa + LP_STACK_REACH >= low
	      && c->cfa <= block->high + LP_STACK_REACH)
	     || lp_stack_is_home (c, block->high, c->cfa));
}

/* Find the parked stack that C's event is on; its position, or LP_DEPOT_NONE.  *NEAR:
   but perhaps on the one that runs.  *DEAD: all its calls are over.  */
static inline uint32_t
lp_stack_find (const lp_change *c, bool *near, bool *dead)
{
  uint32_t process = c->block->process, n = lp_depot_count (c->depot);
  uint32_t at = lp_depot_above (c->depot, process, c->cfa);
  const lp_piece *below = at ? lp_depot_at (c->depot, at - 1) : NULL;
  const lp_piece *above = at < n ? lp_depot_at (c->depot, at) : NULL;
  below = below && below->process == process ? below : NULL;
  above = above && above->process == process ? above : NULL;
  *near = *dead = false;
  if (below && c->cfa <= below->high)
    {
      *dead = c->kind == LP_AT_ENTRY || c->cfa > below->outer;
      return at - 1;
    }
  if (above && c->cfa >= above->deep)
    return at;
  *near = true;
  if (above && (c->cfa + LP_STACK_REACH >= above->deep
		|| lp_stack_is_home (c, above->high, c->cfa)))
    return at;
  *dead = true;
  return below && (c->cfa <= below->high + LP_STACK_REACH
		   || lp_stack_is_home (c, below->high, c->cfa))
	 ? at - 1 : LP_DEPOT_NONE;
}

/* Put a frame that no event ends behind whatever is going to be written; the offset of the
   one that was on top.  */
static inline uint32_t
lp_stack_guard (const lp_change *c)
{
  lp_block *block = c->block;
  uint32_t top = block->top, n = c->piece == LP_DEPOT_NONE ? 0
		 : lp_depot_piece (c->depot, c->piece)->ncalls;
  uint32_t most = LP_FRAMES + (n < LP_PARKED_CALLS ? n : LP_PARKED_CALLS)
		  * LP_FRAME_SIZE;
  uint32_t at = (most > top ? most : top) + LP_FRAME_SIZE;
  if (at > block->limit + LP_FRAME_SIZE)
    at = block->limit + LP_FRAME_SIZE;
  *lp_frame_at (block, at)
    = (lp_frame) { .cfa = ~(uint64_t) 0, .caller_line = block->line,
		   .caller_func = block->func,
		   .func = c->tree ? block->func : 0 };
  lp_block_set (block, block->func, at);
  return top;
}

/* Is LINE, the current one, of the function with cell B, not of that with cell A?  It is
   of one of them; lines' cells stand behind their function's.  */
static inline bool
lp_is_line_of (uint32_t line, uint32_t b, uint32_t a)
{
  return b && line > b && (a > line || a < b);
}

/* The line that the stack at C goes on with.  Its own code may have set the current one
   since it runs, *SET.  */
static inline void
lp_stack_line (const lp_change *c, bool set)
{
  lp_block *block = c->block;
  if (c->tree || set)
    return;
  if (c->piece != LP_DEPOT_NONE)
    {
      uint32_t line = lp_depot_piece (c->depot, c->piece)->line;
      block->line = line ? line : block->line;
    }
  else if (c->kind == LP_AT_ENTRY)
    block->line = LP_OUTSIDE_LINE;
}

/* Park what runs, and go on with C's stack, where calls with a CFA below LIMIT are over.  */
static inline void
lp_stack_go (const lp_change *c, uint64_t limit)
{
  lp_block *block = c->block;
  const lp_parked_call *call = c->piece == LP_DEPOT_NONE ? NULL
			       : lp_parked_at (c->depot, c->piece, 0);
  uint32_t top = lp_stack_guard (c), func;
  uint32_t a = top > LP_FRAMES ? lp_frame_at (block, top)->func : 0;
  bool set = !c->tree && lp_is_line_of (block->line, call ? call->func : 0, a);
  uint64_t inner = lp_stack_park (c, top, set || c->tree ? 0 : block->line);
  top = lp_stack_open (c, limit, &func);
  lp_stack_line (c, set);
  block->deep = block->high = 0;
  block->guest = !call && inner && c->kind == LP_AT_ENTRY ? LP_FRAMES : 0;
  block->previous = block->guest ? inner : 0;
  if (c->piece != LP_DEPOT_NONE)
    {
      const lp_piece *piece = lp_depot_piece (c->depot, c->piece);
      block->deep = piece->deep;
      block->high = piece->high;
      lp_depot_free (c->depot, c->piece);
    }
  lp_stack_widen (block, c->cfa);
  lp_block_set (block, func, top);
}

/* Drop the calls with a CFA below LIMIT, on the stack that runs.  */
static inline void
lp_stack_drop (lp_block *block, uint64_t limit, bool tree)
{
  while (block->top > LP_FRAMES
	 && lp_frame_at (block, block->top)->cfa < limit)
    if (tree)
      lp_block_set (block, lp_frame_at (block, block->top)->caller_func,
		    block->top - LP_FRAME_SIZE);
    else
      lp_event_pop (block);
}

/* A handler that interrupted a change has left by longjmp: nothing is open.  */
static inline void
lp_stack_abandon (lp_block *block, bool tree)
{
  if (block->settling == 2)
    lp_depot_abandon (block);
  lp_block_set (block, lp_stack_outside (tree), LP_FRAMES);
  lp_stack_begin (block);
}

/* An event of KIND at CFA comes to BLOCK (at a resync CFA is the stack pointer): let its
   frames be those of the stack that this is on, without the calls that are over
   then.  */
static inline void
lp_stack_settle (lp_block *block, uint64_t cfa, enum lp_settle kind, bool tree)
{
  uint64_t limit = cfa + (kind != LP_AT_EXIT);
  bool near = true, dead = false;
  if (block->settling && kind == LP_AT_RESYNC)
    lp_stack_abandon (block, tree);
  if (block->settling || block->limit == LP_FRAMES)
    return;
  if (cfa >= block->floor && cfa <= block->ceiling)
    {
      lp_stack_drop (block, limit, tree);
      return;
    }
  lp_stack_settling (block, 1);
  lp_change c = { block, lp_depot_open (block), cfa, kind, tree,
		  LP_DEPOT_NONE };
  lp_stack_settling (block, c.depot ? 2 : 1);
  uint32_t at = c.depot ? lp_stack_find (&c, &near, &dead) : LP_DEPOT_NONE;
  bool same = near && lp_stack_has (&c);
  if (!same && at != LP_DEPOT_NONE)
    c.piece = lp_depot_take (c.depot, at);
  if (dead && c.piece != LP_DEPOT_NONE)
    {
      lp_depot_free (c.depot, c.piece);
      c.piece = LP_DEPOT_NONE;
    }
  if (same)
    lp_stack_widen (block, cfa);
  else
    lp_stack_go (&c, limit);
  lp_depot_close (c.depot, block);
  lp_stack_settling (block, 0);
  if (same)
    lp_stack_drop (block, limit, tree);
}

/* The outermost call of a guest has returned: the thread is where it came from.  */
static inline void
lp_stack_left (lp_block *block, bool tree)
{
  lp_change c = { .block = block, .cfa = block->previous, .kind = LP_AT_EXIT,
		  .tree = tree, .piece = LP_DEPOT_NONE };
  if (block->settling)
    return;
  block->guest = 0;
  lp_stack_settling (block, 1);
  c.depot = lp_depot_open (block);
  lp_stack_settling (block, c.depot ? 2 : 1);
  uint32_t at = c.depot ? lp_depot_above (c.depot, block->process, c.cfa) : 0;
  if (at && lp_depot_at (c.depot, at - 1)->inner == c.cfa
      && lp_depot_at (c.depot, at - 1)->process == block->process)
    {
      c.piece = lp_depot_take (c.depot, at - 1);
      lp_stack_go (&c, 0);
    }
  lp_depot_close (c.depot, block);
  lp_stack_settling (block, 0);
}

/* The same two as the fast ways have them.  */
static inline void
lp_stack_check (lp_block *block, uint64_t cfa, enum lp_settle kind, bool tree)
{
  if (cfa < block->floor || cfa > block->ceiling)
    lp_stack_settle (block, cfa, kind, tree);
}

static inline void
lp_stack_check_left (lp_block *block, bool tree)
{
  if (block->top == block->guest)
    lp_stack_left (block, tree);
}

#endif
