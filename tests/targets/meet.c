/* meet.c: threads that are in the same function at the same time, each at another
   line of it, and come to it while the others wait inside.  */

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 20 };

static pthread_barrier_t door;
static long total[THREADS];

static void
meet (long self, long round)		/* HITS 80 */
{
  pthread_barrier_wait (&door);		/* HITS 80 */
  for (long i = 0; i < self; i++)
    total[self] += i + round;		/* HITS 120 */
  pthread_barrier_wait (&door);		/* HITS 80 */
  if (round % 2)			/* HITS 80 */
    total[self]++;			/* HITS 40 */
}

static void *
body (void *arg)
{
  for (long i = 0; i < ROUNDS; i++)
    meet ((long) arg, i);		/* HITS 80 */
  return arg;
}

int
main (void)
{
  pthread_t threads[THREADS];
  pthread_barrier_init (&door, NULL, THREADS);
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, body, (void *) i);
  for (long i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (long i = 0; i < THREADS; i++)
    printf ("%ld\n", total[i]);
  return 0;
}
