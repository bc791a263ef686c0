/* tree.h: the call tree that a thread builds in its block, where functions and
   not lines are profiled.

   A node is a function on one path of calls.  It is named by its offset in the
   block, as cells are; the root, in the block's header, is the time outside all
   profiled code.  The block's `func' is the current node, a frame's `caller_func' the
   node to go back to, and its `func' that of the call itself: the current node
   may be that of what is inlined into it.  `line' is not used.

   Instances.  What is inlined into a function has a number for each place, and is a child
   of the function's node, however deep it is nested: which instance is in which is
   known without the program.

   Children.  A node's children are a trie: each has four successors, for two bits
   of the function's number after the other.  So finding one of two hundred
   takes four steps, nothing ever moves, and a child is added by one store: a
   signal handler that runs profiled code, in between any two instructions,
   finds a tree that is whole, and leaves one.

   Folding.  A path that is deeper than LP_TREE_FOLD gets no further node for a
   pair of caller and callee that it has twice already: the call goes to the
   lower one of these, if what lies between has all its pairs above it as well
   (profile/calls.h says why that changes no number).  A node is `first' when
   its pair is not above it; only what is not first can be left out.  The child
   stays in its parent's trie as a pointer (`target') to where calls go.

   calls.h has what an entry and an exit do.  */

#ifndef LP_WIRE_TREE_H
#define LP_WIRE_TREE_H

#include "wire/layout.h"

#define LP_TREE_ROOT LP_OUTSIDE_LINE
#define LP_TREE_FOLD 128
#define LP_TREE_NODES 0x200000	/* room for nodes in a block */

#define LP_NODE_OWN 0
#define LP_NODE_CALLS 8
#define LP_NODE_FUNC 16
#define LP_NODE_TARGET 24
#define LP_NODE_KIDS 28
#define LP_NODE_NEXT 32
#define LP_NODE_SIZE 64

#ifndef __ASSEMBLER__

#include <stdbool.h>

typedef struct lp_tree_node
{
  uint64_t own;			/* ticks */
  uint64_t calls;
  uint32_t func;		/* the function's number, from 1 on; 0: no node */
  uint32_t parent;
  uint32_t target;		/* itself, or the node it is folded into */
  uint32_t kids;		/* the child found first, or 0 */
  uint32_t next[4];		/* further children of the parent, or 0 */
  uint32_t depth;
  uint32_t first;
  uint64_t spare;
} lp_tree_node;

static inline lp_tree_node *
lp_tree_at (lp_block *block, uint32_t offset)
{
  return (lp_tree_node *) ((char *) block + offset);
}

/* Give BLOCK room for nodes from offset LO up to HI, all zeros.  */
static inline void
lp_tree_begin (lp_block *block, uint32_t lo, uint32_t hi)
{
  block->line = 0;		/* the root frame has no call: as a node that is number 0's */
  block->func = LP_TREE_ROOT;
  block->tree_next = lo;
  block->tree_end = hi;
}

/* Where PARENT's child FUNC hangs, or would.  */
static inline uint32_t *
lp_tree_slot (lp_block *block, uint32_t parent, uint32_t func)
{
  uint32_t *slot = &lp_tree_at (block, parent)->kids;
  for (uint32_t bits = func; *slot; bits >>= 2)
    {
      lp_tree_node *node = lp_tree_at (block, *slot);
      if (node->func == func)
	break;
      slot = &node->next[bits & 3];
    }
  return slot;
}

/* Is NODE a call of FUNC by CALLER?  */
static inline bool
lp_tree_is_pair (lp_block *block, const lp_tree_node *node, uint32_t caller,
		 uint32_t func)
{
  return node->func == func && lp_tree_at (block, node->parent)->func == caller;
}

/* The node above that a call of FUNC by PARENT goes to, or 0.  */
static inline uint32_t
lp_tree_fold (lp_block *block, uint32_t parent, uint32_t func)
{
  lp_tree_node *node = lp_tree_at (block, parent);
  uint32_t caller = node->func;
  if (node->depth < LP_TREE_FOLD)
    return 0;
  for (; !node->first; parent = node->parent, node = lp_tree_at (block, parent))
    if (lp_tree_is_pair (block, node, caller, func))
      return parent;
  return 0;
}

/* Does no node from PARENT up to the root call FUNC as PARENT does?  */
static inline bool
lp_tree_is_first (lp_block *block, uint32_t parent, uint32_t func)
{
  uint32_t caller = lp_tree_at (block, parent)->func;
  for (; parent != LP_TREE_ROOT; parent = lp_tree_at (block, parent)->parent)
    if (lp_tree_is_pair (block, lp_tree_at (block, parent), caller, func))
      return false;
  return true;
}

/* Make a node for PARENT's child FUNC, which it does not have.  Where its calls
   go; 0: there is no room.  A handler may have made the same one in the
   meantime: then ours stays behind, as no node.  */
static inline uint32_t
lp_tree_grow (lp_block *block, uint32_t parent, uint32_t func)
{
  uint32_t at = 0, none = 0, *slot;
  if (block->tree_next + LP_NODE_SIZE <= block->tree_end)
    at = __atomic_fetch_add (&block->tree_next, LP_NODE_SIZE, __ATOMIC_RELAXED);
  if (!at || at + LP_NODE_SIZE > block->tree_end)
    return 0;
  lp_tree_node *node = lp_tree_at (block, at);
  uint32_t folded = lp_tree_fold (block, parent, func);
  node->func = func;
  node->parent = parent;
  node->target = folded ? folded : at;
  node->depth = lp_tree_at (block, parent)->depth + 1;
  node->first = lp_tree_is_first (block, parent, func);
  do
    {
      slot = lp_tree_slot (block, parent, func);
      none = 0;
      if (*slot)
	{
	  node->func = 0;
	  return lp_tree_at (block, *slot)->target;
	}
    }
  while (!__atomic_compare_exchange_n (slot, &none, at, false, __ATOMIC_RELAXED,
				       __ATOMIC_RELAXED));
  return node->target;
}

/* Where PARENT's calls of FUNC go; 0: there is no room.  */
static inline uint32_t
lp_tree_child (lp_block *block, uint32_t parent, uint32_t func)
{
  uint32_t at = *lp_tree_slot (block, parent, func);
  return at ? lp_tree_at (block, at)->target
	 : lp_tree_grow (block, parent, func);
}

/* Charge the time since the last event to the current node.  */
static inline void
lp_tree_charge (lp_block *block, uint64_t now)
{
  lp_tree_at (block, block->func)->own += now - block->last;
  block->clock += now - block->last;
  block->last = now;
}

static inline lp_frame *
lp_tree_frame (lp_block *block)
{
  return (lp_frame *) ((char *) block + block->top);
}

/* Drop the frames on top with a CFA below LIMIT.  */
static inline void
lp_tree_drop (lp_block *block, uint64_t limit)
{
  while (block->top > LP_FRAMES && lp_tree_frame (block)->cfa < limit)
    {
      block->func = lp_tree_frame (block)->caller_func;
      block->top -= LP_FRAME_SIZE;
    }
}

#endif /* not __ASSEMBLER__ */
#endif
