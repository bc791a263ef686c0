/* goroutine.c: where Go keeps what it runs.

   By Go's internal calling convention, since 1.17, r14 holds the current `g'
   (src/cmd/compile/abi-internal.md); assembly finds it in thread-local storage,
   which in executables is the word below fs:0.  A `g' begins with the bounds of its
   stack (src/runtime/runtime2.go): the one that has the stack pointer between them is
   the right one.  */

#include "goroutine.h"

uint64_t
lp_goroutine_find (lp_process *proc, const struct user_regs_struct *regs,
		   uint64_t *top)
{
  uint64_t word = 0, bounds[2];
  if (regs->fs_base)
    lp_process_read (proc, regs->fs_base - 8, &word, sizeof word, NULL);
  uint64_t places[] = { regs->r14, word };
  for (int i = 0; i < 2; i++)
    if (places[i] && places[i] % 8 == 0
	&& lp_process_read (proc, places[i], bounds, sizeof bounds, NULL) == 0
	&& bounds[0] < regs->rsp && regs->rsp < bounds[1])
      {
	*top = bounds[1];
	return places[i];
      }
  return 0;
}
