/* self.c: this process as one of its own targets.  Its one thread is whoever
   calls: no other is known.

   No descriptor is kept: a program may close any number, and open its own files under
   it; and a forked child would reach its parent's memory through it.  */

#include "target/internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096 };

static lp_process *
fill (lp_process *proc, lp_error *err)
{
  proc->self = true;
  if (!lp_thread_new (proc->target, proc, proc->pid))
    lp_nomem (err);
  else if ((proc->image.entry = getauxval (AT_ENTRY)))
    return proc;
  else
    lp_fail (err, LP_ETARGET, "this process's entry is not known");
  lp_process_self_free (proc);
  return NULL;
}

lp_process *
lp_process_self (lp_error *err)
{
  lp_target *target = calloc (1, sizeof *target);
  lp_process *proc = target ? lp_process_new (target, getpid ()) : NULL;
  if (proc)
    return fill (proc, err);
  free (target);
  lp_nomem (err);
  return NULL;
}

void
lp_process_self_free (lp_process *proc)
{
  lp_target *target = proc->target;
  lp_process_free (proc);
  free (target);
}

/* Whatever the pages' rights are.  */
static bool
access_file (uint64_t addr, uint8_t *in, const uint8_t *out, size_t n)
{
  size_t done = 0;
  ssize_t r = 1;
  int fd = open ("/proc/thread-self/mem", (out ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (fd < 0)
    return false;
  while (done < n && r > 0)
    {
      r = out ? pwrite (fd, out + done, n - done, addr + done)
	  : pread (fd, in + done, n - done, addr + done);
      done += r > 0 ? r : 0;
    }
  close (fd);
  return done == n;
}

/* As far as the pages' rights go.  */
static bool
access_pages (uint64_t addr, uint8_t *in, const uint8_t *out, size_t n)
{
  const struct iovec there = { (void *) addr, n };
  const struct iovec here = { in ? in : (void *) out, n };
  ssize_t r = out ? process_vm_writev (getpid (), &here, 1, &there, 1, 0)
	      : process_vm_readv (getpid (), &here, 1, &there, 1, 0);
  return r == (ssize_t) n;
}

/* What is not writable is code.  */
static bool
write_code (uint64_t addr, const uint8_t *out, size_t n)
{
  uint64_t lo = addr / PAGE * PAGE;
  size_t size = (addr + n - lo + PAGE - 1) / PAGE * PAGE;
  if (mprotect ((void *) lo, size, PROT_READ | PROT_WRITE | PROT_EXEC))
    return false;
  bool ok = access_pages (addr, NULL, out, n);
  return mprotect ((void *) lo, size, PROT_READ | PROT_EXEC) == 0 && ok;
}

/* Without /proc, as after chroot, or where it is closed to a program with more rights
   than its caller has, the process's own system calls remain.  */
bool
lp_self_access (uint64_t addr, void *in, const void *out, size_t n)
{
  return access_file (addr, in, out, n) || access_pages (addr, in, out, n)
	 || (out && write_code (addr, out, n));
}
