/* own_claim.h: threads' slots and blocks in a process that profiles itself.  */

#ifndef LP_OWN_CLAIM_H
#define LP_OWN_CLAIM_H

#include "collect/pool.h"

/* Threads get their blocks from POOL from now on.  EVERYONE: at their first entry
   of a profiled function; else those that are on, and the others count for nobody.
   The caller gets one.  */
void lp_own_claims_begin (lp_pool *pool, bool everyone);
/* The reverse, in the only thread that there is; no code uses the pool.  */
void lp_own_claims_end (void);

/* The calling thread counts; nested.  False: there is no block left.  */
bool lp_own_on (void);
/* It does no more.  False: it did not.  */
bool lp_own_off (void);
/* Empty all blocks.  False: another thread is on.  */
bool lp_own_clear (void);

/* Distance from fs:0 to a thread's slot.  */
int32_t lp_own_slot_offset (void);

/* The block of the calling thread, which gets one when it has none: its address.
   For lp_own_function: of the vector registers at most lower halves change.  */
uint64_t lp_own_claim (void);

#endif
