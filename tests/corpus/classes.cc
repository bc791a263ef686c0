/* classes.cc: constructors, destructors, virtual calls, operators, default
   arguments, static initialisation.  */

#include <stdio.h>

static int calls;

static int
tick (int x)
{
  return calls += x;
}

struct base
{
  int value;
  base () : value (1) { tick (1); }
  explicit base (int v)
    : value (v)
  {
    tick (2);
  }
  base (const base &other)
    : value (other.value + 1)
  {
  }
  virtual ~base () { tick (3); }
  virtual int area () const { return value; }
  int twice () { return area () * 2; }
  static int make (int n);
};

int
base::make (int n)
{
  base b (n);
  return b.twice ();
}

struct derived : base
{
  base member;
  int extra = tick (1);
  int more { 7 };

  derived (int a, int b = 3)
    : base (a),
      member (b)
  {
    if (a > b)
      extra++;
  }
  ~derived () override
  {
    tick (extra);
  }
  int
  area () const override
  {
    return base::area ()
	   + member.area ();
  }
};

struct leaf final : derived
{
  using derived::derived;
  int area () const override { return more; }
};

class vec
{
  double x, y;
public:
  vec (double x = 0, double y = 0) : x (x), y (y) {}
  vec operator+ (const vec &o) const { return vec (x + o.x, y + o.y); }
  vec operator* (double k) const
  {
    return { x * k, y * k };
  }
  vec &operator+= (const vec &o)
  {
    x += o.x;
    y += o.y;
    return *this;
  }
  bool operator== (const vec &o) const { return x == o.x && y == o.y; }
  vec &operator++ () { x++; return *this; }
  vec operator++ (int) { vec old = *this; ++*this; return old; }
  double operator[] (int i) const { return i ? y : x; }
  explicit operator bool () const { return x || y; }
  double operator() (double k) const { return k * x - y; }
  friend vec operator- (const vec &a) { return vec (-a.x, -a.y); }
};

static int
operators (int n)
{
  vec a (n, 1), b;
  b = a + vec (1, 2) * 2;
  b += a;
  ++b; b++;
  if (a == b)
    return 0;
  vec c = -a + b
	  + b * 3;
  if (c)
    tick (1);
  return c[0] + c[1]
	 + c (2);
}

static int
shapes (int n)
{
  base *all[] = { new base, new derived (n), new derived (1, n), new leaf (2) };
  int r = 0;
  for (base *b : all)
    r += b->area () + b->twice ();
  for (base *b : all)
    delete b;
  if (derived *d = dynamic_cast<derived *> (static_cast<base *> (nullptr)))
    r += d->extra;
  return r;
}

static int
scopes (int n)
{
  base first;
  {
    base inner (n);
    if (n > 2)
      return inner.area ();
    first.value += inner.value;
  }
  for (int i = 0; i < n; i++)
    {
      derived d (i);
      if (i == 1)
	continue;
      first.value += d.area ();
    }
  base copy = first, third (copy);
  return base (n).twice () + third.twice ();
}

struct counted
{
  static int alive;
  counted () { alive++; }
  ~counted () { alive--; }
};

int counted::alive;

static int
arrays (int n)
{
  counted many[3];
  counted *heap = new counted[n];
  int r = counted::alive;
  delete[] heap;
  return r;
}

static derived global (4);
static int computed = tick (10);
static int table[] = { tick (1),
		       tick (2) };

static int
lazy (int n)
{
  static base kept (n);
  static int once = tick (n);
  return kept.area () + once;
}

static int
defaults (int a, int b = tick (1), int c = 3)
{
  return a + b * c;
}

namespace outer
{
  namespace inner
  {
    static int
    value (int n)
    {
      return n + tick (0);
    }
  }
  int value (int n) { return inner::value (n) + 1; }
}

static void
by_reference (int &x, const int &y)
{
  x += y;
}

int
main ()
{
  int r = global.area () + computed + table[1];
  for (int i = 0; i < 5; i++)
    {
      r += operators (i) + shapes (i);
      r += scopes (i);
      r += arrays (i);
      r += lazy (i);
      r += defaults (i) + defaults (i, 2)
	   + defaults (1, 2, i);
      r += outer::value (i) + base::make (i);
      by_reference (r, 3);
      by_reference (r, i + 1);
    }
  printf ("%d %d %d\n", r, calls, counted::alive);
  return 0;
}
