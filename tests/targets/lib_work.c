/* lib_work.c: a shared object.  Its constructor and destructor work, too.  */

static volatile int sink;
static int square (int n);

int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += square (i);
  if (n % 2)
    sink = sum;
  return sum;
}

static int
square (int n)
{
  return n * n;
}

__attribute__ ((constructor)) static void
begin (void)
{
  sink = work (3);
}

__attribute__ ((destructor)) static void
end (void)
{
  sink = work (2);
}

/* An indirect function and its resolver.  */
static int
twice (int n)
{
  return 2 * n;
}

static int (*
choose (void)) (int)
{
  return twice;
}

int doubled (int n) __attribute__ ((ifunc ("choose")));
