/* data.c: declarations that run code: initialisers, compound literals,
   variable-length arrays, static locals, bit fields, nested blocks.  */

#include <stdio.h>
#include <string.h>

struct point { int x, y; };

struct shape
{
  struct point from, to;
  int colour : 5, filled : 1;
  union { int i; char c[4]; } tag;
};

static int calls;

static int
next (void)
{
  return ++calls;
}

static struct point
make (int x, int y)
{
  return (struct point) { x, y };
}

static int
initialisers (int n)
{
  int a[5] = { 1, 2, 3 };
  int b[] = {
    n,
    n + 1,
    next (),
    next ()
  };
  struct point p = { n, 2 };
  struct point q = { .y = n, .x = next () };
  struct shape s = {
    .from = { 1, n },
    .to = {
      .x = n,
      .y = n * 2,
    },
    .colour = 3,
    .filled = n & 1,
    .tag.i = next (),
  };
  char text[] = "automatic", *t = text;
  struct point grid[2][2] = { { { 1, 2 }, { 3, 4 } },
			      { { n, n }, { 5, next () } } };
  int zero[16] = { 0 };
  return a[n % 5] + b[2] + p.x + q.x + s.to.y + s.colour + t[n % 3]
	 + grid[1][1].y + zero[3];
}

static int
length (const struct point *p)
{
  return p->x * p->x
	 + p->y * p->y;
}

static int
literals (int n)
{
  int r = length (&(struct point) { n, 1 });
  r += length (&(struct point) {
      .x = n,
      .y = next ()
    });
  int *v = (int[]) { 1, n, 3 };
  struct point p;
  p = (struct point) { v[0], v[1] };
  p = make (p.y, p.x);
  return r + p.x + make (1, n).y;
}

static int
lengths (int n)
{
  int v[n + 1];
  for (int i = 0; i <= n; i++)
    v[i] = i * i;
  int m[2][n + 1];
  memset (m, 0, sizeof m);
  m[1][n] = v[n];
  for (int k = 1; k < 3; k++)
    {
      char name[k * 4];
      name[0] = k;
      m[0][0] += name[0] + sizeof name;
    }
  return m[1][n] + m[0][0];
}

static int
counter (void)
{
  static int n = 5;
  static struct point last;
  last.x += n++;
  return last.x;
}

static int
blocks (int n)
{
  int r = n;
  {
    int n = 3;
    r += n;
    {
      int r = n * 2;
      n = r;
    }
    r += n;
  }
  { r++; }
  {
  }
  ;
  ;;
  {{ r--; }}
  int unused;
  (void) unused;
  const int fixed = 4;
  enum { LOCAL = 3 };
  typedef int number;
  number x = LOCAL + fixed;
  return r + x;
}

static int
assignments (int n)
{
  int a, b, c;
  a = b = c = n;
  a += b -= c *= 2;
  struct shape s, copy;
  memset (&s, 0, sizeof s);
  s.colour = n;
  s.filled = s.colour > 2;
  copy = s;
  copy.tag.c[1] = 'x';
  a++, b--, c = a;
  a = n > 2 ? b++
	    : c--;
  unsigned long wide = a & 63;
  wide <<= 3; wide |= 1;
  double d = wide / 3.0;
  d *= 1.5;
  float f = (float) d + 1;
  unsigned u = f > 3 ? f : 0;
  return a + b + c + copy.colour + (int) u;
}

struct list { struct list *next; int value; };

static int
links (int n)
{
  struct list nodes[8], *head = NULL;
  for (int i = 0; i < n; i++)
    {
      nodes[i] = (struct list) { head, i };
      head = &nodes[i];
    }
  int s = 0;
  for (struct list *l = head; l; l = l->next)
    s += l->value;
  for (struct list **l = &head; *l;)
    if ((*l)->value & 1)
      *l = (*l)->next;
    else
      l = &(*l)->next;
  while (head) { s += head->value; head = head->next; }
  return s;
}

int
main (void)
{
  int r = 0;
  for (int i = 0; i < 6; i++)
    {
      r += initialisers (i);
      r += literals (i);
      r += lengths (i);
      r += counter ();
      r += blocks (i) + assignments (i) + links (i);
    }
  printf ("%d %d\n", r, calls);
  return 0;
}
