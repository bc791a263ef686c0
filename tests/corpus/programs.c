/* programs.c: small real algorithms, as people write them.  */

#include <stdio.h>
#include <string.h>

#define N 24

static int
sieve (int n)
{
  char composite[100] = { 0 };
  int primes = 0;
  for (int i = 2; i < n; i++)
    {
      if (composite[i])
	continue;
      primes++;
      for (int j = i * i; j < n; j += i)
	composite[j] = 1;
    }
  return primes;
}

static void
quicksort (int *v, int lo, int hi)
{
  if (lo >= hi)
    return;
  int pivot = v[(lo + hi) / 2], i = lo, j = hi;
  while (i <= j)
    {
      while (v[i] < pivot)
	i++;
      while (v[j] > pivot)
	j--;
      if (i <= j)
	{
	  int t = v[i];
	  v[i] = v[j];
	  v[j] = t;
	  i++;
	  j--;
	}
    }
  quicksort (v, lo, j);
  quicksort (v, i, hi);
}

static void
insertion_sort (int *v, int n)
{
  for (int i = 1; i < n; i++)
    {
      int x = v[i], j;
      for (j = i; j > 0 && v[j - 1] > x; j--)
	v[j] = v[j - 1];
      v[j] = x;
    }
}

static void
bubble_sort (int *v, int n)
{
  int swapped;
  do
    {
      swapped = 0;
      for (int i = 1; i < n; i++)
	if (v[i - 1] > v[i])
	  {
	    int t = v[i]; v[i] = v[i - 1]; v[i - 1] = t;
	    swapped = 1;
	  }
    }
  while (swapped);
}

static int
search (const int *v, int n, int x)
{
  int lo = 0, hi = n;
  while (lo < hi)
    {
      int mid = (lo + hi) / 2;
      if (v[mid] == x)
	return mid;
      else if (v[mid] < x)
	lo = mid + 1;
      else
	hi = mid;
    }
  return -1;
}

static int
words (const char *s)
{
  int n = 0, in_word = 0;
  for (; *s; s++)
    if (*s == ' ' || *s == '\n')
      in_word = 0;
    else if (!in_word)
      {
	in_word = 1;
	n++;
      }
  return n;
}

static void
multiply (double r[4][4], double a[4][4], double b[4][4])
{
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      {
	r[i][j] = 0;
	for (int k = 0; k < 4; k++)
	  r[i][j] += a[i][k] * b[k][j];
      }
}

static unsigned
gcd (unsigned a, unsigned b)
{
  while (b)
    {
      unsigned t = a % b;
      a = b;
      b = t;
    }
  return a;
}

static int
collatz (long n)
{
  int steps = 0;
  while (n != 1)
    {
      n = n % 2 ? 3 * n + 1 : n / 2;
      steps++;
    }
  return steps;
}

static int
queens (int n, int row, unsigned columns, unsigned left, unsigned right)
{
  if (row == n)
    return 1;
  int found = 0;
  for (int c = 0; c < n; c++)
    {
      unsigned bit = 1u << c;
      if ((columns & bit)
	  || (left & bit)
	  || (right & bit))
	continue;
      found += queens (n, row + 1, columns | bit,
		       (left | bit) << 1,
		       (right | bit) >> 1);
    }
  return found;
}

struct table { const char *keys[16]; int values[16]; };

static unsigned
hash (const char *s)
{
  unsigned h = 5381;
  while (*s)
    h = h * 33 + (unsigned char) *s++;
  return h;
}

static int *
lookup (struct table *t, const char *key)
{
  unsigned i = hash (key) % 16;
  while (t->keys[i] && strcmp (t->keys[i], key) != 0)
    i = (i + 1) % 16;
  t->keys[i] = key;
  return &t->values[i];
}

/* A recursive descent parser: expression, term, factor.  */
static const char *input;

static int expression (void);

static int
factor (void)
{
  if (*input == '(')
    {
      input++;
      int v = expression ();
      input++;
      return v;
    }
  int v = 0;
  while (*input >= '0' && *input <= '9')
    v = v * 10 + *input++ - '0';
  return v;
}

static int
term (void)
{
  int v = factor ();
  for (;;)
    switch (*input)
      {
      case '*': input++; v *= factor (); break;
      case '/': input++; v /= factor (); break;
      default: return v;
      }
}

static int
expression (void)
{
  int v = term ();
  while (*input == '+' || *input == '-')
    if (*input++ == '+')
      v += term ();
    else
      v -= term ();
  return v;
}

static int
edit_distance (const char *a, const char *b)
{
  int n = strlen (a), m = strlen (b);
  int d[n + 1][m + 1];
  for (int i = 0; i <= n; i++) d[i][0] = i;
  for (int j = 0; j <= m; j++) d[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      {
	int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
	if (d[i - 1][j] + 1 < best)
	  best = d[i - 1][j] + 1;
	if (d[i][j - 1] + 1 < best)
	  best = d[i][j - 1] + 1;
	d[i][j] = best;
      }
  return d[n][m];
}

int
main (void)
{
  int v[N], u[N], w[N];
  for (int i = 0; i < N; i++)
    v[i] = u[i] = w[i] = i * 37 % 23;
  quicksort (v, 0, N - 1);
  insertion_sort (u, N);
  bubble_sort (w, N);
  int r = sieve (100) + (memcmp (v, u, sizeof v) == 0);
  r += memcmp (v, w, sizeof v) == 0;
  for (int x = 0; x < 25; x += 4)
    r += search (v, N, x);
  r += words ("the quick  brown fox\njumps over ");
  double a[4][4] = { { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 } }, b[4][4];
  multiply (b, a, a);
  r += gcd (1071, 462) + collatz (7) + (int) b[3][3];
  r += queens (5, 0, 0, 0, 0);
  struct table t = { 0 };
  const char *const keys[] = { "one", "two", "three", "two", "one", "two" };
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
    ++*lookup (&t, keys[i]);
  r += *lookup (&t, "two");
  input = "2*(3+4)-18/(1+2)+5";
  r += expression ();
  r += edit_distance ("kitten", "sitting");
  printf ("%d\n", r);
  return 0;
}
