/* layout.h: the memory that the profiled threads write and the profiler reads.

   One shared memory object holds NBLOCKS blocks of STRIDE bytes.  Block 0 is
   the fallback that a thread without a block of its own writes to; the others
   belong to one thread each.  A block is a header, the frames of the stack that
   its thread runs on (stacks.h), and the cells.  A cell is named by its byte offset from
   the start of the block, so the same code serves every thread.  Nothing but the owner
   writes a block while it runs: no atomics.

   Everything is 64-bit little-endian of fixed width; the probes (probe/emit.c)
   and the thunks (runtime/thunks.S) know the offsets below.  */

#ifndef LP_WIRE_LAYOUT_H
#define LP_WIRE_LAYOUT_H

#define LP_WIRE_VERSION 2

#define LP_OUTSIDE_LINE 64	/* offsetof (lp_block, outside) */
#define LP_OUTSIDE_FUNC 80
#define LP_FRAMES 208		/* offset of frame 0, the root: no event's CFA that is not above
				   `ceiling' reaches its own */
#define LP_FRAME_SIZE 48
#define LP_MAX_FRAMES 16384	/* the tracked depth of calls */

/* The offsets again, for assembly; tests/check_runtime.c compares them with the
   structures.  */
#define LP_BLOCK_LAST 0
#define LP_BLOCK_CLOCK 8
#define LP_BLOCK_LINE 16
#define LP_BLOCK_FUNC 20	/* func and top: one 8-byte store changes both */
#define LP_BLOCK_TOP 24
#define LP_BLOCK_LIMIT 28
#define LP_BLOCK_OVERFLOW 32
#define LP_BLOCK_INLINED_COST 44
#define LP_BLOCK_ENTRY_COST 48
#define LP_BLOCK_EXIT_COST 52
#define LP_BLOCK_TREE_NEXT 56
#define LP_BLOCK_UNOWNED 96	/* in `outside', where that has no call tree */
#define LP_BLOCK_FLOOR 128
#define LP_BLOCK_CEILING 136
#define LP_BLOCK_DEPOT 160
#define LP_BLOCK_GUEST 176
#define LP_BLOCK_PROCESS 184
#define LP_FRAME_CFA 0
#define LP_FRAME_ENTRY 8
#define LP_FRAME_SELF_BEFORE 16
#define LP_FRAME_CALLER_BEFORE 24
#define LP_FRAME_CALLER_LINE 32
#define LP_FRAME_CALLER_FUNC 36
#define LP_FRAME_FUNC 40
#define LP_CLAIM (LP_FRAMES + LP_FRAME_SIZE) /* in block 0, which has no frames */
#define LP_CLAIM_NEXT (LP_CLAIM + 0)
#define LP_CLAIM_END (LP_CLAIM + 8)
#define LP_CLAIM_STRIDE (LP_CLAIM + 16)
#define LP_CLAIM_SLOT (LP_CLAIM + 24)
#define LP_CLAIM_HEADER (LP_CLAIM + 32)
#define LP_LINE_SELF 0
#define LP_LINE_CALLEES 8
#define LP_FUNC_CALLS 0
#define LP_FUNC_TOTAL 8

#ifndef __ASSEMBLER__

#include <stdint.h>

/* One active call of a profiled function.  */
typedef struct lp_frame
{
  uint64_t cfa;			/* canonical frame address: stack pointer before the call */
  uint64_t entry;		/* virtual clock at entry */
  uint64_t self_before;		/* the function's `total` cell at entry */
  uint64_t caller_before;	/* the caller's `total` cell at entry */
  uint32_t caller_line;		/* line cell that was charged before */
  uint32_t caller_func;		/* function cell that was current before */
  uint32_t func;		/* function cell of this call; 0 while the frame is being
				   made or closed: such a frame counts for nothing */
  uint32_t spare;
} lp_frame;

/* Start of a block.  */
typedef struct lp_block
{
  uint64_t last;		/* TSC at the last event, plus the probe's cost */
  uint64_t clock;		/* virtual clock: sum of all charged ticks */
  uint32_t line;		/* offset of the line cell being charged */
  uint32_t func;		/* offset of the current function's cell */
  uint32_t top;			/* offset of the top frame */
  uint32_t limit;		/* offset of the last frame that may be pushed */
  uint64_t overflow;		/* entries that found the stack of frames full */
  uint32_t version;		/* LP_WIRE_VERSION */
  uint32_t inlined_cost;	/* ticks that counting an inlined call costs */
  uint32_t entry_cost, exit_cost; /* ticks that the entry and exit thunks cost */
  uint32_t tree_next, tree_end;	/* where the next node goes, and where room for nodes
				   ends (tree.h) */
  /* Cells that belong to no function, or the root of the call tree: time outside
     all profiled code.  */
  uint64_t outside[8];		/* a line cell (2) and a function cell (2); then, in a process that
				   profiles itself: not 0 where the thread may ask for a
				   block of its own */
  /* The stack that the thread runs on (stacks.h).  */
  uint64_t floor, ceiling;	/* events with a CFA from here to there are on it */
  uint64_t deep, high;		/* the least and the greatest CFA seen; high 0: none */
  uint64_t depot;		/* how far behind block 0, which has the depot (depot.h), this one
				   is; 0: there is none */
  uint64_t previous;		/* what is known of the stack that a guest came from */
  uint32_t guest;		/* LP_FRAMES: this stack is new, and a call on another one led to
				   it; else 0 */
  uint32_t settling;		/* not 0: a change of stacks is under way */
  uint32_t process;		/* the same in blocks that share a depot and an address space */
  uint32_t spare;
  uint64_t thread;		/* the thread pointer, 0: not known yet */
  uint64_t spare2;
} lp_block;

/* Blocks that threads take by themselves (runtime/claim.S).  */
typedef struct lp_claim
{
  uint64_t next, end;		/* the numbers of those that are left */
  uint64_t stride;		/* bytes from block to block */
  int64_t slot;			/* distance from fs:0 to the thread's slot */
  uint64_t header[8];		/* what such a block begins with, but for its `last' */
} lp_claim;

/* Cells.  */
typedef struct lp_line_cell
{
  uint64_t self;		/* ticks charged while the line was current */
  uint64_t callees;		/* ticks in profiled callees that were not charged to lines
				   of the same function */
} lp_line_cell;

typedef struct lp_func_cell
{
  uint64_t calls;
  uint64_t total;		/* ticks with the function on the stack, each counted once */
} lp_func_cell;

/* A counter is one uint64_t.  */

#endif /* not __ASSEMBLER__ */
#endif
