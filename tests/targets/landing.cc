// landing.cc: functions with landing pads of many kinds: nested try blocks,
// clean-ups, noexcept, rethrow, and more call sites than a byte can number.

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Guard
{
  explicit Guard (int n) : n (n) {}
  ~Guard ();
  int n;
};

static int destroyed;

Guard::~Guard ()
{
  destroyed += n;
}

__attribute__ ((noinline, cold)) static int
fail (int n)
{
  if (n % 3 == 0)
    throw std::runtime_error ("three");
  if (n % 5 == 0)
    throw n;
  return n;
}

static int
nested (int n)
{
  Guard outer (1);
  try
    {
      Guard inner (2);
      try
	{
	  return fail (n) + fail (n + 1);
	}
      catch (int i)
	{
	  Guard in_handler (3);
	  return fail (i + 1);
	}
    }
  catch (const std::exception &e)
    {
      std::string text (e.what ());
      return text.size () + fail (n + 2);
    }
}

static int
quiet (int n) noexcept
{
  std::vector<std::string> names (3, "name");
  return names.size () + (n % 3 && n % 5 ? fail (n) : 0);
}

template <int N> static int
many (int n)
{
  Guard guard (N);
  std::unique_ptr<int> owned (new int (n));
  return fail (*owned | 1) + many<N - 1> (n);
}

template <> int
many<0> (int n)
{
  return n;
}

int
main (int argc, char **)
{
  long sum = 0;
  for (int i = 0; i < 50 * argc; i++)
    try
      {
	sum += nested (i) + quiet (i) + many<40> (i);
      }
    catch (const std::runtime_error &)
      {
	sum += 1000;
      }
    catch (...)
      {
	sum += 2000;
      }
  std::printf ("%ld %d\n", sum, destroyed);
  return 0;
}
