/* own_claim.h: threads' slots and blocks in a process that profiles itself.  */

#ifndef LP_OWN_CLAIM_H
#define LP_OWN_CLAIM_H

#include "collect/pool.h"

/* Threads get their blocks from POOL from now on.  EVERYONE: at their first entry
   of a profiled function; else those that are on, and the others count for nobody.
   The caller gets one.  */
void lp_own_claims_begin (lp_pool *pool, bool everyone);
/* The reverse; no code uses the pool, and other threads have been disowned.  */
void lp_own_claims_end (void);

/* For lp_standstill's work, FS_BASE being another thread's.  It ran before the functions
   were patched, and may be in one: give it a block, as at its first entry; or take
   what it has.  */
int lp_own_adopt (lp_process *self, uint64_t fs_base, lp_error *err);
int lp_own_disown (lp_process *self, uint64_t fs_base, lp_error *err);
/* Is a thread with the program counter PC, or any, about to use the pool?  */
bool lp_own_is_busy (uint64_t pc);

/* Is another thread than the caller on?  */
bool lp_own_others_on (void);

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
