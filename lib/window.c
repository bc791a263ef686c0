/* window.c: recording that is turned on and off.  */

#include "window.h"

#include <stddef.h>

static void
replace (lp_profile **place, lp_profile *profile)
{
  lp_profile_free (*place);
  *place = profile;
}

int
lp_window_toggle (lp_window *window, lp_profile *now, lp_error *err)
{
  window->off = !window->off;
  if (window->off)
    {
      replace (&window->since, now);
      return 0;
    }
  /* NOW less SINCE, both of which hold what was left out before.  */
  int bad = window->since ? lp_profile_take_away (now, window->since, err) : 0;
  replace (&window->since, NULL);
  if (!bad && window->left_out)
    bad = lp_profile_merge (now, window->left_out, err);
  replace (&window->left_out, now);
  return bad;
}

/* A copy of PROFILE, NULL being an empty one like LIKE.  */
static lp_profile *
copy_of (const lp_profile *profile, const lp_profile *like, lp_error *err)
{
  lp_profile *copy = lp_profile_new (err);
  if (!copy)
    return NULL;
  copy->kind = like->kind;
  copy->start = like->start;
  copy->time_mode = like->time_mode;
  copy->selected = true;
  if (!profile || lp_profile_merge (copy, profile, err) == 0)
    return copy;
  lp_profile_free (copy);
  return NULL;
}

/* Take a copy of WHAT away from PROFILE.  */
static int
leave_out (lp_profile *profile, const lp_profile *what, lp_error *err)
{
  lp_profile *copy = copy_of (what, profile, err);
  int bad = !copy || lp_profile_take_away (profile, copy, err);
  lp_profile_free (copy);
  return bad ? -1 : 0;
}

int
lp_window_apply (const lp_window *window, lp_profile *profile, lp_error *err)
{
  if (window->off)
    {
      /* Everything since then; then what was recorded before is all there is.  */
      lp_profile *rest = copy_of (profile, profile, err);
      int bad = !rest
		|| (window->since && leave_out (rest, window->since, err))
		|| leave_out (profile, rest, err);
      lp_profile_free (rest);
      if (bad)
	return -1;
    }
  return window->left_out ? leave_out (profile, window->left_out, err) : 0;
}

void
lp_window_free (lp_window *window)
{
  lp_profile_free (window->since);
  lp_profile_free (window->left_out);
  *window = (lp_window) { .off = false };
}
