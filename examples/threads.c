/* threads.c: what each thread did.

     cc -g threads.c -o threads -pthread
     kernprof -l -v --by-thread -f count_bits ./threads  */

#define _GNU_SOURCE

#include <pthread.h>
#include <stdio.h>

static int
count_bits (unsigned n)
{
  int bits = 0;
  for (; n; n &= n - 1)
    bits++;
  return bits;
}

struct job
{
  const char *name;
  unsigned first, last;
  long bits;
  pthread_t thread;
};

static void *
run (void *arg)
{
  struct job *job = arg;
  pthread_setname_np (pthread_self (), job->name);
  for (unsigned n = job->first; n < job->last; n++)
    job->bits += count_bits (n);
  return NULL;
}

int
main (void)
{
  struct job jobs[] = { { .name = "small", .first = 0, .last = 1000 },
                        { .name = "large", .first = 1000, .last = 10000 } };
  for (int i = 0; i < 2; i++)
    pthread_create (&jobs[i].thread, NULL, run, &jobs[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (jobs[i].thread, NULL);
  printf ("%ld bits\n", jobs[0].bits + jobs[1].bits);
  return 0;
}
