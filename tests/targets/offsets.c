/* offsets.c: jumps to computed addresses: differences of labels, which no jump
   table shows, and a switch, whose table has offsets of 64 bits in the large
   code model.  */

#include <stdio.h>

static int
run (const unsigned char *code)
{
  static const int offsets[] = { &&add - &&add, &&mul - &&add, &&end - &&add };
  int x = 1;			/* HITS 10 */
  goto *(&&add + offsets[*code++]); /* HITS 10 */
add:
  x += 3;			/* HITS 30 */
  goto *(&&add + offsets[*code++]); /* HITS 30 */
mul:
  x *= 2;			/* HITS 30 */
  goto *(&&add + offsets[*code++]); /* HITS 30 */
end:
  return x;			/* HITS 10 */
}

static int
pick (int i)
{
  int x = i;			/* HITS 20 */
  switch (i % 6)		/* HITS 20 */
    {
    case 0:
      x += 1;			/* HITS 4 */
      break;
    case 1:
      x *= 3;			/* HITS 4 */
      break;
    case 2:
      x -= 7;			/* HITS 3 */
      break;
    case 3:
      x ^= 5;			/* HITS 3 */
      break;
    case 4:
      x |= 1;			/* HITS 3 */
      break;
    case 5:
      x &= 31;			/* HITS 3 */
      break;
    }
  return x;			/* HITS 20 */
}

int
main (void)
{
  static const unsigned char code[] = { 0, 0, 1, 0, 1, 1, 2 };
  int s = 0;
  for (int i = 0; i < 10; i++)
    s += run (code);		/* HITS 10 */
  for (int i = 0; i < 20; i++)
    s = s * 3 + pick (i);	/* HITS 20 */
  printf ("%d\n", s);
  return 0;
}
