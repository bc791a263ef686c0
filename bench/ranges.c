/* ranges.c: a loop around an empty named range; with -DNONE the loop alone.  */

#include <lineprof.h>

#include <stdlib.h>

#ifdef NONE
# undef LP_RANGE
# define LP_RANGE(name)
#endif

int
main (int argc, char **argv)
{
  unsigned long n = argc > 1 ? strtoul (argv[1], NULL, 0) : 0;
  for (unsigned long i = 0; i < n; i++)
    LP_RANGE ("empty")
      __asm__ volatile ("" : "+r" (i));
  return 0;
}
