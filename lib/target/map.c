/* map.c: memory shared with a process, and free places in it.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
# define MFD_NOEXEC_SEAL 8U	/* Linux 6.3 */
#endif
#ifndef MAP_FIXED_NOREPLACE
# define MAP_FIXED_NOREPLACE 0x100000
#endif

/* The system call's result, or -1 with its error in ERR.  */
static int64_t
call (lp_thread *thread, const char *what, long nr, const uint64_t args[6],
      lp_error *err)
{
  int64_t result;
  if (lp_remote_syscall (thread->proc, thread->tid, nr, args, &result, err))
    return -1;
  if (result >= 0 || result < -4095)
    return result;
  return lp_fail (err, LP_ETARGET, "process %d: %s failed: %s",
		  thread->proc->pid, what, strerror (-result));
}

/* Newer kernels want to be told that the file is not to be executed as a
   program (mapping it executable is another matter), older ones do not know
   the flag.  */
static int64_t
remote_memfd (lp_thread *thread, lp_error *err)
{
  static const uint64_t flags[] = { MFD_CLOEXEC | MFD_NOEXEC_SEAL,
				    MFD_CLOEXEC };
  int64_t fd = -EINVAL;
  for (size_t i = 0; i < 2 && fd == -EINVAL; i++)
    {
      uint64_t args[6] = { 0, flags[i] };
      if (lp_remote_with_string (thread, __NR_memfd_create, args, 0,
				 "lineprof", &fd, err))
	return -1;
    }
  if (fd >= 0)
    return fd;
  return lp_fail (err, LP_ETARGET, "process %d: memfd_create failed: %s",
		  thread->proc->pid, strerror (-fd));
}

/* The process's descriptor REMOTE, opened here.  */
static int
open_here (lp_process *proc, int64_t remote, lp_error *err)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%d/fd/%" PRId64, proc->pid, remote);
  int fd = open (path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return lp_fail (err, LP_ETARGET, "cannot open %s: %s", path,
		    strerror (errno));
  return fd;
}

/* What is to be shared: so many bytes that the file has, that are mapped here, and
   that are mapped there.  */
struct share
{
  size_t filed, here, there;
  uint64_t hint;
  int prot;
};

static int64_t
map_there (lp_thread *thread, int64_t fd, const struct share *share,
	   lp_error *err)
{
  uint64_t hint = share->hint;
  uint64_t flags = MAP_SHARED | (hint ? MAP_FIXED_NOREPLACE : 0);
  const uint64_t args[6] = { hint, share->there, share->prot, flags, fd, 0 };
  int64_t at = call (thread, "mmap", __NR_mmap, args, err);
  if (at == -1 || !hint || (uint64_t) at == hint)
    return at;
  const uint64_t unmap[6] = { at, share->there };
  if (call (thread, "munmap", __NR_munmap, unmap, err) == -1)
    return -1;
  return lp_fail (err, LP_ETARGET, "process %d: 0x%" PRIx64 " is in use",
		  thread->proc->pid, hint);
}

/* Size the file, map it there (*REMOTE), and then here: where both are this process,
   "here" might take the very place.  *FD is the descriptor here.  */
static int
map_file (lp_thread *thread, int64_t there, const struct share *share,
	  void **local, uint64_t *remote, int *fd, lp_error *err)
{
  lp_process *proc = thread->proc;
  int64_t at = -1;
  *fd = open_here (proc, there, err);
  if (*fd < 0)
    return -1;
  *local = MAP_FAILED;
  if (ftruncate (*fd, (off_t) share->filed))
    lp_fail (err, LP_ETARGET, "cannot share %zu bytes with process %d: %s",
	     share->here, proc->pid, strerror (errno));
  else if ((at = map_there (thread, there, share, err)) != -1
	   && (*local = mmap (NULL, share->here, PROT_READ | PROT_WRITE,
			      MAP_SHARED, *fd, 0)) == MAP_FAILED)
    lp_fail (err, LP_ETARGET, "cannot share %zu bytes with process %d: %s",
	     share->here, proc->pid, strerror (errno));
  *remote = at;
  if (*local != MAP_FAILED)
    return 0;
  const uint64_t unmap[6] = { at, share->there };
  if (at != -1)
    call (thread, "munmap", __NR_munmap, unmap, NULL);
  close (*fd);
  return -1;
}

/* A core dump would read every page of it, and with that make it.  */
static void
keep_out_of_core (lp_thread *thread, uint64_t at, size_t size)
{
  const uint64_t args[6] = { at, size, MADV_DONTDUMP };
  call (thread, "madvise", __NR_madvise, args, NULL);
}

