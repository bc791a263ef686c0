/* The second call of `inner' has the stack frame of the first, which longjmp left
   open: it is a call all the same.  */

#include <setjmp.h>

static jmp_buf env;
static int n;

__attribute__ ((noinline))
static void
inner (void)
{
  if (n++ < 5)
    longjmp (env, 1);
}

int
main (void)
{
  setjmp (env);
  inner ();
  return n;
}
