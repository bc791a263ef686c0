/* standstill.c: this process's other threads, stopped for a moment.

   A signal would stop them, too, but the program would notice: sleeps with a timeout,
   epoll_wait and their like end with EINTR whatever SA_RESTART says, and an int3
   kills a process that has blocked SIGTRAP.  A tracer's stop is seen by nobody.  A
   process cannot trace its own threads; a child can that shares its memory, and so
   can do there what is to be done.  Its end sends no signal, and wait(2) does not
   return it (there is no SIGCHLD in its making).

   The child runs with the thread pointer of the thread that made it, which waits
   meanwhile.  It takes no lock, and so allocates nothing: a stopped thread may
   have it.  */

#include "target/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 512 * 1024, MOST = 65536, LISTING = 32 * 1024 };

/* How long all may take to stop, ns.  */
#define PATIENCE INT64_C (1000000000)

/* In memory of its own, which the child shares.  */
struct standstill
{
  pid_t pid, caller;
  int64_t until;
  lp_standstill_work *work;
  void *arg;
  lp_error err;
  int errnum;			/* of what failed with ERR: its text would take a lock */
  int bad;			/* what came out */
  int go;			/* the child may trace */
  size_t n;			/* threads that are traced */
  size_t nstopped;		/* of these, those at the begin are stopped */
  pid_t tids[MOST];
  int signals[MOST];		/* that those which are stopped get when they go on */
  char listing[LISTING];
  char stack[STACK] __attribute__ ((aligned (16)));
};

struct entry			/* linux_dirent64 */
{
  uint64_t ino, off;
  unsigned short size;
  unsigned char type;
  char name[];
};

static pid_t
number (const char *text)
{
  pid_t n = 0;
  while (*text >= '0' && *text <= '9')
    n = n * 10 + (*text++ - '0');
  return n;
}

static bool
is_known (const struct standstill *s, pid_t tid)
{
  bool known = tid == s->caller;
  for (size_t i = 0; i < s->n && !known; i++)
    known = s->tids[i] == tid;
  return known;
}

/* What /proc's file NAME of thread TID says, in SIZE bytes at TEXT; nothing when it
   cannot be read.  */
static void
read_about (const struct standstill *s, pid_t tid, const char *name, char *text,
	    size_t size)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/task/%d/%s", s->pid, tid, name);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read (fd, text, size - 1);
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = '\0';
}

/* Has thread TID come to its end, though it is listed yet?  */
static bool
is_dead (const struct standstill *s, pid_t tid)
{
  char text[512];
  read_about (s, tid, "stat", text, sizeof text);
  const char *name_end = strrchr (text, ')');
  return !name_end || !name_end[1] || strchr ("ZXx", name_end[2]);
}

static int
seize (struct standstill *s, pid_t tid)
{
  if (s->n == MOST)
    return lp_fail (&s->err, LP_EUNSUPPORTED, "this process has more than %d "
		    "threads", MOST);
  if (ptrace (PTRACE_SEIZE, tid, 0, 0) == 0)
    {
      ptrace (PTRACE_INTERRUPT, tid, 0, 0);
      s->tids[s->n++] = tid;
      return 0;
    }
  if (errno == ESRCH || is_dead (s, tid))
    return 0;
  s->errnum = errno;
  return lp_fail (&s->err, LP_EUNSUPPORTED, "thread %d of this process cannot be "
		  "stopped (is it being traced? /proc/sys/kernel/yama/ptrace_scope?); "
		  "do this where there is one thread, or use kernprof: ptrace", tid);
}

/* Seize the threads that are not ours yet; *FOUND: there were some.  */
static int
seize_new (struct standstill *s, bool *found)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/task", s->pid);
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), bad = 0;
  long n = fd;
  *found = false;
  while (!bad && n >= 0
	 && (n = syscall (SYS_getdents64, fd, s->listing, LISTING)) > 0)
    for (long at = 0; at < n && !bad;)
      {
	const struct entry *e = (const struct entry *) (s->listing + at);
	pid_t tid = number (e->name);
	size_t before = s->n;
	if (tid && !is_known (s, tid))
	  bad = seize (s, tid);
	*found |= s->n > before;
	at += e->size;
      }
  if (n < 0 && !bad)
    {
      s->errnum = errno;
      bad = lp_fail (&s->err, LP_EUNSUPPORTED, "cannot list the threads of this "
		     "process: %s", path);
    }
  if (fd >= 0)
    close (fd);
  return bad;
}

/* Forget thread I, which has ended.  */
static void
forget (struct standstill *s, size_t i)
{
  s->tids[i] = s->tids[--s->n];
}

/* Has the thread or its process a signal that will be delivered?  */
static bool
has_signal (const struct standstill *s, pid_t tid)
{
  char text[4096];
  uint64_t pending[3] = { 0 };	/* its own, its process's, blocked */
  static const char *const names[] = { "\nSigPnd:", "\nShdPnd:", "\nSigBlk:" };
  read_about (s, tid, "status", text, sizeof text);
  for (int i = 0; i < 3; i++)
    {
      const char *at = strstr (text, names[i]);
      if (!at)
	return true;
      pending[i] = strtoull (at + strlen (names[i]), NULL, 16);
    }
  return (pending[0] | pending[1]) & ~pending[2];
}

/* Some calls (epoll_wait, semop, sigtimedwait, reading with a timeout) end with EINTR
   by a stop: they are made again, all but close, which has closed.  */
