/* tiny_self.c: profiles functions of tiny.S, which the arguments name, in itself, again and
   again, while two threads call all of them and signals come.  Prints what is wrong.  */

#define _GNU_SOURCE

#include <lineprof.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { TIMES = 25, CALLS = 200 };

extern int before (int), one (int), two (int), three (int), four (int), behind (int),
  roomy (int);
extern const char tiny_end[];

static volatile int stop, handled;

static unsigned
call_all (unsigned sum, int i)
{
  one (i);
  two (i);
  sum = sum * 31 + three (i);
  sum = sum * 31 + four (i);
  return sum * 31 + before (i) * behind (i) + roomy (i);
}

static void *
busy (void *arg)
{
  unsigned want = call_all (1, 3);
  while (!stop)
    if (call_all (1, 3) != want)
      puts ("a wrong result");
  return arg;
}

static void
handle (int signal)
{
  (void) signal;
  handled++;
}

static void
check (const char *what, int bad, const lp_error *err)
{
  if (bad)
    printf ("%s: %s\n", what, err->text);
}

/* NAMES have the hits of CALLS calls, and are all that was profiled.  */
static void
check_hits (lp_profile *profile, char **names)
{
  lp_error err = { 0 };
  const lp_function_count *f;
  size_t n = 0, all = 0;
  check ("functions", lp_profile_functions (profile, &f, &n, &err), &err);
  for (size_t i = 0; i < n; i++)
    for (char **name = names; *name; name++)
      if (strcmp (f[i].name, *name) == 0)
	{
	  all++;
	  if (f[i].calls != CALLS * (1 + (strcmp (*name, "three") == 0)))
	    printf ("%s: %ld calls; %s\n", *name, (long) f[i].calls,
		    f[i].reason ? f[i].reason : "");
	}
  for (char **name = names; *name; name++)
    all--;
  if (all)
    puts ("not all functions are there");
}

static void
profile_once (char **names, const char *text, size_t size)
{
  lp_error err = { 0 };
  lp_profiler *p = lp_profiler_new (&err);
  for (char **name = names; *name; name++)
    check ("add", lp_profiler_add (p, *name, &err), &err);
  check ("enable", lp_enable (p, &err), &err);
  if (memcmp ((const char *) before, text, size) == 0)
    puts ("nothing was patched");
  for (int i = 0; i < CALLS; i++)
    call_all (1, i);
  check ("disable", lp_disable (p, &err), &err);
  lp_profile *profile = lp_snapshot (p, &err);
  check ("snapshot", !profile, &err);
  check_hits (profile, names);
  lp_profile_free (profile);
  check ("free", lp_profiler_free (p, &err), &err);
  if (memcmp ((const char *) before, text, size) != 0)
    puts ("the code is not what it was");
}

int
main (int argc, char **argv)
{
  const struct itimerval often = { { 0, 300 }, { 0, 300 } };
  size_t size = tiny_end - (const char *) before;
  char *text = malloc (size);
  pthread_t threads[2];
  (void) argc;
  signal (SIGALRM, handle);
  memcpy (text, (const char *) before, size);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, busy, NULL);
  setitimer (ITIMER_REAL, &often, NULL);
  for (int i = 0; i < TIMES; i++)
    profile_once (argv + 1, text, size);
  stop = 1;
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  if (!handled)
    puts ("no signal came");
  free (text);
  return 0;
}
