/* flow_build.h: a flow graph in the making: what flow.c and entries.c share.  */

#ifndef LP_PROBE_FLOW_BUILD_H
#define LP_PROBE_FLOW_BUILD_H

#include "probe/flow.h"
#include "probe/tables.h"

struct build
{
  const lp_census *census;
  const lp_function *fn;
  lp_flow *flow;
  lp_tables tables;
  bool *leader;			/* of each instruction */
  bool have_pointers;
  uint64_t computed;		/* address of a jump through a register or a table, or 0 */
  lp_error *err;
};

/* Find the function's jump tables, and all the instructions that something else
   than a branch of its own may reach.  0 or -1.  */
int lp_flow_find_entries (struct build *b);

/* Find which landing pads the function's calls have.  0 or -1.  */
int lp_flow_find_throws (struct build *b);

/* With all blocks connected: code that nothing comes to shows that a computed jump
   of the function was misread.  Marks the flow as unresolved then.  0 or -1.  */
int lp_flow_check_reach (struct build *b);

#endif
