/* tree.c: a call tree with equal paths united, in the order of time.  */

#include "report/tree.h"

#include <stdlib.h>
#include <string.h>

/* The branch of NODE, whose parent's branch is in PLACE.  */
static int
add_node (lp_tree *tree, lp_intmap *map, const lp_call_node *node,
	  uint32_t row, bool untimed, const uint32_t *place, uint32_t *at)
{
  uint32_t parent
    = node->parent == LP_NO_NODE ? LP_NO_NODE : place[node->parent];
  uint64_t key = (uint64_t) parent << 32 | row;
  int64_t known = lp_intmap_get (map, key);
  if (known < 0)
    {
      known = (int64_t) tree->branches.n;
      lp_path branch = { .parent = parent, .row = row, .untimed = true };
      if (parent != LP_NO_NODE)
	branch.depth = tree->branches.v[parent].depth + 1;
      if (lp_vec_push (&tree->branches, branch)
	  || lp_intmap_put (map, key, (uint32_t) known))
	return -1;
    }
  lp_path *branch = &tree->branches.v[known];
  branch->calls = lp_add (branch->calls, node->calls);
  branch->own = lp_add (branch->own, node->own);
  branch->untimed &= untimed;
  *at = (uint32_t) known;
  return 0;
}

static int
add_nodes (lp_tree *tree, const lp_profile *profile, long part)
{
  lp_intmap map = { 0 };
  uint32_t *place = calloc (profile->nodes.n + 1, sizeof *place);
  int64_t *row = calloc (profile->subjects.n + 1, sizeof *row);
  int failed = !place || !row;
  for (uint32_t i = 0; !failed && i < profile->subjects.n; i++)
    failed = (row[i] = lp_stats_subject_row (tree->labels, profile, i)) < 0;
  for (size_t i = 0; !failed && i < profile->nodes.n; i++)
    {
      const lp_call_node *node = &profile->nodes.v[i];
      if (part < 0 || node->part == (uint32_t) part)
	failed = add_node (tree, &map, node, (uint32_t) row[node->subject],
			   profile->subjects.v[node->subject].untimed, place,
			   &place[i]);
    }
  free (row);
  free (place);
  lp_intmap_free (&map);
  return failed;
}

/* Inclusive times.  */
static void
sum_up (lp_tree *tree)
{
  for (size_t i = tree->branches.n; i-- > 0;)
    {
      lp_path *branch = &tree->branches.v[i];
      branch->below = lp_add (branch->below, branch->own);
      int64_t *above = branch->parent == LP_NO_NODE ? &tree->total
		       : &tree->branches.v[branch->parent].below;
      *above = lp_add (*above, branch->below);
    }
}

/* By parent, then time, most first.  */
static int
compare (const void *a, const void *b, void *arg)
{
  const lp_path *v = ((const lp_tree *) arg)->branches.v;
  uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
  if (v[i].parent != v[j].parent)
    return v[i].parent < v[j].parent ? -1 : 1;
  if (v[i].below != v[j].below)
    return v[i].below > v[j].below ? -1 : 1;
  return (i > j) - (i < j);
}

static int
put_in_order (lp_tree *tree)
{
  uint32_t n = (uint32_t) tree->branches.n;
  tree->order = calloc ((size_t) n + 1, sizeof *tree->order);
  if (!tree->order)
    return -1;
  for (uint32_t i = 0; i < n; i++)
    tree->order[i] = i;
  qsort_r (tree->order, n, sizeof *tree->order, compare, tree);
  for (uint32_t i = 0; i < n; i++)
    {
      lp_path *branch = &tree->branches.v[tree->order[i]];
      bool root = branch->parent == LP_NO_NODE;
      lp_path *above = root ? NULL : &tree->branches.v[branch->parent];
      uint32_t *first = root ? &tree->first_root : &above->first;
      uint32_t *count = root ? &tree->nroots : &above->nchildren;
      branch->place = i;
      *first = *count ? *first : i;
      ++*count;
    }
  return 0;
}

int
lp_tree_make (lp_tree *tree, const lp_profile *profile, long part,
	      bool strip_dirs, lp_error *err)
{
  *tree = (lp_tree) { .labels = lp_stats_new (err) };
  if (!tree->labels)
    return -1;
  tree->labels->base_names = strip_dirs;
  int failed = add_nodes (tree, profile, part);
  if (!failed)
    {
      sum_up (tree);
      failed = put_in_order (tree);
    }
  if (!failed)
    return 0;
  lp_tree_free (tree);
  return lp_nomem (err);
}

void
lp_tree_free (lp_tree *tree)
{
  lp_stats_free (tree->labels);
  lp_vec_free (&tree->branches);
  free (tree->order);
}

/* How many of the N branches from FIRST on are shown.  */
static uint32_t
shown (const lp_tree *tree, const lp_tree_options *options, uint32_t first,
       uint32_t n, uint32_t depth)
{
  double least = options->cut * (double) tree->total;
  uint32_t lo = 0, hi = n;
  if (options->depth && depth >= (uint32_t) options->depth)
    return 0;
  while (lo < hi)
    {
      uint32_t mid = lo + (hi - lo) / 2;
      if ((double) tree->branches.v[tree->order[first + mid]].below >= least)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

/* Tell of the N - SHOWN branches that are not.  */
static void
tell_left (const lp_tree *tree, const lp_tree_visitor *visitor, uint32_t depth,
	   uint32_t first, uint32_t n, uint32_t shown)
{
  int64_t time = 0;
  for (uint32_t i = shown; i < n; i++)
    time = lp_add (time, tree->branches.v[tree->order[first + i]].below);
  if (shown < n && visitor->left)
    visitor->left (visitor->arg, depth, n - shown, time);
}

/* The branch behind BRANCH among its shown siblings, or the one that follows its
   parent; NULL at the end.  */
static const lp_path *
next (const lp_tree *tree, const lp_tree_options *options,
      const lp_tree_visitor *visitor, const lp_path *branch)
{
  for (;;)
    {
      const lp_path *above = branch->parent == LP_NO_NODE ? NULL
			       : &tree->branches.v[branch->parent];
      uint32_t first = above ? above->first : tree->first_root;
      uint32_t n = above ? above->nchildren : tree->nroots;
      uint32_t m = shown (tree, options, first, n, branch->depth);
      if (branch->place + 1 < first + m)
	return &tree->branches.v[tree->order[branch->place + 1]];
      tell_left (tree, visitor, branch->depth, first, n, m);
      if (!above)
	return NULL;
      branch = above;
    }
}

void
lp_tree_visit (const lp_tree *tree, const lp_tree_options *options,
	       const lp_tree_visitor *visitor)
{
  uint32_t roots = shown (tree, options, tree->first_root, tree->nroots, 0);
  const lp_path *branch
    = roots ? &tree->branches.v[tree->order[tree->first_root]] : NULL;
  if (!roots)
    tell_left (tree, visitor, 0, tree->first_root, tree->nroots, 0);
  while (branch)
    {
      uint32_t m = shown (tree, options, branch->first, branch->nchildren,
			  branch->depth + 1);
      visitor->branch (visitor->arg, tree, branch);
      if (m)
	branch = &tree->branches.v[tree->order[branch->first]];
      else
	{
	  tell_left (tree, visitor, branch->depth + 1, branch->first,
		     branch->nchildren, 0);
	  branch = next (tree, options, visitor, branch);
	}
    }
}
