/* macros.h: code that several lines of macros.c expand, and a function that
   is defined in a header.  */

#define FOREACH(i, n) for (int i = 0; i < (n); i++)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CHECK(c) do { if (!(c)) return -1; } while (0)
#define SWAP(a, b) \
  do \
    { \
      int swap_tmp = (a); \
      (a) = (b); \
      (b) = swap_tmp; \
    } \
  while (0)
#define TIMES(n, body) \
  for (int times_i = 0; times_i < (n); times_i++) \
    { \
      body; \
    }
#define SQUARE(x) ({ int square_x = (x); square_x * square_x; })
#define CLAMP(x, lo, hi) \
  ({ \
    int clamp_x = (x); \
    if (clamp_x < (lo)) \
      clamp_x = (lo); \
    else if (clamp_x > (hi)) \
      clamp_x = (hi); \
    clamp_x; \
  })

static inline int
from_header (int n)
{
  int s = 0;
  FOREACH (i, n)
    s += i;
  return s;
}
