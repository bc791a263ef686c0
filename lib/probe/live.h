/* live.h: which registers and flags an instruction finds in use.  */

#ifndef LP_PROBE_LIVE_H
#define LP_PROBE_LIVE_H

#include "probe/flow.h"

/* Before each instruction of a flow graph.  */
typedef struct lp_live
{
  uint16_t *regs;		/* bit n: general register n may be read later */
  bool *flags;			/* some arithmetic flag may be read later */
} lp_live;

/* 0, or -1: out of memory.  */
int lp_live_compute (const lp_flow *flow, lp_live *live);
void lp_live_free (lp_live *live);

#endif
