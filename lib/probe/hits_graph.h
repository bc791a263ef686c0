/* hits_graph.h: the graph on which the rule of hits is decided; for the files
   hits*.c only.

   A piece is a run of instructions that are executed together: it begins where
   control can arrive (also behind a call) or, by the rule of rows, where a row
   is.  Each piece belongs to one line, its label.  */

#ifndef LP_PROBE_HITS_GRAPH_H
#define LP_PROBE_HITS_GRAPH_H

#include "probe/hits.h"

#define LP_NO_LINE UINT32_MAX
#define LP_NO_CALL UINT32_MAX

/* A row of the function's own code.  */
typedef struct lp_hit_row
{
  uint32_t insn;		/* index into flow->insns */
  uint32_t line;		/* index into hits->lines */
  bool opens;			/* a statement begins: the opening line of the instance */
} lp_hit_row;

typedef struct lp_hit_rows
{
  LP_VEC (lp_hit_row) rows;	/* by insn; at one insn in table order */
  uint32_t *cover;		/* of each instruction: the line whose row it stands behind,
				   or LP_NO_LINE: inlined code, or before the first row */
  bool *busy;			/* of each line: has a row with more than a jump or a
				   filler */
} lp_hit_rows;

typedef struct lp_piece
{
  uint32_t first, count;	/* instructions; count is 0 where a second row stands at the
				   same address */
  uint32_t row, nrows;		/* its rows */
  uint32_t label;		/* a line, or LP_NO_LINE */
  uint32_t out, nout;		/* links that start here: graph->links[out ...] ... */
  uint32_t nthrown;		/* ... so many of which are the ways of exceptions */
  uint32_t in, nin;		/* links that end here: graph->into[in ...] */
  bool outside;			/* reached otherwise than by links too: the function's entry,
				   a landing pad */
  bool perhaps;			/* perhaps reached from outside: what looks like a branch or
				   a pointer to it was found somewhere */
  bool landing;			/* an exception's landing pad */
  bool handler;			/* reached by exceptions only */
  bool padding;			/* nops that nothing comes to */
  bool leaves;			/* may end the function */
  bool closing;			/* the end of an epilogue */
  bool last;			/* the function's last block, up to the epilogue */
  bool prologue;		/* ... which runs into other code: that is the opening line's */
  bool resumes;			/* hands an exception on to the handler around: of no line */
  bool through;			/* a mere jump: links pass through it and none ends here */
  bool opens;			/* of LP_ROWS_OF_WHOLE: the instance is entered here, not only
				   gone on with (hits_whole.c) */
} lp_piece;

typedef struct lp_link
{
  uint32_t from, to;		/* pieces */
  uint32_t hop;			/* the piece that FROM goes to: TO, or a mere jump */
  uint32_t thrower;		/* the call whose exceptions go this way, an index into
				   flow->insns, or LP_NO_CALL: the ordinary way */
  bool cut;			/* closes a loop inside one line (hits_loops.c) */
  bool silent;			/* ... that is not the line's own */
} lp_link;

/* Which rows a graph is made of.  */
enum lp_rows_of
{
  LP_ROWS_OF_NODE,		/* one node's own, and "outside" for what is not in it */
  LP_ROWS_OF_WHOLE,		/* the same, where all that is in it is one line, 1 */
  LP_ROWS_OF_ALL		/* each node's, for marks: line N is hits->lines[N - 1] */
};

/* How the code of an instance stands to a graph's node.  */
enum lp_place_in_node { LP_OWN, LP_INSIDE, LP_OUTSIDE };

typedef struct lp_graph
{
  const lp_function *fn;
  const lp_flow *flow;
  uint32_t node;		/* 0: the function; else 1 + index of an instance */
  enum lp_rows_of rows_of;
  bool strict;			/* of LP_ROWS_OF_WHOLE: where it is not seen for sure where the
				   instance is entered, it is entered nowhere */
  const bool *runs;		/* of LP_ROWS_OF_ALL where calls are counted, of each instance:
				   its time is its own; else NULL */
  uint32_t outside;		/* the line of what is not in the node, or LP_NO_LINE */
  bool by_rows;			/* the rule of rows, else that of blocks */
  lp_hit_rows rows;
  bool *handlers;		/* of each of the flow's blocks: reached by exceptions only */
  const uint32_t *origins;	/* of each: the block of the function that it is a part of; NULL:
				   it is that block */
  LP_VEC (lp_piece) pieces;	/* by address */
  LP_VEC (lp_link) links;	/* by from */
  uint32_t *into;		/* indices of links, by to */
  uint32_t opened;		/* the piece that the opening line's row at the entry counts
				   for: that of the entry, or what the prologue runs into */
  uint32_t *region;		/* scratch of hits_loops.c, of each piece: 0 */
} lp_graph;

