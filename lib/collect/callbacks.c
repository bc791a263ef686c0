/* callbacks.c: C calls out of the way of Go's, and back.  */

#include "collect/callbacks.h"

#include "wire/frames.h"

static bool
is_c (lp_block *block, uint32_t at)
{
  return at > LP_FRAMES && lp_frame_at (block, at)->cfa < LP_GO_STACKS_LOW;
}

bool
lp_callbacks_is_c (const lp_block *block)
{
  return is_c ((lp_block *) block, block->top);
}

void
lp_callbacks_cover (lp_callbacks *all, lp_block *block)
{
  uint32_t caller = block->top;
  while (is_c (block, caller))
    caller -= LP_FRAME_SIZE;
  /* Where others were, they have been left without a return.  */
  while (all->n && all->v[all->n - 1].at > caller)
    all->n--;
  for (uint32_t at = caller + LP_FRAME_SIZE; at <= block->top;
       at += LP_FRAME_SIZE)
    {
      lp_frame *frame = lp_frame_at (block, at);
      lp_covered covered = { .at = at, .cfa = frame->cfa };
      if (lp_vec_push (all, covered))
	return;
      frame->cfa = lp_frame_at (block, caller)->cfa - 1;
    }
}

bool
lp_callbacks_uncover (lp_callbacks *all, lp_block *block)
{
  uint32_t at = block->top;
  while (all->n && all->v[all->n - 1].at > at)
    all->n--;
  for (; all->n && all->v[all->n - 1].at == at; at -= LP_FRAME_SIZE)
    lp_frame_at (block, at)->cfa = all->v[--all->n].cfa;
  return at == LP_FRAMES && block->top > LP_FRAMES;
}
