/* fibers.c: ucontext fibers that yield in the middle of profiled functions, and go
   on in another thread than they stopped in.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { FIBERS = 8, STACK = 65536, ROUNDS = 50, THREADS = 4 };

struct fiber
{
  ucontext_t self, *back;
  int id, done;
  unsigned sum;
  char *stack;
};

static struct fiber fibers[FIBERS];

static void
yield (struct fiber *f)			/* HITS 800 */
{
  swapcontext (&f->self, f->back);	/* HITS 800 */
}					/* HITS 800 */

static unsigned
mix (unsigned x)			/* HITS 400 */
{
  return x * 2654435761u ^ x >> 7;	/* HITS 400 */
}

/* Yields one level deeper than it works.  */
static void
work (struct fiber *f)			/* HITS 8 */
{
  for (int i = 0; i < ROUNDS; i++)	/* HITS 408 */
    {
      f->sum += mix (f->id * 100 + i);	/* HITS 400 */
      yield (f);			/* HITS 400 */
      f->sum ^= f->sum << 3;		/* HITS 400 */
      yield (f);			/* HITS 400 */
    }
}

static void
body (int id)				/* HITS 8 */
{
  work (&fibers[id]);			/* HITS 8 */
  fibers[id].done = 1;			/* HITS 8 */
  swapcontext (&fibers[id].self, fibers[id].back);	/* HITS 8 */
}

/* The context to come back to is the resuming thread's.  */
static void
resume (struct fiber *f)		/* HITS 808 */
{
  ucontext_t here;
  f->back = &here;			/* HITS 808 */
  swapcontext (&here, &f->self);	/* HITS 808 */
}

static void
start (int id)				/* HITS 8 */
{
  struct fiber *f = &fibers[id];	/* HITS 8 */
  f->id = id;				/* HITS 8 */
  f->stack = malloc (STACK);		/* HITS 8 */
  getcontext (&f->self);		/* HITS 8 */
  f->self.uc_stack.ss_sp = f->stack;	/* HITS 8 */
  f->self.uc_stack.ss_size = STACK;	/* HITS 8 */
  f->self.uc_link = NULL;		/* HITS 8 */
  makecontext (&f->self, (void (*) (void)) body, 1, id);	/* HITS 8 */
}

/* Each thread resumes each fiber once in its turn.  */
static pthread_barrier_t turns[THREADS + 1];

static void *
carry (void *arg)			/* HITS 4 */
{
  long turn = (long) arg;		/* HITS 4 */
  pthread_barrier_wait (&turns[turn]);	/* HITS 4 */
  for (int i = 0; i < FIBERS; i++)	/* HITS 36 */
    resume (&fibers[i]);		/* HITS 32 */
  pthread_barrier_wait (&turns[turn + 1]);	/* HITS 4 */
  return NULL;
}

static void
move_between_threads (void)		/* HITS 1 */
{
  pthread_t threads[THREADS];
  for (int i = 0; i <= THREADS; i++)	/* HITS 6 */
    pthread_barrier_init (&turns[i], NULL, 2);	/* HITS 5 */
  for (long i = 0; i < THREADS; i++)	/* HITS 5 */
    pthread_create (&threads[i], NULL, carry, (void *) i);	/* HITS 4 */
  pthread_barrier_wait (&turns[0]);	/* HITS 1 */
  pthread_barrier_wait (&turns[THREADS]);	/* HITS 1 */
  for (int i = 0; i < THREADS; i++)	/* HITS 5 */
    pthread_join (threads[i], NULL);	/* HITS 4 */
}

int
main (void)				/* HITS 1 */
{
  unsigned sum = 0;			/* HITS 1 */
  int left = FIBERS;			/* HITS 1 */
  for (int i = 0; i < FIBERS; i++)	/* HITS 9 */
    start (i);				/* HITS 8 */
  move_between_threads ();		/* HITS 1 */
  while (left)				/* HITS 98 */
    {
      left = 0;				/* HITS 97 */
      for (int i = 0; i < FIBERS; i++)	/* HITS 873 */
	if (!fibers[i].done)		/* HITS 776 */
	  {
	    resume (&fibers[i]);	/* HITS 776 */
	    left += !fibers[i].done;	/* HITS 776 */
	  }
    }
  for (int i = 0; i < FIBERS; i++)	/* HITS 9 */
    sum = sum * 31 + fibers[i].sum;	/* HITS 8 */
  printf ("%u\n", sum);			/* HITS 1 */
  return 0;				/* HITS 1 */
}
