/* calls.c: calls over several lines, nested, several on a line, through
   pointers, variadic, recursive, inline.  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count;

static int
one (int x)
{
  count++;
  return x + 1;
}

static int two (int a, int b) { return a - b; }

static inline int
small (int x)
{
  return x * 3;
}

static inline __attribute__ ((always_inline)) int
forced (int x)
{
  int y = x;
  for (int i = 0; i < 2; i++)
    y += i;
  return y;
}

static int
sum (int n, ...)
{
  va_list ap;
  int s = 0;
  va_start (ap, n);
  while (n-- > 0)
    s += va_arg (ap, int);
  va_end (ap);
  return s;
}

static long
fact (int n)
{
  if (n == 0)
    return 1;
  return n * fact (n - 1);
}

static int
fib (int n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

static int fib_line (int n) { if (n < 2) return n; return fib_line (n - 1) + fib_line (n - 2); }

static int is_odd (int n);

static int
is_even (int n)
{
  if (n == 0)
    return 1;
  return is_odd (n - 1);
}

static int
is_odd (int n)
{
  if (n == 0)
    return 0;
  return is_even (n - 1);
}

static int
ackermann (int m, int n)
{
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann (m - 1, 1);
  return ackermann (m - 1,
		    ackermann (m,
			       n - 1));
}

static void
hanoi (int n, int from, int to, int via)
{
  if (n == 0)
    return;
  hanoi (n - 1, from, via, to);
  count += from * to;
  hanoi (n - 1, via, to, from);
}

static int
layouts (int n)
{
  int r = 0;
  one (1); one (2); one (3);
  r += one (one (one (n)));
  r += two (one (n), one (n + 1));
  r += two (one (n),
	    one (n + 1));
  r += two (
    one (n),
    two (
      one (n),
      one (n)));
  r = one (r) + one (n)
      + one (r)
      + one (n);
  r +=
    one (n);
  int
    a = one (1),
    b = one (2),
    c = a + b;
  r += sum (4, 1, 2, 3, 4)
       + sum (0)
       + sum (2,
	      one (a),
	      c);
  r += small (r) + forced (n);
  r += small (
    forced (n));
  return
    r;
}

/* Without a value and a return statement the last call's end is the function's.  */
static void
store (int *to, int n)
{
  *to = two (n,
	     one (n));
}

static void
store_some (int *to, int n)
{
  if (n & 1)
    return;
  *to = two (n,
	     one (n));
}

static int
pointers (int n)
{
  int (*f) (int) = n & 1 ? one : small;
  int (*const table[]) (int) = { one, small, one };
  int r = f (n);
  for (int i = 0; i < 3; i++)
    r += table[i] (n);
  r += (*f) (n) + (&one) (n);
  return r;
}

static int
compare (const void *a, const void *b)
{
  int x = *(const int *) a;
  int y = *(const int *) b;
  return x < y ? -1 : x > y;
}

static int
each (int n, int (*f) (int, void *), void *data)
{
  for (int i = 0; i < n; i++)
    if (f (i, data))
      return i;
  return -1;
}

static int
add_until (int i, void *data)
{
  int *acc = data;
  *acc += i;
  return *acc > 5;
}

static int
strings (const char *s)
{
  char buffer[32];
  strcpy (buffer, s);
  strcat (buffer,
	  "tail");
  size_t n = strlen (buffer);
  if (memcmp (buffer, "abc", 3) == 0
      && strchr (s, 'c'))
    n += 100;
  return n + abs (-3);
}

static int
tail (int n)
{
  return n ? tail (n - 1) : one (n);
}

static int
slow (void)
{
  int s = 0;
  for (int i = 0; i < 9; i++)
    s += i;
  return s;
}

static int
level (int n)
{
  if (n == 0)
    return 0;
  return level (n - 1) + slow ();
}

int
main (int argc, char **argv)
{
  int r = 0;
  for (int i = 0; i < 4; i++)
    r += layouts (i) + pointers (i);
  int values[] = { 5, 3, 9, 1, 7, 3 };
  qsort (values, 6, sizeof *values, compare);
  int acc = 0;
  r += each (9, add_until, &acc);
  r += each (2, add_until, &r);
  r += strings ("abcdef")
       + strings ("x");
  r += fact (6) + fib (7) + fib_line (7);
  r += is_even (7) + is_odd (7) + ackermann (2, 3);
  hanoi (4, 1, 2, 3);
  r += tail (5) + level (4);
  store (&acc, 3);
  for (int i = 0; i < 3; i++) store_some (&acc, i);
  printf ("%d %d %d %d\n", r, count, values[0],
	  argc > 0 && argv[0]);
  return 0;
}
