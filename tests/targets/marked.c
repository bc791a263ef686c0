/* marked.c: functions marked in the source, and some that are not.  */

#include <lineprof.h>

PROFILE_FN
__attribute__ ((noinline)) static int
below (int x)
{
  return x + 1;
}

int beside (int x);

PROFILE_FN int beside (int x) { return x * 2; }

/* A comment; with a } in it.  */
PROFILE_FN			/* and one; behind it } */
#define UNUSED ";}"
__attribute__ ((noinline))
static int (*
returns_pointer (int x)) (int)
{
  return x ? below : beside;
}

#ifdef VANISHES
PROFILE_FN
static inline int
vanished (int x)
{
  return x;
}
#endif

int unmarked (int x);

int
unmarked (int x)
{
  return x - 1;
}

PROFILE_FN_NAMED ("by_n*");

int by_name (int x);

int
by_name (int x)
{
  return returns_pointer (x) (x) + beside (x);
}

int
main (int argc, char **argv)
{
  (void) argv;
  return by_name (argc) + unmarked (argc) - 4;
}
