/* callees.h: which objects have the functions that a program calls in its libraries,
   as that is seen in a process.  */

#ifndef LP_CALLEES_H
#define LP_CALLEES_H

#include "follow.h"

/* PROC, which executes PROGRAM, has loaded its objects: find those of PROGRAM's and its
   libraries' imports that have no owner yet.  A function that is profiled itself is
   not counted where it is called.  What no object has is not counted.  -1: out of
   memory, or PROC cannot be read.  */
int lp_callees_settle (lp_follow *follow, lp_program *program,
		       lp_process *proc, lp_error *err);

/* How many of PREPARED's imports are counted.  */
size_t lp_callees_count (const lp_prepared *prepared);

#endif
