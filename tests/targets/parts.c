/* parts.c: what optimisers make of functions: parts, copies, cold ranges,
   inlined instances, folded twins, functions that are dropped.  */

#include <stdio.h>
#include <stdlib.h>

__attribute__ ((cold, noinline)) static void
complain (const char *what)
{
  fprintf (stderr, "%s\n", what);
  abort ();
}

static inline __attribute__ ((always_inline)) int
leaf (int x)
{
  int y = x * 3;		/* leaf */
  return y + 1;
}

__attribute__ ((noinline)) int
user (int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += leaf (i) ^ leaf (n);	/* call of leaf */
  return s;
}

/* Its test is cheap and its rest is not: gcc splits it at -O2.  */
__attribute__ ((noinline)) static int
copied (int n, int factor)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += i * factor;
  return s;
}

__attribute__ ((noinline)) int
chilly (int n)
{
  if (__builtin_expect (n < 0, 0))
    {
      printf ("%d is negative\n", n);	/* cold */
      complain ("chilly");
    }
  return n + 1;
}

int
dropped (int n)
{
  return n * 17;		/* dropped */
}

int
main (int argc, char **argv)
{
  (void) argv;
  printf ("%d %d %d %d\n", user (argc + 5), copied (argc, 7), copied (argc + 1, 7),
	  chilly (argc));
  return 0;
}

int first_alias (int) __attribute__ ((alias ("user")));
