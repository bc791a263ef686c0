// rethrows.cc: exceptions through, into and out of profiled functions: nested,
// rethrown, from destructors' neighbours, and past noexcept.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

static int unwound;

struct guard
{
  int n;
  ~guard () { unwound += n; }		// HITS 400
};

struct problem { int n; };

static void
raise_it (int n)			// HITS 200
{
  guard g = { 1 };			// HITS 200
  if (n == 0)				// HITS 200
    throw problem { 42 };		// HITS 100
  raise_it (n - 1);			// HITS 100
}

static int
rethrows (int n)			// HITS 100
{
  guard g = { 10 };			// HITS 100
  try
    {
      raise_it (n);			// HITS 100
    }
  catch (problem &p)			// HITS 100
    {
      p.n++;				// HITS 100
      throw;				// HITS 100
    }
  return 0;
}

static int
translates (int n)			// HITS 100
{
  guard g = { 100 };			// HITS 100
  try
    {
      return rethrows (n);		// HITS 100
    }
  catch (const problem &p)		// HITS 100
    {
      throw std::to_string (p.n);	// HITS 100
    }
}

static int
catches (int n)				// HITS 100
{
  try
    {
      return translates (n);		// HITS 100
    }
  catch (const std::string &s)		// HITS 100
    {
      try
	{
	  throw s.size ();		// HITS 100
	}
      catch (std::size_t size)		// HITS 100
	{
	  return size + std::atoi (s.c_str ());	// HITS 100
	}
    }
}

static std::exception_ptr
kept (int n)				// HITS 50
{
  try
    {
      if (n)				// HITS 50
	throw problem { n };		// HITS 49
    }
  catch (...)				// HITS 49
    {
      return std::current_exception ();	// HITS 49
    }
  return nullptr;			// HITS 1
}

static int
opens (std::exception_ptr e)		// HITS 49
{
  try
    {
      std::rethrow_exception (e);	// HITS 49, gcov 98 (hits.h)
    }
  catch (const problem &p)		// HITS 49
    {
      return p.n;			// HITS 49
    }
}

static void
must_not (int n) noexcept
{
  raise_it (n);
}

int
main (int argc, char **)
{
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += catches (1);
  for (int i = 0; i < 50; i++)
    if (auto e = kept (i))
      sum += opens (e);
  std::printf ("%d %d\n", sum, unwound);
  std::fflush (stdout);
  if (argc > 1)
    must_not (0);
}
