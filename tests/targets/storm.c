/* storm.c: threads that compute while a signal reaches each of them every 50
   microseconds, and that send themselves one more each time, until SIGTERM.  So at
   any moment some are on their way into a handler or out of it.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
# define sigev_notify_thread_id _sigev_un._tid
#endif

enum { THREADS = 3, PERIOD = 50000 };

static volatile sig_atomic_t ended;
static __thread volatile unsigned long raised;

static void
on_timer (int sig)
{
  (void) sig;
}

static void
on_raise (int sig)
{
  (void) sig;
  raised++;
}

static void
on_term (int sig)
{
  (void) sig;
  ended = 1;
}

static uint64_t
chain (uint64_t x)
{
  for (int i = 0; i < 500; i++)
    x = x * UINT64_C (6364136223846793005) + 1;
  return x;
}

static void
start_timer (void)
{
  timer_t id;
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
			    .sigev_signo = SIGUSR1 };
  struct itimerspec every = { { 0, PERIOD }, { 0, PERIOD } };
  event.sigev_notify_thread_id = (pid_t) syscall (SYS_gettid);
  timer_create (CLOCK_MONOTONIC, &event, &id);
  timer_settime (id, 0, &every, NULL);
}

static void *
work (void *arg)
{
  uint64_t x = (uintptr_t) arg;
  unsigned long n = 0;
  start_timer ();
  while (!ended)
    {
      uint64_t once = chain (x), again = chain (x);
      raise (SIGUSR2);
      if (once != again || raised != ++n)
	abort ();
      x = once;
    }
  return (void *) n;
}

int
main (void)
{
  int idle = 0;
  pthread_t threads[THREADS];
  signal (SIGTERM, on_term);
  signal (SIGUSR1, on_timer);
  signal (SIGUSR2, on_raise);
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, (void *) (uintptr_t) (i + 1));
  puts ("ready");
  fflush (stdout);
  for (int i = 0; i < THREADS; i++)
    {
      void *done;
      pthread_join (threads[i], &done);
      idle += done == NULL;
    }
  printf ("%d idle\n", idle);
  return 7;
}
