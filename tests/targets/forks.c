/* forks.c: children by fork, also of a thread other than the first, by vfork with
   exec of this program and of another, a daemon, and this program again by exec.
   The hits of work are those of all processes, but for what `alone' says.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;

/* 20 by fork, 1 by the thread's child, 5 by vfork and exec, 1 by the daemon, 1 in
   the last image, 21 + 1 by the first process itself: 50 calls.  */
static void
work (int n)				/* HITS 50 */
{
  for (int i = 0; i < n; i++)
    sink += i;				/* HITS 5000 */
}

static void
await (pid_t pid)
{
  int status;
  if (waitpid (pid, &status, 0) != pid || status)
    printf ("child: status %d\n", status);
}

static void
fork_once (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      work (100);
      _exit (0);
    }
  work (100);
  await (pid);
}

static void *
thread (void *arg)
{
  fork_once ();
  return arg;
}

static void
spawn (const char *path, const char *arg)
{
  pid_t pid = vfork ();
  if (pid == 0)
    {
      execl (path, path, arg, (char *) NULL);
      _exit (127);
    }
  await (pid);
}

static void
make_daemon (void)
{
  int end[2];
  char c;
  if (pipe (end))
    exit (1);
  pid_t pid = fork ();
  if (pid == 0)
    {
      if (fork () == 0)
	{
	  setsid ();
	  work (100);
	  c = 'd';
	  exit (write (end[1], &c, 1) != 1);
	}
      _exit (0);
    }
  await (pid);
  if (read (end[0], &c, 1) == 1)
    printf ("daemon says %c\n", c);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      work (100);
      if (!strcmp (argv[1], "last"))
	puts ("last");
      return 0;
    }
  for (int i = 0; i < 20; i++)
    fork_once ();
  pthread_t t;
  pthread_create (&t, NULL, thread, NULL);
  pthread_join (t, NULL);
  for (int i = 0; i < 5; i++)
    spawn (argv[0], "child");
  spawn ("/bin/true", "x");
  make_daemon ();
  work (100);
  fflush (stdout);
  execl (argv[0], argv[0], "last", (char *) NULL);
  return 127;
}
