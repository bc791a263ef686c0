/* ranges.c: named ranges, in the ways that the first argument says.  */

#include <lineprof.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
ms (int n)
{
  struct timespec t = { .tv_nsec = n * 1000000l };
  nanosleep (&t, NULL);
}

PROFILE_FN
__attribute__ ((noinline)) static void
marked (void)
{
  ms (1);
}

/* outer 2 (60 ms, 20 of its own), inner 8 (5 ms each).  */
static void
nested (void)
{
  for (int i = 0; i < 2; i++)
    LP_RANGE ("outer")
      {
	marked ();
	ms (9);
	lp_range_push ("inner");
	ms (5);
	lp_range_pop ();
	for (int k = 0; k < 3; k++)
	  LP_RANGE ("inner")
	    ms (5);
      }
}

static int
returns (void)
{
  LP_RANGE ("return")
    return 1;
  return 0;
}

static jmp_buf place;

static void
jumps (void)
{
  LP_RANGE ("longjmp")
    longjmp (place, 1);
}

/* Each is left at once, and then there is none open: what comes is in none.  */
static void
left (void)
{
  for (int i = 0; i < 3; i++)
    LP_RANGE ("break")
      break;
  for (int i = 0; i < 3; i++)
    LP_RANGE ("continue")
      continue;
  returns ();
  LP_RANGE ("goto")
    goto out;
out:
  lp_range_pop ();
  LP_RANGE ("around")
    if (setjmp (place) == 0)
      jumps ();
  LP_RANGE ("after")
    ms (50);
}

static void
recursive (int n)
{
  LP_RANGE ("recursive")
    {
      ms (10);
      if (n > 1)
	recursive (n - 1);
    }
}

static void *
thread (void *last)
{
  for (int i = 0; i < 100; i++)
    LP_RANGE ("thread")
      ;
  if (last)
    lp_range_push ("dies");
  return NULL;
}

static void
threads (void)
{
  pthread_t t[4];
  LP_RANGE ("all threads")
    for (int round = 0; round < 2; round++)
      {
	for (int i = 0; i < 4; i++)
	  pthread_create (&t[i], NULL, thread, i == 3 ? &t : NULL);
	for (int i = 0; i < 4; i++)
	  pthread_join (t[i], NULL);
      }
}

/* The child has one of its own, and none of its parent's.  */
static void
forks (void)
{
  lp_range_push ("parent");
  pid_t child = fork ();
  if (child == 0)
    {
      lp_range_pop ();
      LP_RANGE ("child")
	ms (20);
      _exit (0);
    }
  waitpid (child, NULL, 0);
  lp_range_pop ();
}

static char names[600][8];

static void
many_names (void)
{
  for (int i = 0; i < 600; i++)
    {
      names[i][0] = 'n';
      names[i][1] = '0' + i / 100;
      names[i][2] = '0' + i / 10 % 10;
      names[i][3] = '0' + i % 10;
      LP_RANGE (names[i])
	;
    }
}

static void
deep (int n)
{
  LP_RANGE (n > 100 ? "upper" : "lower")
    if (n > 1)
      deep (n - 1);
}

/* The same name at two addresses, and one in UTF-8 with what CSV must quote.  */
static void
same_names (void)
{
  static char copy[] = "same";
  LP_RANGE ("same")
    ;
  LP_RANGE (copy)
    ;
  LP_RANGE ("caf\xc3\xa9, \"quoted\"")
    ;
}

static void
some (const char *name, int n)
{
  for (int i = 0; i < n; i++)
    LP_RANGE (name)
      ms (1);
}

/* SIGUSR2 to itself, with time for who is told.  */
static void
windows (void)
{
  some ("both", 3);
  some ("first", 2);
  raise (SIGUSR2);
  ms (400);
  some ("both", 5);
  some ("off", 4);
  raise (SIGUSR2);
  ms (400);
  some ("both", 7);
}

static void *
run_long (void *name)
{
  some (name, 3000);
  return NULL;
}

/* 3 s in two threads, long enough to be attached to.  */
static void
lasting (void)
{
  pthread_t t;
  lp_range_push ("before");
  pthread_create (&t, NULL, run_long, "thread");
  run_long ("main");
  pthread_join (t, NULL);
  lp_range_pop ();
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "nested";
  marked ();
  if (strcmp (what, "nested") == 0)
    nested ();
  else if (strcmp (what, "left") == 0)
    left ();
  else if (strcmp (what, "recursive") == 0)
    recursive (3);
  else if (strcmp (what, "threads") == 0)
    threads ();
  else if (strcmp (what, "forks") == 0)
    forks ();
  else if (strcmp (what, "names") == 0)
    many_names ();
  else if (strcmp (what, "deep") == 0)
    deep (200);
  else if (strcmp (what, "same") == 0)
    same_names ();
  else if (strcmp (what, "windows") == 0)
    windows ();
  else if (strcmp (what, "lasting") == 0)
    lasting ();
  lp_range_push ("last");
  ms (30);
  if (strcmp (what, "abort") == 0)
    abort ();
  if (strcmp (what, "kill") == 0)
    raise (SIGKILL);
  if (strcmp (what, "_exit") == 0)
    _exit (3);
  if (strcmp (what, "exit") != 0)
    lp_range_pop ();
  return 0;
}
