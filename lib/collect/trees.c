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

/* What the number of a function means.  */
struct number
{
  uint32_t subject;		/* LP_NO_NODE where there is none */
  uint32_t above;		/* the number of the instance around it, or 0 */
  uint32_t family;		/* as below; 0: nothing was split off it */
  bool split;			/* lp_watch.split */
};

struct numbers
{
  struct number *v;
  size_t n;
  lp_intmap families;		/* of functions that parts were split off, by their source */
  bool plain;			/* each node becomes one */
};

static void
free_numbers (struct numbers *numbers)
{
  free (numbers->v);
  lp_intmap_free (&numbers->families);
}

/* The family of SUBJECT's function: one number for it, its parts and its instances.  */
static uint32_t
family_of (const struct numbers *numbers, const lp_subject *s)
{
  int64_t family = lp_intmap_get (&numbers->families,
				  (uint64_t) s->source << 32 | s->line);
  return family < 0 ? 0 : (uint32_t) family;
}

/* Give each function that something was split off a family.  */
static int
find_families (struct numbers *numbers, const lp_profile *profile)
{
  for (size_t i = 0; i < numbers->n; i++)
    {
      if (!numbers->v[i].split)
	continue;
      const lp_subject *s = &profile->subjects.v[numbers->v[i].subject];
      if (!family_of (numbers, s)
	  && lp_intmap_put (&numbers->families,
			    (uint64_t) s->source << 32 | s->line,
			    (uint32_t) numbers->families.n + 1))
	return -1;
    }
  for (size_t i = 0; i < numbers->n && numbers->families.n; i++)
    if (numbers->v[i].subject != LP_NO_NODE)
      numbers->v[i].family
	= family_of (numbers, &profile->subjects.v[numbers->v[i].subject]);
  return 0;
}

