/* libraries.h: shared objects that patterns name, or with marked functions, while they
   come and go in the processes that lib/follow.c follows.  */

#ifndef LP_LIBRARIES_H
#define LP_LIBRARIES_H

#include "follow.h"

/* PROC, which executes PROGRAM, is about to be profiled: prepare the objects that it
   has loaded.  Where only those have marked functions, PROGRAM's own are dropped.
   -1: out of memory.  */
int lp_libraries_learn (lp_follow *follow, lp_program *program,
			lp_process *proc, lp_error *err);

/* The set of objects in PROC, a member of a live image, may have changed: patch
   what is new, forget what is gone.  What cannot be profiled is noted.  -1: out
   of memory.  */
int lp_libraries_place (lp_follow *follow, lp_process *proc, lp_error *err);

/* Prepare the objects that the running process PID has mapped, before it is
   stopped.  What fails will be told when it is.  */
void lp_libraries_foresee (lp_follow *follow, lp_program *program, pid_t pid);

/* The first image stands there: -1 when one of its objects is named by a pattern
   that none of them has functions for, or when it can load none; without patterns
   when there is nothing at all to profile.  */
int lp_libraries_check (const lp_follow *follow, lp_error *err);

/* Note which patterns named objects that were never loaded, or functions that
   those did not have.  -1: out of memory.  */
int lp_libraries_conclude (lp_follow *follow);

#endif
