/* t_signals.c: signals that a tracer could get wrong; argv[1] names a case.  */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t count;
static siginfo_t last;

static void
note (int signal, siginfo_t *info, void *context)
{
  (void) signal;
  (void) context;
  last = *info;
  count++;
}

static void
handle (int signal, int flags)
{
  struct sigaction action = { .sa_sigaction = note,
			      .sa_flags = SA_SIGINFO | flags };
  sigaction (signal, &action, NULL);
}

static void
show (const char *what)
{
  printf ("%s: %d times, signal %d code %d value %d own %d\n", what, (int) count,
	  last.si_signo, last.si_code,
	  last.si_code == SI_QUEUE ? last.si_value.sival_int : 0,
	  last.si_code <= 0 && last.si_pid == getpid ());
}

static void
trap_of_its_own (void)
{
  handle (SIGTRAP, 0);
  __asm__ volatile ("int3");
  show ("int3");
  raise (SIGTRAP);
  show ("raise");
  kill (getpid (), SIGTRAP);
  show ("kill");
}

static void
queued (void)
{
  union sigval value = { .sival_int = 4711 };
  handle (SIGRTMIN + 2, 0);
  handle (SIGUSR1, 0);
  sigqueue (getpid (), SIGRTMIN + 2, value);
  show ("queue");
  raise (SIGUSR1);
  show ("raise");
}

/* SIGTRAP sent while it is blocked stays pending until it is unblocked.  */
static void
blocked_trap (void)
{
  sigset_t set, pending, now;
  handle (SIGTRAP, 0);
  sigemptyset (&set);
  sigaddset (&set, SIGTRAP);
  sigprocmask (SIG_BLOCK, &set, NULL);
  raise (SIGTRAP);
  sigpending (&pending);
  sigprocmask (SIG_BLOCK, NULL, &now);
  printf ("pending %d blocked %d count %d\n", sigismember (&pending, SIGTRAP),
	  sigismember (&now, SIGTRAP), (int) count);
  sigprocmask (SIG_UNBLOCK, &set, NULL);
  show ("unblocked");
}

static void
interrupted_calls (void)
{
  struct itimerval every = { { 0, 2000 }, { 0, 2000 } };
  struct timespec ts = { 0, 20000000 };
  char c;
  int fds[2];
  if (pipe (fds))
    abort ();
  handle (SIGALRM, 0);
  setitimer (ITIMER_REAL, &every, NULL);
  int r = read (fds[0], &c, 1);
  printf ("read %d %s\n", r, strerrorname_np (errno));
  r = nanosleep (&ts, &ts);
  printf ("nanosleep %d %s\n", r, strerrorname_np (errno));
  r = poll (NULL, 0, 50);
  printf ("poll %d %s\n", r, strerrorname_np (errno));
  handle (SIGALRM, SA_RESTART);
  if (fork () == 0)
    {
      usleep (60000);
      _exit (write (fds[1], "x", 1) != 1);
    }
  r = read (fds[0], &c, 1);
  printf ("restarted read %d\n", r);
}

static void
segv (int signal, siginfo_t *info, void *context)
{
  (void) context;
  printf ("signal %d code %d at %p\n", signal, info->si_code, info->si_addr);
  fflush (stdout);
  _exit (21);
}

static void
on_another_stack (void)
{
  static char stack[65536];
  stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_sigaction = segv,
			      .sa_flags = SA_SIGINFO | SA_ONSTACK };
  sigaltstack (&other, NULL);
  sigaction (SIGSEGV, &action, NULL);
  *(volatile int *) 0x10 = 1;
}

/* Signals among instructions that save and restore the flags, the one by which single
   steps are done among them.  */
static void
among_flags (void)
{
  struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, off = { { 0, 0 }, { 0, 0 } };
  handle (SIGALRM, 0);
  setitimer (ITIMER_REAL, &every, NULL);
  while (count < 30)
    __asm__ volatile ("sub $128, %%rsp; pushf; popf; pushf; popf; pushf; popf; add $128, %%rsp"
		      : : : "memory", "cc");
  setitimer (ITIMER_REAL, &off, NULL);
  puts ("30 signals");
}

/* A thread with everything blocked, and one that waits for signals.  */
static void *
waiter (void *arg)
{
  int signal;
  sigwait (arg, &signal);
  printf ("waited for %d\n", signal);
  return NULL;
}

static void
signal_thread (void)
{
  sigset_t all, mask;
  pthread_t thread;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  pthread_create (&thread, NULL, waiter, &all);
  kill (getpid (), SIGUSR2);
  pthread_join (thread, NULL);
  pthread_sigmask (SIG_SETMASK, NULL, &mask);
  printf ("SIGTRAP blocked %d\n", sigismember (&mask, SIGTRAP));
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (!strcmp (what, "trap"))
    trap_of_its_own ();
  else if (!strcmp (what, "int3"))
    __asm__ volatile ("int3");
  else if (!strcmp (what, "queue"))
    queued ();
  else if (!strcmp (what, "blocked-trap"))
    blocked_trap ();
  else if (!strcmp (what, "interrupted"))
    interrupted_calls ();
  else if (!strcmp (what, "altstack"))
    on_another_stack ();
  else if (!strcmp (what, "flags"))
    among_flags ();
  else if (!strcmp (what, "thread"))
    signal_thread ();
  else if (!strcmp (what, "abort"))
    abort ();
  else
    kill (getpid (), atoi (what));
  return 0;
}
