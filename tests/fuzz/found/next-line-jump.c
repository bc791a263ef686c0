/* clang -O0 ends the loop with a jump to the instruction behind it.  */

#include <stdio.h>

int
main (void)
{
  int i, sum = 0;
  for (i = 0; i < 7; i++)
    {
      if (i == 100)
	goto done;
      sum += i;
      if (i == 200)
	break;
    }
done:
  printf ("%d\n", sum);
  return 0;
}
