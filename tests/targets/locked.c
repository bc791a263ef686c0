/* locked.c: locks all memory that it has and will have, and says whether it had to
   lock more than a profiler may add; then many processes at once, each with
   profiled code.  */

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 100, MUCH = 2000000 };	/* kB */

static int
work (int n)			// HITS 101
{
  return n * n;			// HITS 101
}

static int
locked (void)
{
  char line[200];
  long kb = -1;
  FILE *f = fopen ("/proc/self/status", "r");
  while (fgets (line, sizeof line, f))
    sscanf (line, "VmLck: %ld", &kb);
  fclose (f);
  return kb < MUCH;
}

int
main (void)
{
  int status, sum = 0, ends[2];
  if (mlockall (MCL_CURRENT | MCL_FUTURE))
    puts ("may not");
  printf ("%d %d\n", work (3), locked ());
  fflush (stdout);
  munlockall ();
  if (pipe (ends))
    return 1;
  for (int i = 0; i < CHILDREN; i++)
    if (fork () == 0)
      {
	char c;
	close (ends[1]);
	while (read (ends[0], &c, 1) > 0)
	  ;
	_exit (work (i) == i * i ? 1 : 0);
      }
  close (ends[1]);
  while (wait (&status) > 0)
    sum += WEXITSTATUS (status);
  printf ("%d\n", sum);
  return 0;
}
