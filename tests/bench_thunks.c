/* bench_thunks.c: what an entry and an exit cost, next to two bare readings of
   the clock.  Prints nanoseconds; `make bench_thunks' in tests/ builds it.  */

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#include "runtime/runtime.h"
#include "wire/layout.h"

enum { CALLS = 2000, TRIES = 2000 };

struct
{
  alignas (64) lp_block block;
  lp_frame frames[16];
  uint64_t cells[8];
} memory;

/* A function without a body, as its clone would be.  Its cells are those of
   `memory': a function's, and a line's behind it.  */
__asm__ (".text\n"
	 "profiled:\n\t"
	 "push %rax\n\tpush %rcx\n\t"
	 "lea memory(%rip), %rcx\n\t"
	 "movabs $((208 + 16 * 48 + 16) << 32) + 208 + 16 * 48, %rax\n\t"
	 "call lp_thunk_entry\n\t"
	 "pop %rcx\n\tpop %rax\n\t"
	 "push %rax\n\tpush %rcx\n\t"
	 "lea memory(%rip), %rcx\n\t"
	 "call lp_thunk_exit\n\t"
	 "pop %rcx\n\tpop %rax\n"
	 "bare:\n\t"
	 "ret");
void profiled (void);
void bare (void);

static void
two_readings (void)
{
  __rdtsc ();
  __rdtsc ();
}

static double
seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Nanoseconds of one call, at best.  */
static double
measure (void (*call) (void))
{
  double best = 1e9;
  for (int t = 0; t < TRIES; t++)
    {
      double start = seconds ();
      for (int i = 0; i < CALLS; i++)
	call ();
      double took = seconds () - start;
      best = took < best ? took : best;
    }
  return best * 1e9 / CALLS;
}

int
main (void)
{
  memory.block = (lp_block) {
    .last = __rdtsc (), .line = LP_OUTSIDE_LINE, .func = LP_OUTSIDE_FUNC,
    .top = LP_FRAMES, .limit = LP_FRAMES + 14 * LP_FRAME_SIZE
  };
  double call = measure (bare), clock = measure (two_readings) - call;
  double pair = measure (profiled) - call;
  printf ("call %.1f, two clock readings %.1f, entry and exit %.1f: ratio %.2f\n",
	  call, clock, pair, pair / clock);
  return 0;
}
