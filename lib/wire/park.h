/* park.h: the calls of a stack, out of a block and back: a step of stacks.h, which says what
   for.  */

#ifndef LP_WIRE_PARK_H
#define LP_WIRE_PARK_H

#include "wire/depot.h"
#include "wire/frames.h"
#include "wire/tree.h"

enum lp_settle { LP_AT_EXIT, LP_AT_ENTRY, LP_AT_RESYNC };

/* What a block that changes stacks is asked for: an event of KIND at CFA (at a resync:
   the stack pointer).  TREE: it keeps a call tree.  */
typedef struct lp_change
{
  lp_block *block;
  lp_depot *depot;		/* or NULL */
  uint64_t cfa;
  enum lp_settle kind;
  bool tree;
  uint32_t piece;		/* the first one of the stack to go on with, taken out of the
				   order; LP_DEPOT_NONE: a new stack */
} lp_change;

static inline uint32_t
lp_stack_outside (bool tree)
{
  return tree ? LP_TREE_ROOT : LP_OUTSIDE_FUNC;
}

/* What the chain that begins with FIRST has room for: where call number I goes, its pieces
   made as they are needed.  NULL: there is none.  */
typedef struct lp_parking
{
  lp_depot *depot;
  uint32_t first, last;		/* pieces */
  uint32_t n;
} lp_parking;

static inline lp_parked_call *
lp_parking_add (lp_parking *to)
{
  uint32_t i = to->n % LP_PIECE_CALLS;
  if (!to->depot || to->n == LP_PARKED_CALLS)
    return NULL;
  if (i == 0)
    {
      uint32_t piece = lp_depot_new (to->depot);
      if (piece == LP_DEPOT_NONE)
	return NULL;
      lp_depot_piece (to->depot, piece)->next = LP_DEPOT_NONE;
      if (to->n == 0)
	to->first = piece;
      else
	lp_depot_piece (to->depot, to->last)->next = piece;
      to->last = piece;
    }
  to->n++;
  return &lp_depot_piece (to->depot, to->last)->calls[i];
}

/* The call in the tree of FRAME; UNDER is the frame below.  */
static inline lp_parked_call
lp_park_node (lp_block *block, const lp_frame *frame, const lp_frame *under)
{
  lp_parked_call call = { .cfa = frame->cfa };
  if (frame->func != frame->caller_func)
    call.func = lp_tree_at (block, frame->func)->func;
  if (under && frame->caller_func != under->func)
    call.caller = lp_tree_at (block, frame->caller_func)->func;
  return call;
}

/* Park the calls whose innermost frame is at offset TOP, which nobody else touches.  LINE
   is what the stack goes on with.  The CFA of the innermost one; 0: nothing is
   parked.  */
static inline uint64_t
lp_stack_park (const lp_change *c, uint32_t top, uint32_t line)
{
  lp_block *block = c->block;
  lp_parking to = { .depot = c->depot };
  uint64_t outer = 0, inner = lp_frame_at (block, top)->cfa;
  for (uint32_t at = top; at > LP_FRAMES; at -= LP_FRAME_SIZE)
    {
      lp_frame *frame = lp_frame_at (block, at);
      lp_frame *under = at > LP_FRAMES + LP_FRAME_SIZE ? frame - 1 : NULL;
      lp_parked_call *call = lp_parking_add (&to);
      if (call && c->tree)
	*call = lp_park_node (block, frame, under);
      else if (call)
	*call = (lp_parked_call) { frame->cfa, frame->func,
				   frame->caller_line };
      if (call)
	outer = frame->cfa;
      if (!c->tree && frame->func)
	lp_event_count (block, frame);
    }
  if (!to.n)
    return 0;
  lp_piece *piece = lp_depot_piece (c->depot, to.first);
  piece->inner = inner;
  piece->outer = outer;
  piece->deep = block->deep < inner ? block->deep : inner;
  piece->high = block->high > outer ? block->high : outer;
  piece->process = block->process;
  piece->line = line;
  piece->ncalls = to.n;
  lp_depot_put (c->depot, to.first);
  return inner;
}

/* Opening again.  */

/* Call number I of the chain PIECE, the innermost is number 0; NULL where there is
   none.  */
static inline const lp_parked_call *
lp_parked_at (lp_depot *depot, uint32_t piece, uint32_t i)
{
  for (; i >= LP_PIECE_CALLS && piece < LP_PIECES; i -= LP_PIECE_CALLS)
    piece = depot->pieces[piece].next;
  return piece < LP_PIECES ? &depot->pieces[piece].calls[i] : NULL;
}

static inline lp_frame
lp_open_call (lp_block *block, const lp_parked_call *call, uint32_t under)
{
  return (lp_frame) {
    .cfa = call->cfa, .entry = block->clock,
    .self_before = call->func ? lp_func_at (block, call->func)->total : 0,
    .caller_before = lp_func_at (block, under)->total,
    .caller_line = call->caller, .caller_func = under, .func = call->func };
}

static inline lp_frame
lp_open_node (lp_block *block, const lp_parked_call *call, uint32_t under)
{
  uint32_t caller = call->caller ? lp_tree_child (block, under, call->caller)
		    : under;
  caller = caller ? caller : under;
  uint32_t node = call->func ? lp_tree_child (block, caller, call->func)
		  : caller;
  return (lp_frame) { .cfa = call->cfa, .caller_func = caller,
		      .func = node ? node : caller };
}

/* Open the calls of C's stack that are not over, those with a CFA of LIMIT or more, from
   the first frame on.  The function, or node, that runs then goes to *FUNC, the top
   frame's offset is returned.  */
static inline uint32_t
lp_stack_open (const lp_change *c, uint64_t limit, uint32_t *func)
{
  lp_block *block = c->block;
  uint32_t top = LP_FRAMES;
  *func = lp_stack_outside (c->tree);
  if (c->piece == LP_DEPOT_NONE)
    return top;
  uint32_t n = lp_depot_piece (c->depot, c->piece)->ncalls;
  for (uint32_t i = n < LP_PARKED_CALLS ? n : LP_PARKED_CALLS; i-- > 0;)
    {
      const lp_parked_call *call = lp_parked_at (c->depot, c->piece, i);
      if (!call || call->cfa < limit || top >= block->limit)
	break;
      top += LP_FRAME_SIZE;
      lp_frame *frame = lp_frame_at (block, top);
      *frame = c->tree ? lp_open_node (block, call, *func)
	       : lp_open_call (block, call, *func);
      *func = frame->func ? frame->func : *func;
    }
  return top;
}

#endif
