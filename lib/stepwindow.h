/* stepwindow.h: stepping in windows of time only.  Between them the pages are open, and
   the program runs at its own speed and is not counted.  What was counted is
   multiplied by how much longer the whole took than the windows: an estimate.

   A window does not see as much of the program as the time beside it does, because
   what is stepped through is slow.  So lines can be compared with each other, and
   numbers of what the program waits for are about right; those of what it
   computes are much too small.  */

#ifndef LP_STEPWINDOW_H
#define LP_STEPWINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "target/target.h"

struct lp_follow;

typedef struct lp_windows
{
  bool shut;			/* between two windows */
  int64_t began;		/* CLOCK_MONOTONIC, ns: the first one; 0: not yet */
  int64_t since, next;		/* the last change, the next one */
  int64_t open;			/* ns in windows before SINCE */
} lp_windows;

/* The first image of FOLLOW begins, in a window.  */
void lp_windows_begin (struct lp_follow *follow);
/* Begin or end a window where it is time to; TARGET runs.  */
void lp_windows_tick (struct lp_follow *follow, lp_target *target);
/* lp_hooks' `paused'; its ARG is the lp_follow.  */
int lp_windows_paused (void *arg, lp_process *proc, lp_error *err);
/* By what counts and times are to be multiplied now: 1 without windows.  */
double lp_windows_scale (const struct lp_follow *follow);
/* What the reader has to know; the caller frees it.  NULL when out of memory.  */
char *lp_windows_note (const struct lp_follow *follow);

#endif
