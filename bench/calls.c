/* calls.c: a function that is called N times, and another one by it.  With -DTSC each of
   them reads the time stamp counter twice, as what times its calls must.  */

#include <stdio.h>
#include <stdlib.h>

#ifdef TSC
# define TICK __asm__ volatile ("rdtsc" : : : "rax", "rdx")
#else
# define TICK (void) 0
#endif

static __attribute__ ((noipa)) unsigned
leaf (unsigned n)
{
  TICK;
  n = n * 3 + 1;
  TICK;
  return n;
}

static __attribute__ ((noipa)) unsigned
work (unsigned n)
{
  unsigned a = 0;
  TICK;
  for (unsigned i = 0; i < n; i++)
    a += leaf (a + i);
  TICK;
  return a;
}

int
main (int argc, char **argv)
{
  printf ("%u\n", work (argc > 1 ? strtoul (argv[1], NULL, 0) : 0));
  return 0;
}