/* Find graph->handlers (hits_graph.c), of graph->flow.
   All return 0, or -1: out of memory.  */
int lp_graph_find_handlers (lp_graph *graph);

/* The lines and rows of GRAPH (hits_rows.c).  HITS gets its lines, where outside is
   file 0, line 0, and entry_line.  TOTAL: all lines, for LP_ROWS_OF_ALL.  */
int lp_hit_rows_find (lp_graph *graph, const lp_hits *total, lp_hits *hits);
void lp_hit_rows_free (lp_hit_rows *rows);

/* The line of ROW where graph->runs says what counts (hits_calls.c); true.  */
bool lp_hits_place_runner (const lp_graph *graph, const lp_row *row,
			   uint32_t *node, uint32_t *file, uint32_t *line);

/* Cut and connect the pieces (hits_graph.c), and label them (hits_labels.c).
   graph->rows is filled.  */
int lp_graph_build (lp_graph *graph, const lp_hits *hits);
int lp_graph_label (lp_graph *graph, const lp_hits *hits);
int lp_graph_link (lp_graph *graph);
int lp_graph_sort_links (lp_graph *graph);
/* Undo cuts that the program does not have (hits_join.c).  */
int lp_graph_join (lp_graph *graph);
void lp_graph_free (lp_graph *graph);

/* Cut the links that close the loops among the N pieces MEMBERS, which have one
   label, so that each loop has one cut link and a way through the line without
   a loop has none.  *EXACT is cleared where that cannot be had.  */
int lp_graph_cut_loops (lp_graph *graph, const uint32_t *members, size_t n,
			bool *exact);

/* Find the pieces of GRAPH, of LP_ROWS_OF_WHOLE, where the instance is entered
   (hits_whole.c).  */
int lp_graph_find_openings (lp_graph *graph);

/* Fill hits->terms and counters (hits_sum.c), a counter a term, and marks
   (hits_marks.c).  */
int lp_hits_sum (lp_graph *graph, lp_hits *hits);
int lp_hits_mark (const lp_graph *graph, lp_hits *hits);

/* The lines of one node after the other (hits_nodes.c).  Add PART's, which are
   GRAPH's, to TOTAL, whose counters may be there repeatedly until
   lp_hits_unite.  */
int lp_hits_append (lp_hits *total, const lp_hits *part,
		    const lp_graph *graph);
int lp_hits_unite (lp_hits *total);
/* The order of lp_hits.counters, for qsort.  */
int lp_order_counters (const void *a, const void *b);
/* The line that calls instance INL, of which nothing else is left, is hit as often as
   that is entered, which ENTERED says; of several calls there the first counts.  */
int lp_hits_set_call_line (const lp_function *fn, uint32_t inl,
			   const lp_hit_line *entered, lp_hits *total);
/* Give the instances in TOTAL their opening lines.  */
int lp_hits_open_instances (const lp_function *fn, lp_hits *total);
/* Add the lines that inlined code is charged to and that have no code of their own,
   and that of the rest; then the lines are in order.  */
int lp_hits_add_call_lines (const lp_function *fn, lp_hits *total);

static inline const lp_insn *
lp_piece_last (const lp_graph *graph, const lp_piece *piece)
{
  return &graph->flow->insns.v[piece->first
			       + (piece->count ? piece->count - 1 : 0)];
}

static inline bool
lp_is_jump (const lp_insn *in)
{
  return in->kind == LP_INSN_JMP || in->kind == LP_INSN_JCC
	 || in->kind == LP_INSN_LOOP || in->kind == LP_INSN_JMP_IND;
}

/* Does IN do nothing but carry a line: a jump, or a nop as gcc leaves where it
   merges code?  */
static inline bool
lp_is_filler (const lp_insn *in)
{
  return in->kind == LP_INSN_JMP
	 || (in->kind == LP_INSN_PLAIN && in->len == 1 && !in->reads
	     && !in->writes && !in->uses_sp && !in->reads_flags);
}

/* Code that gcc optimised: the rule of rows.  */
static inline bool
lp_is_by_rows (const lp_function *fn)
{
  return fn->producer == LP_PRODUCER_GCC_OPT
	 || fn->producer == LP_PRODUCER_GCC_MIXED;
}

/* Code that gcc did not optimise, whose blocks are those that gcov counts.  */
static inline bool
lp_is_plain_gcc (const lp_graph *graph)
{
  return graph->fn->producer == LP_PRODUCER_GCC_O0
	 || graph->fn->producer == LP_PRODUCER_GFORTRAN_O0;
}

static inline bool
lp_is_call (const lp_insn *in)
{
  return in->kind == LP_INSN_CALL || in->kind == LP_INSN_CALL_IND;
}

#endif
