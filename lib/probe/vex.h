/* vex.h: the length of VEX and EVEX instructions that capstone does not know.

   Intel SDM volume 2, sections 2.3 and 2.7.  Maps 1 to 3, 5 and 6; map 4 (APX)
   is refused.  */

#ifndef LP_PROBE_VEX_H
#define LP_PROBE_VEX_H

#include "probe/insn.h"

/* Fill INSN (whose addr is set) with the length and the rip-relative operand of
   the VEX or EVEX instruction at BYTES; all registers and flags count as read.
   0, or -1 when it is none that is understood.  */
int lp_decode_vex (const uint8_t *bytes, uint64_t avail, lp_insn *insn);

#endif
