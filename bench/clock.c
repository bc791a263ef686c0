/* clock.c: wall time of a command: clock N COMMAND... runs it N times, output
   thrown away, and prints the median and the least in nanoseconds.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The time of one run, or -1 where the command did not end by itself.  */
static long long
run_once (char **command)
{
  long long start = now ();
  pid_t pid = fork ();
  int status;
  if (pid == 0)
    {
      int null = open ("/dev/null", O_WRONLY);
      dup2 (null, 1);
      dup2 (null, 2);
      execvp (command[0], command);
      _exit (127);
    }
  if (pid < 0 || waitpid (pid, &status, 0) != pid || !WIFEXITED (status)
      || WEXITSTATUS (status) >= 126)
    return -1;
  return now () - start;
}

static int
compare (const void *a, const void *b)
{
  long long x = *(const long long *) a, y = *(const long long *) b;
  return (x > y) - (x < y);
}

int
main (int argc, char **argv)
{
  int n = argc > 2 ? atoi (argv[1]) : 0;
  if (n < 1)
    return 2;
  long long *times = calloc (n, sizeof *times);
  for (int i = 0; i < n; i++)
    if ((times[i] = run_once (argv + 2)) < 0)
      {
	fprintf (stderr, "clock: '%s' failed\n", argv[2]);
	return 1;
      }
  qsort (times, n, sizeof *times, compare);
  printf ("%lld %lld\n", times[n / 2], times[0]);
  free (times);
  return 0;
}
