/* pstats_derive.c: from the call tree to each function's and each edge's numbers.

   A node's calls are primitive where the function (the edge) is not active above
   it; its time with all below it counts as cumulative there.  So one walk in depth
   that keeps count of what is active does it.  */

#include "report/pstats.h"

#include <stdlib.h>
#include <string.h>

#include "profile/ranges.h"

#define NONE UINT32_MAX

struct walk
{
  lp_stats *stats;
  const lp_profile *profile;
  long part;
  lp_arena *scratch;
  uint32_t *row_of_subject;
  uint32_t *edge_of_node;	/* NONE for roots */
  uint32_t *child, *sibling;	/* of each node: the first child, the next child of the
				   same parent, or NONE */
  uint32_t root;		/* the first root; the others are its siblings */
  int64_t *below;		/* time of the node with all below it */
  uint32_t *active_row, *active_edge; /* how often they are on the way to the node */
};

static bool
is_wanted (const struct walk *w, size_t node)
{
  return w->part < 0 || w->profile->nodes.v[node].part == (uint32_t) w->part;
}

static uint32_t *
numbers (struct walk *w, size_t n, int fill)
{
  uint32_t *v = lp_arena_alloc (w->scratch, n * sizeof *v);
  if (v)
    memset (v, fill, n * sizeof *v);
  return v;
}

/* Rows for the subjects that ran, in the profile's order.  */
static int
make_rows (struct walk *w)
{
  const lp_profile *p = w->profile;
  bool *ran = lp_arena_alloc (w->scratch, p->subjects.n * sizeof *ran);
  w->row_of_subject = numbers (w, p->subjects.n, 0xff);
  if (!ran || !w->row_of_subject)
    return -1;
  for (size_t i = 0; i < p->nodes.n; i++)
    if (is_wanted (w, i))
      ran[p->nodes.v[i].subject] = true;
  for (size_t i = 0; i < p->subjects.n; i++)
    {
      int64_t row
	= ran[i] ? lp_stats_subject_row (w->stats, p, (uint32_t) i) : NONE;
      if (row < 0)
	return -1;
      w->row_of_subject[i] = (uint32_t) row;
    }
  return 0;
}

static uint32_t
row_of (const struct walk *w, uint32_t node)
{
  return w->row_of_subject[w->profile->nodes.v[node].subject];
}

/* The edge of each node, and the time below it.  Parents stand before their
   children.  */
static int
make_edges (struct walk *w)
{
  const lp_profile *p = w->profile;
  size_t n = p->nodes.n;
  w->edge_of_node = numbers (w, n, 0xff);
  w->below = lp_arena_alloc (w->scratch, n * sizeof *w->below);
  if (!w->edge_of_node || !w->below)
    return -1;
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t parent = p->nodes.v[i].parent;
      if (!is_wanted (w, i) || parent == LP_NO_NODE)
	continue;
      int64_t edge = lp_stats_edge (w->stats, row_of (w, parent), row_of (w, i));
      if (edge < 0)
	return -1;
      w->edge_of_node[i] = (uint32_t) edge;
    }
  for (size_t i = n; i-- > 0;)
    {
      w->below[i] = lp_add (w->below[i], p->nodes.v[i].own);
      uint32_t parent = p->nodes.v[i].parent;
      if (parent != LP_NO_NODE)
	w->below[parent] = lp_add (w->below[parent], w->below[i]);
    }
  return 0;
}

/* The tree downwards.  */
static int
link_children (struct walk *w)
{
  size_t n = w->profile->nodes.n;
  w->child = numbers (w, n, 0xff);
  w->sibling = numbers (w, n, 0xff);
  if (!w->child || !w->sibling)
    return -1;
  w->root = NONE;
  for (size_t i = n; i-- > 0;)
    {
      uint32_t parent = w->profile->nodes.v[i].parent;
      uint32_t *first = parent == LP_NO_NODE ? &w->root : &w->child[parent];
      if (!is_wanted (w, i))
	continue;
      w->sibling[i] = *first;
      *first = (uint32_t) i;
    }
  return 0;
}

