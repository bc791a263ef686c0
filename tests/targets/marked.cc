// marked.cc: marks in C++: templates, members, lambdas.

#include <lineprof.h>

namespace n
{
  PROFILE_FN
  template <class T, int N = (1 + 1)>
  __attribute__ ((noinline)) T
  generic (T x)
  {
    return x + N;
  }
}

struct S
{
  int factor;

  explicit S (int f) : factor (f) {}
  virtual ~S () {}

  PROFILE_MEMBER_FN
  __attribute__ ((noinline)) int inside (int x) const { return x * factor; }
  PROFILE_MEMBER_FN virtual int
  dynamic (int x)
  {
    return x + factor;
  }
  int outside (int x);
  int unmarked (int x) { return x; }
};

template <class T>
struct box
{
  T value;

  PROFILE_MEMBER_FN
  __attribute__ ((noinline)) T
  times (T x) const
  {
    return value * x;
  }
  template <class U>
  struct inner
  {
    PROFILE_MEMBER_FN
    __attribute__ ((noinline)) U half (U x) const { return x / 2; }
  };
};

/* Nobody has made a class of it: it leaves nothing.  */
template <class T>
struct unused
{
  PROFILE_MEMBER_FN
  T nothing (T x) { return x; }
};

PROFILE_FN
int
S::outside (int x)
{
  return inside (x) - 1;
}

int
main (int argc, char **)
{
  S s (2);
  S *p = &s;
  struct local
  {
    PROFILE_MEMBER_FN
    __attribute__ ((noinline)) int in_block (int x) const { return x + 1; }
  };
  box<int> ints = { 1 };
  box<long> longs = { 2 };
  box<int>::inner<long> inner;
  PROFILE_FN
  auto lambda = [] (int x) __attribute__ ((noinline)) { return x * 5; };
  int sum = n::generic (argc) + n::generic (long (argc)) + s.outside (argc)
	    + p->dynamic (argc) + lambda (argc) + s.unmarked (argc)
	    + ints.times (argc) + longs.times (argc) + inner.half (2 * argc)
	    + local ().in_block (argc);
  return sum - (3 + 3 + 1 + 3 + 5 + 1 + 1 + 2 + 1 + 2);
}
