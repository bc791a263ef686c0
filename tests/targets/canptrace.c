/* canptrace.c: exits with 0 where a process may trace its child.  */

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  pid_t pid = fork ();
  if (pid == 0)
    for (;;)
      pause ();
  int failed = pid < 0 || ptrace (PTRACE_SEIZE, pid, 0, 0) != 0;
  if (pid > 0)
    {
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
    }
  return failed;
}
