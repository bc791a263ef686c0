/* host.h: what a process that has the library has of it from the start, and the engine
   (engine.h) uses: the words of its threads, and where its named ranges go.

   In the static library the engine is in the same file; else lp_the_host comes with
   the engine's first call.  */

#ifndef LP_HOST_H
#define LP_HOST_H

#include <stdbool.h>

#include "wire/ranges.h"

/* Of each thread; all 0 in a new one.  */
typedef struct lp_own_thread
{
  uint64_t slot;		/* the block that it counts in */
  uint64_t mine;		/* the thread's block, in its slot while it is on; 0: none yet */
  unsigned depth;		/* how often it was turned on */
} lp_own_thread;

typedef struct lp_range_thread
{
  uint64_t epoch;		/* BLOCK is of this one */
  lp_range_block *block;	/* or NULL: it records nothing */
  bool on;			/* its ranges are recorded where not everyone's are */
} lp_range_thread;

typedef struct lp_host_thread
{
  lp_own_thread own;
  lp_range_thread range;
} lp_host_thread;

/* This process as the recorder of its own ranges.  */
typedef struct lp_own_ranges
{
  lp_range_area *area;		/* or NULL: it is none */
  bool everyone;		/* of all threads; else of those that are on */
  uint64_t (*claim) (void);	/* lp_own_claim */
} lp_own_ranges;

typedef struct lp_host
{
  lp_range_hook *hook;
  lp_own_ranges *ranges;
  /* The calling thread's.  Changes no vector register.  */
  lp_host_thread *(*thread) (void);
  /* End what it has open in the process's own area.  */
  void (*close_ranges) (void);
} lp_host;

extern const lp_host *lp_the_host;

#endif
