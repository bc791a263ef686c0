/* Calls in a row, and then less than five bytes to the end of the function: no place
   is free for the jump behind the last one.  */

static int sum;

__attribute__ ((noinline))
static void
add (int a, int b)
{
  sum += a * b;
}

__attribute__ ((noinline))
static void
row (int n)
{
  add (n, 1);
  add (n, 2);
  add (n, 3);
  add (n, 4);
  add (n, 5);
  add (n, 6);
  add (n, 7);
  add (n, 8);
  add (n, 9);
  add (n, 10);
  add (n, 11);
  add (n, 12);
}

int
main (void)
{
  for (int i = 0; i < 7; i++)
    row (i);
  return sum & 127;
}
