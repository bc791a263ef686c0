/* hits.h: which counters a function needs, and how a line's hits follow from
   them.

   lines.md gives rules H and A, which say for each visit of a row whether it is
   a new hit of its line, from what happened before in the same activation.
   Nothing of that is kept at run time: the rules are run over the control flow
   graph beforehand (an abstract interpretation whose states are the rule's), and
   each line gets a sum of counters: rows that are always a new hit, and edges
   where a row is one on some ways only.  */

#ifndef LP_PROBE_HITS_H
#define LP_PROBE_HITS_H

#include "probe/flow.h"

typedef struct lp_counter
{
  uint64_t addr;		/* counts executions of the instruction at ADDR ... */
  uint64_t from;		/* ... or, where not 0, only those that come from the branch
				   instruction at FROM (taken, or falling through to ADDR) */
} lp_counter;

/* One line of one function.  */
typedef struct lp_hit_line
{
  uint32_t file, line;
  uint32_t first_term, nterms;	/* hits = sum of hits.terms[first_term ...] counters */
  bool exact;			/* false: the rule depends on a longer way than one edge;
				   the nearest sum was taken */
} lp_hit_line;

/* Where the line being charged changes: the timed probes.  */
typedef struct lp_mark
{
  uint64_t addr;		/* of an instruction */
  uint32_t line;		/* index into hits.lines: current from here on */
  bool timed;			/* false: every way here is already charging this line */
} lp_mark;

typedef struct lp_hits
{
  LP_VEC (lp_hit_line) lines;	/* by (file, line) */
  LP_VEC (lp_counter) counters; /* by (addr, from), without doubles */
  LP_VEC (uint32_t) terms;	/* indices of counters */
  LP_VEC (lp_mark) marks;	/* by addr; one a row address: the last row of that address */
  uint32_t entry_line;		/* index into lines: current at the function's entry */
} lp_hits;

/* Plan the counters of FN, whose rows are filled and whose FLOW is known.
   0, or -1 (out of memory).  */
int lp_hits_plan (const lp_function *fn, const lp_flow *flow, lp_hits *hits,
		  lp_error *err);
void lp_hits_free (lp_hits *hits);

#endif
