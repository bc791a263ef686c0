/* callbacks.h: C that a goroutine has called and that calls Go back.

   Its frames have addresses of the thread's stack, those of Go stand far above them,
   and an entry closes what has a lower address than its own.  So while Go
   runs on top of C, the C calls stand right below the Go call that made them, where the
   ways back that leave them out, as a panic, still find them; when Go has returned
   to C, where they were.  */

#ifndef LP_COLLECT_CALLBACKS_H
#define LP_COLLECT_CALLBACKS_H

#include <stdbool.h>

#include "base/vec.h"
#include "wire/layout.h"

/* Goroutines' stacks move and end somewhere else then: for us all end at one place, which
   is higher than any C function's.  No frame of theirs is below the other one.  */
#define LP_GO_STACKS_END (UINT64_C (1) << 62)
#define LP_GO_STACKS_LOW (UINT64_C (1) << 61)

/* A C call that Go runs on top of.  */
typedef struct lp_covered
{
  uint32_t at;			/* offset of its frame */
  uint64_t cfa;			/* its own */
} lp_covered;

typedef LP_VEC (lp_covered) lp_callbacks;

/* Is C on top in BLOCK?  */
bool lp_callbacks_is_c (const lp_block *block);
/* Go runs in BLOCK: if C is on top, it has called it.  Out of memory, C's calls end
   here.  */
void lp_callbacks_cover (lp_callbacks *all, lp_block *block);
/* Go's event is over: if C is on top, it goes on.  True: nothing but C is in BLOCK.  */
bool lp_callbacks_uncover (lp_callbacks *all, lp_block *block);

#endif
