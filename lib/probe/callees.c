/* callees.c: which calls of a function leave its module, for functions whose names
   are known: through a stub of the procedure linkage table, or (-fno-plt)
   through the loader's word itself.  Tail jumps, too.  A pointer that is in a
   register says nothing.  */

#include <stdlib.h>

#include "probe/plan.h"

/* Instructions of a stub: endbr64, mov $index,%r11d, jmp *slot(%rip).  */
enum { LONGEST_STUB = 3 };

/* The word that the instruction IN jumps or calls through, or 0.  */
static uint64_t
word_of (const lp_insn *in)
{
  bool through = in->kind == LP_INSN_CALL_IND || in->kind == LP_INSN_JMP_IND;
  return through && in->rip_off ? in->target : 0;
}

/* The word that the stub at ADDR jumps through; 0: there is none.  */
static uint64_t
word_of_stub (const lp_module *mod, struct lp_decoder *decoder, uint64_t addr)
{
  lp_insn in;
  uint64_t avail;
  if (!lp_module_is_plt (mod, addr))
    return 0;
  for (int i = 0; i < LONGEST_STUB; i++, addr += in.len)
    {
      const uint8_t *p = lp_module_bytes (mod, addr, &avail);
      if (!p || lp_decode (decoder, p, avail, addr, &in, NULL)
	  || (in.kind != LP_INSN_PLAIN && in.kind != LP_INSN_JMP_IND))
	return 0;
      if (in.kind == LP_INSN_JMP_IND)
	return word_of (&in);
    }
  return 0;
}

static lp_import *
import_at (const lp_census *census, uint64_t slot)
{
  size_t lo = 0, hi = census->nimports;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (census->imports[mid].slot < slot)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < census->nimports && census->imports[lo].slot == slot
	 ? &census->imports[lo] : NULL;
}

static lp_import *
callee_of (const lp_census *census, struct lp_decoder *decoder,
	   const lp_insn *in)
{
  bool direct = in->kind == LP_INSN_CALL || in->kind == LP_INSN_JMP
		|| in->kind == LP_INSN_JCC;
  uint64_t slot = direct ? word_of_stub (census->mod, decoder, in->target)
		  : word_of (in);
  return slot ? import_at (census, slot) : NULL;
}

/* Is the code at ADDR that of a function which was selected?  FN itself may not be, but what
   is inlined into it.  */
static bool
is_wanted (const lp_function *fn, uint64_t addr)
{
  if (!fn->only_inlined)
    return true;
  for (size_t i = 0; i < fn->ninlines; i++)
    for (size_t r = 0; fn->inlines[i].wanted && r < fn->inlines[i].nranges; r++)
      if (addr >= fn->inlines[i].ranges[r].lo
	  && addr < fn->inlines[i].ranges[r].hi)
	return true;
  return false;
}

int
lp_plan_callees (const lp_census *census, struct lp_decoder *decoder,
		 lp_plan *plan)
{
  if (!census->nimports)
    return 0;
  plan->callees = calloc (plan->flow.insns.n + 1, sizeof *plan->callees);
  if (!plan->callees)
    return -1;
  for (uint32_t i = 0; i < plan->flow.insns.n; i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      lp_import *import = callee_of (census, decoder, in);
      if (import && !is_wanted (plan->fn, in->addr))
	import = NULL;
      plan->callees[i] = import;
      /* Several threads plan.  */
      if (import)
	__atomic_store_n (&import->called, true, __ATOMIC_RELAXED);
    }
  return 0;
}

const lp_import *
lp_plan_callee (const lp_plan *plan, uint32_t i)
{
  return plan->callees ? plan->callees[i] : NULL;
}

bool
lp_plan_comes_back (const lp_plan *plan, uint32_t i)
{
  const lp_insn *in = &plan->flow.insns.v[i];
  return i && lp_plan_callee (plan, i - 1)
	 && (in[-1].kind == LP_INSN_CALL || in[-1].kind == LP_INSN_CALL_IND)
	 && in[-1].addr + in[-1].len == in->addr;
}

uint32_t
lp_plan_callee_number (const lp_plan *plan, uint32_t i)
{
  const lp_import *callee = lp_plan_callee (plan, i);
  return callee ? callee->number : 0;
}
