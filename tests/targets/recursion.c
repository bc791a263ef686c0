/* recursion.c: direct and mutual recursion, deep and wide.  */

#include <stdio.h>

static int odd (int n);

static int
even (int n)				/* HITS 501 */
{
  if (n == 0)				/* HITS 501 */
    return 1;				/* HITS 1 */
  return odd (n - 1);			/* HITS 500 */
}

static int
odd (int n)				/* HITS 500 */
{
  if (n == 0)				/* HITS 500 */
    return 0;
  return even (n - 1);			/* HITS 500 */
}

static int
fib (int n)				/* HITS 1973 */
{
  int r;
  if (n < 2)				/* HITS 1973 */
    r = n;				/* HITS 987 */
  else
    r = fib (n - 1) + fib (n - 2);	/* HITS 986 */
  return r;				/* HITS 1973 */
}

static long
deep (int n)				/* HITS 50001 */
{
  volatile long here = n;		/* HITS 50001 */
  if (n)				/* HITS 50001 */
    here += deep (n - 1);		/* HITS 50000 */
  return here;				/* HITS 50001 */
}

int
main (void)
{
  printf ("%d %d %ld\n", even (1000), fib (15), deep (50000));
  return 0;
}
