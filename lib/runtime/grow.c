/* grow.c: a call that the tree has no node for yet, and events that are not on the stack
   that the thread ran on last.  tree.S calls these with all registers that C may
   change saved.

   What a node takes is not the program's time: the clock of the block stands still.  */

#include "wire/stacks.h"

#pragma GCC visibility push(hidden)
uint32_t lp_tree_add (lp_block *block, uint32_t parent, uint32_t func);
void lp_nodes_settle (lp_block *block, uint64_t cfa, enum lp_settle kind);
void lp_nodes_left (lp_block *block);
#pragma GCC visibility pop

uint32_t
lp_tree_add (lp_block *block, uint32_t parent, uint32_t func)
{
  uint64_t start = __builtin_ia32_rdtsc ();
  uint32_t node = lp_tree_grow (block, parent, func);
  __atomic_fetch_add (&block->last, __builtin_ia32_rdtsc () - start,
		      __ATOMIC_RELAXED);
  return node;
}

void
lp_nodes_settle (lp_block *block, uint64_t cfa, enum lp_settle kind)
{
  block->thread = (uintptr_t) __builtin_thread_pointer ();
  lp_stack_settle (block, cfa, kind, true);
}

void
lp_nodes_left (lp_block *block)
{
  lp_stack_left (block, true);
}
