/* harvest.h: taking call trees out of blocks; with counters, follow.c does the
   same itself.  */

#ifndef LP_HARVEST_H
#define LP_HARVEST_H

#include "follow.h"

/* Take the tree of block I of LIVE, whose thread is gone or (ALIVE) goes on without
   us.  -1 when out of memory: then it is lost.  */
int lp_harvest_block (lp_live *live, size_t i, pid_t pid, bool alive);
/* The trees of all threads of PID.  */
int lp_harvest_process (lp_live *live, pid_t pid, bool alive);

/* Append what PROGRAM's threads that still run have called to TREES.  */
int lp_harvest_running (const lp_follow *follow, const lp_program *program,
			lp_trees *trees);

#endif