static int
number_watches (struct numbers *numbers, const lp_watch_list *watches,
		uint32_t first_subject)
{
  for (size_t i = 0; i < watches->n; i++)
    if (watches->v[i].func_cell >= numbers->n)
      numbers->n = watches->v[i].func_cell + 1;
  numbers->v = malloc ((numbers->n + 1) * sizeof *numbers->v);
  numbers->plain = true;
  if (!numbers->v)
    return -1;
  for (size_t i = 0; i < numbers->n; i++)
    numbers->v[i] = (struct number) { .subject = LP_NO_NODE };
  for (size_t i = 0; i < watches->n; i++)
    {
      const lp_watch *watch = &watches->v[i];
      if (!watch->func_cell)
	continue;
      numbers->v[watch->func_cell] = (struct number) {
	.subject = first_subject + i, .above = watch->above, .split = watch->split };
      numbers->plain &= !watch->inl && !watch->split;
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
  lp_intmap heads;		/* by what calls it and its family, of a function that is
				   counted: 1 + its node's parent */
};

static uint32_t
subject_of (const struct filling *f, uint32_t number)
{
  return number < f->numbers->n ? f->numbers->v[number].subject : LP_NO_NODE;
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
  uint32_t above = f->numbers->v[number].above;
  if (above && above < number && subject_of (f, above) != LP_NO_NODE)
    parent = nest (f, parent, above);
  return above && parent == LP_NO_NODE ? LP_NO_NODE
	 : node_of (f, parent, subject_of (f, number));
}

static bool
is_split (const struct filling *f, uint32_t number)
{
  return number < f->numbers->n && f->numbers->v[number].split;
}

/* Is PARENT a node of the function that number NUMBER was split off?  */
static bool
is_of (const struct filling *f, uint32_t parent, uint32_t number)
{
  const lp_call_node *node = &f->profile->nodes.v[parent];
  return family_of (f->numbers, &f->profile->subjects.v[node->subject])
	 == f->numbers->v[number].family;
}

static uint64_t
head_key (uint32_t frame, uint32_t family)
{
  return (uint64_t) frame << 32 | family;
}

/* NODE, below FRAME or below instances in that, is a function that something was split
   off: FRAME may call that, too, and so may these instances.  */
static int
add_head (struct filling *f, uint32_t frame, uint32_t node, uint32_t family)
{
  uint32_t parent = f->profile->nodes.v[node].parent;
  for (uint32_t at = parent;; at = f->profile->nodes.v[at].parent)
    {
      uint64_t key = head_key (at, family);
      if (lp_intmap_get (&f->heads, key) < 0
	  && lp_intmap_put (&f->heads, key, parent + 1))
	return -1;
      if (at == frame || at == LP_NO_NODE)
	return 0;
    }
}

/* NODE, called from FRAME, gets the calls of CALL, which is no part's.  */
static int
add_calls (struct filling *f, uint32_t frame, uint32_t node,
	   const lp_tree_call *call)
{
  if (!call->calls || call->calls > INT64_MAX)
    return 0;
  int64_t *calls = &f->profile->nodes.v[node].calls;
  *calls = lp_add (*calls, (int64_t) call->calls);
  uint32_t family = f->numbers->v[call->func].family;
  return family ? add_head (f, frame, node, family) : 0;
}

/* Where the part number NUMBER is called from PARENT: from a node of its function, or
   from what is inlined into that; else from beside the rest of its function, which is
   inlined in PARENT, and has no frame, or has left its frame to the part.  *IS_IT: that
   node is the part's function.  */
static uint32_t
find_head (const struct filling *f, uint32_t parent, uint32_t number, bool *is_it)
{
  const lp_profile *profile = f->profile;
  for (uint32_t at = parent; at != LP_NO_NODE; at = profile->nodes.v[at].parent)
    if ((*is_it = is_of (f, at, number)))
      return at;
    else if (!profile->subjects.v[profile->nodes.v[at].subject].holder)
      break;
  int64_t head = lp_intmap_get (&f->heads,
				head_key (parent, f->numbers->v[number].family));
  return head < 0 ? parent : (uint32_t) head - 1;
}

/* A part, at NODE, is called once for a call of its function, from the rest of that.
   Where the rest is not counted, for it is inlined and its begin is not known, the
   calls that come as far as the part are.  */
static void
add_part_calls (struct filling *f, uint32_t frame, uint32_t node,
		const lp_tree_call *call)
{
  int64_t *calls = &f->profile->nodes.v[node].calls;
  if (call->calls <= INT64_MAX
      && lp_intmap_get (&f->heads, head_key (frame, f->numbers->v[call->func].family)) < 0)
    *calls = lp_add (*calls, (int64_t) call->calls);
}

/* CALL, made by the function number CALLER, goes to the node *INDEX; where it was made
   from went to PARENT.  What is no function's is its caller's: a function that is
   there only for what is inlined into it.  */
static int
fill_call (struct filling *f, const lp_tree_call *call, uint32_t caller,
	   uint32_t parent, uint32_t *index)
{
  bool split = is_split (f, call->func), shown = false;
  uint32_t frame = parent;
  if (split && !is_split (f, caller))
    parent = find_head (f, parent, call->func, &shown);
  shown = !shown && subject_of (f, call->func) != LP_NO_NODE;
  *index = shown ? nest (f, parent, call->func) : parent;
  if (*index == LP_NO_NODE)
    return shown ? -1 : 0;
  lp_call_node *node = &f->profile->nodes.v[*index];
  node->own = lp_add (node->own, to_ns (f->profile, call->own));
  return shown && !split ? add_calls (f, frame, *index, call) : 0;
}

/* The nodes of TREE; INDICES has room for the node of each call.  */
static int
fill_nodes (struct filling *f, const lp_thread_tree *tree, uint32_t *indices)
{
  const lp_tree_call *calls = tree->calls.v;
  for (size_t i = 0; i < tree->calls.n; i++)
    {
      bool root = calls[i].parent == LP_NO_NODE;
      if (fill_call (f, &calls[i], root ? 0 : calls[calls[i].parent].func,
		     root ? LP_NO_NODE : indices[calls[i].parent], &indices[i]))
	return -1;
    }
  for (size_t i = 0; i < tree->calls.n; i++)
    {
      bool root = calls[i].parent == LP_NO_NODE;
      uint32_t frame = root ? LP_NO_NODE : indices[calls[i].parent];
      if (is_split (f, calls[i].func) && indices[i] != LP_NO_NODE
	  && f->profile->nodes.v[indices[i]].subject == subject_of (f, calls[i].func))
	add_part_calls (f, frame, indices[i], &calls[i]);
    }
  return 0;
}

/* The nodes of one thread.  */
static int
fill_thread (lp_profile *profile, const lp_thread_tree *tree, uint32_t part,
	     const struct numbers *numbers)
{
  struct filling f = { .profile = profile, .part = part, .numbers = numbers };
  uint32_t *indices = malloc ((tree->calls.n + 1) * sizeof *indices);
  int bad = !indices || lp_vec_reserve (&profile->nodes, tree->calls.n)
	    || fill_nodes (&f, tree, indices);
  free (indices);
  lp_intmap_free (&f.places);
  lp_intmap_free (&f.heads);
  return bad ? -1 : 0;
}

int
lp_trees_fill (const lp_trees *trees, lp_profile *profile,
	       const lp_watch_list *watches, uint32_t first_subject,
	       lp_error *err)
{
  struct numbers numbers = { 0 };
  int bad = number_watches (&numbers, watches, first_subject)
	    || find_families (&numbers, profile);
  for (size_t i = 0; i < trees->n && !bad; i++)
    {
      const lp_thread_tree *tree = &trees->v[i];
      lp_part part = { .pid = tree->pid, .tid = tree->tid };
      part.name = lp_profile_string (profile, tree->name);
      bad = !part.name || lp_vec_push (&profile->parts, part)
	    || note_lost (profile, tree)
	    || fill_thread (profile, tree, profile->parts.n - 1, &numbers);
    }
  free_numbers (&numbers);
  return bad ? lp_nomem (err) : 0;
}
