/* explain.c: why the kernel does not let us trace, and what helps.  */

#include "target/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

static const char *
user_name (uid_t uid, char *text, size_t size)
{
  const struct passwd *user = getpwuid (uid);
  if (user)
    snprintf (text, size, "%s", user->pw_name);
  else
    snprintf (text, size, "user %u", (unsigned) uid);
  return text;
}

/* Is PID in another user namespace?  Not known of every process: false then.  */
static bool
is_elsewhere (pid_t pid)
{
  char path[64];
  struct stat its, ours;
  snprintf (path, sizeof path, "/proc/%d/ns/user", pid);
  return stat (path, &its) == 0 && stat ("/proc/self/ns/user", &ours) == 0
	 && its.st_ino != ours.st_ino;
}

/* /proc gives the files of a process that may not be looked into to root.  */
static bool
is_closed (pid_t pid, uid_t owner)
{
  char path[64];
  struct stat st;
  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  return stat (path, &st) == 0 && st.st_uid != owner;
}

static bool
may_trace_all (void)
{
  return lp_procfs_mask (getpid (), "CapEff") >> CAP_SYS_PTRACE & 1;
}

/* Why one may not trace PID, a process that runs, whose user is OWNER.  0: nothing
   was found.  */
static int
explain_rights (const char *name, pid_t pid, uid_t owner, lp_error *err)
{
  char its[64], ours[64];
  if (owner != geteuid () && geteuid () != 0)
    return lp_fail (err, LP_ETRACE, "%s belongs to %s, and kernprof runs as %s: "
		    "run it as that user, or as root", name,
		    user_name (owner, its, sizeof its),
		    user_name (geteuid (), ours, sizeof ours));
  if (is_elsewhere (pid))
    return lp_fail (err, LP_ETRACE, "%s is in another user namespace (a "
		    "container's): run kernprof as root outside, or inside",
		    name);
  if (geteuid () != 0 && is_closed (pid, owner))
    return lp_fail (err, LP_ETRACE, "%s may not be looked into: it has gained "
		    "privileges (set-user-ID?) or asked for that (PR_SET_DUMPABLE); "
		    "run kernprof as root", name);
  if (yama_scope () == 1 && !may_trace_all ())
    return lp_fail (err, LP_ETRACE, "%s: kernel.yama.ptrace_scope is 1: only what "
		    "kernprof starts can be traced; run it as root, or allow it "
		    "with `sudo sysctl kernel.yama.ptrace_scope=0'", name);
  if (!may_trace_all ())
    return lp_fail (err, LP_ETRACE, "%s may do what kernprof may not, which lacks "
		    "CAP_SYS_PTRACE; start the container with "
		    "`--cap-add=SYS_PTRACE', or run kernprof as root", name);
  return 0;
}

int
lp_attach_check (pid_t pid, lp_error *err)
{
  char path[64], name[64];
  snprintf (path, sizeof path, "/proc/%d/exe", (int) pid);
  snprintf (name, sizeof name, "process %d", (int) pid);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0)
    close (fd);
  else if (errno == EACCES || errno == EPERM)
    return lp_explain_ptrace (name, pid, EPERM, err);
  else if (lp_procfs_status (pid, "Pid") < 0)
    return lp_fail (err, LP_ENOTFOUND, "there is no %s", name);
  else if (errno == ENOENT)
    return lp_fail (err, LP_ETRACE, "%s is the kernel's own, or has just ended",
		    name);
  return 0;
}

int
lp_explain_ptrace (const char *name, pid_t pid, int errnum, lp_error *err)
{
  int64_t owner = pid ? lp_procfs_status (pid, "Uid") : -1;
  int64_t tracer = lp_procfs_status (pid, "TracerPid");
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
  if (errnum == EPERM && owner >= 0 && explain_rights (name, pid, owner, err))
    return -1;
  if (lp_procfs_status (getpid (), "Seccomp") > 0)
    return lp_fail (err, LP_ETRACE, "%s: a seccomp filter (this container's?)"
		    " forbids ptrace: %s; start the container with"
		    " `--cap-add=SYS_PTRACE' or `--security-opt"
		    " seccomp=unconfined'", name, strerror (errnum));
  return lp_fail (err, LP_ETRACE, "%s: the kernel does not let it be traced:"
		  " %s", name, strerror (errnum));
}
