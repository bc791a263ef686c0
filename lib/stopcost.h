/* stopcost.h: what it costs that a thread is stopped and sent on.  */

#ifndef LP_STOPCOST_H
#define LP_STOPCOST_H

#include "probe/calibrate.h"

/* Measure, in a child process that is traced as a program is, COSTS' `trap' and
   `step': ticks from the end of one stop to the beginning of the next, with
   nothing in between.  Some milliseconds.  Where that is not possible they
   are 0.  No other process may be traced meanwhile.  */
void lp_stop_costs (lp_costs *costs);

#endif
