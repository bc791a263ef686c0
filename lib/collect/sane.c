/* sane.c: see sane.h.  */

#include "collect/sane.h"

#include "wire/frames.h"
#include "wire/tree.h"

static bool
is_cell (const lp_pool *pool, uint32_t offset)
{
  return offset % 8 == 0 && offset >= LP_OUTSIDE_LINE
	 && offset + sizeof (lp_line_cell) <= pool->size;
}

bool
lp_is_sane (const lp_pool *pool, lp_block *block)
{
  if (block->top < LP_FRAMES || (block->top - LP_FRAMES) % LP_FRAME_SIZE
      || block->top >= LP_FRAMES + LP_MAX_FRAMES * LP_FRAME_SIZE
      || !is_cell (pool, block->line) || !is_cell (pool, block->func))
    return false;
  for (uint32_t at = LP_FRAMES + LP_FRAME_SIZE; at <= block->top;
       at += LP_FRAME_SIZE)
    {
      const lp_frame *f = lp_frame_at (block, at);
      if (!is_cell (pool, f->caller_line) || !is_cell (pool, f->caller_func)
	  || (f->func && !is_cell (pool, f->func)))
	return false;
    }
  return true;
}

static bool
is_node (const lp_pool *pool, lp_block *block, uint32_t offset)
{
  uint32_t first = lp_pool_first_cell ();
  return offset == LP_TREE_ROOT
	 || (offset % LP_NODE_SIZE == 0 && offset >= first
	     && offset + LP_NODE_SIZE <= pool->size
	     && (lp_tree_at (block, offset)->parent == LP_TREE_ROOT
		 || (lp_tree_at (block, offset)->parent >= first
		     && lp_tree_at (block, offset)->parent < offset)));
}

bool
lp_is_sane_tree (const lp_pool *pool, lp_block *block)
{
  if (block->top < LP_FRAMES || (block->top - LP_FRAMES) % LP_FRAME_SIZE
      || block->top >= LP_FRAMES + LP_MAX_FRAMES * LP_FRAME_SIZE
      || block->tree_next > pool->size || !is_node (pool, block, block->func))
    return false;
  for (uint32_t at = LP_FRAMES + LP_FRAME_SIZE; at <= block->top;
       at += LP_FRAME_SIZE)
    if (!is_node (pool, block, lp_frame_at (block, at)->caller_func)
	|| !is_node (pool, block, lp_frame_at (block, at)->func))
      return false;
  for (uint32_t at = lp_pool_first_cell (); at < block->tree_next;
       at += LP_NODE_SIZE)
    if (!is_node (pool, block, at))
      return false;
  return true;
}
