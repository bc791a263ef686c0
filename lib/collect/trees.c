/* trees.c: from blocks to call trees, and on to a profile.  */

#include "collect/trees.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "base/intmap.h"
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

/* What the numbers of functions mean.  */
struct numbers
{
  uint32_t *subject;		/* by number; LP_NO_NODE where there is none */
  uint32_t *above;		/* by number: that of the instance around it, or 0 */
  size_t n;
  bool plain;			/* each node becomes one */
};

static int
number_watches (struct numbers *numbers, const lp_watch_list *watches,
		uint32_t first_subject)
{
  for (size_t i = 0; i < watches->n; i++)
    if (watches->v[i].func_cell >= numbers->n)
      numbers->n = watches->v[i].func_cell + 1;
  numbers->subject = malloc ((numbers->n + 1) * sizeof *numbers->subject);
  numbers->above = calloc (numbers->n + 1, sizeof *numbers->above);
  numbers->plain = true;
  if (!numbers->subject || !numbers->above)
    return -1;
  for (size_t i = 0; i < numbers->n; i++)
    numbers->subject[i] = LP_NO_NODE;
  for (size_t i = 0; i < watches->n; i++)
    if (watches->v[i].func_cell)
      {
	numbers->subject[watches->v[i].func_cell] = first_subject + i;
	numbers->above[watches->v[i].func_cell] = watches->v[i].above;
	numbers->plain &= !watches->v[i].inl;
      }
  return 0;
}

/* A tree on its way into a profile.  */
struct filling
{
  lp_profile *profile;
  uint32_t part;
  const struct numbers *numbers;
  lp_intmap places;		/* the index of a parent's child of some subject; unused where
				   all is plain */
};

static uint32_t
subject_of (const struct filling *f, uint32_t number)
{
  return number < f->numbers->n ? f->numbers->subject[number] : LP_NO_NODE;
}

/* A new node of SUBJECT below PARENT.  */
static uint32_t
make_node (struct filling *f, uint32_t parent, uint32_t subject)
{
  return lp_profile_add_node (f->profile,
			      &(lp_call_node) { .parent = parent,
						.subject = subject,
						.part = f->part }, NULL);
}

/* PARENT's child of the subject, made where there is none.  LP_NO_NODE when out of
   memory.  */
static uint32_t
node_of (struct filling *f, uint32_t parent, uint32_t subject)
{
  uint64_t key = (uint64_t) parent << 32 | subject;
  int64_t known = f->numbers->plain ? -1 : lp_intmap_get (&f->places, key);
  if (known >= 0)
    return (uint32_t) known;
  uint32_t node = make_node (f, parent, subject);
  return node != LP_NO_NODE && !f->numbers->plain
	 && lp_intmap_put (&f->places, key, node) ? LP_NO_NODE : node;
}

/* The node of the function number NUMBER below PARENT; between them are the instances
   that it is inlined with.  */
static uint32_t
nest (struct filling *f, uint32_t parent, uint32_t number)
{
  uint32_t above = f->numbers->above[number];
  if (above && above < number && subject_of (f, above) != LP_NO_NODE)
    parent = nest (f, parent, above);
  return above && parent == LP_NO_NODE ? LP_NO_NODE
	 : node_of (f, parent, subject_of (f, number));
}

/* What is no function's is its caller's: a function that is there only for what is
   inlined into it.  *INDEX becomes the node that CALL's went to.  */
static int
fill_call (struct filling *f, const lp_tree_call *call, uint32_t parent,
	   uint32_t *index)
{
  bool shown = subject_of (f, call->func) != LP_NO_NODE;
  *index = shown ? nest (f, parent, call->func) : parent;
  if (*index == LP_NO_NODE)
    return shown ? -1 : 0;
  lp_call_node *node = &f->profile->nodes.v[*index];
  node->own = lp_add (node->own, to_ns (f->profile, call->own));
  if (shown && call->calls <= INT64_MAX)
    node->calls = lp_add (node->calls, (int64_t) call->calls);
  return 0;
}

/* The nodes of one thread.  */
static int
fill_nodes (lp_profile *profile, const lp_thread_tree *tree, uint32_t part,
	    const struct numbers *numbers)
{
  struct filling f = { .profile = profile, .part = part, .numbers = numbers };
  uint32_t *indices = malloc ((tree->calls.n + 1) * sizeof *indices);
  int bad = !indices || lp_vec_reserve (&profile->nodes, tree->calls.n);
  for (size_t i = 0; i < tree->calls.n && !bad; i++)
    {
      const lp_tree_call *call = &tree->calls.v[i];
      bad = fill_call (&f, call, call->parent == LP_NO_NODE ? LP_NO_NODE
		       : indices[call->parent], &indices[i]);
    }
  free (indices);
  lp_intmap_free (&f.places);
  return bad ? -1 : 0;
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
  free (numbers.above);
  return bad ? lp_nomem (err) : 0;
}
