/* awkward.c: calls the functions of awkward.S.  */

#include <cpuid.h>
#include <stdio.h>

extern int counts (long), overlaps (int), returns_to (int), by_table (int),
  cannot_be (int), by_object (int), by_distance (int),
  by_memory (int), over (int), under (int), runs_on (int), last (int),
  here (int), transaction (int, int), crowded (int, int (*) (int)),
  last2 (int), on_its_own (int);

static int
has_transactions (void)
{
  unsigned a, b, c, d;
  return __get_cpuid_count (7, 0, &a, &b, &c, &d) && (b >> 11 & 1);
}

int
main (void)
{
  unsigned sum = 0;
  int rtm = has_transactions ();
  for (int i = 0; i < 10; i++)
    {
      sum = sum * 31 + counts (i);
      sum = sum * 31 + overlaps (i & 1);
      sum = sum * 31 + returns_to (i);
      for (int k = 0; k < 4; k++)
	sum = sum * 31 + by_table (k);
      for (int k = 1; k < 4; k++)
	sum = sum * 31 + cannot_be (k);
      sum = sum * 31 + by_object (i);
      sum = sum * 31 + by_distance (i);
      sum = sum * 31 + by_memory (1);
      sum = sum * 31 + over (i);
      sum = sum * 31 + under (i);
      sum = sum * 31 + runs_on (i);
      sum = sum * 31 + transaction (i, rtm);
      sum = sum * 31 + crowded (i, last2);
      sum = sum * 31 + on_its_own (i);
      sum = sum * 31 + here (i);
    }
  printf ("%u\n", sum);
  return 0;
}