static void
mend_call (const struct standstill *s, pid_t tid)
{
  struct user_regs_struct regs;
  if (ptrace (PTRACE_GETREGS, tid, 0, &regs) || (int64_t) regs.orig_rax < 0
      || (int64_t) regs.rax != -EINTR || regs.orig_rax == SYS_close
      || has_signal (s, tid))
    return;
  regs.rax = regs.orig_rax;
  regs.orig_rax = -1;
  regs.rip -= 2;		/* the length of `syscall' */
  ptrace (PTRACE_SETREGS, tid, 0, &regs);
}

/* Has thread I stopped, or ended?  A stop for a signal is as good as the one that was
   asked for.  */
static bool
has_stopped (struct standstill *s, size_t i)
{
  int status;
  pid_t tid = waitpid (s->tids[i], &status, __WALL | WNOHANG);
  if (tid == 0)
    return false;
  if (tid < 0 || !WIFSTOPPED (status))
    {
      forget (s, i);
      return true;
    }
  int signal = status >> 16 ? 0 : WSTOPSIG (status);
  if (!signal)
    mend_call (s, tid);
  s->tids[i] = s->tids[s->nstopped];
  s->tids[s->nstopped] = tid;
  s->signals[s->nstopped++] = signal;
  return true;
}

static int
wait_for_stops (struct standstill *s)
{
  const struct timespec pause = { .tv_nsec = 50000 };
  while (s->nstopped < s->n)
    {
      bool some = false;
      for (size_t i = s->nstopped; i < s->n; i++)
	some |= has_stopped (s, i);
      if (!some && lp_now () > s->until)
	return lp_fail (&s->err, LP_EUNSUPPORTED, "thread %d of this process does "
			"not stop (it may be waiting in the kernel); try again",
			s->tids[s->nstopped]);
      if (!some)
	nanosleep (&pause, NULL);
    }
  return 0;
}

/* A thread that does not stop is let go by the child's end.  */
static void
let_go (struct standstill *s)
{
  for (size_t i = 0; i < s->nstopped; i++)
    ptrace (PTRACE_DETACH, s->tids[i], 0, (long) s->signals[i]);
}

static int
run (void *arg)
{
  struct standstill *s = arg;
  bool found = true;
  int bad = 0;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  while (!__atomic_load_n (&s->go, __ATOMIC_ACQUIRE))
    sched_yield ();
  while (found && !bad)
    bad = seize_new (s, &found) || (found && wait_for_stops (s));
  if (!bad)
    bad = s->work (s->arg, s->tids, s->n, &s->err);
  let_go (s);
  s->bad = bad;
  syscall (SYS_exit_group, 0);
  return 0;
}

/* Where yama lets only parents trace, CHILD is to be allowed.  */
static void
allow (pid_t child)
{
  char scope = '0';
  int fd = open ("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && read (fd, &scope, 1) == 1 && scope == '1')
    prctl (PR_SET_PTRACER, child);
  if (fd >= 0)
    close (fd);
}

static int
make_child (struct standstill *s, lp_error *err)
{
  pid_t child = __clone (run, s->stack + STACK,
			 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, s);
  if (child < 0)
    return lp_fail (err, LP_EUNSUPPORTED, "cannot stop the other threads of this "
		    "process: clone: %s", strerror (errno));
  allow (child);
  s->until = lp_now () + PATIENCE;
  __atomic_store_n (&s->go, 1, __ATOMIC_RELEASE);
  while (waitpid (child, NULL, __WALL) < 0 && errno == EINTR)
    ;
  if (s->bad && s->errnum)
    return lp_fail (err, s->err.code, "%s: %s", s->err.text, strerror (s->errnum));
  if (s->bad && err)
    *err = s->err;
  return s->bad;
}

/* Valgrind runs all threads in turn in its own way, and makes no such child.  This is
   its client request RUNNING_ON_VALGRIND, which does nothing elsewhere.  */
bool
lp_under_valgrind (void)
{
  volatile uint64_t request[6] = { 0x1001 };
  uint64_t result = 0;
  __asm__ volatile ("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi;"
		    "rolq $51, %%rdi; xchgq %%rbx, %%rbx"
		    : "+d" (result) : "a" (request) : "cc", "memory");
  return result != 0;
}

int
lp_standstill (lp_standstill_work *work, void *arg, lp_error *err)
{
  sigset_t all, mask;
  if (lp_under_valgrind ())
    return lp_fail (err, LP_EUNSUPPORTED, "under valgrind the other threads of a "
		    "process cannot be stopped; do this where there is one thread");
  struct standstill *s = mmap (NULL, sizeof *s, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED)
    return lp_nomem (err);
  s->pid = getpid ();
  s->caller = gettid ();
  s->work = work;
  s->arg = arg;
  s->bad = lp_fail (&s->err, LP_EUNSUPPORTED, "the other threads of this process "
		    "could not be stopped: who was to do it was killed");
  /* No handler may run here while the child uses this thread's errno.  */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &mask);
  int bad = make_child (s, err);
  pthread_sigmask (SIG_SETMASK, &mask, NULL);
  munmap (s, sizeof *s);
  return bad;
}

int
lp_standstill_step (lp_process *self, pid_t tid, lp_error *err)
{
  uint64_t held = ~(UINT64_C (1) << (SIGTRAP - 1)), mask;
  int status;
  lp_step step;
  lp_step_begin (self, tid, 0, &step);
  if (ptrace (PTRACE_GETSIGMASK, tid, 8, &mask)
      || ptrace (PTRACE_SETSIGMASK, tid, 8, &held)
      || ptrace (PTRACE_SINGLESTEP, tid, 0, 0)
      || waitpid (tid, &status, __WALL) != tid || !WIFSTOPPED (status)
      || ptrace (PTRACE_SETSIGMASK, tid, 8, &mask))
    return lp_fail (err, LP_ETARGET, "thread %d was lost", tid);
  lp_step_end (self, tid, &step);
  return 0;
}
