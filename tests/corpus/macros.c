/* macros.c: macros that expand to loops, conditions and blocks; statement
   expressions; comma expressions.  */

#include <stdio.h>

#include "macros.h"

static int calls;

static int
tick (int x)
{
  calls++;
  return x;
}

static int
loops (int n)
{
  int r = 0;
  FOREACH (i, n)
    r += i;
  FOREACH (i, n) r += i;
  FOREACH (i, n)
    {
      FOREACH (j, i)
	r ^= j;
      tick (i);
    }
  FOREACH (i, n) FOREACH (j, n) r++;
  TIMES (n, r++)
  TIMES (n, r++; tick (r))
  TIMES (n,
	 r++;
	 tick (r))
  return r;
}

static int
checks (int n)
{
  CHECK (n >= 0);
  CHECK (tick (n) < 5);
  CHECK (n != 2
	 && n != 3);
  return n;
}

static int
expressions (int a, int b)
{
  int r = MAX (a, b);
  r += MAX (tick (a), tick (b));
  r += MAX (MAX (a, 1),
	    MAX (b, 2));
  SWAP (a, b);
  if (a > b)
    SWAP (a, b);
  else
    SWAP (b, r);
  r += SQUARE (a) + SQUARE (tick (b));
  r += CLAMP (r, 0, 20);
  r += CLAMP (tick (r),
	      tick (3),
	      tick (10));
  return r;
}

static int
statement_expressions (int n)
{
  int r = ({ int t = n; t++; t * 2; });
  r += ({
    int s = 0;
    for (int i = 0; i < n; i++)
      s += tick (i);
    s;
  });
  if (({ tick (n); n > 2; }))
    r++;
  while (({ n--; n > 0; }))
    r += 2;
  return ({ tick (r); r + 1; });
}

static int
commas (int n)
{
  int a = 0, b = 0;
  a = n, b = a + 1, a += b;
  a = (tick (a), tick (b), a + b);
  for (int i = 0, j = n; i < j; i++, j--)
    a++, b--;
  if (a++, b > 0)
    a--, b--;
  while (b++, a-- > 3)
    n++, tick (n);
  return a, b, a + b + n;
}

#define ITEMS(_) _ (red, 1) _ (green, 2) _ (blue, 4)

static int
generated (int n)
{
  int r = 0;
#define CASE(name, value) case value: r += sizeof #name; break;
  switch (n)
    {
      ITEMS (CASE)
    default:
      r = -1;
    }
#undef CASE
#define ADD(name, value) if (n & value) r += value;
  ITEMS (ADD)
  return r;
}

int
main (void)
{
  int r = 0;
  FOREACH (i, 6)
    {
      r += loops (i) + checks (i);
      r += expressions (i, 3);
      r += statement_expressions (i);
      r += commas (i) + generated (i) + from_header (i);
    }
  printf ("%d %d\n", r, calls);
  return 0;
}
