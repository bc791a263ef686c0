/* thunk_sim.h: a simulated thread whose functions are profiled by the real
   thunks, next to a model of what the thunks shall do.

   The thread is a block in memory, a stack in memory, and a copy of the thunks.
   Function 0 and line 0 are the outside; functions 1 to SIM_FUNCS - 1 have
   SIM_LINES lines each.  The model is made from what the cells mean, not from how
   the thunks get there: it knows all active calls, and gives each tick to each
   active function once, to the current line of its innermost call.  */

#ifndef THUNK_SIM_H
#define THUNK_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/layout.h"

#define SIM_FUNCS 6
#define SIM_LINES 3
#define SIM_ALL_LINES (1 + (SIM_FUNCS - 1) * SIM_LINES)
#define SIM_CALLS 64		/* frames above the root */
#define SIM_ENTRY_COST 3
#define SIM_EXIT_COST 2

typedef struct sim_call
{
  uint64_t cfa;
  int func, line;
} sim_call;

typedef struct sim
{
  lp_block *block;
  unsigned char *stack, *stack_end; /* of the thread */
  unsigned char *thunks;	/* the copy */
  unsigned char *thunks_end;
  uint64_t random;

  /* The model.  */
  sim_call calls[SIM_CALLS + 1]; /* calls[0] is the outside */
  int depth, limit;
  uint64_t first, cost;		/* LAST at the start; costs since */
  lp_line_cell lines[SIM_ALL_LINES];
  lp_func_cell funcs[SIM_FUNCS];
  uint64_t overflow;
} sim;

/* A fresh thread that may have LIMIT active calls; and its end, where nothing may
   have been written behind the block.  */
void sim_start (sim *s, int limit);
void sim_stop (sim *s);
/* All of the thread's stack is known to be one.  */
void sim_know_stack (sim *s);

uint64_t sim_random (sim *s);

int sim_line (int func, int nth);	/* number of a function's line */
uint32_t sim_line_offset (int line);
uint32_t sim_func_offset (int func);
void *sim_cell (sim *s, uint32_t offset);

/* Events, checked: registers, flags and memory around are as they were, the
   time charged is right, and the model is told.  */
void sim_enter (sim *s, uint64_t cfa, int func, int line);
void sim_exit (sim *s, uint64_t cfa);
void sim_resync (sim *s, uint64_t sp);
/* What a probe at LINE, of the innermost call, does.  */
void sim_at_line (sim *s, int line);
/* TICKS pass in an instant.  */
void sim_wait (sim *s, uint64_t ticks);

/* The same events with nothing checked and no model, for signal handlers.  */
void sim_raw (sim *s, int thunk, uint64_t sp, uint64_t argument, uint64_t flags);
#define SIM_ENTRY 0
#define SIM_EXIT 1
#define SIM_RESYNC 2

/* Compare the block with the model: where the thread is, and, when no call is
   active, all cells.  */
void sim_check (sim *s);

#endif
