/* t_calls.c: a function that is called a known number of times, for breakpoints
   on it, and facts about where things are; argv[1] names a case.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile long counter;

__attribute__ ((noinline)) void
called (long n)
{
  __atomic_add_fetch (&counter, n, __ATOMIC_SEQ_CST);
}

static void
calls (int n)
{
  for (int i = 0; i < n; i++)
    called (1);
}

static void *
body (void *arg)
{
  calls ((int) (long) arg);
  return NULL;
}

static void
in_threads (int n)
{
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, body, (void *) (long) n);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
}

static void
with_mask (int all)
{
  sigset_t set;
  sigfillset (&set);
  if (!all)
    {
      sigemptyset (&set);
      sigaddset (&set, SIGUSR1);
    }
  sigprocmask (SIG_SETMASK, &set, NULL);
  calls (50);
  sigprocmask (SIG_SETMASK, NULL, &set);
  printf ("SIGTRAP %d SIGUSR1 %d\n", sigismember (&set, SIGTRAP),
	  sigismember (&set, SIGUSR1));
}

static void
show_trap_action (void)
{
  struct sigaction action;
  sigaction (SIGTRAP, NULL, &action);
  printf ("SIGTRAP is %s\n", action.sa_handler == SIG_IGN ? "ignored"
	  : action.sa_handler == SIG_DFL ? "default" : "handled");
}

static int
in_child (int n)
{
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    {
      calls (n);
      _exit (counter & 127);
    }
  waitpid (pid, &status, 0);
  return status;
}

/* The heap must be able to grow.  */
static void
grow (void)
{
  for (int i = 0; i < 20; i++)
    if (sbrk (10 << 20) == (void *) -1)
      {
	printf ("no more after %d\n", i);
	return;
      }
  puts ("200 MB");
}

static void
read_line (void)
{
  char line[100];
  setvbuf (stdout, NULL, _IONBF, 0);
  puts ("ready");
  if (fgets (line, sizeof line, stdin))
    printf ("got %s", line);
}

static volatile sig_atomic_t terms;

static void
count_term (int signal)
{
  (void) signal;
  terms++;
}

/* Tell how many of a signal come within a while.  */
static void
count_signals (void)
{
  signal (SIGTERM, count_term);
  signal (SIGINT, count_term);
  puts ("ready");
  fflush (stdout);
  for (int i = 0; i < 50 && !terms; i++)
    usleep (100000);
  usleep (300000);
  printf ("%d\n", (int) terms);
}

/* A child that stays for a while after this process.  */
static void
leave_child (void)
{
  if (fork () == 0)
    {
      usleep (3000000);
      _exit (0);
    }
  puts ("ready");
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi (argv[2]) : 100;
  if (!strcmp (what, "where"))
    printf ("%p\n", (void *) called);
  else if (!strcmp (what, "calls"))
    calls (n);
  else if (!strcmp (what, "threads"))
    in_threads (n);
  else if (!strcmp (what, "blocked"))
    with_mask (1);
  else if (!strcmp (what, "masked"))
    with_mask (0);
  else if (!strcmp (what, "ignored"))
    {
      calls (10);
      show_trap_action ();
    }
  else if (!strcmp (what, "child"))
    printf ("status %x\n", in_child (20));
  else if (!strcmp (what, "grow"))
    grow ();
  else if (!strcmp (what, "read"))
    read_line ();
  else if (!strcmp (what, "count-signals"))
    count_signals ();
  else if (!strcmp (what, "leave-child"))
    leave_child ();
  printf ("%ld\n", counter);
  return 0;
}
