/* hits.h: which counters a function needs, and how a line's hits follow from
   them.

   The number that users expect is gcov's, so the rule is gcov's own, applied to
   machine code.  Nothing is kept at run time but counters: a line's hits are a
   sum of counts of instructions and of edges between them.

   A function is cut into pieces where control can arrive: at branch targets,
   behind branches, and behind calls.  Each piece belongs to one line, its
   label.  A line that is a label is hit each time control comes from a piece of
   another line to one of its own, and each time round a loop that stays inside
   its pieces (hits_loops.c).  A line that is nowhere a label is hit with each
   execution of a piece that has a row of it.

   Rule of blocks, for code that was not optimised and for LLVM: the label is
   the greatest line among the piece's rows (gcov sorts the lines of a block and
   takes the last); without a row, the line that the line table has there.
   What a compiler adds to the program's own flow has no label:
   - a piece that is a mere jump and has no row, or that is reached from
     conditional jumps only and whose line has other code that does something: an
     edge of the program's flow;
   - an indirect jump without a row that several pieces share;
   - code inlined into code that was not optimised: it has lines of its own;
   - what hands an exception on from one handler to the next, the test of a loop
     that destroys an array, and the last block of some functions (hits_labels.c);
   - where a check fails that LLVM's front ends add to a statement;
   - the prologue, where it runs into a loop: the opening line is hit with each
     execution of what follows it, as gcov has it;
   - the epilogue, from the last row before `ret` on, if its line has other
     code that does something.  The closing brace is a line of its own where it
     has none.
   LLVM gives jumps rows of their own: they count only where their line has no
   other; and the value of `&&' or `||' that a loop tests belongs to the last operand's
   line (hits_raw.h).  It evaluates operands from left to right, so its pieces are not cut
   behind calls: a statement over several lines would be hit at each return to
   its first line.  Where it optimises, they are cut where a row goes back to a line
   before: that is another of the program's blocks.

   Rule of rows, for code that gcc optimised: rows with is_stmt only.  A line without
   one, a part of other lines' statements, keeps the first of its rows in each block, but
   none that another row of its address follows.  Pieces are cut at rows too; a piece
   without one has the line of the pieces that lead to it.

   gfortran and GNAT do not say where statements begin: all rows count there, of a line
   the first in each block.

   Both: only the function's own rows count (optimised inlined code stays with
   the line before it, and its loops are not that line's), and the row at the
   entry belongs to the opening line, though compilers name that of the brace.

   A call has two ways on: it returns, or an exception takes it to its landing
   pad.  Neither has a counter of its own, so that a sum may have terms that are
   taken away (hits_ways.c).  With LLVM, code that only exceptions reach is
   summed by itself; what puts an exception away at a landing pad, and what fetches
   it where it is caught, has rows of other code, which do not count.

   Inlined code that is wanted (lp_inline.wanted) has lines of its own, instance by
   instance: the same rules, on a graph in which all that is outside of the instance
   is one line (hits_rows.c), so that each way into it is a way from another line; as a
   whole it is entered where hits_whole.c says.
   What is inlined into it stays with its line before it, as ever.  Which line time is
   charged to is decided for all of them together (hits_marks.c): a row belongs to
   the innermost wanted instance, and there to its line or the line that calls what
   it is inlined with.

   Where several functions share a line, each has its own hits of it.  What gcov
   counts without machine code is not counted: the blocks that end the lives of
   temporaries when an exception passes, which it adds to their lines.  */

#ifndef LP_PROBE_HITS_H
#define LP_PROBE_HITS_H

#include "probe/flow.h"

typedef struct lp_counter
{
  uint64_t addr;		/* counts executions of the instruction at ADDR ... */
  uint64_t from;		/* ... or, where not 0, only those that come from the branch
				   instruction at FROM (taken, or falling through to ADDR) */
} lp_counter;

/* lp_hit_line.inl: all code of a function that is there only for what is inlined
   into it.  It has time and no hits.  */
