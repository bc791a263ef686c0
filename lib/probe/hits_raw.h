/* hits_raw.h: rows of a graph before their lines are numbered, and which of them count;
   for hits_rows.c and hits_drop.c.  */

#ifndef LP_PROBE_HITS_RAW_H
#define LP_PROBE_HITS_RAW_H

#include "probe/hits_graph.h"

/* A row with its line not yet numbered.  */
struct lp_raw
{
  uint32_t insn, file, line;
  uint32_t node;		/* of LP_ROWS_OF_ALL */
  bool is_stmt;
  uint64_t end;			/* as lp_row's */
  bool handler;			/* stands in code that only exceptions reach */
  bool opens;			/* as lp_hit_row's */
  uint32_t block;		/* of the function; not known of a row that was made */
  bool behind_none;		/* what stands before it is of no line */
};

typedef LP_VEC (struct lp_raw) lp_raw_rows;

/* By file and line, for qsort.  */
int lp_order_hit_lines (const void *a, const void *b);
/* The index of the line in hits->lines, which has it.  */
uint32_t lp_raw_line (const lp_hits *hits, uint32_t file, uint32_t line);

/* Drop the rows where LLVM's landing pads put an exception away.  */
void lp_raw_drop_pads (lp_raw_rows *rows, const lp_flow *flow);
/* Where `&&' or `||' is the condition of a loop, LLVM without optimisation gives the
   test of its value the row of the loop's statement, which began long before.  It becomes
   the last operand's, whose code is before it: there gcov and llvm-cov have it.  */
void lp_raw_join_operands (lp_raw_rows *rows, const lp_flow *flow);
/* Drop the rows that do not count, by the compiler's rule; a line of HITS that has no
   others keeps its own.  -1: out of memory.  */
int lp_raw_drop (const lp_graph *graph, const lp_hits *hits, lp_raw_rows *raw);
/* Find which of the lines have rows that do something: whose code is more than a
   jump or a filler.  NULL: out of memory; to be freed.  */
bool *lp_raw_busy_lines (const lp_raw_rows *rows, const lp_hits *hits,
			 const lp_flow *flow);

#endif