static int
map_both (lp_process *proc, pid_t tid, const struct share *share, void **local,
	  uint64_t *remote, int *fd, lp_error *err)
{
  lp_thread *thread = lp_thread_find (proc->target, tid);
  int here = -1;
  if (!thread)
    return lp_fail (err, LP_ETARGET, "thread %d is gone", tid);
  int64_t there = remote_memfd (thread, err);
  if (there < 0)
    return -1;
  int bad = map_file (thread, there, share, local, remote, &here, err);
  const uint64_t close_args[6] = { there };
  if (call (thread, "close", __NR_close, close_args, bad ? NULL : err) < 0 && !bad)
    {
      munmap (*local, share->here);
      close (here);
      bad = -1;
    }
  if (bad)
    return -1;
  keep_out_of_core (thread, *remote, share->there);
  if (fd)
    *fd = here;
  else
    close (here);
  return 0;
}

int
lp_map_shared (lp_process *proc, pid_t tid, size_t size, uint64_t hint,
	       int prot, void **local, uint64_t *remote, int *fd,
	       lp_error *err)
{
  struct share share = { size, size, size, hint, prot };
  return map_both (proc, tid, &share, local, remote, fd, err);
}

int
lp_map_growing (lp_process *proc, pid_t tid, size_t size, size_t first,
		void **local, uint64_t *remote, int *fd, lp_error *err)
{
  struct share share = { 0, size, first, 0, PROT_READ | PROT_WRITE };
  uint64_t before;
  do
    {
      before = share.hint;
      if (lp_find_wide_gap (proc, size, &share.hint, err))
	return -1;
      if (map_both (proc, tid, &share, local, remote, fd, err) == 0)
	return 0;
    }
  while (share.hint != before);	/* another thread mapped something there meanwhile */
  return -1;
}

int
lp_map_page (lp_process *proc, pid_t tid, uint64_t addr, const void *bytes,
	     lp_error *err)
{
  enum { PAGE = 4096 };
  const uint64_t flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  const uint64_t args[6] = { addr, PAGE, PROT_READ | PROT_EXEC, flags, -1 };
  lp_thread *thread = lp_thread_find (proc->target, tid);
  if (!thread)
    return lp_fail (err, LP_ETARGET, "there is no thread %d", tid);
  int64_t at = call (thread, "mmap", __NR_mmap, args, err);
  if (at == -1)
    return -1;
  if ((uint64_t) at == addr && lp_process_write (proc, addr, bytes, PAGE, err) == 0)
    return 0;
  const uint64_t unmap[6] = { at, PAGE };
  call (thread, "munmap", __NR_munmap, unmap, NULL);
  return (uint64_t) at == addr ? -1
	 : lp_fail (err, LP_ETARGET, "process %d: 0x%" PRIx64 " is in use",
		    proc->pid, addr);
}

size_t
lp_mapping_size (lp_process *proc, uint64_t remote)
{
  size_t n, size = 0;
  char *maps = lp_procfs_read (proc, "maps", &n), *next = maps;
  lp_mapping m;
  while (maps && !size && lp_maps_next (&next, &m))
    if (m.lo == remote)
      size = m.hi - m.lo;
  free (maps);
  return size;
}

int
lp_grow_mapping (lp_process *proc, pid_t tid, uint64_t remote, size_t size,
		 lp_error *err)
{
  lp_thread *thread = lp_thread_find (proc->target, tid);
  if (!thread)
    return lp_fail (err, LP_ETARGET, "there is no thread %d", tid);
  size_t old = lp_mapping_size (proc, remote);
  const uint64_t args[6] = { remote, old, size };
  if (old && old < size
      && call (thread, "mremap", __NR_mremap, args, err) == -1)
    return -1;
  return old ? 0 : lp_fail (err, LP_ETARGET, "process %d: 0x%" PRIx64
			    " is not mapped", proc->pid, remote);
}

int
lp_unmap_shared (lp_process *proc, pid_t tid, void *local, uint64_t remote,
		 size_t size, lp_error *err)
{
  const uint64_t args[6] = { remote, size };
  lp_thread *thread = lp_thread_find (proc->target, tid);
  if (!thread)
    return lp_fail (err, LP_ETARGET, "there is no thread %d", tid);
  if (call (thread, "munmap", __NR_munmap, args, err) == -1)
    return -1;
  return local ? munmap (local, size) : 0;
}

int
lp_protect (lp_process *proc, pid_t tid, uint64_t addr, uint64_t size,
	    int prot, lp_error *err)
{
  const uint64_t args[6] = { addr, size, prot };
  lp_thread *thread = lp_thread_find (proc->target, tid);
  if (!thread)
    return lp_fail (err, LP_ETARGET, "there is no thread %d", tid);
  return call (thread, "mprotect", __NR_mprotect, args, err) == -1 ? -1 : 0;
}
