/* live.c: backward data flow over the basic blocks.  Where the function is left
   every register is in use; the flags are not (psABI 3.2.1).  */

#include "probe/live.h"

#include <stdlib.h>

enum { ALL = 0xffff };

struct state
{
  uint16_t regs;
  bool flags;
};

static struct state
before (const lp_insn *in, struct state after)
{
  struct state s;
  s.regs = (after.regs & ~in->writes) | in->reads;
  s.flags = in->reads_flags || (after.flags && !in->writes_flags);
  return s;
}

static struct state
at_end (const lp_flow *flow, const lp_basic_block *block,
	const struct state *in)
{
  struct state s = { 0, false };
  if (block->leaves || block->nsucc == 0)
    s.regs = ALL;
  for (uint32_t i = 0; i < block->nsucc; i++)
    {
      const struct state *t = &in[flow->edges.v[block->succ + i]];
      s.regs |= t->regs;
      s.flags |= t->flags;
    }
  return s;
}

static struct state
through (const lp_flow *flow, const lp_basic_block *block, struct state s)
{
  for (uint32_t i = block->count; i-- > 0;)
    s = before (&flow->insns.v[block->first + i], s);
  return s;
}

static void
write_out (const lp_flow *flow, const struct state *in, lp_live *live)
{
  for (size_t b = 0; b < flow->blocks.n; b++)
    {
      const lp_basic_block *block = &flow->blocks.v[b];
      struct state s = at_end (flow, block, in);
      for (uint32_t i = block->count; i-- > 0;)
	{
	  s = before (&flow->insns.v[block->first + i], s);
	  live->regs[block->first + i] = s.regs;
	  live->flags[block->first + i] = s.flags;
	}
    }
}

int
lp_live_compute (const lp_flow *flow, lp_live *live)
{
  struct state *in = calloc (flow->blocks.n + 1, sizeof *in);
  live->regs = calloc (flow->insns.n + 1, sizeof *live->regs);
  live->flags = calloc (flow->insns.n + 1, sizeof *live->flags);
  if (!in || !live->regs || !live->flags)
    {
      free (in);
      lp_live_free (live);
      return -1;
    }
  for (bool changed = true; changed;)
    {
      changed = false;
      for (size_t b = flow->blocks.n; b-- > 0;)
	{
	  const lp_basic_block *block = &flow->blocks.v[b];
	  struct state s = through (flow, block, at_end (flow, block, in));
	  changed |= s.regs != in[b].regs || s.flags != in[b].flags;
	  in[b] = s;
	}
    }
  write_out (flow, in, live);
  free (in);
  return 0;
}

void
lp_live_free (lp_live *live)
{
  free (live->regs);
  free (live->flags);
  live->regs = NULL;
  live->flags = NULL;
}
