/* grow.c: a call that the tree has no node for yet.  tree.S calls this with all
   registers that C may change saved.

   What it takes is not the program's time: the clock of the block stands still.  */

#include "wire/tree.h"

uint32_t lp_tree_add (lp_block *block, uint32_t parent, uint32_t func)
  __attribute__ ((visibility ("hidden")));

uint32_t
lp_tree_add (lp_block *block, uint32_t parent, uint32_t func)
{
  uint64_t start = __builtin_ia32_rdtsc ();
  uint32_t node = lp_tree_grow (block, parent, func);
  __atomic_fetch_add (&block->last, __builtin_ia32_rdtsc () - start,
		      __ATOMIC_RELAXED);
  return node;
}
