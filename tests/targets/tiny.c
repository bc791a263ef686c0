/* tiny.c: calls the functions of tiny.S, in three threads.  */

#include <pthread.h>
#include <stdio.h>

extern int before (int), one (int), two (int), three (int), four (int), behind (int),
  roomy (int);

static void *
work (void *arg)
{
  unsigned *sum = arg;
  for (int i = 0; i < 1000; i++)
    {
      one (i);
      two (i);
      *sum = *sum * 31 + three (i);
      *sum = *sum * 31 + four (i);
    }
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];
  unsigned sums[3] = { 1, 2, 3 };
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, &sums[i]);
  work (&sums[2]);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < 1000; i++)
    sums[2] = sums[2] * 31 + before (i) * behind (i) + roomy (i);
  printf ("%u %u %u\n", sums[0], sums[1], sums[2]);
  return 0;
}
