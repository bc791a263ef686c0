/* unknown.c: jumps through a table of 32-bit addresses, where nobody looks for one.
   To be linked with -no-pie.  */

#include <stdio.h>

__attribute__ ((noinline)) static int
unknown (long n)			/* HITS 10 */
{
  int r = 0;				/* HITS 10 */
  __asm__ volatile ("movl 9f(,%1,4), %%eax\n\t"
		    "jmp *%%rax\n\t"
		    ".pushsection .rodata\n"
		    "9: .long 1f, 2f, 3f\n\t"
		    ".popsection\n"
		    "1: inc %0\n"
		    "2: inc %0\n"
		    "3: inc %0"
		    : "+r" (r) : "r" (n) : "rax");
  return r;				/* HITS 10 */
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += unknown (i % 3);
  printf ("%d\n", sum);
  return 0;
}
