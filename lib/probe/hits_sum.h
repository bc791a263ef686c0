/* hits_sum.h: the sum of counters that is a line's hits, in the making; for
   hits_sum.c and hits_ways.c only.  */

#ifndef LP_PROBE_HITS_SUM_H
#define LP_PROBE_HITS_SUM_H

#include "probe/hits_graph.h"

/* A row and the piece that it is in.  */
typedef struct lp_place
{
  uint32_t line, row, piece;
} lp_place;

typedef LP_VEC (lp_counter) lp_counter_list;

typedef struct lp_sum
{
  lp_graph *graph;
  lp_hits *hits;
  uint32_t line;		/* the line in hand */
  bool exact;
  lp_counter_list plus, minus;	/* its counters */
  lp_counter_list terms;	/* the counters of the lines done */
  uint32_t *heads;		/* of each line: 1 + the first piece of that label, or 0 */
  uint32_t *chain;		/* of each piece: 1 + the next one of the same label, or 0 */
  LP_VEC (uint32_t) members;	/* pieces of the line in hand */
  LP_VEC (lp_place) by_line;	/* by line, then by row */
} lp_sum;

/* Add to the line's sum the ways into PIECE, one of its members, that are hits.
   -1: out of memory.  */
int lp_sum_piece (lp_sum *s, const lp_piece *piece);

/* The address where to count the executions of PIECE: at its row of LINE, so
   that a line that was not come to because of a crash is not counted.  */
uint64_t lp_sum_place (const lp_sum *s, const lp_piece *piece, uint32_t line);

#endif
