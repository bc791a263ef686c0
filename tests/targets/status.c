/* status.c: run a command and say how it ended, on descriptor 3: a shell cannot
   tell `exit 139' from death by signal 11.  */

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  struct rlimit no_core = { 0, 0 };
  setrlimit (RLIMIT_CORE, &no_core);
  pid_t pid = fork ();
  int status;
  if (argc < 2 || pid < 0)
    return 2;
  if (pid == 0)
    {
      close (3);
      execv (argv[1], argv + 1);
      _exit (127);
    }
  waitpid (pid, &status, 0);
  if (WIFEXITED (status))
    dprintf (3, "exited %d\n", WEXITSTATUS (status));
  else
    dprintf (3, "killed by %d\n", WTERMSIG (status));
  return 0;
}
