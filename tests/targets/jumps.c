/* jumps.c: longjmp over frames, sigsetjmp out of a handler, computed goto, and
   a switch that becomes a jump table.  */

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static jmp_buf env;
static sigjmp_buf sigenv;

static void
thrower (int n)				/* HITS 300 */
{
  if (n)				/* HITS 300 */
    thrower (n - 1);			/* HITS 200 */
  longjmp (env, 1);			/* HITS 100 */
}

static int
catcher (int n)				/* HITS 100 */
{
  if (setjmp (env) == 0)		/* HITS 100 */
    thrower (n);			/* HITS 100 */
  return n + 1;				/* HITS 100 */
}

static void
handler (int sig)			/* HITS 50 */
{
  siglongjmp (sigenv, sig);		/* HITS 50 */
}

static int
faults (void)				/* HITS 50 */
{
  if (sigsetjmp (sigenv, 1) == 0)	/* HITS 50 */
    *(volatile int *) 0 = 1;		/* HITS 50 */
  return 1;				/* HITS 50 */
}

static int
threaded (const unsigned char *code)	/* HITS 10 */
{
  static const void *const labels[] = { &&inc, &&dbl, &&dec, &&end };
  int acc = 0;				/* HITS 10 */
  goto *labels[*code++];		/* HITS 10 */
inc:
  acc++;				/* HITS 30 */
  goto *labels[*code++];
dbl:
  acc *= 2;				/* HITS 20 */
  goto *labels[*code++];
dec:
  acc--;				/* HITS 10 */
  goto *labels[*code++];
end:
  return acc;				/* HITS 10 */
}

static int
table (int n)				/* HITS 90 */
{
  switch (n)				/* HITS 90 */
    {
    case 0: return 7;			/* HITS 10 */
    case 1: return 3;			/* HITS 10 */
    case 2: n *= 5; break;		/* HITS 10 */
    case 3: n += 11; break;		/* HITS 10 */
    case 4: n ^= 9; break;		/* HITS 10 */
    case 5:
      n -= 4;				/* HITS 10 */
      /* fall through */
    case 6: n <<= 2; break;		/* HITS 20 */
    case 7: n = ~n; break;		/* HITS 10 */
    default: n = -1;			/* HITS 10 */
    }
  return n;				/* HITS 70 */
}

int
main (void)
{
  int sum = 0;
  signal (SIGSEGV, handler);
  for (int i = 0; i < 100; i++)
    sum += catcher (2);
  for (int i = 0; i < 50; i++)
    sum += faults ();
  for (int i = 0; i < 10; i++)
    sum += threaded ((const unsigned char[]) { 0, 0, 1, 2, 1, 0, 3 });
  for (int i = 0; i < 90; i++)
    sum += table (i % 9);
  printf ("%d\n", sum);
  return 0;
}
