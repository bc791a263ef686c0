/* memory.c: a process's memory and a thread's registers.

   /proc/PID/mem reads and writes whatever its pages' rights are.  A kernel can
   be built or started without that; ptrace's word access then remains.  */

#include "target/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

static void
open_mem (lp_process *proc)
{
  for (lp_thread *t = proc->threads; t && proc->mem < 0; t = t->next)
    {
      char path[64];
      snprintf (path, sizeof path, "/proc/%d/task/%d/mem", proc->pid, t->tid);
      proc->mem = open (path, O_RDWR | O_CLOEXEC);
    }
  if (!proc->threads)
    {
      char path[64];
      snprintf (path, sizeof path, "/proc/%d/mem", proc->pid);
      proc->mem = open (path, O_RDWR | O_CLOEXEC);
    }
}

/* The descriptor belongs to one image: exec closes it.  */
static int
mem_fd (lp_process *proc)
{
  if (proc->mem < 0)
    open_mem (proc);
  if (proc->mem < 0 && errno == EACCES && lp_dumpable_allow (proc))
    {
      open_mem (proc);
      lp_dumpable_forbid (proc);
    }
  return proc->mem;
}

/* Read or write the N <= 8 bytes at ADDR that lie in one aligned word.  */
static int
access_word (pid_t tid, uint64_t addr, uint8_t *in, const uint8_t *out,
	     size_t n)
{
  uint64_t at = addr & ~UINT64_C (7);
  errno = 0;
  long word = ptrace (PTRACE_PEEKDATA, tid, (void *) at, 0);
  if (errno)
    return -1;
  if (in)
    memcpy (in, (char *) &word + (addr - at), n);
  if (!out)
    return 0;
  memcpy ((char *) &word + (addr - at), out, n);
  return ptrace (PTRACE_POKEDATA, tid, (void *) at, word) ? -1 : 0;
}

static int
access_words (lp_process *proc, uint64_t addr, uint8_t *in, const uint8_t *out,
	      size_t n)
{
  lp_thread *thread = lp_process_stopped (proc);
  if (!thread)
    return -1;
  while (n > 0)
    {
      size_t part = 8 - (addr & 7);
      part = part < n ? part : n;
      if (access_word (thread->tid, addr, in, out, part))
	return -1;
      addr += part;
      n -= part;
      in = in ? in + part : NULL;
      out = out ? out + part : NULL;
    }
  return 0;
}

static int
fail_at (lp_process *proc, uint64_t addr, size_t n, const char *what,
	 lp_error *err)
{
  return lp_fail (err, LP_ETARGET, "process %d: cannot %s %zu bytes at 0x%"
		  PRIx64, proc->pid, what, n, addr);
}

int
lp_process_read (lp_process *proc, uint64_t addr, void *buf, size_t n,
		 lp_error *err)
{
  size_t done = 0;
  ssize_t r = 1;
  if (proc->self)
    return lp_self_access (addr, buf, NULL, n) ? 0
	   : fail_at (proc, addr, n, "read", err);
  int fd = mem_fd (proc);
  while (fd >= 0 && done < n && r > 0)
    {
      r = pread (fd, (char *) buf + done, n - done, addr + done);
      done += r > 0 ? r : 0;
    }
  if (done == n
      || access_words (proc, addr + done, (uint8_t *) buf + done, NULL,
		       n - done) == 0)
    return 0;
  return fail_at (proc, addr, n, "read", err);
}

int
lp_process_write (lp_process *proc, uint64_t addr, const void *buf, size_t n,
		  lp_error *err)
{
  size_t done = 0;
  ssize_t r = 1;
  if (proc->self)
    return lp_self_access (addr, NULL, buf, n) ? 0
	   : fail_at (proc, addr, n, "write", err);
  int fd = mem_fd (proc);
  while (fd >= 0 && done < n && r > 0)
    {
      r = pwrite (fd, (const char *) buf + done, n - done, addr + done);
      done += r > 0 ? r : 0;
    }
  if (done == n
      || access_words (proc, addr + done, NULL, (const uint8_t *) buf + done,
		       n - done) == 0)
    return 0;
  return fail_at (proc, addr, n, "write", err);
}

int
lp_thread_get_regs (pid_t tid, struct user_regs_struct *regs, lp_error *err)
{
  if (ptrace (PTRACE_GETREGS, tid, 0, regs) == 0)
    return 0;
  return lp_fail (err, LP_ETARGET, "thread %d: cannot read registers: %s",
		  tid, strerror (errno));
}

int
lp_thread_set_regs (pid_t tid, const struct user_regs_struct *regs,
		    lp_error *err)
{
  if (ptrace (PTRACE_SETREGS, tid, 0, regs) == 0)
    return 0;
  return lp_fail (err, LP_ETARGET, "thread %d: cannot write registers: %s",
		  tid, strerror (errno));
}
