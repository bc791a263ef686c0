/* cancel.c: threads that are cancelled inside profiled functions, deferred and
   asynchronously, with clean-ups; thread-local destructors; pthread_exit.  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIMES = 50 };

static volatile int cleaned, destroyed, started, result;
static pthread_key_t key;

static void
clean (void *arg)			/* HITS 150 */
{
  cleaned += *(int *) arg;		/* HITS 150 */
}

static void
destroy (void *arg)			/* HITS 150 */
{
  destroyed++;				/* HITS 150 */
  free (arg);				/* HITS 150 */
}

static void
begin (void)				/* HITS 150 */
{
  pthread_setspecific (key, malloc (8));	/* HITS 150 */
}

/* Cancelled in pause.  */
static void
wait_for_it (int n)			/* HITS 150 */
{
  if (n)				/* HITS 150 */
    wait_for_it (n - 1);		/* HITS 100 */
  started = 1;				/* HITS 50 */
  for (;;)
    pause ();
}

static void *
deferred (void *arg)			/* HITS 50 */
{
  begin ();				/* HITS 50 */
  pthread_cleanup_push (clean, arg);
  wait_for_it (2);			/* HITS 50 */
  pthread_cleanup_pop (0);
  return arg;
}

/* Cancelled anywhere.  */
static void
spin (void)				/* HITS 50 */
{
  started = 1;				/* HITS 50 */
  for (;;)
    result++;
}

static void *
asynchronous (void *arg)		/* HITS 50 */
{
  begin ();				/* HITS 50 */
  pthread_cleanup_push (clean, arg);
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  spin ();				/* HITS 50 */
  pthread_cleanup_pop (0);
  return arg;
}

static void *
exits (void *arg)			/* HITS 50 */
{
  begin ();				/* HITS 50 */
  pthread_cleanup_push (clean, arg);
  started = 1;				/* HITS 50 */
  pthread_exit (PTHREAD_CANCELED);	/* HITS 50 */
  pthread_cleanup_pop (0);
  return arg;
}

static int
run (void *(*body) (void *), int cancel)	/* HITS 150 */
{
  pthread_t thread;
  void *value;
  int one = 1;				/* HITS 150 */
  started = 0;				/* HITS 150 */
  pthread_create (&thread, NULL, body, &one);	/* HITS 150 */
  while (!started)
    usleep (10);
  if (cancel)				/* HITS 150 */
    pthread_cancel (thread);		/* HITS 100 */
  pthread_join (thread, &value);	/* HITS 150 */
  return value == PTHREAD_CANCELED;	/* HITS 150 */
}

int
main (void)
{
  int cancelled = 0;
  pthread_key_create (&key, destroy);
  for (int i = 0; i < TIMES; i++)
    cancelled += run (deferred, 1) + run (asynchronous, 1) + run (exits, 0);
  printf ("%d cancelled, %d cleaned, %d destroyed\n", cancelled, cleaned,
	  destroyed);
  return 0;
}
