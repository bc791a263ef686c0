/* traps.c: a program that has plans of its own for SIGTRAP and SIGSEGV: handlers,
   blocked, ignored, pending, for the thread and for the process, in a handler that
   blocks everything, in a thread that does.  Says what it sees of them; with the
   breakpoint and step engines every line runs into one of the two.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static volatile sig_atomic_t seen[65], code;
static sigjmp_buf back;
static volatile long sink;
static char *volatile nowhere = (char *) 16;

static void
work (void)				/* HITS 25 */
{
  for (int i = 0; i < 3; i++)
    sink += i;				/* HITS 75 */
}

static void
handler (int signal, siginfo_t *info, void *context)
{
  (void) context;
  seen[signal]++;
  code = info->si_code;
  work ();
}

static void
crash (int signal, siginfo_t *info, void *context)
{
  (void) context;
  printf ("signal %d at %p\n", signal, info->si_addr);
  siglongjmp (back, 1);
}

static void
install (int signal, void (*how) (int, siginfo_t *, void *), int flags)
{
  struct sigaction action = { .sa_sigaction = how,
			      .sa_flags = SA_SIGINFO | flags };
  sigfillset (&action.sa_mask);
  sigaction (signal, &action, NULL);
}

static void
block (int how, int signal)
{
  sigset_t set;
  sigemptyset (&set);
  sigaddset (&set, signal);
  sigprocmask (how, &set, NULL);
}

/* What the kernel knows of SIGNAL.  */
static void
tell (const char *when, int signal)
{
  struct sigaction action;
  sigset_t mask, pending;
  sigaction (signal, NULL, &action);
  sigprocmask (SIG_BLOCK, NULL, &mask);
  sigpending (&pending);
  printf ("%s: %s,%s%s seen %d, code %d\n", when,
	  action.sa_handler == SIG_DFL ? "default"
	  : action.sa_handler == SIG_IGN ? "ignored" : "handled",
	  sigismember (&mask, signal) ? " blocked," : "",
	  sigismember (&pending, signal) ? " pending," : "",
	  (int) seen[signal], (int) code);
}

static void *
block_all (void *arg)
{
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  work ();
  tell ("a thread that blocks all", SIGTRAP);
  work ();
  tell ("and SIGSEGV", SIGSEGV);
  return arg;
}

static void
one_signal (int signal)
{
  pthread_t thread;
  install (signal, handler, 0);
  raise (signal);
  tell ("raised", signal);
  block (SIG_BLOCK, signal);
  work ();
  tell ("blocked", signal);
  raise (signal);
  work ();
  tell ("pending for the thread", signal);
  block (SIG_UNBLOCK, signal);
  tell ("unblocked", signal);
  block (SIG_BLOCK, signal);
  kill (getpid (), signal);
  work ();
  tell ("pending for the process", signal);
  block (SIG_UNBLOCK, signal);
  pthread_create (&thread, NULL, block_all, NULL);
  pthread_join (thread, NULL);
  install (signal, handler, SA_RESETHAND);
  raise (signal);
  work ();
  tell ("once", signal);
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  sigaction (signal, &ignore, NULL);
  work ();
  raise (signal);
  work ();
  tell ("ignored", signal);
}

static void
bad_access (void)
{
  install (SIGSEGV, crash, 0);
  if (sigsetjmp (back, 1) == 0)
    *nowhere = 1;			/* HITS 1 */
  else
    puts ("back");			/* HITS 1 */
}

int
main (void)
{
  install (SIGUSR1, handler, 0);
  one_signal (SIGTRAP);
  raise (SIGUSR1);
  tell ("after another handler", SIGTRAP);
  one_signal (SIGSEGV);
  bad_access ();
  return 0;
}
