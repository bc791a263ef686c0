/* thunk_call.h: call a thunk the way a clone does, with chosen contents of all
   general registers and flags.  */

#ifndef THUNK_CALL_H
#define THUNK_CALL_H

#define CALL_IN 0
#define CALL_IN_FLAGS 128
#define CALL_OUT 136
#define CALL_OUT_FLAGS 264
#define CALL_THUNK 272
#define CALL_RCX 280
#define CALL_RAX 288
#define CALL_SP 296

#ifndef __ASSEMBLER__

#include <stdint.h>

struct thunk_call
{
  uint64_t in[16];		/* registers by their number; in[4]: the stack pointer of the
				   code that calls, before it pushes rax and rcx */
  uint64_t in_flags;
  uint64_t out[16];		/* registers after rax and rcx were popped again */
  uint64_t out_flags;
  const void *thunk;
  uint64_t rcx, rax;		/* the thunk's arguments */
  uint64_t sp;			/* own stack pointer meanwhile */
};

/* Fill call->out and call->out_flags.  */
void thunk_call (struct thunk_call *call);

/* For a signal handler that interrupts a thunk: the call under way, to be put
   back when the handler itself called thunks; and where to go on in order to
   leave the call for good, as by longjmp.  */
extern struct thunk_call *thunk_current;
extern const char thunk_abandon[];

#endif
#endif
