/* settle.c: where an event is not on the stack that the thread ran on last.  thunks.S
   calls these with all registers that C may change saved.  */

#include "wire/stacks.h"

void lp_lines_settle (lp_block *block, uint64_t cfa, enum lp_settle kind)
  __attribute__ ((visibility ("hidden")));
void lp_lines_left (lp_block *block) __attribute__ ((visibility ("hidden")));

void
lp_lines_settle (lp_block *block, uint64_t cfa, enum lp_settle kind)
{
  block->thread = (uintptr_t) __builtin_thread_pointer ();
  lp_stack_settle (block, cfa, kind, false);
}

void
lp_lines_left (lp_block *block)
{
  lp_stack_left (block, false);
}
