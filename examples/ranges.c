/* ranges.c: blocks with names.

     cc -g ranges.c -o ranges $(pkg-config --cflags --libs lineprof)
     LINE_PROFILE=1 ./ranges
     kernprof -l ./ranges  */

#include <lineprof.h>
#include <stdio.h>
#include <time.h>

static void
wait_for (int ms)
{
  struct timespec t = { .tv_nsec = ms * 1000000l };
  nanosleep (&t, NULL);
}

int
main (void)
{
  for (int frame = 0; frame < 3; frame++)
    LP_RANGE ("frame")
      {
        LP_RANGE ("decode")
          wait_for (10);
        for (int plane = 0; plane < 3; plane++)
          LP_RANGE ("scale")
            wait_for (1);
      }
  puts ("3 frames");
  return 0;
}
