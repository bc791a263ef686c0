/* busy.c: threads that check their own arithmetic, and a timer's signal handler,
   until SIGTERM.  busy [THREADS]  */

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static uint64_t
mix (uint64_t x)
{
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 29;
  return x;
}

static uint64_t
chain (uint64_t x)
{
  for (int i = 0; i < 100; i++)
    x = mix (x + i);
  return x;
}

static void *
work (void *arg)
{
  uint64_t x = (uintptr_t) arg, n = 0;
  while (!ended)
    {
      uint64_t once = chain (x), again = chain (x);
      if (once != again)
	abort ();
      x = once;
      n++;
    }
  return (void *) (uintptr_t) n;
}

static void
on_term (int sig)
{
  (void) sig;
  ended = 1;
}

static void
on_alarm (int sig)
{
  static uint64_t x;
  (void) sig;
  x = chain (x);
  ualarm (500, 0);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 3, idle = 0;
  pthread_t threads[64];
  signal (SIGTERM, on_term);
  signal (SIGALRM, on_alarm);
  ualarm (500, 0);
  for (int i = 0; i < n && i < 64; i++)
    pthread_create (&threads[i], NULL, work, (void *) (uintptr_t) (i + 1));
  puts ("ready");
  fflush (stdout);
  for (int i = 0; i < n && i < 64; i++)
    {
      void *done;
      pthread_join (threads[i], &done);
      idle += done == NULL;
    }
  printf ("%d idle\n", idle);
  return 7;
}
