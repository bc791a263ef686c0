/* calls.h: who called whom, how often and for how long: the call tree of a
   function-level profile (lp_profile.kind is "functions").

   A node is a function on one path of calls from where its thread began.  The
   profile's subjects are the functions (without `lines'), its parts the threads
   (without `functions'): all numbers are in the nodes, and everything that a
   report prints follows from them:

     calls of a function	the sum of its nodes' `calls'
     primitive calls		the same over its nodes without an ancestor of the
				same subject
     own time			the sum of its nodes' `own'
     cumulative time		over its nodes without such an ancestor: `own' of
				the node and of all nodes below it
     a caller's share		the same over the nodes whose parent is the caller's;
				outermost are those without an ancestor of the
				same subject whose parent has the same subject as well

   Recursion.  Paths that are deeper than some hundred calls are folded where that
   changes none of these numbers: a call goes to the node of an earlier call
   of the same function from the same caller, which is itself not the outermost of
   its kind.  So a program that calls itself a million times deep has a small tree.

   Inlined functions.  An instance has a subject of its own (lp_subject.holder), and is
   a child of the function that it was inlined into, or of the instance there.
   One that calls nothing and has no loop is over sooner than a clock is read: its
   calls are counted, its time stays with its parent (lp_subject.untimed), its nodes
   have `own' 0.  What the compiler split off a function is a subject with the
   function's name and place, whose nodes have time; they have calls only where no
   sibling of that function has any.

   A function of which no source is known (of a library, or without debug
   information) has a source whose path is "", and line 0; reports show it as
   {OBJECT NAME}, with the base name of the object.  */

#ifndef LP_PROFILE_CALLS_H
#define LP_PROFILE_CALLS_H

#include <stdint.h>

#include "base/error.h"

#define LP_KIND_LINES "lines"
#define LP_KIND_FUNCTIONS "functions"

#define LP_NO_NODE UINT32_MAX

typedef struct lp_call_node
{
  uint32_t parent;		/* index of a node before this one, of the same part; or
				   LP_NO_NODE: called from outside all profiled code */
  uint32_t subject;		/* index into lp_profile.subjects */
  uint32_t part;		/* index into lp_profile.parts */
  int64_t calls;
  int64_t own;			/* ns, without profiled callees */
} lp_call_node;

struct lp_profile;

/* Append a node.  Its index, or LP_NO_NODE with LP_ENOMEM.  No two nodes with the
   same parent, part and subject may be made.  */
uint32_t lp_profile_add_node (struct lp_profile *profile,
			      const lp_call_node *node, lp_error *err);

/* Add OTHER's call tree to INTO's, one path to the equal one: subject I of OTHER is
   SUBJECT[I] of INTO, and part I PART[I].  PLACE has room for a number for each of
   OTHER's nodes.  -1 when out of memory.  */
int lp_profile_merge_nodes (struct lp_profile *into,
			    const struct lp_profile *other,
			    const uint32_t *subject, const uint32_t *part,
			    uint32_t *place);

/* Is PROFILE, which was read from PATH, of KIND?  Else -1 with LP_EFORMAT and the
   command that prints such a file.  */
int lp_profile_check_kind (const struct lp_profile *profile, const char *kind,
			   const char *path, lp_error *err);

#endif
