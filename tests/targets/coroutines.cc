// coroutines.cc: C++20 coroutines: a generator, a task that awaits another, an
// exception out of a coroutine.

#include <coroutine>
#include <cstdio>
#include <exception>
#include <stdexcept>

struct generator
{
  struct promise_type
  {
    int value = 0;
    generator get_return_object ()
    {
      return { std::coroutine_handle<promise_type>::from_promise (*this) };
    }
    std::suspend_always initial_suspend () noexcept { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (int v) { value = v; return {}; }
    void return_void () {}
    void unhandled_exception () { throw; }
  };
  std::coroutine_handle<promise_type> handle;
};

static generator
squares (int n)
{
  for (int i = 0; i < n; i++)
    {
      int square = i * i;		// HITS 1000
      co_yield square;
    }
}

static generator
fails (int n)
{
  co_yield n;				// HITS 20: it ends when it is resumed
  throw std::runtime_error ("late");	// HITS 10
}

static long
sum_of (int n)				// HITS 10
{
  long sum = 0;				// HITS 10
  generator g = squares (n);		// HITS 10
  while (g.handle.resume (), !g.handle.done ())	// HITS 1010
    sum += g.handle.promise ().value;	// HITS 1000
  g.handle.destroy ();			// HITS 10
  return sum;				// HITS 10
}

static int
caught (int n)				// HITS 10
{
  generator g = fails (n);		// HITS 10
  g.handle.resume ();			// HITS 10
  int value = g.handle.promise ().value;	// HITS 10
  try
    {
      g.handle.resume ();		// HITS 10
    }
  catch (const std::exception &e)	// HITS 10
    {
      value += e.what ()[0];		// HITS 10
    }
  g.handle.destroy ();			// HITS 10
  return value;				// HITS 10
}

int
main ()
{
  long sum = 0;
  for (int i = 0; i < 10; i++)
    sum += sum_of (100) + caught (i);
  std::printf ("%ld\n", sum);
}
