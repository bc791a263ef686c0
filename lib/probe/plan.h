/* plan.h: what will be done to one function, as plain data.  Pure: nothing of a
   process is known yet.  `kernprof --explain=plan` prints it.  */

#ifndef LP_PROBE_PLAN_H
#define LP_PROBE_PLAN_H

#include "probe/flow.h"
#include "probe/hits.h"

/* How control gets from a place in the original code into the clone.  */
enum lp_tactic
{
  LP_TACTIC_NONE,
  LP_TACTIC_SPRINGBOARD,	/* e9 rel32 */
  LP_TACTIC_ISLAND,		/* eb rel8 to an e9 rel32 in dead bytes near by */
  LP_TACTIC_HOME,		/* the code up to the next call runs where it is */
  LP_TACTIC_CALL,		/* the code up to and with the next call becomes `call stub` */
  LP_TACTIC_PUN,		/* e9 with less than 4 bytes behind it (puns.h), or, where that
				   leads nowhere, int3 */
  LP_TACTIC_TRAP		/* int3 */
};

struct lp_plan;

/* A place in the original code where control arrives.  */
typedef struct lp_site
{
  uint64_t addr;
  uint8_t kind;			/* enum lp_entry_kind, or-ed */
  uint8_t tactic;		/* enum lp_tactic */
  uint32_t insn;		/* index of the instruction at addr */
  uint32_t call;		/* TACTIC_CALL: index of the call */
  uint64_t island;		/* TACTIC_ISLAND: its address */
  const struct lp_plan *host;	/* ... and whose dead bytes it is in; NULL: this plan's */
  const struct lp_plan *next;	/* TACTIC_ISLAND: whose site the next one is; NULL: this
				   plan's, or there is none */
  uint8_t pun;			/* TACTIC_ISLAND: not 0: the jump's displacement, which is
				   the first byte of the next site, or of code that stays
				   as it is */
  uint8_t room;			/* TACTIC_PUN: how many bytes are its own */
  uint8_t prefix;		/* of the jump here, or 0 */
} lp_site;

/* One range of a function with the padding behind it, and what its bytes are for
   (board.h).  */
typedef struct lp_strip
{
  uint64_t lo, hi;		/* HI: end of the padding */
  uint8_t *state;		/* of each byte */
} lp_strip;

enum lp_plan_engine
{
  LP_PLAN_CLONE,
  LP_PLAN_BREAKPOINT,
  LP_PLAN_STEP,
  LP_PLAN_NONE
};

typedef struct lp_plan
{
  const lp_function *fn;
  enum lp_plan_engine engine;
  char reason[1024];		/* why not CLONE, or "" */
  bool calls;			/* only calls are counted: hits are lp_hits_plan_calls', and
				   func_cell is the function's number in the call tree; those of
				   its inlined instances follow */
  lp_flow flow;
  lp_hits hits;
  LP_VEC (lp_site) sites;	/* by address */
  LP_VEC (lp_strip) strips;	/* by address; empty where nothing is to be cloned */
  bool *away;			/* of each instruction: a call that is made from the clone,
				   pushing the original return address */
  const lp_import **callees;	/* of each instruction: what it calls, or jumps to, in another
				   object; NULL: nothing that is counted in this function */
  bool go;			/* runs on a goroutine's stack */
  bool regrows;			/* Go's: who comes to the entry from inside has got more stack,
				   which has moved, and begins once more */
  uint64_t *stops;		/* how often threads were stopped in it, or NULL */
  /* Offsets in a block (wire/layout.h), given by lp_plan_place.  */
  uint32_t func_cell;
  uint32_t line_cells;		/* of hits.lines[0]; the others follow */
  uint32_t counter_cells;	/* of hits.counters[0] */
} lp_plan;

/* Plan FN: its lines, or (CALLS) only its calls.  A function that cannot be handled is
   not an error: its plan says LP_PLAN_NONE and why.  -1: out of memory.  */
int lp_plan_function (const lp_census *census, const lp_function *fn,
		      struct lp_decoder *decoder, bool calls, lp_plan *plan,
		      lp_error *err);
void lp_plan_free (lp_plan *plan);

/* Choose the sites' tactics (sites.c).  -1: out of memory.  */
int lp_plan_sites (const lp_census *census, lp_plan *plan, lp_error *err);

/* Does some site of PLAN need an int3?  */
bool lp_plan_needs_int3 (const lp_plan *plan);

/* neighbours.c: the N PLANS of one module, which will all be patched in and taken out
   together: where one needs an int3, look for an island in the dead bytes of the
   others, or try a pun.  0, or -1: out of memory.  */
int lp_plan_neighbours (const lp_census *census, lp_plan *plans, size_t n,
			lp_error *err);
/* Some of PLANS, all whose engine was CLONE once, are not cloned after all: an int3 comes
   back to where the others relied on them.  Returns whether there was such a place.  */
bool lp_plan_forsake (lp_plan *plans, size_t n);

/* Give PLAN its cells from offset *NEXT on (its number, *NEXT), and move *NEXT.  */
void lp_plan_place (lp_plan *plan, uint32_t *next);

/* callees.c: fill PLAN's callees.  -1: out of memory.  */
int lp_plan_callees (const lp_census *census, struct lp_decoder *decoder,
		     lp_plan *plan);
/* The callee of instruction I, or NULL.  */
const lp_import *lp_plan_callee (const lp_plan *plan, uint32_t i);
/* Does that call come back to instruction I, which stands behind it?  */
bool lp_plan_comes_back (const lp_plan *plan, uint32_t i);
/* The number by which the callee of I is counted, or 0.  */
uint32_t lp_plan_callee_number (const lp_plan *plan, uint32_t i);

/* Does a probe stand at instruction ADDR: a counter of its own, a timed mark, or what
   counts a callee or its return?  */
bool lp_plan_has_probe (const lp_plan *plan, uint64_t addr);

/* First index in hits.counters with an address of at least ADDR.  */
size_t lp_plan_counters_at (const lp_plan *plan, uint64_t addr);
/* Does the entry's event already charge the line that MARK names, and nothing else
   come to it?  */
bool lp_plan_entry_charges (const lp_plan *plan, const lp_mark *mark);
/* The mark at ADDR, or NULL.  */
const lp_mark *lp_plan_mark_at (const lp_plan *plan, uint64_t addr);

/* With `calls': the number of instance INL, 0 for the function itself.  */
uint32_t lp_plan_number (const lp_plan *plan, uint32_t inl);
uint32_t lp_plan_line_cell (const lp_plan *plan, uint32_t line);
uint32_t lp_plan_counter_cell (const lp_plan *plan, uint32_t counter);

#endif
