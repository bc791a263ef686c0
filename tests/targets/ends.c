/* ends.c: a little work, then the end named by argv[1].  Whatever the end, the
   work has been done, so its hits are known.  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile unsigned sum;

static void
work (int n)				/* HITS 1 */
{
  for (int i = 0; i < n; i++)		/* HITS 1001 */
    sum += i;				/* HITS 1000 */
}

static void *
thread_exits (void *arg)
{
  (void) arg;
  exit (5);
}

static void *
thread_waits (void *arg)
{
  for (;;)
    pause ();
  return arg;
}

static void
at_exit (void)
{
  fputs ("at exit\n", stderr);
}

static void
from_thread (void *(*body) (void *))
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, body, NULL))
    exit (99);
}

static void
die_by (int signal)
{
  sigset_t all;
  sigfillset (&all);
  sigprocmask (SIG_UNBLOCK, &all, NULL);
  kill (getpid (), signal);
}

static int
end (const char *how)
{
  if (!strcmp (how, "return"))
    return 3;
  if (!strcmp (how, "exit"))
    exit (4);
  if (!strcmp (how, "_exit"))
    _exit (6);
  if (!strcmp (how, "abort"))
    abort ();
  if (!strcmp (how, "null"))
    *(volatile int *) 0 = 1;
  if (!strcmp (how, "ud2"))
    __builtin_trap ();
  if (!strcmp (how, "int3"))
    __asm__ volatile ("int3");
  if (!strcmp (how, "kill"))
    die_by (SIGKILL);
  if (!strcmp (how, "term"))
    die_by (SIGTERM);
  if (!strcmp (how, "trap"))
    die_by (SIGTRAP);
  if (!strcmp (how, "thread-exit"))
    {
      from_thread (thread_exits);
      thread_waits (NULL);
    }
  if (!strcmp (how, "main-thread-ends"))
    {
      from_thread (thread_exits);
      syscall (SYS_exit, 0);
    }
  if (!strcmp (how, "exit-with-threads"))
    {
      for (int i = 0; i < 20; i++)
	from_thread (thread_waits);
      return 7;
    }
  return 98;
}

int
main (int argc, char **argv)
{
  atexit (at_exit);
  work (1000);
  printf ("sum %u\n", sum);
  fflush (stdout);
  return end (argc > 1 ? argv[1] : "return");
}
