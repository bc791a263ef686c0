/* merge_calls.c: adding one call tree to another.  */

#include "profile/calls.h"

#include "base/intmap.h"
#include "profile/profile.h"

/* What tells NODE from its siblings and from all other nodes.  Roots have no
   parent but their part, counted from the other end.  */
static uint64_t
key_of (const lp_call_node *node)
{
  uint32_t above
    = node->parent == LP_NO_NODE ? UINT32_MAX - node->part : node->parent;
  return (uint64_t) above << 32 | node->subject;
}

/* The nodes of PROFILE by their keys.  */
static int
index_nodes (const lp_profile *profile, lp_intmap *map)
{
  for (size_t i = 0; i < profile->nodes.n; i++)
    if (lp_intmap_put (map, key_of (&profile->nodes.v[i]), (uint32_t) i))
      return -1;
  return 0;
}

/* Add NODE, which has INTO's indices, to the one in its place or as a new one,
   which goes to *AT.  */
static int
add_node (lp_profile *into, lp_intmap *map, const lp_call_node *node,
	  uint32_t *at)
{
  int64_t known = lp_intmap_get (map, key_of (node));
  if (known >= 0)
    {
      lp_call_node *to = &into->nodes.v[known];
      to->calls = lp_add (to->calls, node->calls);
      to->own = lp_add (to->own, node->own);
      *at = (uint32_t) known;
      return 0;
    }
  *at = lp_profile_add_node (into, node, NULL);
  return *at == LP_NO_NODE || lp_intmap_put (map, key_of (node), *at) ? -1 : 0;
}

int
lp_profile_merge_nodes (lp_profile *into, const lp_profile *other,
			const uint32_t *subject, const uint32_t *part,
			uint32_t *place)
{
  lp_intmap map = { 0 };
  int failed = index_nodes (into, &map);
  for (size_t i = 0; !failed && i < other->nodes.n; i++)
    {
      lp_call_node node = other->nodes.v[i];
      node.subject = subject[node.subject];
      node.part = part[node.part];
      if (node.parent != LP_NO_NODE)
	node.parent = place[node.parent];
      failed = add_node (into, &map, &node, &place[i]);
    }
  lp_intmap_free (&map);
  return failed;
}
