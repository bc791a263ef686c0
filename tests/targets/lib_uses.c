/* lib_uses.c: linked with the shared object.  */

#include <stdio.h>

int work (int n);
int doubled (int n);

static int
own (int n)
{
  return work (n) + doubled (n);
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += own (i);
  printf ("%d\n", sum);
  return 3;
}
