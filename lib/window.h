/* window.h: recording that is turned on and off while the program runs.

   The counters go on counting; what they counted while recording was off is taken
   away from what they say in the end.  So turning it on and off stops nothing,
   and costs what it costs to read the counters.  */

#ifndef LP_WINDOW_H
#define LP_WINDOW_H

#include <stdbool.h>

#include "profile/profile.h"

typedef struct lp_window
{
  bool off;
  lp_profile *since;		/* when OFF: the profile when it was turned off; NULL: it
				   never was on */
  lp_profile *left_out;		/* what was counted while it was off before, or NULL */
} lp_window;

/* Turn recording off, or on again; the profile up to NOW belongs to WINDOW from
   now on.  -1 when out of memory.  */
int lp_window_toggle (lp_window *window, lp_profile *now, lp_error *err);

/* Leave out of PROFILE, of everything up to now, what was not to be recorded.  */
int lp_window_apply (const lp_window *window, lp_profile *profile,
		     lp_error *err);

void lp_window_free (lp_window *window);

#endif
