/* early.c: a profiler that is enabled in places where little works yet.  The argument says
   where; prints how often `work' was called as it counted.

   constructor	the program's own one
   library	one of a library that dlopen loads: early.c with -DLIBRARY
   child	a forked child of a program with threads, and in a child of that  */

#include <lineprof.h>

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static lp_profiler *p;
static lp_error err;

static void
begin (void)
{
  p = lp_profiler_new (&err);
  if (!p || lp_profiler_add (p, "work", &err) || lp_enable (p, &err))
    {
      fprintf (stderr, "%s\n", err.text);
      _exit (3);
    }
}

#ifdef LIBRARY

__attribute__ ((constructor)) static void
early (void)
{
  begin ();
}

lp_profiler *
early_profiler (void)
{
  return p;
}

#else

__attribute__ ((noinline)) int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i & n;
  __asm__ volatile ("");
  return sum;
}

static long
calls (void)
{
  const lp_function_count *f;
  size_t n;
  lp_profile *profile = lp_snapshot (p, &err);
  long result = profile && lp_profile_functions (profile, &f, &n, &err) == 0
		&& n == 1 ? (long) f->calls : -1;
  lp_profile_free (profile);
  return result;
}

static int
end (void)
{
  return lp_disable (p, &err) || lp_profiler_free (p, &err);
}

__attribute__ ((constructor)) static void
early (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "constructor") == 0)
    {
      begin ();
      work (2);
    }
}

static void
check_library (void)
{
  void *library = dlopen ("./early.so", RTLD_NOW);
  lp_profiler *(*its) (void)
    = (lp_profiler *(*) (void)) dlsym (library, "early_profiler");
  work (3);
  p = its ();
  dlclose (library);
}

static void *
work_on (void *stop)
{
  while (!__atomic_load_n ((int *) stop, __ATOMIC_RELAXED))
    {
      work (2);
      usleep (100);
    }
  return NULL;
}

static int
status_of (pid_t child)
{
  int status;
  waitpid (child, &status, 0);
  return status;
}

static void
run_grandchild (void)
{
  lp_reset (p, NULL);
  work (1);
  work (1);
  _exit (calls () != 2);
}

static void
run_child (void)
{
  begin ();
  work (1);
  int bad = calls () != 1 || end ();
  begin ();
  pid_t child = fork ();
  if (child == 0)
    run_grandchild ();
  work (1);
  _exit (bad || status_of (child) || calls () != 1 || end ());
}

static void
check_child (void)
{
  pthread_t thread;
  int stop = 0, bad = 0;
  pthread_create (&thread, NULL, work_on, &stop);
  for (int i = 0; i < 5 && !bad; i++)
    {
      pid_t child = fork ();
      if (child == 0)
	run_child ();
      bad = status_of (child);
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  pthread_join (thread, NULL);
  if (bad)
    printf ("child: %d\n", bad);
  begin ();
  work (1);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "library") == 0)
    check_library ();
  else if (argc > 1 && strcmp (argv[1], "child") == 0)
    check_child ();
  printf ("%ld\n", calls ());
  return end ();
}

#endif
