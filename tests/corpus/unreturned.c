/* unreturned.c: calls that do not return, where what is behind them is come to
   in another way too: longjmp, and functions that never return.  */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;
static int left;

static int
leave (int n)
{
  if (n % 3 == 0)
    longjmp (env, n + 1);
  return n;
}

static _Noreturn void
never (int n)
{
  longjmp (env, n);
}

static int
operand (int n)
{
  int r = n > 2
	  && leave (n) ? 1 : 2;
  r += n & 1
       ? leave (n + 1)
       : 4; r += n;
  return r;
}

static int
arms (int n)
{
  int r = 0;
  if (n & 1) leave (n);
  else r++;
  if (n & 2) { r += 2; leave (n); } r++;
  do leave (n), r++; while (n
			    & 4 && r < 4);
  return r;
}

static int
loop (int n)
{
  int r = 0;
  for (int i = 1; i < n; i++) if (i & 2)
      r += leave (i); else r++;
  for (int i = 1; i < 2 * n; i++) { if (i & 1) continue;
      leave (i); }
  while (n--) leave (n), r++;
  return r;
}

static int
cases (int n)
{
  int r = 0;
  switch (n)
    {
    case 1: r = 2;
    case 3: leave (n); case 2: r++;
      break;
    case 5: case 6: leave (n);
    default: r += 4;
    }
  return r;
}

static int
ends (int n)
{
  if (n == 1)
    never (2);
  if (n == 2) never (3);
  if (n == 3) { left++; never (4); } left += 2;
  while (left++ < 20) if (left & 1) left++; else if (n > 4)
      never (5);
  return left;
}

static int
catches (int (*f) (int), int n)
{
  int v = setjmp (env);
  if (v)
    return v;
  return f (n);
}

int
main (void)
{
  static int (*const all[]) (int) = { operand, arms, loop, cases, ends };
  int r = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int n = 0; n < 10; n++)
      r += catches (all[i], n);
  printf ("%d %d\n", r, left);
  return 0;
}
