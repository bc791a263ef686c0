/* paced.c: the same work every few milliseconds, for more than a second.  */

#include <stdio.h>
#include <time.h>

static unsigned sum;

static void
work (unsigned n)
{
  for (unsigned i = 0; i < 5; i++)
    sum += n * i;
}

int
main (void)
{
  const struct timespec pause = { 0, 2000000 };
  for (unsigned i = 0; i < 600; i++)
    {
      work (i);
      nanosleep (&pause, NULL);
    }
  printf ("%u\n", sum);
  return 0;
}
