/* splitoff.c: a function that gcc -O2 splits behind its first test: rest.part.0 has all
   but that, and what is left is inlined, or jumps there.  */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define OUT __attribute__ ((noinline)) static
OUT int far (int n) { volatile int i; for (i = 0; i < 5; i++); return n; }
int rest (int n, int *p)
{
  if (!p)
    return 0;
  for (int i = 0; i < n; i++)
    *p += far (i) * 3 + rand () % 2;
  usleep (2000);
  *p += far (n) * far (n + 1);
  if (n == 3)
    *p += rest (n + 1, p);
  puts (*p ? "rest" : "");
  return *p > 2;
}
static inline __attribute__ ((always_inline)) int
within (int n, int *p) { return rest (n, p) * 2; }
OUT int inlined (int n, int *p) { return within (n, p) - 2; }
OUT int jumped (int n, int *p)
{
  int (*volatile f) (int, int *) = rest;
  return f (n, p) - 1;
}
int main (void)
{
  int x = 1, s = 0;
  for (int i = 0; i < 5; i++)
    s += inlined (i, i > 1 ? &x : NULL) + jumped (i, i > 2 ? &x : NULL);
  printf ("%d\n", s);
  return 0;
}
