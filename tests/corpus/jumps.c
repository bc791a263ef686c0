/* jumps.c: goto, computed goto, early returns, setjmp, noreturn.  */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int total;

static int
retry (int n)
{
  int tries = 0;
again:
  tries++;
  if (tries < n)
    goto again;
  if (n == 3)
    goto done;
  tries += 10;
done:
  return tries;
}

static int
cleanup (int n)
{
  int r = -1;
  if (n == 0)
    goto fail;
  r = 0;
  if (n == 1)
    goto fail_late;
  r = 1;
  return r;

fail_late:
  total++;
fail:
  total++;
  return r;
}

static int
one_line (int n)
{
  int i = 0; top: i++; if (i < n) goto top;
  goto skip; i = 100; skip: return i;
}

static int
into_loop (int n)
{
  int i = 0;
  if (n & 1)
    goto middle;
  for (; i < n; i++)
    {
      total++;
    middle:
      total += 2;
    }
  return i;
}

static int
threaded (const unsigned char *code)
{
  static void *const labels[] = { &&op_inc, &&op_dec, &&op_twice, &&op_loop,
				  &&op_end };
  int acc = 0, left = 3;
  const unsigned char *pc = code;
#define NEXT goto *labels[*pc++]
  NEXT;
op_inc:
  acc++;
  NEXT;
op_dec:
  acc--;
  NEXT;
op_twice:
  acc *= 2;
  total++;
  NEXT;
op_loop:
  if (--left > 0)
    pc = code;
  NEXT;
op_end:
  return acc;
}

static int
early (int n)
{
  if (n < 0)
    return -1;
  if (n == 0) return 0;
  for (int i = 0; i < n; i++)
    {
      if (i == 2)
	return i;
      total += i;
    }
  while (1)
    if (n-- == 0)
      return total;
}

static void
nothing (int n)
{
  if (n)
    return;
  total++;
}

static void
empty (void)
{
}

static void empty_line (void) {}

static jmp_buf where;

static void
thrower (int n)
{
  total++;
  if (n > 1)
    longjmp (where, n);
  total++;
}

static int
catcher (int n)
{
  int r = setjmp (where);
  if (r == 0)
    {
      thrower (n);
      total += 3;
    }
  else
    total += r;
  if (setjmp (where) == 0)
    thrower (2);
  else
    total++;
  return r;
}

static int
retries (void)
{
  volatile int n = 5;
  if (setjmp (where) == 1)
    return 0;
  while (n > 0)
    {
      n--;
      thrower (n);
    }
  longjmp (where, 1);
}

static void __attribute__ ((noreturn))
finish (int status)
{
  printf ("%d\n", total);
  exit (status);
}

static void
maybe_finish (int n)
{
  if (n > 3)
    finish (n - 4);
  total++;
}

int
main (void)
{
  static const unsigned char code[] = { 0, 0, 2, 1, 3, 0, 4 };
  for (int i = 0; i < 5; i++)
    {
      total += retry (i);
      total += cleanup (i);
      total += one_line (i);
      total += into_loop (i);
      total += early (i - 1);
      nothing (i);
      total += catcher (i);
      empty (); empty_line ();
    }
  total += threaded (code) + retries ();
  for (int i = 0;; i++)
    maybe_finish (i);
}
