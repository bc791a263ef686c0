/* signals.c: handlers that run profiled code in the middle of profiled code, on
   the same stack and on one of their own, and a blocked SIGTRAP.  */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static volatile unsigned long spun;

static unsigned
inner (unsigned n)			/* HITS 400 */
{
  unsigned r = 0;			/* HITS 400 */
  while (n--)				/* HITS 4400 */
    r += n;				/* HITS 4000 */
  return r;				/* HITS 400 */
}

static void
handler (int sig)			/* HITS 400 */
{
  (void) sig;
  inner (10);				/* HITS 400 */
  seen++;				/* HITS 400 */
}

/* Synchronous ones, in the middle of an expression.  */
static int
raises (int n)				/* HITS 200 */
{
  return raise (SIGUSR1) + n;		/* HITS 200 */
}

/* Asynchronous ones, between any two instructions.  */
static void
spin (int until)
{
  struct itimerval fast = { { 0, 100 }, { 0, 100 } }, off = { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_REAL, &fast, NULL);
  while (seen < until)
    spun++;
  setitimer (ITIMER_REAL, &off, NULL);
}

static void
counted (int sig)
{
  if (seen < 400)
    handler (sig);
}

int
main (void)
{
  static char stack[65536];
  stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_handler = counted, .sa_flags = SA_ONSTACK };
  sigset_t trap;
  sigemptyset (&trap);
  sigaddset (&trap, SIGTRAP);
  sigprocmask (SIG_BLOCK, &trap, NULL);
  signal (SIGUSR1, handler);
  int sum = 0;
  for (int i = 0; i < 200; i++)
    sum += raises (i);
  sigaltstack (&other, NULL);
  sigaction (SIGALRM, &action, NULL);
  spin (400);
  printf ("%d %d\n", sum, (int) seen);
  return 0;
}
