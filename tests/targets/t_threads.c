/* t_threads.c: the ways threads begin and end; argv[1] names one.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FUTEX_WAIT = 0 };	/* <linux/futex.h>, which musl does not have */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static long total;

static void *
add (void *arg)
{
  pthread_mutex_lock (&lock);
  total += (long) arg;
  pthread_mutex_unlock (&lock);
  return NULL;
}

static void *
add_together (void *arg)
{
  pthread_barrier_wait (&barrier);
  return add (arg);
}

static void
many_at_once (int n)
{
  pthread_t *threads = calloc (n, sizeof *threads);
  pthread_attr_t attr;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 65536);
  pthread_barrier_init (&barrier, NULL, n);
  for (long i = 0; i < n; i++)
    if (pthread_create (&threads[i], &attr, add_together, (void *) i))
      abort ();
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  free (threads);
}

static void
one_by_one (int n)
{
  for (long i = 0; i < n; i++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, add, (void *) i))
	abort ();
      pthread_join (thread, NULL);
    }
}

static void *
cancelled (void *arg)
{
  pthread_barrier_wait (&barrier);
  for (;;)
    pause ();
  return arg;
}

static void
cancel (int n)
{
  pthread_barrier_init (&barrier, NULL, 2);
  for (int i = 0; i < n; i++)
    {
      pthread_t thread;
      void *result;
      pthread_create (&thread, NULL, cancelled, NULL);
      pthread_barrier_wait (&barrier);
      pthread_cancel (thread);
      pthread_join (thread, &result);
      total += result == PTHREAD_CANCELED;
    }
}

static int
raw_body (void *arg)
{
  __atomic_add_fetch (&total, (long) arg, __ATOMIC_SEQ_CST);
  return 0;
}

/* Without the C library's knowledge; the kernel clears TID and wakes us.  */
static void
raw_clones (int n)
{
  for (int i = 0; i < n; i++)
    {
      static char stack[65536] __attribute__ ((aligned (16)));
      static pid_t tid;
      tid = 1;
      if (clone (raw_body, stack + sizeof stack,
		 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND
		 | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID,
		 (void *) 2, NULL, NULL, &tid) < 0)
	abort ();
      pid_t seen;
      while ((seen = __atomic_load_n (&tid, __ATOMIC_SEQ_CST)) != 0)
	syscall (SYS_futex, &tid, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
}

static void *
report (void *arg)
{
  usleep (20000);
  printf ("the leader is gone\n");
  exit ((int) (long) arg);
}

static void *
spin (void *arg)
{
  for (;;)
    __atomic_add_fetch (&total, 1, __ATOMIC_RELAXED);
  return arg;
}

/* exit_group while others are anywhere, one of them being born.  */
static void *
breed (void *arg)
{
  pthread_t thread;
  for (;;)
    {
      if (pthread_create (&thread, NULL, add, NULL) == 0)
	pthread_detach (thread);
    }
  return arg;
}

/* Threads are born while the process is stopped and continued by a child.  */
static void
stopped (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      for (int i = 0; i < 100; i++)
	{
	  kill (getppid (), SIGSTOP);
	  usleep (i % 10 * 100);
	  kill (getppid (), SIGCONT);
	  usleep (500);
	}
      _exit (0);
    }
  int n = 0;
  while (waitpid (pid, NULL, WNOHANG) == 0)
    {
      one_by_one (1);
      n++;
    }
  printf ("some threads %d\n", n > 0);
}

static void *
fork_on_and_on (void *arg)
{
  for (;;)
    if (fork () == 0)
      _exit (0);
  return arg;
}

static void
start (void *(*body) (void *), int n)
{
  pthread_t thread;
  for (int i = 0; i < n; i++)
    pthread_create (&thread, NULL, body, (void *) 13L);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi (argv[2]) : 0;
  if (!strcmp (what, "at-once"))
    many_at_once (n);
  else if (!strcmp (what, "one-by-one"))
    one_by_one (n);
  else if (!strcmp (what, "cancel"))
    cancel (n);
  else if (!strcmp (what, "raw"))
    raw_clones (n);
  else if (!strcmp (what, "leader-exits"))
    {
      start (report, 1);
      pthread_exit (NULL);
    }
  else if (!strcmp (what, "exit"))
    {
      start (spin, 2);
      start (breed, 2);
      usleep (50000);
      _exit (14);
    }
  else if (!strcmp (what, "kill"))
    {
      start (spin, 2);
      start (breed, 2);
      usleep (50000);
      kill (getpid (), SIGKILL);
    }
  else if (!strcmp (what, "stopped"))
    stopped ();
  else if (!strcmp (what, "fork-and-die"))
    {
      signal (SIGCHLD, SIG_IGN);
      start (fork_on_and_on, 3);
      usleep (30000);
      kill (getpid (), SIGKILL);
    }
  printf ("%ld\n", total);
  return 0;
}
