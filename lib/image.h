/* image.h: one process image under profiling: its slot, its pool of blocks, how
   its clones are made.  Forks of it share it.  */

#ifndef LP_IMAGE_H
#define LP_IMAGE_H

#include "collect/pool.h"
#include "collect/strands.h"
#include "graft.h"
#include "probe/calibrate.h"
#include "ranging.h"
#include "target/target.h"

typedef struct lp_image
{
  lp_pool pool;
  int32_t slot;			/* distance from fs:0 to the thread's slot; 0: none */
  bool idle;			/* what is stepped through is not counted now */
  lp_graft_how how;
  lp_ranging ranging;
  lp_strands strands;		/* goroutines */
} lp_image;

/* Put into PROC what its clones will need: a pool with PREPARED's cells and ROOM for
   others up to that offset, a slot in each thread; and an area for its named ranges.
   PROC is stopped: newly loaded, or (RUNNING) in the middle of its life.  PREPARED is
   its executable.  BY_THREAD: of ranges.  */
int lp_image_install (lp_image *image, lp_process *proc,
		      lp_prepared *prepared, uint32_t room,
		      const lp_costs *costs, bool timed, bool running,
		      bool by_thread, lp_error *err);
/* PROC, just installed, will run untraced: get ready for threads that take their blocks
   by themselves.  -1 where that cannot be.  */
int lp_image_let_go (lp_image *image, lp_process *proc, lp_error *err);
/* Sketch the clones of the executable PREPARED, for a process that runs and that
   will be installed with the same arguments.  */
void lp_image_sketch (lp_sketch *sketch, lp_process *proc,
		      lp_prepared *prepared, const lp_costs *costs, bool timed);
/* The clones of the module PREPARED, which is at WHERE: see lp_graft_add.  */
int lp_image_graft (lp_image *image, lp_grafts *grafts, lp_process *proc,
		    lp_prepared *prepared, const lp_loaded *where,
		    lp_error *err);
/* Take all out again: the text byte for byte, the slots, and the mappings where no
   thread can still be in them.  All threads of PROC are stopped.  */
int lp_image_remove (lp_image *image, const lp_grafts *grafts,
		     lp_process *proc, lp_error *err);
void lp_image_free (lp_image *image);

/* Give TID, a thread that has just begun in PROC, or in the memory of process CREATOR,
   which forked PROC, a block.  1: it has no thread pointer of its own (clone without
   CLONE_SETTLS), so its clones count in its creator's block while that one does.  A
   vfork child counts there by right: its creator waits.  */
int lp_image_claim_thread (lp_image *image, lp_process *proc, pid_t tid,
			   pid_t creator, lp_error *err);

/* The same for CHILD, which a thread of PARENT, another process, has forked.  */
int lp_image_claim_fork (lp_image *image, lp_process *child, pid_t parent,
			 lp_error *err);

/* What CHILD, just forked, still counts is nobody's.  */
int lp_image_claim_nobody (lp_image *image, lp_process *child, lp_error *err);

/* The block of TID at its run-time address, claimed when it has none.  */
uint64_t lp_image_block (lp_image *image, lp_process *proc, pid_t tid);
/* Point the slot of thread TID at the block at run-time address BLOCK.  A static
   program has no thread-local storage when it starts: its first probe will
   fault.  */
int lp_image_set_slot (lp_image *image, lp_process *proc, pid_t tid,
		       uint64_t block, lp_error *err);

/* stops.c: what it means that a thread has stopped.  */

/* TID of PROC ran into an int3, REGS->rip is behind it.  1: one of ours, REGS let it go on.
   0: not ours.  */
int lp_image_int3 (lp_image *image, const lp_grafts *grafts, lp_process *proc,
		   pid_t tid, struct user_regs_struct *regs);
/* TID of PROC faulted with REGS, accessing ADDR.  1: where it is stepped, or in a
   probe, because its slot was empty (a thread that nobody announced, or one
   without thread-local storage yet); it has a block now and REGS let it go on.  0:
   not ours.  */
int lp_image_fault (lp_image *image, const lp_grafts *grafts, lp_process *proc,
		    pid_t tid, uint64_t addr, struct user_regs_struct *regs,
		    lp_error *err);

/* A memfd with the preloaded object, for the target's `preload': its path is
   "/proc/PID/fd/FD".  -1 with LP_EIO.  */
int lp_slot_file (lp_error *err);

#endif
