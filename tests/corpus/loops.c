/* loops.c: every form of loop, on one line and on several.  */

#include <stdio.h>

static volatile int sink;

static void
touch (int x)
{
  sink += x;
}

static int
for_loops (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  for (int i = 0; i < n; i++)
    {
      sum ^= i;
      sum++;
    }
  for (int i = 0; i < n; i++) sum += i;
  for (int i = 0; i < n; i++) { sum += i; touch (sum); }
  for (int i = 0,
	 j = n;
       i < j;
       i++,
	 j--)
    sum += i * j;
  int k;
  for (k = n; k--;)
    sum -= k;
  for (k = 0; k < n;)
    k += 2;
  for (;;)
    {
      if (k-- == 0)
	break;
      sum++;
    }
  for (int i = 0; i < 0; i++)
    sum = -1;
  return sum;
}

static int
while_loops (int n)
{
  int i = 0, sum = 0;
  while (i < n)
    {
      sum += i;
      i++;
    }
  while (i > 0) i--;
  while (i++ < n)
    ;
  while (i
	 && sum > 3)
    {
      i--;
      sum--;
    }
  while (1)
    {
      i++;
      if (i > n)
	break;
    }
  while (n-- > 0)
    if (n & 1)
      sum += 2;
    else
      sum += 3;
  return sum;
}

static int
do_loops (int n)
{
  int i = 0;
  do
    i++;
  while (i < n);
  do
    {
      i--;
      touch (i);
    }
  while (i > 0);
  do i++; while (i < n);
  do { i--; touch (i); } while (i > 0);
  do
    {
      if (i == 2)
	continue;
      touch (i);
    }
  while (i++ < n);
  do
    touch (n);
  while (0);
  return i;
}

static int
nested (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += i * j;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) sum++;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum++;
  for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++)
      sum++; }
  for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++) touch (k);
  int i = 0;
  while (i < n)
    {
      int j = i;
      while (j < n) { j++; if (j == 3) break; }
      do
	{
	  sum++;
	  for (int k = 0; k < 2; k++)
	    touch (k);
	}
      while (j-- > 0);
      i++;
    }
  while (i > 0) { int j = 3; while (j > 0) j--; i--; }
  return sum;
}

static int
broken (int n)
{
  int hits = 0;
  for (int i = 0; i < n; i++)
    {
      if (i == 1)
	continue;
      if (i == 4)
	break;
      hits++;
    }
  for (int i = 0; i < n; i++) { if (i == 2) continue; hits++; }
  for (int i = 0; i < n; i++) { if (i == 2) break; hits++; }
  for (int i = 0; i < n; i++)
    if (i % 2)
      hits += 2;
  for (int i = 0; i < n; i++) if (i % 2)
    hits += 2;
  for (int i = 0; i < n; i++) if (i % 2) hits += 2; else hits += 3;
  for (int i = 0; i < n; i++)
    switch (i)
      {
      case 0:
	continue;
      case 1:
	hits++;
	break;
      default:
	hits += 2;
      }
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < n; j++)
	{
	  if (j > i)
	    break;
	  if (j == 2)
	    goto out;
	  hits++;
	}
    }
out:
  return hits;
}

static void
empty (int n)
{
  for (int i = 0; i < n; i++);
  for (int i = 0; i < n; i++)
    ;
  for (int i = 0; i < n; i++)
    {
    }
  while (n--);
}

int
main (void)
{
  int sum = 0;
  for (int n = 0; n < 7; n += 3)
    {
      sum += for_loops (n);
      sum += while_loops (n);
      sum += do_loops (n);
      sum += nested (n);
      sum += broken (n);
      empty (n);
    }
  printf ("%d %d\n", sum, sink);
  return 0;
}
