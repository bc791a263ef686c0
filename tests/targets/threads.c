/* threads.c: many threads in the same functions at the same time: their hits
   add up exactly.  */

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 10000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static long
step (long n)				/* HITS 80000 */
{
  if (n % 2)				/* HITS 80000 */
    return n + 1;			/* HITS 40000 */
  return n - 1;				/* HITS 40000 */
}

static void *
body (void *arg)			/* HITS 8 */
{
  long sum = 0;				/* HITS 8 */
  for (long i = 0; i < ROUNDS; i++)	/* HITS 80008 */
    sum += step (i);			/* HITS 80000 */
  pthread_mutex_lock (&lock);		/* HITS 8 */
  total += sum;				/* HITS 8 */
  pthread_mutex_unlock (&lock);		/* HITS 8 */
  return arg;				/* HITS 8 */
}

int
main (void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, body, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", total);
  return 0;
}
