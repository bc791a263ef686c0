/* loop.c: a loop of four short lines.  With -DTSC each line reads the time stamp
   counter, as a probe must: the least that an exact time per line can cost.  */

#ifdef MARKED
# include <lineprof.h>
PROFILE_FN_NAMED ("work");
#endif
#include <stdio.h>
#include <stdlib.h>

#ifdef TSC
# define TICK ({ __asm__ volatile ("rdtsc" : : : "rax", "rdx"); })
#else
# define TICK (void) 0
#endif

static __attribute__ ((noinline)) unsigned
work (unsigned n)
{
  unsigned a = 1, b = 2, c = 3;
  for (unsigned i = 0; i < n; TICK, i++)
    {
      a += i; TICK;
      b ^= a; TICK;
      c = c * 3 + b; TICK;
      a += c >> 7; TICK;
    }
  return a + b + c;
}

int
main (int argc, char **argv)
{
  printf ("%u\n", work (argc > 1 ? strtoul (argv[1], NULL, 0) : 0));
  return 0;
}
