/* clock.c: what a command costs: clock N COMMAND... runs it N times, output thrown
   away, and prints the medians of its wall time and of the processor time of it
   and the children it waited for, in nanoseconds, and the most memory that one of
   them all had resident, in KiB.  */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
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

static long long
in_ns (struct timeval t)
{
  return t.tv_sec * 1000000000LL + t.tv_usec * 1000LL;
}

/* One run.  0, or -1 where the command did not end by itself.  */
static int
run_once (char **command, long long *wall, long long *cpu)
{
  struct rusage usage;
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
  if (pid < 0 || wait4 (pid, &status, 0, &usage) != pid || !WIFEXITED (status)
      || WEXITSTATUS (status) >= 126)
    return -1;
  *wall = now () - start;
  *cpu = in_ns (usage.ru_utime) + in_ns (usage.ru_stime);
  return 0;
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
  long long *wall = calloc (n, sizeof *wall), *cpu = calloc (n, sizeof *cpu);
  for (int i = 0; i < n; i++)
    if (run_once (argv + 2, &wall[i], &cpu[i]))
      {
	fprintf (stderr, "clock: '%s' failed\n", argv[2]);
	return 1;
      }
  qsort (wall, n, sizeof *wall, compare);
  qsort (cpu, n, sizeof *cpu, compare);
  struct rusage usage;
  getrusage (RUSAGE_CHILDREN, &usage);
  printf ("%lld %lld %ld\n", wall[n / 2], cpu[n / 2], usage.ru_maxrss);
  free (wall);
  free (cpu);
  return 0;
}
