/* strands.c: taking calls out of a block and putting them into another.  */

#include "collect/strands.h"

#include "wire/events.h"
#include "wire/tree.h"

/* The strand KEY, new where it is not known; its number, or -1.  */
static int64_t
find (lp_strands *strands, uint64_t key)
{
  int64_t i = lp_intmap_get (&strands->by_key, key);
  if (i >= 0)
    return i;
  lp_strand strand = { .key = key, .line = LP_OUTSIDE_LINE };
  if (lp_intmap_put (&strands->by_key, key, strands->all.n)
      || lp_vec_push (&strands->all, strand))
    return -1;
  return strands->all.n - 1;
}

/* What BLOCK's thread was seen running last, or NULL.  */
static lp_strand *
running (lp_strands *strands, const lp_block *block)
{
  uint32_t i = lp_frame_at ((lp_block *) block, LP_FRAMES)->spare;
  if (!i || i > strands->all.n || strands->all.v[i - 1].block != block)
    return NULL;
  return &strands->all.v[i - 1];
}

/* Take the top call off.  */
static lp_waiting
take_call (lp_block *block, bool tree)
{
  lp_frame *top = lp_frame_at (block, block->top);
  lp_waiting call = { .cfa = top->cfa, .caller_line = top->caller_line,
		      .func = tree ? lp_tree_at (block, block->func)->func
			      : top->func };
  if (tree)
    lp_tree_drop (block, top->cfa + 1);
  else
    lp_event_pop (block);
  return call;
}

/* STRAND, which runs in its block, waits.  */
static void
stop (lp_strand *strand, bool tree)
{
  lp_block *block = strand->block;
  strand->block = NULL;
  strand->calls.n = 0;
  strand->line = block->line;
  while (block->top > LP_FRAMES)
    {
      lp_waiting call = take_call (block, tree);
      if (lp_vec_push (&strand->calls, call))
	strand->calls.n = 0;
    }
}

static void
open_call (lp_block *block, const lp_waiting *call)
{
  if (block->top >= block->limit)
    return;
  lp_frame frame = {
    .cfa = call->cfa, .entry = block->clock,
    .self_before = call->func ? lp_func_at (block, call->func)->total : 0,
    .caller_before = lp_func_at (block, block->func)->total,
    .caller_line = call->caller_line, .caller_func = block->func,
    .func = call->func };
  block->top += LP_FRAME_SIZE;
  *lp_frame_at (block, block->top) = frame;
  block->func = call->func ? call->func : block->func;
}

/* The same in a call tree, where BLOCK's nodes are others than those of the block that
   the call was in.  */
static void
open_node (lp_block *block, const lp_waiting *call)
{
  if (block->top >= block->limit)
    return;
  uint32_t node = call->func ? lp_tree_child (block, block->func, call->func) : 0;
  block->top += LP_FRAME_SIZE;
  *lp_frame_at (block, block->top)
    = (lp_frame) { .cfa = call->cfa, .caller_func = block->func,
		   .func = node ? node : block->func };
  block->func = node ? node : block->func;
}

/* STRAND, which waits, goes on in BLOCK, where no call is open.  */
static void
go_on (lp_strand *strand, lp_block *block, bool tree)
{
  strand->block = block;
  for (size_t i = strand->calls.n; i-- > 0;)
    if (tree)
      open_node (block, &strand->calls.v[i]);
    else
      open_call (block, &strand->calls.v[i]);
  strand->calls.n = 0;
  block->line = strand->line;
}

/* How often the top call's node was called, by MORE more.  */
static void
count_again (lp_block *block, int more)
{
  uint32_t node = lp_frame_at (block, block->top)->func;
  if (node)
    lp_tree_at (block, node)->calls += more;
}

/* Take the C calls off the top of BLOCK.  No strand gives its thread away while it is in
   C: they are of the one that runs now, and was elsewhere at its last event.  */
static void
take_c (lp_strands *strands, lp_block *block, bool tree)
{
  strands->in_c.n = 0;
  strands->line = block->line;
  while (lp_callbacks_is_c (block))
    {
      if (tree)
	count_again (block, -1);
      lp_waiting call = take_call (block, tree);
      if (lp_vec_push (&strands->in_c, call))
	strands->in_c.n = 0;
    }
}

/* And put them on top of their strand's.  */
static void
put_c (lp_strands *strands, lp_block *block, bool tree)
{
  for (size_t i = strands->in_c.n; i-- > 0;)
    if (tree)
      {
	open_node (block, &strands->in_c.v[i]);
	count_again (block, 1);
      }
    else
      {
	lp_waiting call = strands->in_c.v[i];
	if (i + 1 == strands->in_c.n)
	  call.caller_line = block->line;
	open_call (block, &call);
      }
  if (strands->in_c.n)
    block->line = strands->line;
}

/* Close what is open in BLOCK and nobody's strand.  */
static void
close_rest (lp_block *block, bool tree)
{
  if (tree)
    lp_tree_drop (block, ~(uint64_t) 0);
  else
    lp_event_drop (block, ~(uint64_t) 0);
}

int
lp_strands_run (lp_strands *strands, lp_block *block, bool tree, uint64_t key,
		uint64_t now)
{
  lp_strand *old = running (strands, block);
  if (old && old->key == key)
    {
      lp_callbacks_cover (&old->covered, block);
      return 0;
    }
  if (tree)
    lp_tree_charge (block, now);
  else
    lp_event_charge (block, now);
  take_c (strands, block, tree);
  if (old)
    stop (old, tree);
  close_rest (block, tree);
  lp_stack_ignore (block);
  int64_t i = find (strands, key);
  lp_frame_at (block, LP_FRAMES)->spare = i + 1;
  if (i < 0)
    return -1;
  lp_strand *strand = &strands->all.v[i];
  if (strand->block && running (strands, strand->block) == strand)
    stop (strand, tree);
  go_on (strand, block, tree);
  put_c (strands, block, tree);
  lp_callbacks_cover (&strand->covered, block);
  return 0;
}

void
lp_strands_ran (lp_strands *strands, lp_block *block)
{
  lp_strand *strand = running (strands, block);
  if (!strand || !lp_callbacks_uncover (&strand->covered, block))
    return;
  strand->block = NULL;
  lp_frame_at (block, LP_FRAMES)->spare = 0;
}

void
lp_strands_free (lp_strands *strands)
{
  for (size_t i = 0; i < strands->all.n; i++)
    {
      lp_vec_free (&strands->all.v[i].calls);
      lp_vec_free (&strands->all.v[i].covered);
    }
  lp_vec_free (&strands->all);
  lp_vec_free (&strands->in_c);
  lp_intmap_free (&strands->by_key);
}
