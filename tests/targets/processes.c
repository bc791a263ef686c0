/* processes.c: children by fork, vfork and exec, waited for.  */

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

static int
status_of (pid_t pid)
{
  int status;
  if (waitpid (pid, &status, 0) != pid)
    return -1;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1000 + WTERMSIG (status);
}

static int
forked (int n)
{
  pid_t pid = fork ();
  if (pid == 0)
    _exit (work (n) & 63);
  return status_of (pid);
}

static int
vforked (const char *self)
{
  pid_t pid = vfork ();
  if (pid == 0)
    {
      execl (self, self, "child", (char *) NULL);
      _exit (127);
    }
  return status_of (pid);
}

static int
spawned (const char *self)
{
  char *argv[] = { (char *) self, "child", NULL };
  pid_t pid;
  return posix_spawn (&pid, self, NULL, NULL, argv, environ) ? -1 : status_of (pid);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && !strcmp (argv[1], "child"))
    return work (10);
  if (argc > 1 && !strcmp (argv[1], "last"))
    {
      puts ("the last image");
      return work (7);
    }
  for (int i = 0; i < 50; i++)
    if (forked (i) != (work (i) & 63))
      return 1;
  printf ("%d %d %d\n", vforked (argv[0]), spawned (argv[0]), work (100));
  fflush (stdout);
  execl (argv[0], argv[0], "last", (char *) NULL);
  return 127;
}
