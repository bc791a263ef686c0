/* keeper.c: one more process in this memory.

   Until the end the keeper has the thread pointer of a thread that runs: it may not
   even set errno, and makes its system calls itself.

   It waits for the kernel to clear the word where the first thread has its number,
   which is done when that thread ends or executes another program; the process's own
   descriptor tells which.  */

#define _GNU_SOURCE

#include "keeper.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/target.h"

enum { STACK = 1 << 20, SIGNALS = 64, SECONDS = 10, SOON = 200 };

#ifndef __NR_close_range
# define __NR_close_range 436
#endif
#ifndef __NR_pidfd_open
# define __NR_pidfd_open 434
#endif

static struct
{
  void (*write) (void);
  pid_t pid, keeper;
  int pidfd;			/* of the process, in both; then the keeper's first one */
  int *word;			/* the first thread's number, or NULL */
  bool over;			/* nothing is to be written */
} keep;

static long
call (long nr, long a, long b, long c, long d)
{
  long result;
  register long r10 __asm__ ("r10") = d;
  __asm__ volatile ("syscall" : "=a" (result)
		    : "0" (nr), "D" (a), "S" (b), "d" (c), "r" (r10)
		    : "rcx", "r11", "memory");
  return result;
}

/* Give up what is the program's: descriptors, session, handlers, core files.  */
static void
leave (void)
{
  const struct { uint64_t handler, flags, restorer, mask; } dfl = { 0 };
  const struct rlimit none = { 0, 0 };
  if (keep.pidfd)
    call (__NR_dup2, keep.pidfd, 0, 0, 0);
  if (call (__NR_close_range, 1, ~0u, 0, 0) < 0)
    for (int fd = 1; fd < 65536; fd++)
      call (__NR_close, fd, 0, 0, 0);
  call (__NR_setsid, 0, 0, 0, 0);
  for (int i = 1; i <= SIGNALS; i++)
    call (__NR_rt_sigaction, i, (long) &dfl, 0, 8);
  call (__NR_setrlimit, RLIMIT_CORE, (long) &none, 0, 0);
  call (__NR_prctl, PR_SET_NAME, (long) "lineprof-keeper", 0, 0);
}

/* Has the process ended, or does so in MS milliseconds?  -1: wait.  */
static bool
has_ended (int ms)
{
  struct pollfd poll = { 0, POLLIN, 0 };
  return call (__NR_poll, (long) &poll, 1, ms, 0) > 0;
}

/* Is the process in other memory now?  What has ended but for some threads shows
   none.  */
static bool
has_executed (void)
{
  char path[32] = "/proc/", *p = path + strlen (path), digits[12], c;
  int n = 0;
  for (pid_t pid = keep.pid; pid; pid /= 10)
    digits[n++] = '0' + pid % 10;
  while (n)
    *p++ = digits[--n];
  strcpy (p, "/maps");
  int fd = call (__NR_open, (long) path, 0, 0, 0);
  bool any = fd >= 0 && call (__NR_read, fd, (long) &c, 1, 0) == 1;
  call (__NR_close, fd, 0, 0, 0);
  return any;
}

/* Until the program has ended, or executed another one.  */
static void
wait_for_end (void)
{
  while (keep.word && __atomic_load_n (keep.word, __ATOMIC_ACQUIRE) == keep.pid)
    call (__NR_futex, (long) keep.word, 0, keep.pid, 0);
  if (!keep.word || (!has_ended (SOON) && !has_executed ()))
    has_ended (-1);
}

static int
run (void *nothing)
{
  sigset_t set;
  (void) nothing;
  leave ();
  wait_for_end ();
  if (!keep.over)
    {
      /* Nobody else is here any more.  */
      sigemptyset (&set);
      sigaddset (&set, SIGALRM);
      sigprocmask (SIG_UNBLOCK, &set, NULL);
      alarm (SECONDS);
      keep.write ();
    }
  call (__NR_exit_group, 0, 0, 0, 0);
  return 0;
}

void
lp_keeper_begin (void (*write) (void))
{
  sigset_t all, mask;
  if (lp_under_valgrind ())
    return;
  char *stack = mmap (NULL, STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  keep.write = write;
  keep.pid = getpid ();
  keep.pidfd = call (__NR_pidfd_open, keep.pid, 0, 0, 0);
  if (stack == MAP_FAILED || keep.pidfd < 0)
    return;
  if (prctl (PR_GET_TID_ADDRESS, &keep.word, 0, 0, 0)
      || (keep.word && *keep.word != keep.pid))
    keep.word = NULL;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &mask);
  keep.keeper = __clone (run, stack + STACK, CLONE_VM | CLONE_UNTRACED, NULL);
  pthread_sigmask (SIG_SETMASK, &mask, NULL);
  call (__NR_close, keep.pidfd, 0, 0, 0);
}

void
lp_keeper_end (void)
{
  keep.over = true;
  if (keep.keeper <= 0 || getpid () != keep.pid)
    return;
  kill (keep.keeper, SIGKILL);
  waitpid (keep.keeper, NULL, __WALL);
  keep.keeper = 0;
}