/* What NODE adds to its function or edge, ACTIVE times above it.  */
static lp_call_numbers
share (const struct walk *w, uint32_t node, uint32_t active)
{
  const lp_call_node *from = &w->profile->nodes.v[node];
  bool untimed = w->profile->subjects.v[from->subject].untimed;
  int64_t primitive = active ? 0 : from->calls;
  return (lp_call_numbers) { .calls = from->calls, .own = from->own,
			     .primitive = primitive,
			     .cumulative = active ? 0 : w->below[node],
			     .untimed = untimed ? from->calls : 0,
			     .untimed_primitive = untimed ? primitive : 0 };
}

static void
enter (struct walk *w, uint32_t node)
{
  uint32_t row = row_of (w, node), edge = w->edge_of_node[node];
  lp_call_numbers n = share (w, node, w->active_row[row]++);
  lp_stats_count (w->stats, row, &n);
  if (edge == NONE)
    return;
  n = share (w, node, w->active_edge[edge]++);
  lp_call_numbers_add (&w->stats->edges.v[edge].n, &n);
}

static void
leave (struct walk *w, uint32_t node)
{
  w->active_row[row_of (w, node)]--;
  if (w->edge_of_node[node] != NONE)
    w->active_edge[w->edge_of_node[node]]--;
}

/* Visit all nodes, each before its children.  */
static void
walk_tree (struct walk *w)
{
  uint32_t node = w->root;
  while (node != NONE)
    {
      enter (w, node);
      if (w->child[node] != NONE)
	{
	  node = w->child[node];
	  continue;
	}
      leave (w, node);
      while (w->sibling[node] == NONE
	     && w->profile->nodes.v[node].parent != LP_NO_NODE)
	{
	  node = w->profile->nodes.v[node].parent;
	  leave (w, node);
	}
      node = w->sibling[node];
    }
}

static int
derive (struct walk *w)
{
  if (make_rows (w) || make_edges (w) || link_children (w))
    return -1;
  w->active_row = numbers (w, w->stats->rows.n, 0);
  w->active_edge = numbers (w, w->stats->edges.n, 0);
  if (!w->active_row || !w->active_edge)
    return -1;
  walk_tree (w);
  return 0;
}

/* Which functions were not profiled, or slowly.  */
static int
add_reasons (lp_stats *stats, const lp_profile *profile)
{
  stats->selected |= profile->selected;
  for (size_t i = 0; i < profile->subjects.n; i++)
    {
      const lp_subject *s = &profile->subjects.v[i];
      const lp_stat_reason reason = {
	.file = profile->sources.v[s->source].path, .line = s->line,
	.name = s->name, .refused = s->engine == LP_ENGINE_NONE,
	.reason = s->reason ? s->reason : "no reason is known" };
      bool slow = s->engine != LP_ENGINE_CLONE && s->reason;
      if ((reason.refused || slow) && lp_stats_reason (stats, &reason))
	return -1;
    }
  return 0;
}

int
lp_stats_add (lp_stats *stats, const lp_profile *profile, long part,
	      const char *heading, lp_error *err)
{
  struct walk w = { .stats = stats, .profile = profile, .part = part,
		    .scratch = lp_arena_new () };
  const char *kept = heading ? lp_arena_intern (stats->arena, heading) : NULL;
  int failed = !w.scratch || (heading && !kept)
	       || (kept && lp_vec_push (&stats->headings, kept)) || derive (&w)
	       || add_reasons (stats, profile);
  for (size_t i = 0; i < profile->parts.n && !failed; i++)
    if (part < 0 || (size_t) part == i)
      failed = lp_part_merge_ranges (stats->ranges, stats->ranges->parts.v,
				     &profile->parts.v[i]);
  lp_arena_free (w.scratch);
  lp_vec_free (&stats->order);
  return failed ? lp_nomem (err) : 0;
}
