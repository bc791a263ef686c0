/* strands.h: calls that move from thread to thread, goroutines': the calls that one
   is in are in the frames of the block of the thread that runs it, or, while it waits,
   here.

   A call that waits is closed as far as times go, and opened again, uncounted, when
   its strand goes on: so its time is that in which its strand runs, up to the next
   event on its thread.  */

#ifndef LP_COLLECT_STRANDS_H
#define LP_COLLECT_STRANDS_H

#include "base/intmap.h"
#include "base/vec.h"
#include "collect/callbacks.h"

/* A call that waits.  */
typedef struct lp_waiting
{
  uint64_t cfa;
  uint32_t func;		/* its function's cell, or its number in the call tree */
  uint32_t caller_line;		/* the line cell that was charged before */
} lp_waiting;

typedef struct lp_strand
{
  uint64_t key;
  lp_block *block;		/* of the thread that was seen running it last; NULL: it waits */
  LP_VEC (lp_waiting) calls;	/* when it waits; the innermost first */
  uint32_t line;		/* the line cell that it goes on with */
  lp_callbacks covered;		/* C that it is called by */
} lp_strand;

/* All zero is none.  */
typedef struct lp_strands
{
  LP_VEC (lp_strand) all;
  lp_intmap by_key;
  LP_VEC (lp_waiting) in_c;	/* calls of C, on their way from below one strand's to another's;
				   the innermost first */
  uint32_t line;		/* the line cell that they go on with */
} lp_strands;

/* From now, time-stamp NOW, on the thread of BLOCK, which holds a call tree or (not
   TREE) cells, runs the strand KEY.  -1: out of memory; it then runs without its
   calls.  */
int lp_strands_run (lp_strands *strands, lp_block *block, bool tree,
		    uint64_t key, uint64_t now);
/* The event on BLOCK's thread that this was called for is over.  */
void lp_strands_ran (lp_strands *strands, lp_block *block);
void lp_strands_free (lp_strands *strands);

#endif
