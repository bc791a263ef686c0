/* deep.c: recursion a million levels deep, tail calls without end, calls that do
   not return, and longjmp over all of it.  */

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env;

__attribute__ ((noinline)) static unsigned
down (unsigned n)			/* HITS 1000001 */
{
  if (n == 0)				/* HITS 1000001 */
    return 1;				/* HITS 1 */
  unsigned r = down (n - 1);		/* HITS 1000000 */
  return r * 3 + n;			/* HITS 1000000 */
}

__attribute__ ((noinline)) static void
dive (unsigned n)			/* HITS 100001 */
{
  volatile unsigned deep = n;		/* HITS 100001 */
  if (n == 0)				/* HITS 100001 */
    longjmp (env, 1);			/* HITS 1 */
  dive (deep - 1);			/* HITS 100000 */
  deep = 0;
}

static void *
on_a_big_stack (void *arg)
{
  unsigned *result = arg;
  *result = down (1000000);		/* HITS 1 */
  if (setjmp (env) == 0)
    dive (100000);			/* HITS 1 */
  *result += 5;				/* HITS 1 */
  return NULL;
}

static int is_odd (unsigned n);

__attribute__ ((noinline)) static int
is_even (unsigned n)
{
  return n == 0 ? 1 : is_odd (n - 1);
}

__attribute__ ((noinline)) static int
is_odd (unsigned n)
{
  return n == 0 ? 0 : is_even (n - 1);
}

__attribute__ ((noinline, noreturn)) static void
leave (int status)			/* HITS 1 */
{
  printf ("leaving with %d\n", status);	/* HITS 1 */
  exit (status);			/* HITS 1 */
}

/* Left by siglongjmp out of a handler on a stack of its own, again and again:
   never profiled frames below the one that is left.  */
static sigjmp_buf out;
static volatile int handled;

static void
give_up (int n)				/* HITS 500 */
{
  handled++;				/* HITS 500 */
  siglongjmp (out, n);			/* HITS 500 */
}

static void
on_fault (int sig)			/* HITS 500 */
{
  give_up (sig);			/* HITS 500 */
}

static void
touch (volatile int *p, int n)		/* HITS 2000 */
{
  if (n)				/* HITS 2000 */
    touch (p, n - 1);			/* HITS 1500 */
  *p = n;				/* HITS 500 */
}

static void
faults (void)
{
  static char stack[65536];
  stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_ONSTACK };
  sigaltstack (&other, NULL);
  sigaction (SIGSEGV, &action, NULL);
  for (volatile int i = 0; i < 500; i++)
    if (sigsetjmp (out, 1) == 0)
      touch (NULL, 3);
}

int
main (void)
{
  pthread_attr_t attr;
  pthread_t thread;
  unsigned result = 0;
  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, (size_t) 256 << 20);
  if (pthread_create (&thread, &attr, on_a_big_stack, &result))
    return 1;
  pthread_join (thread, NULL);
  faults ();
  printf ("%u %d %d\n", result, is_even (20000), handled);
  leave (7);				/* HITS 1 */
}
