/* flow.h: a function's instructions and its control flow graph.  Pure: made
   from the file's bytes alone.  */

#ifndef LP_PROBE_FLOW_H
#define LP_PROBE_FLOW_H

#include "base/vec.h"
#include "debug/imports.h"
#include "debug/module.h"
#include "probe/insn.h"

/* Why code outside the ordinary flow may come to an instruction.  */
enum lp_entry_kind
{
  LP_ENTRY_FUNCTION = 1,	/* the function's entry */
  LP_ENTRY_RETURN = 2,		/* behind a call */
  LP_ENTRY_TABLE = 4,		/* a jump table's target */
  LP_ENTRY_POINTER = 8,		/* its address is in a datum or taken by lea */
  LP_ENTRY_LANDING = 16,	/* landing pad of the exception table */
  LP_ENTRY_OUTSIDE = 32		/* a branch from outside the function */
};

typedef struct lp_basic_block
{
  uint32_t first, count;	/* instructions: flow->insns[first .. first + count) */
  uint32_t succ, nsucc;		/* successors: flow->edges[succ .. succ + nsucc), indices of
				   blocks.  A call's successor is the block or instruction
				   behind it: calls do not end a block */
  uint8_t entry;		/* enum lp_entry_kind, or-ed, of its first instruction,
				   RETURN never among them */
  bool leaves;			/* may end in ret, a jump out of the function, or a stop */
  bool tail;			/* its indirect jump leaves: a tail call */
} lp_basic_block;

typedef struct lp_entry
{
  uint64_t addr;
  uint8_t kind;			/* enum lp_entry_kind, or-ed */
} lp_entry;

/* Where an exception goes that a call lets through.  */
typedef struct lp_throw
{
  uint32_t insn, pad;		/* indices of the call and of its landing pad */
} lp_throw;

typedef struct lp_flow
{
  LP_VEC (lp_insn) insns;	/* all ranges, by address */
  LP_VEC (lp_basic_block) blocks; /* by address */
  LP_VEC (uint32_t) edges;
  /* Sorted addresses of instructions that something else than a branch of this
     function may reach, with the reason (RETURN excepted).  */
  LP_VEC (lp_entry) entries;
  LP_VEC (lp_throw) throws;	/* by insn; no part of the blocks' edges */
  bool unresolved;		/* an indirect jump's targets are not known */
  uint64_t unresolved_at;
} lp_flow;

/* What of a module can reach into its functions, found once for all of them.  */
typedef struct lp_branch
{
  uint64_t target, source;
} lp_branch;

typedef struct lp_census
{
  lp_module *mod;
  const uint64_t *pointers, *pads; /* sorted */
  size_t npointers, npads;
  const lp_call_site *call_sites; /* by lo */
  size_t ncall_sites;
  LP_VEC (lp_branch) branches;	/* by target: bytes anywhere in executable segments that read
				   as a direct branch into the middle of a chosen function.
				   More than there are in truth; never fewer */
  LP_VEC (const lp_function *) chosen; /* the functions that it is about, by entry */
  lp_import *imports;		/* calls of these are counted: the caller's, by slot, or NULL */
  size_t nimports;
} lp_census;

int lp_census_take (lp_module *mod, lp_function *const *functions, size_t n,
		    lp_census *census, lp_error *err);
void lp_census_free (lp_census *census);
/* The chosen function that is entered at ADDR, or NULL.  */
const lp_function *lp_census_chosen (const lp_census *census, uint64_t addr);

/* Decode FN and build its graph.  -1 with LP_EUNSUPPORTED and the reason when
   the function cannot be understood: it must be left alone then.  */
int lp_flow_build (const lp_census *census, const lp_function *fn,
		   struct lp_decoder *decoder, lp_flow *flow, lp_error *err);

/* Is ADDR inside one of FN's ranges?  */
bool lp_function_holds (const lp_function *fn, uint64_t addr);

/* Index of the instruction at ADDR, or -1: not an instruction boundary.  */
long lp_flow_find (const lp_flow *flow, uint64_t addr);
/* Index of the block that holds instruction I.  */
uint32_t lp_flow_block_of (const lp_flow *flow, uint32_t i);

void lp_flow_free (lp_flow *flow);

#endif
