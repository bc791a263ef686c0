/* inlined.c: a function inlined at six sites, one of them in a .cold part, one in
   a function that is inlined itself, and one recursive.

   `HITS n' was counted by hand: leaf (x) goes round ceil (x / 2) times for x > 0.
   The sites give leaf 0 to 9 (25 rounds in 10 calls), 3 (2), 4 and 5 from the first
   mid (5), 6 and 7 from the second (7), and 9 (5): 16 calls, 44 rounds, 60 tests.
   `GCC n' is the same for lines that only gcc keeps code for.  */

#include <stdio.h>

volatile int zero;
static int out;

#define INLINE static inline __attribute__ ((always_inline))

INLINE int
leaf (int x)			/* GCC 16 */
{
  int s = 0;			/* GCC 16 */
  while (x > zero)		/* GCC 60 */
    {
      s += x + zero;		/* HITS 44 */
      x -= 2;			/* GCC 44 */
    }
  return s;			/* GCC 16 */
}

INLINE int
mid (int n)			/* GCC 2 */
{
  int t = leaf (n);		/* GCC 2 */
  return t + leaf (n + 1);	/* GCC 2 */
}

__attribute__ ((cold, noinline)) static void
failing (int x)
{
  printf ("%d\n", x);		/* CALL 1 */
}

/* Calls itself; gcc inlines that into itself and into main.  */
static int
deep (int n)
{
  out += zero;			/* GCC 12 */
  return n == 0 ? 0 : 1 + deep (n - 1);
}

__attribute__ ((noinline)) static void
rare (int argc)
{
  if (__builtin_expect (argc + zero == 1, 0))
    {
      out += leaf (9);		/* HITS 1 */
      failing (out);		/* HITS 1 */
    }
}

__attribute__ ((noinline)) static void
work (int argc)
{
  for (int i = zero; i < 10; i++)
    out += leaf (i);		/* GCC 10 */
  out += leaf (argc + 2);	/* GCC 1 */
  out += mid (argc + 3);	/* GCC 1 */
  out += mid (argc + 5);	/* GCC 1 */
}

int
main (int argc, char **argv)
{
  (void) argv;
  work (argc);			/* HITS 1 */
  rare (argc);			/* HITS 1 */
  out += deep (argc + 10);
  printf ("%d\n", out);		/* HITS 1 */
  return 0;
}