#define LP_HIT_REST (UINT32_MAX - 1)
/* The same: what a line calls of other copies of its own function (hits_again.c).
   `line' is 1 + the index of that line.  No hits.  */
#define LP_HIT_AGAIN UINT32_MAX

/* One line of one function, or of one instance in it.  */
typedef struct lp_hit_line
{
  uint32_t inl;			/* 0: the function's own; else 1 + index into its inlines, or
				   LP_HIT_REST, LP_HIT_AGAIN */
  uint32_t file, line;		/* line 0: the instance as a whole; its hits are how often it
				   was entered */
  uint32_t first_term, nterms;	/* hits = sum of hits.terms[first_term ...] counters, ... */
  uint32_t nminus;		/* ... where the last so many are taken away, from 0 at the
				   least: a process may end between two counters */
  bool called;			/* its hits are those of inlined code that it calls */
  bool exact;			/* false: no sum of counters is the rule's number; the
				   nearest was taken */
} lp_hit_line;

/* Where the line being charged changes: the timed probes.  */
typedef struct lp_mark
{
  uint64_t addr;		/* of an instruction */
  uint32_t line;		/* index into hits.lines: current from here on */
  bool timed;			/* false: every way here is already charging this line */
} lp_mark;

/* A term of an instance's entries, where only calls are counted.  */
typedef struct lp_hit_use
{
  uint32_t counter;		/* index into hits.counters */
  uint32_t inl;			/* of the instance */
  bool minus;			/* it is taken away */
} lp_hit_use;

typedef struct lp_hits
{
  LP_VEC (lp_hit_line) lines;	/* by (inl, file, line); without hits where only calls of
				   inlined code have it */
  LP_VEC (lp_counter) counters; /* by (addr, from), without doubles */
  LP_VEC (uint32_t) terms;	/* indices of counters */
  LP_VEC (lp_mark) marks;	/* by addr; one a row address: the last row of that address */
  uint32_t entry_line;		/* index into lines: current at the function's entry */
  LP_VEC (lp_hit_use) uses;	/* of lp_hits_plan_calls alone, by counter */
} lp_hits;

/* Plan the counters of FN, whose rows are filled and whose FLOW is known.
   0, or -1 (out of memory).  */
int lp_hits_plan (const lp_function *fn, const lp_flow *flow, lp_hits *hits,
		  lp_error *err);
/* Plan what is needed to count how often the wanted instances in FN are entered, and to
   know which of them is running (hits_calls.c).  Of each that is counted there is a
   line 0; a line 1, of FN (inl 0) and of each whose time is its own, is where marks lead
   to.  No lines: nothing of FN is inlined that can be counted.  */
int lp_hits_plan_calls (const lp_function *fn, const lp_flow *flow,
			lp_hits *hits, lp_error *err);
/* Give HITS, of FN, lines for the calls of other copies of what makes them, among the
   functions that CENSUS was taken of.  0, or -1 (out of memory).  */
int lp_hits_split_again (const lp_census *census, const lp_function *fn,
			 const lp_flow *flow, lp_hits *hits, lp_error *err);
/* Is the time of instance INL its own?  */
bool lp_hits_is_timed (const lp_hits *hits, uint32_t inl);
/* The first use of COUNTER, or uses.n.  */
size_t lp_hits_uses_of (const lp_hits *hits, uint32_t counter);
void lp_hits_free (lp_hits *hits);

/* The node that code of instance INL (0: the function's own) is charged to: 0, a
   wanted instance, or LP_HIT_REST; and the instance that it is inlined there with:
   *WITH, 0 where it is the node's own.  */
uint32_t lp_hits_node (const lp_function *fn, uint32_t inl, uint32_t *with);
/* The index of that line, or UINT32_MAX.  */
uint32_t lp_hits_find_line (const lp_hits *hits, uint32_t inl, uint32_t file,
			    uint32_t line);

#endif
