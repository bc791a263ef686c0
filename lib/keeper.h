/* keeper.h: a process's memory after an end that nobody could see coming: _exit, abort,
   a signal, exec.

   The keeper is a process that shares the memory of ours, which so outlives ours, and
   sleeps until then.  It is no child that wait(2) would find, its end sends no signal,
   it has none of the descriptors, nor the session.  */

#ifndef LP_KEEPER_H
#define LP_KEEPER_H

/* Call WRITE in the keeper when this process has ended or has executed another program,
   in the folder that is the current one now, without descriptors.  It has some
   seconds: whatever lock a thread had then is never released.  Call it from the first
   thread.  Nothing happens where there can be no keeper (an old kernel, seccomp,
   valgrind).  */
void lp_keeper_begin (void (*write) (void));
/* WRITE is not to be called any more.  */
void lp_keeper_end (void);

#endif
