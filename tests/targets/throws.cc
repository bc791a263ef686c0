// throws.cc: exceptions through profiled frames, destructors, rethrow, catch by
// type, and an uncaught one when there is an argument.

#include <cstdio>
#include <stdexcept>
#include <string>

static int destroyed;

struct Guard
{
  ~Guard () { destroyed++; }		/* HITS 400 */
};

static int
thrower (int n)				/* HITS 100 */
{
  Guard guard;
  if (n % 4 == 0)			/* HITS 100 */
    throw std::runtime_error ("zero");	/* HITS 25 */
  if (n % 4 == 1)			/* HITS 75 */
    throw n;				/* HITS 25 */
  return n;				/* HITS 50 */
}

static int
passes (int n)
{
  Guard guard;
  return thrower (n) + 1;
}

static int
rethrows (int n)
{
  Guard guard;
  try
    {
      return passes (n);
    }
  catch (...)
    {
      throw;				/* HITS 50 */
    }
}

static int
catcher (int n)
{
  Guard guard;
  try
    {
      return rethrows (n);		/* HITS 100 */
    }
  catch (const std::runtime_error &e)
    {
      return e.what ()[0];		/* HITS 25 */
    }
  catch (int i)
    {
      return -i;			/* HITS 25 */
    }
}

int
main (int argc, char **)
{
  long sum = 0;
  for (int i = 0; i < 100; i++)
    sum += catcher (i);
  std::printf ("%ld %d\n", sum, destroyed);
  std::fflush (stdout);
  if (argc > 1)
    thrower (0);
  return 0;
}
