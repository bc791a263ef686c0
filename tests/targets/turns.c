/* turns.c: fibers that work for known times, in turns.  The lines with TIME x say that
   they take the microseconds which it writes, `x N', into the file SPENT: what their calls
   took while their own stacks ran, as this program's clock has it.

   turns HOW [SPENT]: `library' changes stacks by swapcontext, `own' by an instruction
   sequence of its own; `threads' lets the fibers go from thread to thread, `many'
   has 500 of them; with `fork' a child takes them over.  `dead': fibers end in the midst of their calls, and others get
   their stacks.  `handler': a signal's handler works on a stack of its own.
   `large': functions with large arrays.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef MARKED
#include <lineprof.h>
PROFILE_FN_NAMED ("turns.c:inner");
PROFILE_FN_NAMED ("turns.c:work");
PROFILE_FN_NAMED ("turns.c:body");
PROFILE_FN_NAMED ("turns.c:yield");
PROFILE_FN_NAMED ("turns.c:resume");
PROFILE_FN_NAMED ("turns.c:turn");
#endif

enum { MOST = 500, STACK = 32768, THREADS = 3 };

struct fiber
{
  ucontext_t context, *back;
  void *sp, *back_sp;		/* where it changes stacks itself */
  int id, ended;
  char *stack;
};

static struct fiber fibers[MOST];
static int nfibers = 4, rounds = 12, unit = 300;
static int own;
static int64_t spent_work, spent_inner, spent_other, spent_main, spent_caught;

static int64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000) + t.tv_nsec / 1000;
}

/* Be busy for TIMES units, and add what that took to SUM.  */
static void
spin (int times, int64_t *sum)
{
  int64_t start = now (), end = start + times * unit, t;
  while ((t = now ()) < end)
    ;
  __atomic_fetch_add (sum, t - start, __ATOMIC_RELAXED);
}

/* Save what a call must keep and the stack pointer in *FROM; go on where TO is from.  */
void change (void **from, void *to);
__asm__ (".text\n.globl change\n.type change, @function\nchange:\n\t"
	 "push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
	 "mov %rsp, (%rdi)\n\tmov %rsi, %rsp\n\t"
	 "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\t"
	 "ret\n.size change, . - change\n.globl first\nfirst:\n\t"
	 "mov %r12, %rdi\n\tcall *%r13\n\tud2\n");
extern char first[];

static void
yield (struct fiber *f)
{
  if (own)
    change (&f->sp, f->back_sp);
  else
    swapcontext (&f->context, f->back);
}

static void
inner (struct fiber *f)
{
  spin (1, &spent_inner);
  yield (f);
  spin (1, &spent_inner);
}

static void
work (struct fiber *f)
{
  for (int i = 0; i < rounds; i++)
    {
      inner (f);			/* TIME inner */
      yield (f);
      spin (1, &spent_work);
    }
}

static void
body (struct fiber *f)
{
  work (f);				/* TIME work */
  f->ended = 1;
  yield (f);
}

/* Never comes back from its first turn.  */
static void
leave (struct fiber *f)
{
  spin (2, &spent_other);
  yield (f);
}

static void
victim (struct fiber *f)
{
  leave (f);				/* TIME other */
}

static void
resume (struct fiber *f)
{
  ucontext_t here;
  f->back = &here;
  if (own)
    change (&f->back_sp, f->sp);
  else
    swapcontext (&here, &f->context);
}

static void
enter (int id)
{
  body (&fibers[id]);
}

static void
enter_victim (int id)
{
  victim (&fibers[id]);
}

