/* standstill.c: enabling and freeing profilers while other threads run, wait, come and go.
   Prints TAP.  The argument says what is checked.  */

#define _GNU_SOURCE

#include <lineprof.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int count, failures;

static void
ok (int good, const char *name, const lp_error *err)
{
  printf ("%sok %d - %s\n", good ? "" : "not ", ++count, name);
  if (!good && err && err->code)
    printf ("#   %d: %s\n", err->code, err->text);
  failures += !good;
}

static void
fails (int bad, int code, const lp_error *err, const char *name)
{
  ok (bad && err->code == code && err->text[0], name, err);
}

static volatile int sink;

/* Lines enough for patches all over, a loop that lasts, and calls.  */
__attribute__ ((noinline)) static int
leaf (int x)
{
  sink = x;
  return x + 1;
}

__attribute__ ((noinline)) static int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      if (i & 1)
	sum += leaf (i);
      else
	sum ^= i;
      switch (i & 3)
	{
	case 0: sum++; break;
	case 1: sum += 2; break;
	case 2: sum -= 3; break;
	default: sum ^= 5;
	}
    }
  return sum;
}

static int
expected (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum = i & 1 ? sum + i + 1 : sum ^ i;
      static const int add[] = { 1, 2, -3 };
      sum = (i & 3) == 3 ? sum ^ 5 : sum + add[i & 3];
    }
  return sum;
}

static int stop, wrong;
static long rounds_done;

/* Whoever wakes up has had what was to be waited for.  */
static void
must (int good)
{
  if (!good)
    __atomic_fetch_add (&wrong, 1, __ATOMIC_RELAXED);
}

static int
stopped (void)
{
  return __atomic_load_n (&stop, __ATOMIC_RELAXED);
}

static void *
compute (void *blocked)
{
  int n = 1000, sum = expected (n);
  sigset_t all;
  sigfillset (&all);
  if (blocked)
    pthread_sigmask (SIG_BLOCK, &all, NULL);
  while (!stopped ())
    {
      must (work (n) == sum);
      __atomic_fetch_add (&rounds_done, 1, __ATOMIC_RELAXED);
    }
  return NULL;
}

static void *
sleep_shortly (void *arg)
{
  const struct timespec pause = { .tv_nsec = 300000 };
  (void) arg;
  while (!stopped ())
    {
      must (nanosleep (&pause, NULL) == 0);
      must (work (10) == expected (10));
    }
  return NULL;
}

static void *
wait_for_events (void *arg)
{
  int fd = epoll_create1 (0);
  struct epoll_event event;
  (void) arg;
  while (!stopped ())
    {
      must (epoll_wait (fd, &event, 1, 1) == 0);
      must (poll (NULL, 0, 1) == 0);
      must (work (10) == expected (10));
    }
  close (fd);
  return NULL;
}

static void *
wait_for_signals (void *arg)
{
  sigset_t set;
  const struct timespec pause = { .tv_nsec = 1000000 };
  (void) arg;
  sigemptyset (&set);
  sigaddset (&set, SIGUSR2);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  while (!stopped ())
    {
      must (sigtimedwait (&set, NULL, &pause) == -1 && errno == EAGAIN);
      must (work (10) == expected (10));
    }
  return NULL;
}

static void *
live_shortly (void *arg)
{
  must (work (20) == expected (20));
  return arg;
}

static void *
make_threads (void *arg)
{
  (void) arg;
  while (!stopped ())
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, live_shortly, NULL) == 0)
	pthread_join (thread, NULL);
    }
  return NULL;
}

static void *
transfer (void *fds)
{
  char c;
  while (read (((int *) fds)[0], &c, 1) == 1)
    must (work (10) == expected (10));
  return NULL;
}

static volatile int handled;

static void
on_signal (int signal)
{
  (void) signal;
  handled += work (4) == expected (4);
}

static void *
signal_it (void *thread)
{
  const struct timespec pause = { .tv_nsec = 100000 };
  while (!stopped ())
    {
      pthread_kill (*(pthread_t *) thread, SIGUSR1);
      nanosleep (&pause, NULL);
    }
  return NULL;
}

enum { CROWD = 10 };

static pthread_t crowd[CROWD];
static int fds[2];

static void
begin (void)
{
  stop = 0;
  signal (SIGUSR1, on_signal);
  if (pipe (fds))
    exit (1);
  pthread_create (&crowd[0], NULL, compute, NULL);
  pthread_create (&crowd[1], NULL, compute, "blocked");
  pthread_create (&crowd[2], NULL, sleep_shortly, NULL);
  pthread_create (&crowd[3], NULL, wait_for_events, NULL);
  pthread_create (&crowd[4], NULL, wait_for_signals, NULL);
  pthread_create (&crowd[5], NULL, make_threads, NULL);
  pthread_create (&crowd[6], NULL, transfer, fds);
  pthread_create (&crowd[7], NULL, signal_it, &crowd[0]);
  pthread_create (&crowd[8], NULL, compute, NULL);
  pthread_create (&crowd[9], NULL, transfer, fds);
}

static void
end (void)
{
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  close (fds[1]);
  for (int i = 0; i < CROWD; i++)
    pthread_join (crowd[i], NULL);
  close (fds[0]);
}

static const lp_function_count *
find (lp_profile *profile, const char *name)
{
  const lp_function_count *f;
  size_t n;
  if (!profile || lp_profile_functions (profile, &f, &n, NULL))
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (strcmp (f[i].name, name) == 0)
      return &f[i];
  return NULL;
}

