/* record.h: from what a follow knows to a profile.  */

#ifndef LP_RECORD_H
#define LP_RECORD_H

#include <time.h>

#include "follow.h"

/* The two clocks, read together.  */
typedef struct lp_moment
{
  uint64_t ticks;
  int64_t ns;			/* CLOCK_MONOTONIC */
} lp_moment;

/* What a profile says of the run as a whole.  */
typedef struct lp_record
{
  char *const *argv;		/* the program's */
  lp_moment begin;		/* of the recording */
  time_t start;
} lp_record;

lp_moment lp_record_now (void);

/* Everything that FOLLOW's programs have counted up to now; what runs is not
   disturbed.  STATUS: the program's, or -1.  */
lp_profile *lp_record_profile (const lp_record *record,
			       const lp_follow *follow, int status,
			       lp_error *err);

/* The command line of PID as an argv; free it and its first string.  NULL when out
   of memory.  */
char **lp_record_command (pid_t pid);

#endif
