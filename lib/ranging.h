/* ranging.h: the named ranges of a program that a kernprof records.

   A program whose executable or liblineprof.so has the hook of wire/ranges.h gets an
   area, shared with its forks; its threads take blocks of it by themselves.  */

#ifndef LP_RANGING_H
#define LP_RANGING_H

#include "collect/ranges.h"
#include "debug/module.h"

typedef struct lp_ranging
{
  lp_range_area *area;		/* here; NULL: the program has none */
  size_t nblocks;
  uint64_t hook;		/* the run-time address of the program's */
  char why[160];		/* why there is no area, or "" */
} lp_ranging;

/* Give PROC, stopped at TID, which executes MOD and has the N MODULES, an area, if it
   can use one.  Its threads find their block of POOL at SLOT from fs:0, where that is
   not 0.  */
void lp_ranging_begin (lp_ranging *ranging, lp_process *proc, pid_t tid,
		       const lp_module *mod, const lp_loaded *modules,
		       size_t n, const lp_pool *pool, int32_t slot,
		       bool by_thread);
/* PROC is let go: it records no more.  The memory stays where it is: a thread may be
   using it.  */
void lp_ranging_stop (const lp_ranging *ranging, lp_process *proc);
void lp_ranging_free (lp_ranging *ranging);

#endif
