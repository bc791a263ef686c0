/* crowd.c: many threads: N at once, then M short-lived ones, some detached, some
   that end inside the profiled function, some cancelled there.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { AT_ONCE = 1000, SHORT = 10000, DETACHED = 200, CANCELLED = 50 };

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ended, cleaned;

static long
step (long n)				/* HITS 1125000 */
{
  return n * 3 + 1;			/* HITS 1125000 */
}

static void
work (void)				/* HITS 11250 */
{
  long n = 1;				/* HITS 11250 */
  for (int i = 0; i < 100; i++)
    n = step (n);			/* HITS 1125000 */
  pthread_mutex_lock (&lock);
  ended++;				/* HITS 11250 */
  pthread_mutex_unlock (&lock);
}

static void *
at_once (void *arg)			/* HITS 1000 */
{
  pthread_setname_np (pthread_self (), "worker");
  pthread_barrier_wait (&barrier);
  work ();				/* HITS 1000 */
  return arg;
}

static void *
short_lived (void *arg)			/* HITS 10200 */
{
  work ();				/* HITS 10200 */
  if (arg)
    pthread_exit (arg);			/* HITS 5100 */
  return arg;
}

static void
clean (void *arg)			/* HITS 50 */
{
  (void) arg;
  cleaned++;				/* HITS 50 */
}

static void *
cancelled (void *arg)			/* HITS 50 */
{
  pthread_cleanup_push (clean, arg);
  work ();				/* HITS 50 */
  for (;;)
    pause ();
  pthread_cleanup_pop (0);
  return arg;
}

int
main (void)
{
  static pthread_t threads[AT_ONCE];
  pthread_attr_t attr;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 64 << 10);
  pthread_barrier_init (&barrier, NULL, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++)
    if (pthread_create (&threads[i], &attr, at_once, NULL))
      abort ();
  for (int i = 0; i < AT_ONCE; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < SHORT; i += 8)
    {
      for (int k = 0; k < 8; k++)
	pthread_create (&threads[k], &attr, short_lived,
			k % 2 ? &barrier : NULL);
      for (int k = 0; k < 8; k++)
	pthread_join (threads[k], NULL);
    }
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < DETACHED; i++)
    pthread_create (&threads[0], &attr, short_lived,
		    i % 2 ? &barrier : NULL);
  for (int n = 0; n < AT_ONCE + SHORT + DETACHED; usleep (1000))
    {
      pthread_mutex_lock (&lock);
      n = ended;
      pthread_mutex_unlock (&lock);
    }
  for (int i = 0; i < CANCELLED; i++)
    {
      pthread_create (&threads[0], NULL, cancelled, NULL);
      pthread_cancel (threads[0]);
      void *result;
      pthread_join (threads[0], &result);
      if (result != PTHREAD_CANCELED)
	puts ("not cancelled");
    }
  printf ("%d %d\n", ended, cleaned);
  return 0;
}
