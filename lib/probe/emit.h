/* emit.h: the machine code of probes.

   A probe changes no register, no flag that is in use, nothing within the red
   zone, and no memory but the thread's own block (wire/layout.h).  */

#ifndef LP_PROBE_EMIT_H
#define LP_PROBE_EMIT_H

#include "probe/asm.h"

/* What a process's probes have in common.  */
typedef struct lp_emit_env
{
  int32_t slot;			/* distance from fs:0 to the pointer to the thread's block */
  uint64_t thunk_entry, thunk_exit, thunk_resync; /* run-time addresses */
  uint64_t thunk_inlined, thunk_uninlined, thunk_switch; /* the same, of call trees */
  uint64_t thunk_claim;		/* the same; 0: threads are given their blocks */
  uint64_t block0, mark;	/* for it: see runtime.h */
  uint64_t own;			/* in a process that profiles itself instead of these: the
				   address of the function that gives the calling thread
				   a block */
  uint32_t line_cost;		/* ticks that a timed line probe costs */
  bool timed;			/* false: counts only, no clock is read */
  bool calls;			/* a call tree is kept: a function's cell is its number, and
				   there are no lines */
} lp_emit_env;

/* One probe: counters to increment and the line to charge from here on.  */
typedef struct lp_probe
{
  const uint32_t *counters;	/* their cells */
  size_t ncounters;
  uint32_t line_cell;		/* 0: the line does not change */
  uint16_t live_regs;
  bool live_flags;
} lp_probe;

void lp_emit_probe (lp_asm *a, const lp_emit_env *env, const lp_probe *probe);

/* At a function's entry, where the stack pointer is at the return address.  */
void lp_emit_entry (lp_asm *a, const lp_emit_env *env, uint32_t func_cell,
		    uint32_t line_cell);
/* Before ret or a tail jump, the stack pointer likewise.  */
void lp_emit_exit (lp_asm *a, const lp_emit_env *env);
/* Before a call that is counted where it is made, the stack pointer as it is then; and
   where that has come back.  Before a tail jump: it is a call from the function
   that is left next.  */
void lp_emit_call (lp_asm *a, const lp_emit_env *env, uint32_t number);
void lp_emit_called (lp_asm *a, const lp_emit_env *env);
/* Anywhere in the function of number HOLDER: the instance NUMBER in it is entered, or
   (MINUS) once less than was counted; and it runs from here on, or HOLDER itself.  */
void lp_emit_inlined (lp_asm *a, const lp_emit_env *env, uint32_t holder,
		      uint32_t number, bool minus);
void lp_emit_switch (lp_asm *a, const lp_emit_env *env, uint32_t holder,
		     uint32_t number);
/* At a landing pad, and behind a call that returns twice.  */
void lp_emit_resync (lp_asm *a, const lp_emit_env *env);

#endif
