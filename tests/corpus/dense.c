/* dense.c: code that a person would not format like this: several statements,
   whole functions and whole loops on one line; folded and unreachable code.  */

#include <stdio.h>

static int n_calls;
static int f (int x) { n_calls++; return x; }
static int g (int x) { if (x > 2) return f (x); else return f (-x); }
static int h (int x) { int s = 0; while (x > 0) { s += x; x--; } return s; }
static int k (int x) { for (int i = 0; i < 3; i++) { if (x == i) return i; f (i); } return -1; }
static int m (int x) { switch (x) { case 0: f (1); break; case 1: f (2); case 2: f (3); break; } return x; }
static int p (int x) { do { x--; if (x == 3) continue; f (x); } while (x > 0); return x; }
static int q (int x) { return x ? q (x - 1) + f (x) : 0; }

static int several (int x)
{
  int a = 1; int b = 2; a += b; b += a; f (a); f (b);
  if (x) a++; if (x > 1) b++; if (x > 2) f (x);
  if (x) a++; else b++; if (x > 1) { a--; } else { b--; }
  for (int i = 0; i < x; i++) a++; for (int i = 0; i < x; i++) b++;
  while (b > 10) b--; do a--; while (a > 5); f (a); return a + b;
}

static int
folded (int x)
{
  if (0)
    x = 1;
  if (1)
    x++;
  else
    x--;
  while (0)
    x--;
  do
    x++;
  while (0);
  for (; 0;)
    x = 3;
  if (sizeof (int) == 4)
    x++;
  if (x || 1)
    x++;
  if (x && 0)
    x--;
  return x;
  x = 5;
  return x;
}

static int
optional (int x)
{
  const int debug = 0;
  if (debug)
    f (x);
  if (!debug && x)
    f (x);
#if 0
  f (x);
#else
  f (x + 1);
#endif
  return debug ? 1
	       : x;
}

static int
dangling (int x)
{
  if (x)
    for (int i = 0; i < x; i++)
      if (i & 1)
	while (x > 4)
	  x--;
      else
	f (i);
  else
    do
      x++;
    while (x < 3);
  return x;
}

static int mixed (int x) {
  int r = 0; for (int i = 0; i < x; i++) { r += i;
    if (i == 1) { r++; } else
      r--; } return r;
}

static int closing (int x)
{
  if (x > 1) {
    f (x);
  } else if (x > 0) {
    f (-x);
  } else {
    f (0);
  }
  for (int i = 0; i < x; i++) {
    if (i == 2) {
      break; }
    f (i); }
  while (x) {
    x--; } return x;
}

int main (void) { int r = 0;
  for (int i = 0; i < 6; i++) { r += f (i) + g (i) + h (i); r += k (i);
    r += m (i) + p (i) + q (i); r += several (i); }
  for (int i = 0; i < 6; i++)
    r += folded (i) + optional (i) + dangling (i) + mixed (i) + closing (i);
  printf ("%d %d\n", r, n_calls); return 0; }
