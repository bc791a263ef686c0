/* copy.c: copying a profile's vectors, and releasing them.  */

#include "profile/copy.h"

#include <string.h>

/* A vector TO like FROM, but with elements of its own: 0, or -1 and empty.  */
#define COPY(to, from)							\
  ((to)->v = NULL, (to)->n = (to)->cap = 0,				\
   lp_vec_reserve (to, (from)->n) ? -1					\
   : ((from)->n							\
      ? (void) memcpy ((to)->v, (from)->v, (from)->n * sizeof *(to)->v)	\
      : (void) 0,							\
      (to)->n = (from)->n, 0))

static int
copy_subjects (lp_profile *copy, const lp_profile *profile)
{
  int bad = COPY (&copy->subjects, &profile->subjects);
  for (size_t i = 0; i < copy->subjects.n; i++)
    bad |= COPY (&copy->subjects.v[i].lines, &profile->subjects.v[i].lines);
  return bad;
}

static int
copy_parts (lp_profile *copy, const lp_profile *profile)
{
  int bad = COPY (&copy->parts, &profile->parts);
  for (size_t i = 0; i < copy->parts.n; i++)
    {
      lp_part *to = &copy->parts.v[i];
      const lp_part *from = &profile->parts.v[i];
      bad |= COPY (&to->functions, &from->functions);
      bad |= COPY (&to->ranges, &from->ranges);
    }
  return bad;
}

int
lp_profile_copy (lp_profile *copy, const lp_profile *profile)
{
  *copy = *profile;
  int bad = COPY (&copy->notes, &profile->notes);
  bad |= COPY (&copy->objects, &profile->objects);
  bad |= COPY (&copy->sources, &profile->sources);
  bad |= COPY (&copy->nodes, &profile->nodes);
  bad |= copy_subjects (copy, profile);
  bad |= copy_parts (copy, profile);
  if (bad)
    lp_profile_drop (copy);
  return bad;
}

void
lp_profile_drop (lp_profile *profile)
{
  for (size_t i = 0; i < profile->subjects.n; i++)
    lp_vec_free (&profile->subjects.v[i].lines);
  for (size_t i = 0; i < profile->parts.n; i++)
    {
      lp_vec_free (&profile->parts.v[i].functions);
      lp_vec_free (&profile->parts.v[i].ranges);
    }
  lp_vec_free (&profile->notes);
  lp_vec_free (&profile->objects);
  lp_vec_free (&profile->sources);
  lp_vec_free (&profile->subjects);
  lp_vec_free (&profile->parts);
  lp_vec_free (&profile->nodes);
}
