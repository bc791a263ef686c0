/* threads.c: while N threads that have run `work' wait, how many kilobytes of memory
   the process holds in mappings that have the profiler's name.
   usage: threads N */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t ready, done;

static __attribute__ ((noinline)) int
work (int n)
{
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

static void *
thread (void *arg)
{
  work (100);
  pthread_barrier_wait (&ready);
  pthread_barrier_wait (&done);
  return arg;
}

static long
held (void)
{
  char line[4096];
  long kb = 0, one;
  int ours = 0;
  FILE *f = fopen ("/proc/self/smaps", "r");
  while (f && fgets (line, sizeof line, f))
    if (strchr ("0123456789abcdef", line[0]))
      ours = strstr (line, "memfd:lineprof") != NULL;
    else if (ours && sscanf (line, "Rss: %ld kB", &one) == 1)
      kb += one;
  return kb;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1;
  pthread_t *threads = calloc (n, sizeof *threads);
  pthread_barrier_init (&ready, NULL, n + 1);
  pthread_barrier_init (&done, NULL, n + 1);
  for (int i = 0; i < n; i++)
    if (pthread_create (&threads[i], NULL, thread, NULL))
      return 1;
  pthread_barrier_wait (&ready);
  printf ("%ld\n", held ());
  pthread_barrier_wait (&done);
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
