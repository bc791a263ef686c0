/* folded.c: two functions with the same code, which linkers and compilers make one.  */

#include <stdio.h>

volatile unsigned sum;

__attribute__ ((noinline)) void
first (unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    sum += i ^ n;
}

__attribute__ ((noinline)) void
second (unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    sum += i ^ n;
}

int
main (void)
{
  for (unsigned i = 0; i < 30; i++)
    first (i);
  for (unsigned i = 0; i < 12; i++)
    second (i);
  printf ("%u\n", sum);
  return 0;
}