static void
start (int id, void (*enter) (int), void (*body) (struct fiber *))
{
  struct fiber *f = &fibers[id];
  if (!f->stack)
    f->stack = malloc (STACK);
  f->id = id;
  f->ended = 0;
  getcontext (&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = STACK;
  f->context.uc_link = NULL;
  makecontext (&f->context, (void (*) (void)) enter, 1, id);

  /* r15 r14 r13 r12 rbp rbx and where to go.  */
  void **sp = (void **) (((uintptr_t) f->stack + STACK) & -16) - 8;
  sp[2] = (void *) body;
  sp[3] = f;
  sp[6] = first;
  f->sp = sp;
}

static void
start_all (void)
{
  for (int i = 0; i < nfibers; i++)
    start (i, enter, body);
}

/* One turn of each fiber; how many go on.  */
static int
turn (void)
{
  int left = 0;
  for (int i = 0; i < nfibers; i++)
    if (!fibers[i].ended)
      {
	resume (&fibers[i]);
	spin (1, &spent_main);		/* TIME main */
	left += !fibers[i].ended;
      }
  return left;
}

static void
run_all (void)
{
  start_all ();
  while (turn ())
    ;
}

/* Threads, one after the other, each with some turns.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int whose, all_ended;

static void *
carry (void *arg)
{
  int me = (intptr_t) arg;
  pthread_mutex_lock (&lock);
  while (!all_ended)
    {
      while (whose != me && !all_ended)
	pthread_cond_wait (&passed, &lock);
      all_ended |= !all_ended && !turn ();
      whose = (me + 1) % THREADS;
      pthread_cond_broadcast (&passed);
    }
  pthread_mutex_unlock (&lock);
  return NULL;
}

static void
run_threads (void)
{
  pthread_t threads[THREADS];
  start_all ();
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, carry, (void *) (intptr_t) i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

/* A child goes on with what its parent began.  */
static void
run_fork (void)
{
  pid_t child;
  start_all ();
  for (int i = 0; i < 5; i++)
    turn ();
  child = fork ();
  if (child)
    {
      waitpid (child, NULL, 0);
      exit (0);
    }
  while (turn ())
    ;
}

static void
run_dead (void)
{
  for (int i = 0; i < nfibers; i++)
    {
      start (i, enter_victim, victim);
      resume (&fibers[i]);
    }
  run_all ();
}

static void
on_signal (int sig)
{
  (void) sig;
  spin (1, &spent_inner);
}

static void
interrupted (void)
{
  spin (1, &spent_caught);
  raise (SIGUSR1);
  spin (1, &spent_caught);
}

static void
run_handler (void)
{
  stack_t stack = { .ss_sp = malloc (STACK), .ss_size = STACK };
  struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
  sigaltstack (&stack, NULL);
  sigaction (SIGUSR1, &act, NULL);
  for (int i = 0; i < 40; i++)
    interrupted ();
}

static void
small (char *text)
{
  memset (text, 'x', 100);
  spin (1, &spent_inner);
}

static void
large (void)
{
  char text[300000];
  small (text);				/* TIME inner */
}

static void *
run_large (void *arg)
{
  for (int i = 0; i < 30; i++)
    large ();				/* TIME inner */
  return arg;
}

static void
tell (const char *path)
{
  FILE *f = fopen (path, "w");
  fprintf (f, "inner %ld\nwork %ld\nother %ld\nmain %ld\ncaught %ld\n",
	   (long) spent_inner, (long) (spent_work + spent_inner), (long) spent_other,
	   (long) spent_main, (long) spent_caught);
  fclose (f);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "library";
  pthread_t thread;
  own = strcmp (how, "own") == 0;
  if (strcmp (how, "many") == 0)
    nfibers = MOST, rounds = 2, unit = 20;
  if (strcmp (how, "threads") == 0)
    run_threads ();
  else if (strcmp (how, "dead") == 0)
    run_dead ();
  else if (strcmp (how, "fork") == 0)
    run_fork ();
  else if (strcmp (how, "handler") == 0)
    run_handler ();
  else if (strcmp (how, "large") == 0)
    {
      run_large (NULL);
      pthread_create (&thread, NULL, run_large, NULL);
      pthread_join (thread, NULL);
    }
  else
    run_all ();
  if (argc > 2)
    tell (argv[2]);
  puts ("done");
  return 0;
}
