/* trees.h: the call trees of threads that ended, and of those that run, taken out
   of their blocks.  */

#ifndef LP_COLLECT_TREES_H
#define LP_COLLECT_TREES_H

#include "base/vec.h"
#include "collect/pool.h"
#include "collect/watch.h"
#include "profile/profile.h"

typedef struct lp_tree_call
{
  uint32_t parent;		/* index of one before, or LP_NO_NODE */
  uint32_t func;		/* the function's number */
  uint64_t calls, own;		/* OWN in ticks */
} lp_tree_call;

typedef struct lp_thread_tree
{
  pid_t pid, tid;
  char name[16];
  uint64_t lost;		/* calls that are in no node: there was no room */
  LP_VEC (lp_tree_call) calls;
} lp_thread_tree;

typedef LP_VEC (lp_thread_tree) lp_trees;

/* Append the tree of POOL's block I to TREES, as that of thread TID of PID with
   NAME, what runs as if it ended now.  Nothing is appended for an empty tree.  -1
   when out of memory.  */
int lp_trees_read (lp_trees *trees, const lp_pool *pool, size_t i, pid_t pid,
		   pid_t tid, const char *name);
void lp_trees_free (lp_trees *trees);

/* Append TREES to PROFILE, a part each.  The function whose number is the func_cell
   of watch i is subject FIRST_SUBJECT + i; ticks are converted with the profile's
   ticks_per_ns.  */
int lp_trees_fill (const lp_trees *trees, lp_profile *profile,
		   const lp_watch_list *watches, uint32_t first_subject,
		   lp_error *err);

#endif
