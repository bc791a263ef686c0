/* modern.cc: range-for, lambdas, templates, structured bindings, initializer
   lists, constexpr, moves.  */

#include <initializer_list>
#include <stdio.h>
#include <utility>

static int calls;

static int
tick (int x)
{
  calls++;
  return x;
}

template <typename T>
T
largest (T a, T b)
{
  if (a > b)
    return a;
  return b;
}

template <typename T, int N>
struct box
{
  T items[N] {};
  int used = 0;

  box () = default;
  box (std::initializer_list<T> list)
  {
    for (const T &x : list)
      add (x);
  }
  void add (T x) { items[used++] = x; }
  T *begin () { return items; }
  T *end () { return items + used; }
  template <typename F>
  int
  each (F f)
  {
    int r = 0;
    for (T &x : *this)
      r += f (x);
    return r;
  }
};

template <typename... T>
int
total (T... xs)
{
  return (0 + ... + tick (xs));
}

template <typename T>
int
count (T x)
{
  if constexpr (sizeof (T) > 4)
    return 8;
  else
    return tick (x);
}

template <int N>
struct power
{
  static int of (int x) { return x * power<N - 1>::of (x); }
};

template <>
struct power<0>
{
  static int of (int) { return 1; }
};

constexpr int
square (int x)
{
  int r = 0;
  for (int i = 0; i < x; i++)
    r += x;
  return r;
}

static int
lambdas (int n)
{
  int sum = 0;
  auto add = [&] (int x) { sum += x; };
  auto scaled = [n] (int x) {
    if (x > 2)
      return x * n;
    return x;
  };
  for (int i = 0; i < n; i++)
    add (scaled (i));
  auto generic = [] (auto a, auto b) { return a + b; };
  sum += generic (1, 2) + generic (1.5, n);
  sum += [&] { return sum + 1; } ();
  auto counter = [k = 0] () mutable { return ++k; };
  counter (); counter ();
  return sum + counter ();
}

static int
ranges (int n)
{
  int r = 0;
  box<int, 8> b = { 1, n, 3, n + 2 };
  for (int x : b)
    r += x;
  for (int &x : b) x++;
  for (auto x : { 1, 2, 3 })
    {
      if (x == n)
	continue;
      r += x;
    }
  int plain[] = { n, 2, n };
  for (int x : plain)
    if (x > 1)
      r += tick (x);
  r += b.each ([] (int x) { return x; })
       + b.each ([&] (int x) {
	   r++;
	   return x & 1;
	 });
  return r;
}

struct pair { int first; double second; };

static pair
split (int n)
{
  return { n, n / 2.0 };
}

static int
bindings (int n)
{
  auto [a, b] = split (n);
  auto &&[c, d] = std::pair<int, int> (n, tick (n));
  box<pair, 4> pairs = { split (1), split (2) };
  int r = 0;
  for (auto [x, y] : pairs)
    r += x + (int) y;
  if (int k = tick (n); k > 2)
    r += k;
  else if (k == 1)
    r--;
  switch (int s = n % 3; s)
    {
    case 0: r += s; break;
    default: r++;
    }
  return r + a + (int) b + c + d;
}

class owner
{
  int *p;
public:
  explicit owner (int v) : p (new int (v)) {}
  owner (owner &&o) noexcept : p (std::exchange (o.p, nullptr)) {}
  owner &operator= (owner &&o) noexcept
  {
    std::swap (p, o.p);
    return *this;
  }
  ~owner () { delete p; }
  int get () const { return p ? *p : -1; }
};

static owner
give (int n)
{
  owner o (n);
  return o;
}

static int
moves (int n)
{
  owner a (n), b = give (n + 1);
  a = std::move (b);
  owner c (std::move (a));
  return a.get () + b.get () * c.get ();
}

enum class colour { red, green, blue };

static const char *
name (colour c)
{
  switch (c)
    {
    case colour::red: return "red";
    case colour::green: return "green";
    case colour::blue:
      return "blue";
    }
  return nullptr;
}

int
main ()
{
  int r = 0;
  for (int i = 0; i < 5; i++)
    {
      r += largest (i, 2) + (int) largest (1.5, i + 0.0);
      r += total (i, 2, 3) + total ();
      r += count (i) + count (i + 0L) + power<3>::of (i);
      r += lambdas (i) + ranges (i) + bindings (i) + moves (i);
      r += square (i) + name (colour (i % 3))[0];
    }
  constexpr int fixed = square (5);
  printf ("%d %d\n", r + fixed, calls);
  return 0;
}
