/* calls.h: what an entry and an exit do to a block that keeps a call tree (tree.h), in C:
   for engines that count from outside.  runtime/tree.S does the same inside the
   program.  */

#ifndef LP_WIRE_CALLS_H
#define LP_WIRE_CALLS_H

#include "wire/stacks.h"

static inline void
lp_tree_enter (lp_block *block, uint64_t now, uint64_t cfa, uint32_t func)
{
  lp_tree_charge (block, now);
  lp_stack_check (block, cfa, LP_AT_ENTRY, true);
  lp_tree_drop (block, cfa + 1);
  uint32_t node = lp_tree_child (block, block->func, func);
  if (node)
    lp_tree_at (block, node)->calls++;
  else
    {
      block->overflow++;
      node = block->func;
    }
  if (block->top >= block->limit)
    return;
  block->top += LP_FRAME_SIZE;
  *lp_tree_frame (block) = (lp_frame) { .cfa = cfa,
					.caller_func = block->func,
					.func = node };
  block->func = node;
}

/* The node of the function number HOLDER, which runs; 0 where the top frame is
   another's.  */
static inline uint32_t
lp_tree_holder (lp_block *block, uint32_t holder)
{
  uint32_t node = lp_tree_frame (block)->func;
  return lp_tree_at (block, node)->func == holder ? node : 0;
}

/* In HOLDER its instance NUMBER is entered, or (MINUS) once less.  */
static inline void
lp_tree_inlined (lp_block *block, uint32_t holder, uint32_t number, bool minus)
{
  uint32_t node = lp_tree_holder (block, holder);
  node = lp_tree_child (block, node ? node : block->func, number);
  if (node)
    lp_tree_at (block, node)->calls += minus ? -1 : 1;
  else
    block->overflow++;
}

/* From now on HOLDER's instance NUMBER runs, or HOLDER itself.  */
static inline void
lp_tree_switch (lp_block *block, uint64_t now, uint32_t holder, uint32_t number)
{
  uint32_t node = lp_tree_holder (block, holder), child = 0;
  if (lp_tree_at (block, block->func)->func == number)
    return;
  lp_tree_charge (block, now);
  if (node && number != holder)
    child = lp_tree_child (block, node, number);
  if (node)
    block->func = child ? child : node;
}

static inline void
lp_tree_leave (lp_block *block, uint64_t now, uint64_t cfa)
{
  lp_tree_charge (block, now);
  lp_stack_check (block, cfa, LP_AT_EXIT, true);
  lp_tree_drop (block, cfa + 1);
  lp_stack_check_left (block, true);
}

/* The node of CHILD on the same path as NODE of PARENT; where there is no room
   for it, the one above.  */
static inline uint32_t
lp_tree_same (lp_block *child, lp_block *parent, uint32_t node)
{
  enum { LONGEST = 4096 };	/* the program may have written nonsense */
  uint32_t path[LONGEST], n = 0, at = LP_TREE_ROOT, next;
  for (; node != LP_TREE_ROOT && n < LONGEST; n++)
    {
      path[n] = lp_tree_at (parent, node)->func;
      node = lp_tree_at (parent, node)->parent;
    }
  while (n && (next = lp_tree_child (child, at, path[n - 1])))
    at = next, n--;
  return at;
}

/* CHILD, just begun, is the block of a process that a thread with block PARENT
   has forked: it is in the same calls.  */
static inline void
lp_tree_fork (lp_block *child, lp_block *parent)
{
  for (uint32_t at = LP_FRAMES + LP_FRAME_SIZE; at <= parent->top;
       at += LP_FRAME_SIZE)
    {
      lp_frame *to = (lp_frame *) ((char *) child + at);
      *to = *(lp_frame *) ((char *) parent + at);
      to->caller_func = lp_tree_same (child, parent, to->caller_func);
      to->func = lp_tree_same (child, parent, to->func);
    }
  lp_stack_fork (child, parent);
  child->func = lp_tree_same (child, parent, parent->func);
  child->top = parent->top;
}

#endif
