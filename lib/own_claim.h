/* own_claim.h: threads' slots and blocks in a process that profiles itself.  */

#ifndef LP_OWN_CLAIM_H
#define LP_OWN_CLAIM_H

#include "collect/pool.h"

/* Threads get their blocks from POOL from now on; it is never unmapped.  */
void lp_own_claims_begin (lp_pool *pool);

/* Distance from fs:0 to a thread's slot.  */
int32_t lp_own_slot_offset (void);

/* The block of the calling thread, which gets one when it has none: its address.
   For lp_own_function: of the vector registers at most lower halves change.  */
uint64_t lp_own_claim (void);

#endif
