/* hits_part.h: the part of a function that decides the hits of one instance in it;
   for the files hits*.c only.

   The rule of hits looks at an instance's own code, at the ways into it and out of
   it, and at the rows before them.  A large function has hundreds of instances: looked
   at as a whole for each of them, planning it would take seconds.  What is left out is
   taken for other code, which may enter the instance: so small functions are taken as
   they are.  */

#ifndef LP_PROBE_HITS_PART_H
#define LP_PROBE_HITS_PART_H

#include "probe/hits_graph.h"

/* The first and the last block with a row of an instance, or of what is inside of it;
   FIRST > LAST: no row.  */
typedef struct lp_extent
{
  uint32_t first, last;
  bool own;			/* a row is its own */
} lp_extent;

/* The blocks of an exception's way.  */
typedef struct lp_thrown
{
  uint32_t from, to;
} lp_thrown;

/* A line where a statement of an instance, or of the function (0), begins.  */
typedef struct lp_own_line
{
  uint32_t inl, file, line;
} lp_own_line;

/* What is found once for a function (hits_survey.c).  FN and its flow must outlive it.  It
   is not to be moved.  */
typedef struct lp_whole
{
  const lp_function *fn;
  const lp_flow *flow;		/* &cut */
  lp_flow cut;			/* the flow, with long blocks cut; only blocks and edges are own */
  bool small;			/* there is time to take it for each part */
  LP_VEC (uint32_t) origin;	/* of each block: that of the flow which it is a part of */
  bool *handlers;		/* of each block, as graph->handlers */
  uint32_t *rows_of;		/* rows_of[B] ... rows_of[B + 1]: the rows in block B */
  bool *sure;			/* of each row: it stands on an instruction and counts by each
				   compiler's rule */
  bool *bare;			/* of each block: has no row */
  uint32_t *into, *from;	/* from[into[B] ... into[B + 1]): the blocks that go to B */
  lp_thrown *thrown;		/* of each of flow->throws */
  lp_extent *extents;		/* of each instance, with what is inside of it */
  LP_VEC (lp_own_line) own_lines; /* sorted */
} lp_whole;

/* A function and its flow, cut down; blocks that are not the instance's are reached
   from outside.  */
typedef struct lp_hit_part
{
  bool borrowed;		/* it is all of the whole, whose these are */
  lp_function fn;
  lp_flow flow;
  bool *handlers;
  uint32_t *origins;		/* of each block, as lp_whole's */
} lp_hit_part;

/* 0, or -1: out of memory; then, too, what was made is to be freed.  */
int lp_whole_find (const lp_function *fn, const lp_flow *flow,
		   lp_whole *whole);
void lp_whole_free (lp_whole *whole);
/* Does a statement of INL begin at that line?  */
bool lp_whole_has_line (const lp_whole *whole, uint32_t inl, uint32_t file,
			uint32_t line);

/* The part of WHOLE for instance INL, and what is inside of it.  */
int lp_hit_part_cut (const lp_whole *whole, uint32_t inl, lp_hit_part *part);
void lp_hit_part_free (lp_hit_part *part);

/* hits.c: add to TOTAL the lines of instance INL, of which PART is all that matters; and
   all marks, with STRICT and RUNS as lp_graph's.  -1: out of memory.  */
int lp_hits_add_part (const lp_hit_part *part, uint32_t inl,
		      enum lp_rows_of rows_of, bool strict, lp_hits *total);
int lp_hits_add_marks (const lp_function *fn, const lp_flow *flow,
		       const bool *runs, lp_hits *total);

/* Has WHOLE a row of INL, or of what is inside of it?  */
static inline bool
lp_whole_has_rows (const lp_whole *whole, uint32_t inl)
{
  return whole->extents[inl].first <= whole->extents[inl].last;
}

#endif
