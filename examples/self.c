/* self.c: a program that profiles a part of itself, and reads the numbers.

     cc -g self.c -o self $(pkg-config --cflags --libs lineprof)
     ./self  */

#include <lineprof.h>
#include <stdio.h>
#include <stdlib.h>

static int
compare (const void *a, const void *b)
{
  int x = *(const int *) a, y = *(const int *) b;
  return (x > y) - (x < y);
}

static void
report (lp_profile *profile)
{
  const lp_function_count *f;
  size_t n;
  if (lp_profile_functions (profile, &f, &n, NULL))
    return;
  for (size_t i = 0; i < n; i++)
    printf ("%s was called %ld times, %ld ns each\n", f[i].name,
            (long) f[i].calls, (long) (f[i].calls ? f[i].total / f[i].calls : 0));
}

int
main (void)
{
  static int v[1000];
  lp_error err;
  lp_profiler *p = lp_profiler_new (&err);
  for (int i = 0; i < 1000; i++)
    v[i] = i * 7919 % 1000;
  if (!p || lp_profiler_add (p, "compare", &err))
    {
      fprintf (stderr, "%s\n", err.text);
      return 1;
    }
  LP_PROFILE (p)
    qsort (v, 1000, sizeof *v, compare);
  lp_profile *profile = lp_snapshot (p, &err);
  if (profile)
    report (profile);
  lp_profile_free (profile);
  return lp_profiler_free (p, &err) != 0;
}
