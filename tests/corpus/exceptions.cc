/* exceptions.cc: throw, catch, rethrow, throw through frames with destructors,
   function try blocks, noexcept.  */

#include <stdio.h>

static int trace;

struct guard
{
  int id;
  guard (int id) : id (id) { trace += id; }
  ~guard ()
  {
    trace = trace * 3 % 10007 + id;
  }
};

struct error
{
  int code;
  error (int c) : code (c) {}
  virtual ~error () {}
  virtual int what () const { return code; }
};

struct worse : error
{
  worse (int c) : error (c + 100) {}
  int what () const override { return code * 2; }
};

static void
fail (int n)
{
  if (n == 1)
    throw 1;
  if (n == 2)
    throw error (2);
  if (n == 3) throw worse (3);
  trace++;
}

static void
through (int n)
{
  guard g (n);
  fail (n);
  guard h (n + 1);
  fail (n - 1);
}

static int
simple (int n)
{
  try
    {
      through (n);
    }
  catch (int i)
    {
      return i;
    }
  catch (const worse &w)
    {
      return w.what () + 1;
    }
  catch (const error &e)
    {
      trace += e.what ();
    }
  catch (...)
    {
      trace = 0;
    }
  return 7;
}

static int
one_line (int n)
{
  try { fail (n); } catch (int i) { return i; } catch (...) { return 2; }
  return 3;
}

static int
rethrow (int n)
{
  int r = 0;
  try
    {
      try
	{
	  guard g (4);
	  fail (n);
	  r += 1;
	}
      catch (const error &e)
	{
	  r += 2;
	  throw;
	}
    }
  catch (const error &e)
    {
      r += 4;
    }
  catch (int)
    {
      r += 8;
    }
  return r;
}

static int
in_loop (int n)
{
  int r = 0;
  for (int i = 0; i < n; i++)
    try
      {
	guard g (i);
	if (i == 5)
	  break;
	fail (i);
	r++;
      }
    catch (int)
      {
	continue;
      }
    catch (const error &e)
      {
	r += e.code;
      }
  return r;
}

static int
replace (int n)
{
  try
    {
      try { fail (n); }
      catch (int i) { throw error (i); }
    }
  catch (const error &e) { return e.code; }
  return -1;
}

struct member
{
  guard g;
  member (int n)
  try : g (n)
    {
      fail (n);
    }
  catch (int i)
    {
      trace += i;
    }
};

static int
members (int n)
{
  try
    {
      member m (n);
      trace++;
    }
  catch (...)
    {
      return 1;
    }
  return 0;
}

static int
quiet (int n) noexcept
{
  guard g (n);
  return trace % 5;
}

static int
recursive (int n)
{
  guard g (n);
  if (n == 0)
    throw error (9);
  return recursive (n - 1) + 1;
}

static int
many_temporaries (int n)
{
  try
    {
      return (guard (1), guard (2),
	      fail (n), guard (3)).id;
    }
  catch (int)
    {
    }
  catch (error e)
    {
      return e.code;
    }
  return 0;
}

int
main ()
{
  int r = 0;
  for (int i = 0; i < 6; i++)
    {
      r += simple (i) + one_line (i);
      r += rethrow (i);
      r += in_loop (i * 2);
      r += replace (i % 2);
      r += members (i) + quiet (i);
      r += many_temporaries (i);
    }
  try
    {
      recursive (5);
    }
  catch (const error &e)
    {
      r += e.what ();
    }
  printf ("%d %d\n", r, trace);
  return 0;
}
