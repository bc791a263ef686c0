/* small.c: a small program, whose start-up is the time to measure.  */

#include <stdio.h>

static __attribute__ ((noinline)) int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

int
main (void)
{
  printf ("%d\n", work (100));
  return 0;
}
