/* clone_build.h: a clone in the making: what clone.c and clone_sites.c share.  */

#ifndef LP_PROBE_CLONE_BUILD_H
#define LP_PROBE_CLONE_BUILD_H

#include "probe/clone.h"
#include "probe/live.h"

/* A rel32 that waits for the clone's address of an instruction.  */
struct fixup
{
  uint64_t end;
  uint32_t insn;
};

/* Code that is appended behind the body: where a conditional branch goes when
   something has to happen on the way.  */
struct stub
{
  uint64_t end;			/* of the branch's rel32 */
  long insn;			/* go on there in the clone; -1: leave for `target` */
  uint64_t target;		/* run-time */
  uint32_t counter;		/* index, or UINT32_MAX */
  uint32_t callee;		/* where it leaves: the number of what it calls, or 0 */
};

struct clone
{
  lp_text *text;
  const lp_module *mod;
  const lp_plan *plan;
  lp_live live;
  uint64_t *at;			/* run-time address of each instruction's clone */
  uint64_t body;		/* of the current instruction's own, behind its probe.  Not
				   behind an exit probe: that writes below the stack
				   pointer, where unwind information still looks for what
				   the function has just popped */
  uint64_t entry;		/* of the entry stub */
  LP_VEC (struct fixup) fixups;
  LP_VEC (struct stub) stubs;
  LP_VEC (uint32_t) cells;	/* scratch: counters of one probe */
  bool nomem;
};

/* The original bytes of IN.  */
const uint8_t *lp_clone_bytes (const struct clone *c, const lp_insn *in);

/* Append what counts at instruction I.  */
void lp_clone_emit_probe (struct clone *c, uint32_t i);

/* Patch SITE, of the plan, all whose instructions have their clones; stubs that it needs
   are appended.  0 or -1.  */
int lp_clone_patch_site (struct clone *c, const lp_site *site);

#endif
