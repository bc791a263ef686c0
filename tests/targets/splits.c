/* splits.c: a function that gcc -O2 splits behind its first test and then puts together
   again: the debug information has an instance of it in itself, which is no call.  */

#include <stdio.h>
#include <stdlib.h>

int flag, done;
static int waits;

__attribute__ ((noinline)) static int
waited (void)
{
  return ++waits > 3 ? (done = 1, 0) : 0;
}

void *
watch (void *arg)		/* HITS 1 */
{
  int ret = waited ();		/* HITS 1 */
  if (ret)
    {
      fprintf (stderr, "cannot wait\n");
      exit (1);
    }
  while (!done && !flag)	/* HITS 4 */
    ret = waited ();		/* HITS 3 */
  if (done)			/* HITS 1 */
    {
      ret = waited ();		/* HITS 1 */
      return NULL;
    }
  ret = waited ();
  fprintf (stderr, "premature\n");
  exit (2);
  return NULL;
}

int
main (int argc, char **argv)
{
  void *(*volatile run) (void *) = watch;
  printf ("%d\n", run (argv) == NULL);
  return 0;
}
