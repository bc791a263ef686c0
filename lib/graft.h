/* graft.h: the clones of one module's functions in a running process, and what is
   written into the module for them.

   A graft belongs to every process that was forked with it; each process has its
   own list of those in its memory.  Its code does not change once it is made.  */

#ifndef LP_GRAFT_H
#define LP_GRAFT_H

#include "guard.h"
#include "move.h"
#include "prepare.h"

typedef struct lp_graft
{
  size_t refs;			/* lists that have it */
  const lp_prepared *prepared;
  uint64_t lo;			/* run-time address of the module */
  size_t area;			/* bytes of text mapped here */
  bool undoable;		/* threads will be moved out of it */
  lp_text text;
  lp_guard guard;
} lp_graft;

/* A graft in one process.  */
typedef struct lp_placed
{
  lp_graft *graft;
  bool later;			/* lp_grafts_apply has not been called yet */
  bool there;			/* the module is loaded and patched; else it was unloaded:
				   its clones wait for it to come back to its place */
} lp_placed;

typedef LP_VEC (lp_placed) lp_grafts;

/* A graft made before anything is stopped, here alone, for the place where it will
   probably go.  */
typedef struct lp_sketch
{
  const lp_prepared *prepared;	/* NULL: there is none */
  lp_guard guard;
  size_t area;
  int fd;			/* of the memory that its code is in */
  lp_text text;
} lp_sketch;

/* How grafts of one image are made.  */
typedef struct lp_graft_how
{
  lp_emit_env env;		/* but for the thunks */
  uint32_t trap_cost, step_cost; /* ticks of one stop */
  bool running;			/* threads may be anywhere in the module now */
  bool undoable;		/* they will have to be moved out again */
  bool later;			/* lp_grafts_apply will patch */
  lp_sketch *sketch;		/* to be used where it fits, or NULL */
} lp_graft_how;

/* graft_emit.c: write all that PREPARED needs into TEXT, from its begin, for PROC: the
   thunks, the clones, the patches, sorted; and choose pages.  PREPARED's engines may
   become NONE, and int3s take the place of puns, for what does not fit.  -1:
   LP_ENOMEM.  */
int lp_graft_emit (lp_text *text, lp_prepared *prepared, lp_process *proc,
		   lp_error *err);

/* graft_pages.c: map the pages of TEXT's puns into PROC, or take those that are mapped
   out.  -1 with LP_ETARGET: one is in use by now; none is mapped then.  */
int lp_graft_map_pages (lp_text *text, lp_process *proc, lp_error *err);
int lp_graft_unmap_pages (const lp_text *text, lp_process *proc, pid_t tid,
			  lp_error *err);

/* Sketch what lp_graft_add would make; PROC runs.  Nothing is there afterwards when
   that was not possible.  */
void lp_graft_sketch (lp_sketch *sketch, lp_process *proc,
		      lp_prepared *prepared, const lp_loaded *where,
		      const lp_graft_how *how);
void lp_sketch_free (lp_sketch *sketch);

/* Clone PREPARED's functions for the module loaded at WHERE in PROC, patch them in
   and add the graft to GRAFTS.  PREPARED's engines may become NONE for what does
   not fit.  A module that came back to its place gets the clones that it had.
   All threads of PROC are stopped, or none is in the module.  */
int lp_graft_add (lp_grafts *grafts, lp_process *proc, lp_prepared *prepared,
		  const lp_loaded *where, const lp_graft_how *how,
		  lp_error *err);

/* Patch in what was added to be patched later, all or nothing.  MOVER's threads, all
   of PROC that there are, are stopped; NULL: no thread is in the modules.
   Allocates nothing.  */
int lp_grafts_apply (lp_grafts *grafts, lp_process *proc,
		     const lp_mover *mover, lp_error *err);

/* Take all grafts out of PROC: the text byte for byte.  *STAY counts the threads
   that are still in a clone.  All threads of PROC are stopped, MOVER's (NULL: that
   takes PROC's) are all there are.  */
int lp_grafts_undo (const lp_grafts *grafts, lp_process *proc,
		    const lp_mover *mover, size_t *stay, lp_error *err);
/* Take their mappings out of PROC, too: no thread is in one.  */
int lp_grafts_unmap (const lp_grafts *grafts, lp_process *proc, pid_t tid,
		     lp_error *err);

/* TO, which is empty, gets all that FROM has: a fork.  */
int lp_grafts_copy (lp_grafts *to, const lp_grafts *from, lp_error *err);
void lp_grafts_free (lp_grafts *grafts);

/* Is the module that lies at LO patched?  */
bool lp_grafts_have (const lp_grafts *grafts, uint64_t lo);
/* The text whose code holds the run-time address ADDR, or NULL.  */
const lp_text *lp_grafts_text (const lp_grafts *grafts, uint64_t addr);
/* What lp_hooks' `original' and `copy' are to return for program counter PC.  */
uint64_t lp_grafts_original (const lp_grafts *grafts, uint64_t pc);
uint64_t lp_grafts_copy_of (const lp_grafts *grafts, uint64_t pc);
/* The trap at the run-time address ADDR and its *GRAFT, or NULL.  */
const lp_trap *lp_grafts_trap (const lp_grafts *grafts, uint64_t addr,
			       const lp_graft **graft);
/* stops.c: who has closed the page because of which a thread with REGS faulted at run-time
   address ADDR, or NULL.  */
lp_graft *lp_grafts_closed (const lp_grafts *grafts, uint64_t addr,
			    const struct user_regs_struct *regs);
/* Close the pages that are stepped through in PROC, or (not SHUT) open them.  */
void lp_grafts_guard (const lp_grafts *grafts, lp_process *proc, bool shut);
/* Does an int3 stand in some module, or is a page closed?  */
bool lp_grafts_trap_any (const lp_grafts *grafts);

#endif
