/* explain.c: why the kernel does not let us trace, and what helps.  */

#include "target/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What yama allows (0 everything, 3 nothing); -1 without yama.  */
static int
yama_scope (void)
{
  int scope = -1;
  FILE *f = fopen ("/proc/sys/kernel/yama/ptrace_scope", "re");
  if (f)
    {
      if (fscanf (f, "%d", &scope) != 1)
	scope = -1;
      fclose (f);
    }
  return scope;
}

static void
command_name (pid_t pid, char *name, int size)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/comm", pid);
  FILE *f = fopen (path, "re");
  if (!f || !fgets (name, size, f))
    snprintf (name, size, "another program");
  name[strcspn (name, "\n")] = '\0';
  if (f)
    fclose (f);
}

static int
explain_tracer (const char *name, pid_t tracer, lp_error *err)
{
  char comm[32];
  command_name (tracer, comm, sizeof comm);
  if (strcmp (comm, LP_TRACER_NAME) == 0)
    strcpy (comm, "kernprof");
  return lp_fail (err, LP_ETRACE, "%s is being traced by %s (pid %d) already,"
		  " and a process has one tracer: run it without %s", name,
		  comm, tracer, comm);
}

int
lp_explain_ptrace (const char *name, pid_t pid, int errnum, lp_error *err)
{
  int64_t tracer = lp_procfs_status (pid, "TracerPid", 10);
  int yama = yama_scope ();
  if (tracer > 0 && tracer != getpid ())
    return explain_tracer (name, tracer, err);
  if (errnum == EPERM && yama == 3)
    return lp_fail (err, LP_ETRACE, "%s: kernel.yama.ptrace_scope is 3: nothing"
		    " can be traced on this machine until it starts with"
		    " another value", name);
  if (errnum == EPERM && yama == 2)
    return lp_fail (err, LP_ETRACE, "%s: kernel.yama.ptrace_scope is 2: only"
		    " root can trace; allow it with `sudo sysctl"
		    " kernel.yama.ptrace_scope=1'", name);
  if (lp_procfs_status (getpid (), "Seccomp", 10) > 0)
    return lp_fail (err, LP_ETRACE, "%s: a seccomp filter (this container's?)"
		    " forbids ptrace: %s; start the container with"
		    " `--cap-add=SYS_PTRACE' or `--security-opt"
		    " seccomp=unconfined'", name, strerror (errnum));
  return lp_fail (err, LP_ETRACE, "%s: the kernel does not let it be traced:"
		  " %s", name, strerror (errnum));
}
