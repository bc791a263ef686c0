/* clone.h: from a plan to machine code and the bytes to patch.  Pure: writes to
   a buffer only.  */

#ifndef LP_PROBE_CLONE_H
#define LP_PROBE_CLONE_H

#include "probe/emit.h"
#include "probe/plan.h"

/* Bytes of the original text to replace, at a run-time address.  */
typedef struct lp_patch
{
  uint64_t addr;
  uint8_t len;
  uint8_t old[24], new[24];
} lp_patch;

/* An int3 in the original text, or (step engine) an instruction in it, which
   nobody may execute there.  */
typedef struct lp_trap
{
  uint64_t addr;		/* run-time */
  uint64_t resume;		/* run-time: where the thread goes on */
  const lp_plan *plan;
  uint32_t insn;		/* index of the instruction at addr */
  uint8_t bytes[16];		/* the instruction's own */
  bool probe;			/* not the clone engine's: count and charge by hand */
} lp_trap;

/* An instruction at home and in the clone (places.h).  */
typedef struct lp_place
{
  uint64_t home;		/* run-time */
  uint32_t clone, body;		/* offsets in the code: of the probe before it; of itself,
				   0 for a breakpoint's or a step's */
} lp_place;

/* An instruction of ours among the original code, or in a page of its own, that has no
   other effect than to lead on: who is there is, for the program, at HOME.  */
typedef struct lp_detour
{
  uint64_t at, home;		/* run-time */
} lp_detour;

/* A jump whose last bytes are those that stand behind it (puns.h).  */
typedef struct lp_pun
{
  uint64_t addr, target;	/* run-time */
  uint8_t room;			/* bytes at ADDR that are its own: 1 to 4 */
  bool placed;
  const lp_plan *plan;
  size_t site;			/* of PLAN's */
} lp_pun;

/* A page with places that puns lead to.  */
typedef struct lp_page
{
  uint64_t addr;		/* run-time */
  uint8_t *bytes;
  bool mapped;
} lp_page;

/* The code of one process's one module.  */
typedef struct lp_text
{
  lp_asm code;
  uint64_t bias;		/* of the module */
  lp_emit_env env;
  uint32_t trap_cost, step_cost; /* ticks of one stop */
  LP_VEC (lp_patch) patches;
  LP_VEC (lp_trap) traps;
  LP_VEC (lp_place) places;	/* in the order of the code */
  LP_VEC (lp_detour) detours;
  LP_VEC (lp_pun) puns;
  LP_VEC (lp_page) pages;
  const lp_place **by_home;	/* those of clones, by home address; NULL until wanted */
  size_t nby_home;
} lp_text;

/* An upper bound of the bytes that PLAN's code takes.  */
size_t lp_clone_size (const lp_plan *plan);

/* Append PLAN's code to TEXT, by the plan's engine.  On failure TEXT is as it
   was.  -1 with LP_EUNSUPPORTED (does not fit: out of reach) or LP_ENOMEM.  */
int lp_clone_emit (lp_text *text, const lp_module *mod, const lp_plan *plan,
		   lp_error *err);

/* For clone.c, outofline.c and aside.c.  Append instruction IN, whose bytes are P, as it
   is, its rip-relative operand adjusted.  */
void lp_clone_copy (lp_text *text, const lp_insn *in, const uint8_t *p);
/* The same for a call or jump through a register or memory, as a jump; SHIFT is
   how much lower the stack pointer is than at home.  */
void lp_clone_jump_through (lp_text *text, const lp_insn *in,
			    const uint8_t *p, int32_t shift);
/* Push the run-time address RETURN_TO without changing registers or flags.  */
void lp_clone_push (lp_text *text, uint64_t return_to);
/* `OPTEXT` of a loop or jrcxz with a 32-bit reach; returns the end of the rel32
   to fix.  */
uint64_t lp_clone_loop (lp_text *text, const lp_insn *in, const uint8_t *p);
int lp_clone_patch (lp_text *text, const lp_module *mod, uint64_t addr,
		    const uint8_t *bytes, unsigned n);
/* call_probe.c: where only calls are counted, append the probe that PLAN has at its
   instruction ADDR; and that of the instances whose entries COUNTER counts.  */
void lp_clone_probe_calls (lp_text *text, const lp_plan *plan, uint64_t addr);
void lp_clone_count_inlined (lp_text *text, const lp_plan *plan,
			     uint32_t counter);
/* Append a copy of IN that goes on at home; a call's return address is the
   original's.  */
void lp_outofline_copy (lp_text *text, const lp_insn *in, const uint8_t *p);
int lp_outofline_emit (lp_text *text, const lp_module *mod,
		       const lp_plan *plan);

#endif
