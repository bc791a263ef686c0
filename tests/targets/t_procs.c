/* t_procs.c: the ways to make processes; argv[1] names one.  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *self;

static int
status_of (pid_t pid)
{
  int status;
  if (waitpid (pid, &status, __WALL) != pid)
    return -1;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1000 + WTERMSIG (status);
}

static int
forks (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	_exit (i & 63);
      sum += status_of (pid);
    }
  return sum;
}

/* Many at once, each with children of its own.  */
static int
storm (int n)
{
  pid_t pids[64];
  int sum = 0;
  for (int i = 0; i < n; i++)
    if ((pids[i] = fork ()) == 0)
      _exit (forks (5) + (i & 1));
  for (int i = 0; i < n; i++)
    sum += status_of (pids[i]);
  return sum;
}

static int
spawns (int n)
{
  char *argv[] = { self, "exit", "5", NULL };
  int sum = 0;
  for (int i = 0; i < n; i++)
    {
      pid_t pid;
      sum += posix_spawn (&pid, self, NULL, NULL, argv, environ)
	? -1000 : status_of (pid);
    }
  return sum;
}

static int
vforked (int exit_status, int does_exec)
{
  pid_t pid = vfork ();
  if (pid == 0)
    {
      if (does_exec)
	execl (self, self, "exit", "7", (char *) NULL);
      _exit (exit_status);
    }
  return status_of (pid);
}

static int
vforks (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += vforked (i & 63, i & 1);
  return sum;
}

static int
child_body (void *arg)
{
  return *(int *) arg;
}

/* clone with FLAGS besides the child's stack.  */
static int
cloned (int flags, int value)
{
  char *stack = malloc (65536);
  pid_t pid = clone (child_body, stack + 65536, flags, &value);
  int status = pid > 0 ? status_of (pid) : -errno;
  free (stack);
  return status;
}

/* A daemon tells its result through a pipe; it outlives this process.  */
static int
daemonize (void)
{
  int fds[2];
  char c = 0;
  if (pipe (fds))
    return 1;
  if (fork () == 0)
    {
      setsid ();
      if (fork () == 0)
	{
	  usleep (50000);
	  if (write (fds[1], "x", 1) != 1)
	    _exit (1);
	  usleep (50000);
	  _exit (9);
	}
      _exit (0);
    }
  wait (NULL);
  return read (fds[0], &c, 1) == 1 && c == 'x' ? 0 : 2;
}

static void *
exec_body (void *arg)
{
  execl (self, self, "exit", (char *) arg, (char *) NULL);
  return NULL;
}

static void *
sleep_body (void *arg)
{
  for (;;)
    pause ();
  return arg;
}

static int
exec_from_thread (void)
{
  pthread_t thread;
  for (int i = 0; i < 4; i++)
    pthread_create (&thread, NULL, sleep_body, NULL);
  pthread_create (&thread, NULL, exec_body, "6");
  pthread_join (thread, NULL);
  return 1;
}

static int
exec_without_leader (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, exec_body, "8");
  pthread_exit (NULL);
}

static int
exec_chain (int n)
{
  char left[16];
  if (n == 0)
    return 11;
  snprintf (left, sizeof left, "%d", n - 1);
  execl (self, self, "chain", left, (char *) NULL);
  return 1;
}

/* A debugger in a nutshell.  */
static int
ptraces (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      if (ptrace (PTRACE_TRACEME, 0, 0, 0))
	_exit (77);
      raise (SIGUSR1);
      _exit (3);
    }
  int status;
  waitpid (pid, &status, 0);
  if (!WIFSTOPPED (status) || WSTOPSIG (status) != SIGUSR1)
    return 100 + WEXITSTATUS (status);
  ptrace (PTRACE_CONT, pid, 0, 0);
  return status_of (pid);
}

static int
ptraces_vforked (void)
{
  int status;
  pid_t pid = vfork ();
  if (pid == 0)
    {
      if (ptrace (PTRACE_TRACEME, 0, 0, 0) == 0)
	execl (self, self, "exit", "9", (char *) NULL);
      _exit (77);
    }
  waitpid (pid, &status, 0);
  if (!WIFSTOPPED (status) || WSTOPSIG (status) != SIGTRAP)
    return 100 + WEXITSTATUS (status);
  ptrace (PTRACE_CONT, pid, 0, 0);
  return status_of (pid);
}

/* Stops of a child, as a shell sees them.  */
static int
stops (void)
{
  int status, seen = 0;
  pid_t pid = fork ();
  if (pid == 0)
    {
      raise (SIGSTOP);
      usleep (50000);
      raise (SIGTSTP);
      usleep (50000);
      _exit (4);
    }
  for (int i = 0; i < 2; i++)
    {
      waitpid (pid, &status, WUNTRACED);
      seen = seen * 100 + (WIFSTOPPED (status) ? WSTOPSIG (status) : 0);
      usleep (20000);
      kill (pid, SIGCONT);
      waitpid (pid, &status, WCONTINUED);
      seen += WIFCONTINUED (status);
    }
  printf ("%d\n", seen);
  return status_of (pid);
}

/* Someone else stops this very process and continues it.  */
static int
stopped_by_child (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      kill (getppid (), SIGSTOP);
      usleep (100000);
      kill (getppid (), SIGCONT);
      _exit (2);
    }
  return status_of (pid);
}

static int
killed_child (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    for (;;)
      pause ();
  usleep (20000);
  kill (pid, SIGKILL);
  return status_of (pid) == 1000 + SIGKILL ? 0 : 1;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi (argv[2]) : 0, r = 1;
  self = argv[0];
  if (!strcmp (what, "exit"))
    return n;
  if (!strcmp (what, "fork"))
    r = forks (40);
  else if (!strcmp (what, "storm"))
    r = storm (40);
  else if (!strcmp (what, "spawn"))
    r = spawns (10);
  else if (!strcmp (what, "vfork"))
    r = vforks (10);
  else if (!strcmp (what, "clone"))
    r = cloned (SIGCHLD, 3) + cloned (0, 4) + cloned (CLONE_VM | SIGCHLD, 5)
      + cloned (CLONE_VM | CLONE_VFORK | SIGCHLD, 6)
      + cloned (CLONE_VM | CLONE_FS | CLONE_FILES, 7);
  else if (!strcmp (what, "daemon"))
    r = daemonize ();
  else if (!strcmp (what, "thread-exec"))
    r = exec_from_thread ();
  else if (!strcmp (what, "leaderless-exec"))
    r = exec_without_leader ();
  else if (!strcmp (what, "chain"))
    return exec_chain (n);
  else if (!strcmp (what, "ptrace"))
    r = ptraces ();
  else if (!strcmp (what, "ptrace-vfork"))
    r = ptraces_vforked ();
  else if (!strcmp (what, "stops"))
    r = stops ();
  else if (!strcmp (what, "stopped"))
    r = stopped_by_child ();
  else if (!strcmp (what, "kill-child"))
    r = killed_child ();
  printf ("%s %d\n", what, r);
  return r & 127;
}
