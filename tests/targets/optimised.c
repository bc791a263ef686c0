/* optimised.c: for -O2: tail calls, .cold parts, jump tables, inlined functions
   and vectors; what it prints depends on all of them.  */

#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static NOINLINE int odd (int n);

static NOINLINE int
even (int n)
{
  if (n == 0)
    return 1;
  return odd (n - 1);
}

static NOINLINE int
odd (int n)
{
  if (n == 0)
    return 0;
  return even (n - 1);
}

static NOINLINE __attribute__ ((cold)) void
report (const char *what, int n)
{
  printf ("%s %d\n", what, n);
}

/* The branch that is never expected goes to a .cold part.  */
static NOINLINE int
checked (int n)
{
  if (__builtin_expect (n % 1000 == 999, 0))
    {
      report ("unlikely", n);
      n -= 3;
      if (n > 100000)
	abort ();
    }
  return n * 2;
}

static NOINLINE unsigned
dispatch (unsigned op, unsigned x)
{
  switch (op)
    {
    case 0: return x + 1;
    case 1: return x * 7;
    case 2: return x ^ 0x5555;
    case 3: return x >> 3;
    case 4: return x << 2;
    case 5: return x - 99;
    case 6: return ~x;
    case 7: return x % 1009;
    case 8: return checked (x & 0xffff);
    default: return x;
    }
}

static NOINLINE float
vectors (const float *a, const float *b, int n)
{
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static int
compare (const void *a, const void *b)
{
  return *(const unsigned *) a < *(const unsigned *) b ? -1 : 1;
}

int
main (void)
{
  static unsigned values[5000];
  static float a[512], b[512];
  unsigned x = 1;
  for (unsigned i = 0; i < 5000; i++)
    values[i] = x = dispatch (i % 11, x * 1103515245 + 12345);
  qsort (values, 5000, sizeof *values, compare);
  for (int i = 0; i < 512; i++)
    a[i] = i, b[i] = 1.0f / (i + 1);
  printf ("%d %u %u %.3f\n", even (100001), values[17], values[4999],
	  vectors (a, b, 512));
  return 0;
}
