/* islands.c: calls what is in islands.S, and looks at its data; `sum': says what the bytes
   of its own code add up to.  */

#include <stdio.h>

unsigned over (unsigned n);
unsigned choose (unsigned n);
extern const char text_at[] __attribute__ ((visibility ("hidden")));
extern const unsigned char etext[];

static unsigned
sum_of_code (void)
{
  unsigned sum = 0;
  for (const unsigned char *p = (const unsigned char *) over; p < etext; p++)
    sum = sum * 31 + *p;
  return sum;
}

int
main (int argc, char **argv)
{
  unsigned sum = 0;
  (void) argv;
  for (unsigned i = 0; i < 300; i++)	/* HITS 301 */
    sum = sum * 3 + over (i) + choose (i); /* HITS 300 */
  printf ("%u %s\n", sum, text_at + 6);
  if (argc > 1)
    printf ("%08x\n", sum_of_code ());
  return 0;
}
