/* pool.h: the blocks of all threads (wire/layout.h), seen from here.

   A block belongs to one thread of one process; a thread's successor in the same
   process takes it over with its sums.  Block 0 is everybody's who has none.
   Block 1 is for those who are not profiled any more: nobody reads it.

   The program has only as many blocks mapped as its threads use, and some ahead:
   mlockall makes pages of all that is mapped, and a limit on address space
   (ulimit -v) counts it.  The file grows with the blocks too: a limit on the size
   of files (ulimit -f) counts that.  */

#ifndef LP_COLLECT_POOL_H
#define LP_COLLECT_POOL_H

#include "collect/owners.h"
#include "target/target.h"
#include "wire/layout.h"

typedef struct lp_pool
{
  uint8_t *local;		/* the blocks here */
  uint64_t remote;		/* and in the program */
  size_t stride;		/* bytes from block to block */
  size_t size;			/* bytes that a block's contents take */
  size_t nblocks;
  size_t filed;			/* blocks that the file has room for */
  size_t step;			/* so many blocks are mapped into a process at once */
  pid_t *opened;		/* for each step but the first, the process that it was
				   last mapped into */
  bool tree;			/* the blocks hold call trees; set before lp_pool_map */
  lp_owners owners;
  uint32_t entry_cost, exit_cost, inlined_cost;
  size_t refused;		/* threads that found no block */
  uint64_t end;			/* TSC when recording ended; 0: it goes on */
  size_t offered;		/* blocks that were mapped for threads to take; 0: none */
  int fd;			/* of the blocks; -1: they are this process's own */
} lp_pool;

/* First offset in a block that is free for cells.  */
uint32_t lp_pool_first_cell (void);

/* Map a pool into PROC, stopped at TID, for blocks with room up to offset ROOM;
   what is used ends at lp_pool_first_cell yet.  */
int lp_pool_map (lp_pool *pool, lp_process *proc, pid_t tid, uint32_t room,
		 lp_error *err);
/* The same in this process itself, whose forks get copies of it.  */
int lp_pool_map_own (lp_pool *pool, uint32_t room, lp_error *err);
/* The same's end, where threads may yet look at a block: its memory stays, for the next
   lp_pool_map_own that it is large enough for.  */
void lp_pool_keep_own (lp_pool *pool);
/* Cells up to offset END are in use from now on.  -1: there is no room.  */
int lp_pool_extend (lp_pool *pool, uint32_t end);
void lp_pool_free (lp_pool *pool);
/* Recording ends now, whenever the blocks are read.  */
void lp_pool_end (lp_pool *pool);
/* Take the blocks out of PROC; no thread uses one.  They can still be read.  */
int lp_pool_unmap (lp_pool *pool, lp_process *proc, pid_t tid, lp_error *err);

/* From now on threads take their blocks by themselves (runtime/claim.S), SLOT being
   where they keep the pointer.  PROC is stopped at TID, and gets as many as it may
   map.  */
void lp_pool_offer (lp_pool *pool, lp_process *proc, pid_t tid, int32_t slot);
/* See that some are always left; to be called some times a second.  */
void lp_pool_offer_more (lp_pool *pool);
/* Those that were taken up to now become PID's.  False when there were too few: some
   threads shared block 0.  */
bool lp_pool_adopt (lp_pool *pool, pid_t pid);

/* A block for thread TID of PROC, which is stopped.  Its run-time address;
   block 0's when all are taken or it cannot be opened.  */
uint64_t lp_pool_claim (lp_pool *pool, lp_process *proc, pid_t tid);
/* The same for the first thread of PROC, a process that was forked by the thread
   whose block is at the run-time address PARENT: it stays in the calls that this
   one is in.  */
uint64_t lp_pool_claim_fork (lp_pool *pool, lp_process *proc,
			     uint64_t parent);
/* TID, which has a block, runs in the memory and the calls of the thread whose block is
   at the run-time address HOST, and that waits until TID is gone.  */
void lp_pool_lend (lp_pool *pool, pid_t tid, uint64_t host);
/* The block for those who are not profiled: its run-time address.  */
uint64_t lp_pool_nobody (const lp_pool *pool);
/* The thread is gone: close its open intervals and free its block.  */
void lp_pool_retire (lp_pool *pool, pid_t tid);
/* PID is gone, with all its threads: so are its stacks (wire/depot.h).  Before its blocks
   are taken.  */
void lp_pool_forget (lp_pool *pool, pid_t pid);
/* The block of TID, or that which was lent to it, or NULL.  */
lp_block *lp_pool_find (const lp_pool *pool, pid_t tid);
/* Its owner, or NULL.  */
lp_owner *lp_pool_owner (const lp_pool *pool, pid_t tid);

/* The first index of at least FROM whose block belongs to PID (0: to anybody, and
   block 0), or SIZE_MAX.  */
size_t lp_pool_next (const lp_pool *pool, size_t from, pid_t pid);

/* Add the cells of block I (from lp_pool_first_cell on, as 64-bit words) to SUMS,
   what is open as if it ended now.  OPEN, an array of as many bytes, gets 1 at
   the words of line cells that were being charged.  The block's thread may
   run, and does not notice.  -1 when out of memory.  */
int lp_pool_peek (const lp_pool *pool, size_t i, uint64_t *sums,
		  uint8_t *open);
/* The same, and the block is empty and anybody's afterwards: its thread is
   gone.  */
int lp_pool_take (lp_pool *pool, size_t i, uint64_t *sums, uint8_t *open);
/* The same where the thread lives on, with the block, and is not followed any
   more: nobody gets the block.  */
int lp_pool_leave (lp_pool *pool, size_t i, uint64_t *sums, uint8_t *open);

/* Block I itself, for who reads call trees (collect/trees.h); it is then given away
   as lp_pool_take does, or (ALIVE) as lp_pool_leave.  */
const lp_block *lp_pool_block (const lp_pool *pool, size_t i);
void lp_pool_drop (lp_pool *pool, size_t i, bool alive);

#endif
