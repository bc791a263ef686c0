/* marked.c: which functions are profiled stands in the source, as with Python's
   @profile.

     cc -g marked.c -o marked
     kernprof -l -v ./marked  */

#include <lineprof.h>
#include <stdio.h>

PROFILE_FN
static int
collatz (unsigned long n)
{
  int steps = 0;
  while (n != 1)
    {
      if (n % 2)
        n = 3 * n + 1;
      else
        n /= 2;
      steps++;
    }
  return steps;
}

int
main (void)
{
  int longest = 0;
  for (unsigned long n = 1; n < 3000; n++)
    {
      int steps = collatz (n);
      longest = steps > longest ? steps : longest;
    }
  printf ("%d steps\n", longest);
  return 0;
}
