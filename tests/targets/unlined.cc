// unlined.cc: built without -g; what a function-level run counts is known from the
// symbol table alone.

#include <cstdio>
#include <cstdlib>

namespace shop
{
  struct till
  {
    int sum = 0;
    __attribute__ ((noinline)) void take (int n) { sum += n; }
    __attribute__ ((noinline)) void take (double n) { sum += (int) n; }
  };
}

// gcc moves the error path to `checked.cold'; it is a part, not a call.
__attribute__ ((noinline)) int
checked (int n)
{
  if (n > 90)
    {
      std::fprintf (stderr, "%d\n", n);
      if (n > 1000)
	std::abort ();
    }
  return n + 1;
}

extern "C" __attribute__ ((noinline)) int
depth (int n)
{
  return n ? 1 + depth (n - 1) : 0;
}

int
main ()
{
  shop::till till;
  for (int i = 0; i < 100; i++)
    {
      till.take (checked (i));
      if (i % 4 == 0)
	till.take (1.5);
    }
  std::printf ("%d %d\n", till.sum, depth (20));
}
