/* reach.c: does something come to every block?

   A jump through a register looks like a tail call when no table is seen, and a
   table that is not where compilers put it (differences of labels, an address
   that is computed in steps) is not seen.  Compilers do not leave code behind
   that nothing comes to; so such code is what the jump is for.  */

#include <stdlib.h>

#include "probe/flow_build.h"

/* nop in all its forms (90, 0f 1f), a stop, or a jump that leads on.  */
static bool
is_filler (const lp_module *mod, const lp_insn *in)
{
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (mod, in->addr, &avail) + in->opcode_off;
  return in->kind == LP_INSN_STOP || in->kind == LP_INSN_JMP
	 || (in->kind == LP_INSN_PLAIN
	     && (p[0] == 0x90 || (p[0] == 0x0f && p[1] == 0x1f)));
}

static bool
is_filler_block (const struct build *b, const lp_basic_block *block)
{
  for (uint32_t i = 0; i < block->count; i++)
    if (!is_filler (b->census->mod, &b->flow->insns.v[block->first + i]))
      return false;
  return true;
}

static void
visit (const lp_flow *flow, uint32_t at, bool *reached, uint32_t *stack)
{
  size_t n = 0;
  if (reached[at])
    return;
  reached[at] = true;
  stack[n++] = at;
  while (n)
    {
      const lp_basic_block *block = &flow->blocks.v[stack[--n]];
      for (uint32_t i = 0; i < block->nsucc; i++)
	{
	  uint32_t to = flow->edges.v[block->succ + i];
	  if (!reached[to])
	    stack[n++] = to;
	  reached[to] = true;
	}
    }
}

int
lp_flow_check_reach (struct build *b)
{
  lp_flow *flow = b->flow;
  if (!b->computed || flow->unresolved)
    return 0;
  bool *reached = calloc (flow->blocks.n + 1, sizeof *reached);
  uint32_t *stack = calloc (flow->blocks.n + 1, sizeof *stack);
  for (uint32_t i = 0; reached && stack && i < flow->blocks.n; i++)
    if (flow->blocks.v[i].entry)
      visit (flow, i, reached, stack);
  for (uint32_t i = 0; reached && stack && i < flow->blocks.n; i++)
    if (!reached[i] && !is_filler_block (b, &flow->blocks.v[i]))
      {
	flow->unresolved = true;
	flow->unresolved_at = b->computed;
      }
  int bad = !reached || !stack ? lp_nomem (b->err) : 0;
  free (reached);
  free (stack);
  return bad;
}
