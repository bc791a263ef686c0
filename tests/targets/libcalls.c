/* libcalls.c: calls into shared libraries, of every form that a compiler makes.  It
   prints a line, and does not fork: callgrind counts the same calls.  */

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN __attribute__ ((noipa))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf env;

/* A tail call, at -O2.  */
OWN static int
compare (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Two calls in a row, nothing between them to put a jump into.  */
OWN static void
locks (void)
{
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
}

/* More arguments than registers; variable ones, some in vector registers.  */
OWN static void
fill (char **v, int n)
{
  for (int i = 0; i < n; i++)
    {
      v[i] = malloc (200);
      snprintf (v[i], 200, "%d %d %d %d %d %g %g %s", i * 7919 % 1000, i, i, i, i,
		i * 0.5, i * 0.25, "x");
    }
}

/* A conditional tail call.  */
OWN static void
discard (char *p)
{
  if (p)
    free (p);
}

OWN static void
leap (int n)
{
  if (n == 0)
    longjmp (env, 1);
  leap (n - 1);
  locks ();
}

/* Values come back in vector registers.  */
OWN static double
sum (int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += cos (i) * pow (i, 0.3);
  return s;
}

static void *
work (void *arg)
{
  for (int i = 0; i < 100; i++)
    locks ();
  return arg;
}

OWN static void
goodbye (void)
{
  char text[20];
  memset (text, 0, sizeof text);
  strcpy (text, "bye");
  puts (text);
}

int
main (int argc, char **argv)
{
  static char *v[500];
  pthread_t thread;
  (void) argv;
  atexit (goodbye);
  fill (v, 500);
  qsort (v, 500, sizeof *v, compare);
  for (int i = 0; i < 500; i++)
    discard (i % 5 ? v[i] : NULL);
  for (volatile int i = 0; i < 3; i++)
    if (setjmp (env) == 0)
      leap (5);
  pthread_create (&thread, NULL, work, NULL);
  work (NULL);
  pthread_join (thread, NULL);
  printf ("%s %g %d\n", v[0], sum (50), (int) getppid () > 0);
  exit (argc > 1);
}
