/* sigframe.h: where the kernel saves a thread's registers for a signal handler.

   struct rt_sigframe (arch/x86/include/asm/sigframe.h) starts with the handler's
   return address; a ucontext follows, whose gregs begin 40 bytes in; rip is the
   17th, then come the flags, and the 19th holds cs.  */

#ifndef LP_TARGET_SIGFRAME_H
#define LP_TARGET_SIGFRAME_H

enum
{
  LP_SAVED_RIP = 8 + 40 + 16 * 8, /* bytes from the start of the frame */
  LP_SAVED_FLAGS = LP_SAVED_RIP + 8,
  LP_SAVED_CS = LP_SAVED_RIP + 16
};

#endif
