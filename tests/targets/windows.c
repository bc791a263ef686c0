/* windows.c: work in five stages.  Between them it waits for its standard input to
   say so, and tells on standard output where it is: there is time to turn a
   profiler's recording on and off.  */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sink;

static void
leaf (unsigned n)
{
  sink += n;
}

static void
stage (int n)
{
  for (int i = 0; i < n; i++)
    leaf (i);
}

int
main (void)
{
  static const int work[] = { 1000, 300, 70, 20, 4 };
  char c;
  for (int i = 0; i < 5; i++)
    {
      printf ("%d\n", i);
      fflush (stdout);
      if (read (0, &c, 1) != 1)
	return 1;
      stage (work[i]);
    }
  return 0;
}
