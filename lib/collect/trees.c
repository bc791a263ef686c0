/* trees.c: from blocks to call trees, and on to a profile.  */

#include "collect/trees.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "wire/tree.h"

/* The node at OFFSET of BLOCK.  The program can write there: whatever is read
   must not lead out of the block.  */
static const lp_tree_node *
node_at (const lp_block *block, uint32_t offset)
{
  return (const lp_tree_node *) ((const char *) block + offset);
}

/* How many nodes there are.  */
static size_t
count (const lp_pool *pool, const lp_block *block)
{
  uint32_t first = lp_pool_first_cell (), next = block->tree_next;
  if (next > pool->size)
    next = pool->size;
  return next < first ? 0 : (next - first) / LP_NODE_SIZE;
}

/* The ticks since the last event, which are the current node's: that of number
   *NODE.  */
static uint64_t
running (const lp_block *block, size_t n, size_t *node)
{
  uint32_t first = lp_pool_first_cell (), func = block->func;
  int64_t ticks = __rdtsc () - block->last;
  *node = (func - first) / LP_NODE_SIZE;
  return func >= first && *node < n && ticks > 0 ? ticks : 0;
}

/* The index that the node of number K has got, given its OFFSET.  */
static uint32_t
index_of (const uint32_t *indices, size_t k, uint32_t offset)
{
  uint32_t first = lp_pool_first_cell ();
  size_t i = ((size_t) offset - first) / LP_NODE_SIZE;
  return offset < first || i >= k ? LP_NO_NODE : indices[i];
}

/* Copy the N nodes of BLOCK.  Those that only point to another one, and those that
   were never made, are none.  */
static int
copy (const lp_block *block, size_t n, lp_thread_tree *tree)
{
  uint32_t *indices = malloc ((n + 1) * sizeof *indices);
  uint32_t first = lp_pool_first_cell ();
  size_t current;
  uint64_t more = running (block, n, &current);
  if (!indices || lp_vec_reserve (&tree->calls, n))
    {
      free (indices);
      return -1;
    }
  for (size_t k = 0; k < n; k++)
    {
      uint32_t offset = first + k * LP_NODE_SIZE;
      const lp_tree_node *node = node_at (block, offset);
      indices[k] = LP_NO_NODE;
      if (!node->func || node->target != offset)
	continue;
      indices[k] = tree->calls.n;
      tree->calls.v[tree->calls.n++] = (lp_tree_call) {
	.parent = index_of (indices, k, node->parent), .func = node->func,
	.calls = node->calls, .own = node->own + (k == current ? more : 0) };
    }
  free (indices);
  return 0;
}

int
lp_trees_read (lp_trees *trees, const lp_pool *pool, size_t i, pid_t pid,
	       pid_t tid, const char *name)
{
  const lp_block *block = lp_pool_block (pool, i);
  lp_thread_tree tree = { .pid = pid, .tid = tid, .lost = block->overflow };
  size_t n = count (pool, block);
  if (!n && !tree.lost)
    return 0;
  snprintf (tree.name, sizeof tree.name, "%s", name);
  if (copy (block, n, &tree) == 0 && lp_vec_push (trees, tree) == 0)
    return 0;
  lp_vec_free (&tree.calls);
  return -1;
}

void
lp_trees_free (lp_trees *trees)
{
  for (size_t i = 0; i < trees->n; i++)
    lp_vec_free (&trees->v[i].calls);
  lp_vec_free (trees);
}

/* Into a profile.  */

static int64_t
to_ns (const lp_profile *profile, uint64_t ticks)
{
  int64_t t = ticks;
  return t <= 0 ? 0 : (int64_t) (t / profile->ticks_per_ns + 0.5);
}

static int
note_lost (lp_profile *profile, const lp_thread_tree *tree)
{
  char text[160];
  if (!tree->lost)
    return 0;
  snprintf (text, sizeof text, "%" PRIu64 " calls of thread %d are missing: its "
	    "call tree has more than %d nodes; choose fewer functions with -f",
	    tree->lost, (int) tree->tid, LP_TREE_NODES);
  const char *note = lp_profile_string (profile, text);
  return note ? lp_vec_push (&profile->notes, note) : -1;
}

/* The subjects of functions, by number; LP_NO_NODE where there is none.  */
struct numbers
{
  uint32_t *subject;
  size_t n;
};

static int
number_watches (struct numbers *numbers, const lp_watch_list *watches,
		uint32_t first_subject)
{
  for (size_t i = 0; i < watches->n; i++)
    if (watches->v[i].func_cell >= numbers->n)
      numbers->n = watches->v[i].func_cell + 1;
  numbers->subject = malloc ((numbers->n + 1) * sizeof *numbers->subject);
  if (!numbers->subject)
    return -1;
  for (size_t i = 0; i < numbers->n; i++)
    numbers->subject[i] = LP_NO_NODE;
  for (size_t i = 0; i < watches->n; i++)
    if (watches->v[i].func_cell)
      numbers->subject[watches->v[i].func_cell] = first_subject + i;
  return 0;
}

/* The nodes of one thread; a number that is no function's is dropped with what is
   below it.  */
static int
fill_nodes (lp_profile *profile, const lp_thread_tree *tree, uint32_t part,
	    const struct numbers *numbers)
{
  uint32_t *indices = malloc ((tree->calls.n + 1) * sizeof *indices);
  if (!indices || lp_vec_reserve (&profile->nodes, tree->calls.n)
      || profile->nodes.n + tree->calls.n >= LP_NO_NODE)
    {
      free (indices);
      return -1;
    }
  for (size_t i = 0; i < tree->calls.n; i++)
    {
      const lp_tree_call *call = &tree->calls.v[i];
      uint32_t parent = call->parent == LP_NO_NODE ? LP_NO_NODE
			: indices[call->parent];
      uint32_t subject = call->func < numbers->n ? numbers->subject[call->func]
			 : LP_NO_NODE;
      indices[i] = LP_NO_NODE;
      if (subject == LP_NO_NODE
	  || (parent == LP_NO_NODE && call->parent != LP_NO_NODE))
	continue;
      indices[i] = profile->nodes.n;
      profile->nodes.v[profile->nodes.n++] = (lp_call_node) {
	.parent = parent, .subject = subject, .part = part,
	.calls = call->calls > INT64_MAX ? 0 : call->calls,
	.own = to_ns (profile, call->own) };
    }
  free (indices);
  return 0;
}

int
lp_trees_fill (const lp_trees *trees, lp_profile *profile,
	       const lp_watch_list *watches, uint32_t first_subject,
	       lp_error *err)
{
  struct numbers numbers = { 0 };
  int bad = number_watches (&numbers, watches, first_subject);
  for (size_t i = 0; i < trees->n && !bad; i++)
    {
      const lp_thread_tree *tree = &trees->v[i];
      lp_part part = { .pid = tree->pid, .tid = tree->tid };
      part.name = lp_profile_string (profile, tree->name);
      bad = !part.name || lp_vec_push (&profile->parts, part)
	    || note_lost (profile, tree)
	    || fill_nodes (profile, tree, profile->parts.n - 1, &numbers);
    }
  free (numbers.subject);
  return bad ? lp_nomem (err) : 0;
}
