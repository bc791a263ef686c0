/* calibrate.h: what the probes themselves cost on this machine, now.  */

#ifndef LP_PROBE_CALIBRATE_H
#define LP_PROBE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct lp_costs
{
  uint32_t line;		/* ticks of a timed line probe */
  uint32_t entry, exit;		/* ticks of the entry and exit probes */
  uint32_t inlined;		/* ticks of counting an inlined call */
  uint32_t trap, step;		/* ticks of a stop at an int3, of a step; 0: unknown */
} lp_costs;

/* Run probes in this process, some thousand times, and take the shortest
   averages.  THUNKS are the bytes of the thunks and ENTRY, EXIT the places in
   them; INLINED: they are those of a call tree, and this one is in them, too; else 0.
   About two milliseconds.  -1 with LP_EUNSUPPORTED where no executable memory
   can be had.  */
int lp_calibrate (const uint8_t *thunks, size_t nthunks, size_t entry,
		  size_t exit, size_t inlined, lp_costs *costs, lp_error *err);

#endif