/* The hits of NAME's line that is OFFSET below its first.  */
static int64_t
hits (lp_profile *profile, const char *name, unsigned offset)
{
  const lp_function_count *f = find (profile, name);
  int64_t n = -1;
  for (size_t i = 0; f && i < f->nlines; i++)
    if (f->lines[i].line == f->line + offset)
      n = f->lines[i].hits;
  return n;
}

static lp_profiler *
enabled (lp_error *err)
{
  lp_profiler *p = lp_profiler_new (err);
  if (p && lp_profiler_add (p, "work", err) == 0
      && lp_profiler_add (p, "leaf", err) == 0 && lp_enable (p, err) == 0)
    return p;
  lp_profiler_free (p, NULL);
  return NULL;
}

/* Only this thread counts, exactly.  */
static int
one_round (int i, lp_error *err)
{
  lp_profiler *p = enabled (err);
  if (!p)
    return 0;
  must (write (fds[1], "x", 1) == 1);
  must (work (100 + i) == expected (100 + i));
  lp_disable (p, NULL);
  must (work (5) == expected (5));
  lp_profile *profile = lp_snapshot (p, err);
  const lp_function_count *f = find (profile, "work");
  int good = f && f->calls == 1 && hits (profile, "work", 6) == (100 + i) / 2
	     && hits (profile, "leaf", 3) == (100 + i) / 2;
  lp_profile_free (profile);
  return lp_profiler_free (p, err) == 0 && good;
}

static void
check_crowd (int rounds)
{
  lp_error err = { 0 };
  unsigned char before[256], after[256];
  int good = 1;
  memcpy (before, (const void *) work, sizeof before);
  begin ();
  for (int i = 0; i < rounds && good; i++)
    good = one_round (i, &err);
  end ();
  memcpy (after, (const void *) work, sizeof after);
  ok (good, "enabled and freed among other threads, exact hits", &err);
  ok (!wrong, "no thread noticed", NULL);
  ok (rounds_done > 0 && handled > 0, "they worked", NULL);
  ok (memcmp (before, after, sizeof before) == 0, "the code is as before", NULL);
  ok (waitpid (-1, NULL, 0) == -1 && errno == ECHILD, "no child is left", NULL);
}

/* The whole crowd counts: what each did between its enable and disable.  */
static void *
count_some (void *p)
{
  lp_error err;
  must (lp_enable (p, &err) == 0);
  for (int i = 0; i < 200; i++)
    must (work (100) == expected (100));
  must (lp_disable (p, &err) == 0);
  return NULL;
}

static void
check_all (void)
{
  lp_error err = { 0 };
  pthread_t threads[4];
  lp_profiler *p = lp_profiler_new (&err);
  lp_profiler_add (p, "work", &err);
  begin ();
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, count_some, p);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  lp_profile *profile = lp_snapshot (p, &err);
  const lp_function_count *f = find (profile, "work");
  ok (f && f->calls == 800 && hits (profile, "work", 6) == 800 * 50,
      "the first ones to enable it are several at once", &err);
  lp_profile_free (profile);
  ok (lp_enable (p, &err) == 0, "and one more", &err);
  end ();
  ok (!wrong, "nobody noticed", NULL);
  ok (lp_disable (p, &err) == 0 && lp_profiler_free (p, &err) == 0, "freed", &err);
}

static void *
wait_for_child (void *fd)
{
  pid_t child = vfork ();
  if (child == 0)
    {
      char c;
      close (((int *) fd)[1]);
      if (read (((int *) fd)[0], &c, 1))
	_exit (0);
      _exit (0);
    }
  waitpid (child, NULL, 0);
  return NULL;
}

/* Who waits in vfork does not stop: nothing is patched then.  */
static void
check_silent (void)
{
  lp_error err = { 0 };
  unsigned char before[256];
  pthread_t thread;
  const struct timespec pause = { .tv_nsec = 100000000 };
  if (pipe (fds))
    exit (1);
  memcpy (before, (const void *) work, sizeof before);
  pthread_create (&thread, NULL, wait_for_child, fds);
  nanosleep (&pause, NULL);
  lp_profiler *p = lp_profiler_new (&err);
  lp_profiler_add (p, "work", &err);
  fails (lp_enable (p, &err), LP_EUNSUPPORTED, &err, "a thread that does not stop");
  ok (strstr (err.text, "does not stop") != NULL, "it is told which", &err);
  ok (memcmp (before, (const void *) work, sizeof before) == 0,
      "nothing is patched then", NULL);
  close (fds[1]);
  pthread_join (thread, NULL);
  ok (lp_enable (p, &err) == 0 && lp_disable (p, &err) == 0,
      "it works afterwards", &err);
  if (pipe (fds))
    exit (1);
  pthread_create (&thread, NULL, wait_for_child, fds);
  nanosleep (&pause, NULL);
  fails (lp_profiler_free (p, &err), LP_EUNSUPPORTED, &err, "nor can it be freed");
  close (fds[1]);
  pthread_join (thread, NULL);
  ok (lp_profiler_free (p, &err) == 0, "it can afterwards", &err);
  ok (memcmp (before, (const void *) work, sizeof before) == 0,
      "the code is as before", NULL);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp (what, "crowd") == 0)
    check_crowd (argc > 2 ? atoi (argv[2]) : 20);
  else if (strcmp (what, "all") == 0)
    check_all ();
  else
    check_silent ();
  printf ("1..%d\n", count);
  return failures > 0;
}
