/* names.cc: every way a C++ function is called; lines are marked for dwarf.tap.  */

#include <cstdio>
#include <functional>
#include <string>

namespace outer
{
  namespace { int hidden (int n) { return n * 3; } } /* hidden */
  template <class T> struct Box
  {
    T value;
    explicit Box (T v) : value (v) {}
    ~Box () {}
    T get () const { return value; }
    template <class U> U as (U extra) { return U (value) + extra; }
    bool operator< (const Box &other) const { return value < other.value; }
    operator bool () const { return value != 0; }
  };
  int twice (int n) { return 2 * n; } /* twice int */
  long twice (long n) { return 2 * n; } /* twice long */
  int call (const std::function<int (int)> &f) { return f (1); }
}

static int
local_class (int n)
{
  struct Inner
  {
    int z;
    int method (int q)
    {
      auto add = [q] (int w) { return w * q + 1; }; /* lambda */
      return add (z) + add (3);
    }
  };
  Inner inner { n };
  return inner.method (n);
}

std::string
greet (const char *name)
{
  return std::string ("hello ") + name;
}

extern "C" int plain_c (int n);
extern "C" int
plain_c (int n)
{
  return n + 1;
}

int other_name (int n) __asm__ ("renamed_symbol");
int
other_name (int n)
{
  return n - 1;
}

int
main (int argc, char **argv)
{
  outer::Box<int> a (argc), b (2);
  outer::Box<double> c (1.5);
  int sum = outer::hidden (argc) + outer::twice (argc) + (int) outer::twice (2L)
    + local_class (argc) + plain_c (1) + other_name (2) + (a < b) + (bool) c
    + a.get () + a.as<long> (2) + outer::call ([] (int x) { return x; });
  std::printf ("%d %s\n", sum, greet (argv[0]).c_str ());
  return 0;
}
