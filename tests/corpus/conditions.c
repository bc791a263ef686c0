/* conditions.c: if, else, &&, ||, ?: over one line and several.  */

#include <stdio.h>

static int calls;

static int
yes (int x)
{
  calls++;
  return x;
}

static int
no (int x) { calls++; return !x; }

static int
ifs (int n)
{
  int r = 0;
  if (n)
    r = 1;
  if (n > 2)
    r += 2;
  else
    r += 3;
  if (n > 4) r += 4;
  if (n > 4) r += 4; else r += 5;
  if (n > 3) { r++; } else { r--; }
  if (n == 0)
    r++;
  else if (n == 1)
    r += 2;
  else if (n == 2)
    {
      r += 3;
      calls++;
    }
  else if (n == 3) r += 4;
  else
    r += 5;
  if (n & 1)
    {
      if (n & 2)
	r++;
    }
  else
    {
      if (n & 4)
	r--;
      else
	r += 7;
    }
  if (n)
    if (n > 1)
      r++;
    else
      r--;
  if (!n)
    ;
  else
    r++;
  if (n == 5)
    {
    }
  return r;
}

static int
logic (int a, int b, int c)
{
  int r = 0;
  if (a && b)
    r++;
  if (a || b)
    r++;
  if (a && b && c)
    r++;
  if (a
      && b
      && c)
    r++;
  if (a
      || b
      || c)
    r++;
  if ((a && b)
      || (b && c)
      || (!a && !c))
    r++;
  if (yes (a) && no (b) && yes (c))
    r++;
  if (yes (a)
      && no (b)
      && yes (c))
    r++;
  if (yes (a)
      || no (b)
      || yes (c))
    r++;
  if (a && yes (b) && c) r++;
  if (!(a && b) || !(b || c)) r++; else r--;
  int both = a && b;
  int any = a
	    || b
	    || yes (c);
  r += both && any;
  r += !both;
  return r + (a && (b || c));
}

static int
ternaries (int a, int b)
{
  int r = a ? 1 : 2;
  r += a > b ? a : b;
  r += a > b
       ? yes (a)
       : no (b);
  r += a ? b ? 1 : 2 : b ? 3 : 4;
  r += a
       ? b
	 ? yes (1)
	 : yes (2)
       : b
	 ? yes (3)
	 : 4;
  r += a ?: b;
  (a ? yes : no) (r);
  return a && b ? r : -r;
}

static const char *
chain (int n)
{
  if (n == 0)
    return "zero";
  if (n == 1) return "one";
  else if (n == 2) return "two";
  else if (n < 0)
    {
      return "negative";
    }
  return n > 5 ? "many"
	       : "few";
}

static int
grade (int n)
{
  if (n < 10)
    return 'f';
  else if (n < 20)
    return 'e';
  else if (n < 30)
    return 'd';
  else if (n < 40
	   && n != 33)
    return 'c';
  else if (n < 50
	   || n == 77)
    return 'b';
  else
    return 'a';
}

static int
conditions_in_loops (int n)
{
  int r = 0;
  for (int i = 0; i < n && r < 40; i++)
    r += i;
  for (int i = 0;
       i < n
       && r > 0;
       i++)
    r--;
  while (n > 0 && (r > 1 || n > 3)) n--;
  do
    r++;
  while (r < 10
	 && yes (r));
  for (int i = 0; i < 6; i++)
    r += i & 1 ? 2 : 1;
  for (int i = 0; yes (i < 4); i++)
    if (i && yes (i - 1)) r++;
  return r;
}

int
main (void)
{
  int r = 0;
  for (int i = 0; i < 7; i++)
    {
      r += ifs (i);
      r += logic (i & 1, i & 2, i & 4);
      r += ternaries (i & 1, i & 2);
      r += chain (i)[0];
      r += chain (-i)[1];
      r += conditions_in_loops (i);
    }
  for (int i = 0; i < 80; i += 11)
    r += grade (i);
  printf ("%d %d\n", r, calls);
  return r == 0;
}
