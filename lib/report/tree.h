/* tree.h: the call tree of a profile of functions, for people.  */

#ifndef LP_REPORT_TREE_H
#define LP_REPORT_TREE_H

#include <stdio.h>

#include "report/pstats.h"

typedef struct lp_tree_options
{
  double cut;			/* what has less than this share of all time is left out */
  int depth;			/* levels to show; 0: all */
  bool strip_dirs;		/* file names without their folders */
} lp_tree_options;

/* A path of calls.  */
typedef struct lp_path
{
  uint32_t parent;		/* a branch before, or LP_NO_NODE */
  uint32_t row;			/* its function, in lp_tree.labels */
  int64_t calls, own, below;	/* below: own time with that of all paths that go on */
  uint32_t depth;		/* 0 for roots */
  bool untimed;			/* its time is its parent's */
  uint32_t place;		/* its index in lp_tree.order */
  uint32_t first, nchildren;	/* its children in lp_tree.order */
} lp_path;

typedef struct lp_tree
{
  lp_stats *labels;
  LP_VEC (lp_path) branches;
  uint32_t *order;		/* branches, siblings together by time, most first; the
				   roots come last */
  uint32_t first_root, nroots;
  int64_t total;
} lp_tree;

/* The tree of PROFILE, or of its part PART (negative: of all, where equal paths of
   all threads are one).  Release it with lp_tree_free.  -1 when out of memory.  */
int lp_tree_make (lp_tree *tree, const lp_profile *profile, long part,
		  bool strip_dirs, lp_error *err);
void lp_tree_free (lp_tree *tree);

/* Write the tree of PROFILE's PART as OPTIONS say: for each path its inclusive and
   own time, its calls, and its function, indented by depth.  -1 when out of
   memory.  */
int lp_tree_write (const lp_profile *profile, long part,
		   const lp_tree_options *options, FILE *out, lp_error *err);

/* The same as a JSON array in the same order, times in ns.  */
int lp_tree_write_json (const lp_profile *profile, long part,
			const lp_tree_options *options, FILE *out,
			lp_error *err);

/* Visit the branches that OPTIONS let through, each before its children.  LEFT
   (may be NULL) is told where a branch, or the tree (BRANCH is NULL then), has
   children that are left out: N of them, with TIME together.  */
typedef struct lp_tree_visitor
{
  void (*branch) (void *arg, const lp_tree *tree, const lp_path *branch);
  void (*left) (void *arg, uint32_t depth, size_t n, int64_t time);
  void *arg;
} lp_tree_visitor;
void lp_tree_visit (const lp_tree *tree, const lp_tree_options *options,
		    const lp_tree_visitor *visitor);

#endif
