/* stopcost.c: a child that does nothing but run into int3s, and then into code
   that it may not execute.  */

#define _GNU_SOURCE

#include "stopcost.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "target/target.h"

enum { STOPS = 72, SKIPPED = 8 };

struct run
{
  pid_t pid;
  uint64_t spans[STOPS];
  size_t n;
  uint64_t last;		/* TSC at the end of the last stop */
  uint64_t back;		/* fault: where the thread goes on */
};

/* int3s without end.  */
static void __attribute__ ((noreturn))
run_traps (void)
{
  for (;;)
    __asm__ volatile ("int3");
}

/* Jumps to CLOSED without end; who handles the fault sends the thread back, to the
   address in rax.  */
static void __attribute__ ((noreturn))
run_faults (void *closed)
{
  __asm__ volatile ("lea 1f(%%rip), %%rax\n1: jmp *%0" : : "r" (closed)
		    : "rax");
  __builtin_unreachable ();
}

/* The child must not be let go: it would die by the next int3 or fault, and leave a
   core file.  */
static int
note (struct run *r)
{
  uint64_t now = __rdtsc ();
  if (r->last && r->n < STOPS)
    r->spans[r->n++] = now - r->last;
  if (r->n == STOPS)
    kill (r->pid, SIGKILL);
  return 1;
}

static int
on_trap (void *arg, lp_process *proc, pid_t tid,
	 struct user_regs_struct *regs, lp_error *err)
{
  struct run *r = arg;
  (void) proc, (void) tid, (void) regs, (void) err;
  note (r);
  r->last = __rdtsc ();
  return 1;
}

static int
on_fault (void *arg, lp_process *proc, pid_t tid, uint64_t addr,
	  struct user_regs_struct *regs, lp_error *err)
{
  struct run *r = arg;
  (void) proc, (void) tid, (void) err;
  if (addr != regs->rip)
    return 0;
  regs->rip = regs->rax;
  note (r);
  r->last = __rdtsc ();
  return 1;
}

static int
by_size (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* The mean of the middle half: a burst of other work is no part of the cost.  */
static uint32_t
typical (struct run *r)
{
  uint64_t sum = 0;
  size_t n = r->n > SKIPPED ? r->n - SKIPPED : 0;
  if (n < 4)
    return 0;
  qsort (r->spans + SKIPPED, n, sizeof *r->spans, by_size);
  for (size_t i = n / 4; i < n - n / 4; i++)
    sum += r->spans[SKIPPED + i];
  return sum / (n - n / 4 - n / 4);
}

/* The child waits for its tracer before it traps.  */
static pid_t
start (void *closed, int *go)
{
  int fds[2];
  char byte;
  if (pipe2 (fds, O_CLOEXEC))
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      close (fds[1]);
      if (read (fds[0], &byte, 1) != 1)
	_exit (1);
      if (closed)
	run_faults (closed);
      run_traps ();
    }
  close (fds[0]);
  *go = fds[1];
  return pid;
}

/* What a stop costs in a child that runs into CLOSED, or into int3s.  */
static uint32_t
measure (void *closed)
{
  int status, go;
  struct run r = { .pid = start (closed, &go) };
  lp_hooks hooks = { .arg = &r, .trap = on_trap, .fault = on_fault };
  if (r.pid < 0)
    return 0;
  lp_attach attach = { .pid = r.pid };
  lp_target *target = lp_target_attach (&attach, NULL);
  if (target && write (go, "", 1) == 1)
    lp_target_run (target, &hooks, &status, NULL);
  /* Its end may have been waited for already.  */
  bool there = !target || lp_target_pid (target);
  if (there)
    kill (r.pid, SIGKILL);
  lp_target_free (target);
  close (go);
  if (there)
    waitpid (r.pid, &status, 0);
  return typical (&r);
}

static void
measure_both (lp_costs *costs)
{
  void *closed = mmap (NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
  costs->trap = measure (NULL);
  costs->step = closed == MAP_FAILED ? 0 : measure (closed);
  if (closed != MAP_FAILED)
    munmap (closed, 4096);
}

/* Letting the child go also lets go of the signal that our parent's death shall
   send (target/signals.c): it is wanted again, and now if it came meanwhile.  */
void
lp_stop_costs (lp_costs *costs)
{
  int signal = 0;
  pid_t parent = getppid ();
  prctl (PR_GET_PDEATHSIG, &signal);
  measure_both (costs);
  prctl (PR_SET_PDEATHSIG, signal);
  if (signal && getppid () != parent)
    raise (signal);
}
