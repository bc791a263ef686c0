/* share.c: memory that is made here and filled, before a process that gets it is
   touched.

   The process opens it under this one's name in /proc, so both must know that by
   the same number: they are in one pid namespace, and see one tree of files.  That
   what was opened is the memory is checked all the same.  */

#include "target/internal.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
# define MAP_FIXED_NOREPLACE 0x100000
#endif

int
lp_share_make (size_t size, void **local, lp_error *err)
{
  int fd = memfd_create ("lineprof", MFD_CLOEXEC);
  *local = MAP_FAILED;
  if (fd >= 0 && ftruncate (fd, (off_t) size) == 0)
    *local = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (*local != MAP_FAILED)
    return fd;
  lp_fail (err, LP_EIO, "cannot make %zu bytes to share: %s", size,
	   strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

static bool
same_file (const char *path, const char *other)
{
  struct stat a, b;
  return stat (path, &a) == 0 && stat (other, &b) == 0 && a.st_dev == b.st_dev
	 && a.st_ino == b.st_ino;
}

/* Does PROC see what this process sees under its names?  */
static bool
same_place (const lp_process *proc)
{
  char pids[64], mounts[64], root[64];
  snprintf (pids, sizeof pids, "/proc/%d/ns/pid", proc->pid);
  snprintf (mounts, sizeof mounts, "/proc/%d/ns/mnt", proc->pid);
  snprintf (root, sizeof root, "/proc/%d/root", proc->pid);
  return same_file (pids, "/proc/self/ns/pid")
	 && same_file (mounts, "/proc/self/ns/mnt")
	 && same_file (root, "/proc/self/root");
}

/* A system call in THREAD; its result, or -1.  */
static int64_t
call (lp_thread *thread, long nr, const uint64_t args[6])
{
  int64_t result;
  if (lp_remote_syscall (thread->proc, thread->tid, nr, args, &result, NULL)
      || (result < 0 && result >= -4095))
    return -1;
  return result;
}

/* Map what is open there as REMOTE, if that is HERE.  */
static int64_t
map_open (lp_thread *thread, int64_t remote, int here, size_t size,
	  uint64_t hint, int prot)
{
  char there[64], ours[64];
  snprintf (there, sizeof there, "/proc/%d/fd/%" PRId64, thread->proc->pid,
	    remote);
  snprintf (ours, sizeof ours, "/proc/self/fd/%d", here);
  const uint64_t args[6] = { hint, size, prot, MAP_SHARED | MAP_FIXED_NOREPLACE,
			     remote, 0 };
  int64_t at = same_file (there, ours) ? call (thread, __NR_mmap, args) : -1;
  const uint64_t unmap[6] = { at, size };
  if (at == -1 || (uint64_t) at == hint)
    return at;
  call (thread, __NR_munmap, unmap);	/* before Linux 4.17 it may be elsewhere */
  return -1;
}

int
lp_share_map (lp_process *proc, pid_t tid, int fd, size_t size, uint64_t hint,
	      int prot)
{
  char path[64];
  int64_t remote;
  uint64_t args[6] = { 0, O_RDONLY | O_CLOEXEC };
  lp_thread *thread = lp_thread_find (proc->target, tid);
  snprintf (path, sizeof path, "/proc/%d/fd/%d", (int) getpid (), fd);
  if (!thread || !same_place (proc)
      || lp_remote_with_string (thread, __NR_open, args, 0, path, &remote, NULL)
      || remote < 0)
    return -1;
  int64_t at = map_open (thread, remote, fd, size, hint, prot);
  const uint64_t close_args[6] = { remote }, advice[6] = { hint, size,
							    MADV_DONTDUMP };
  call (thread, __NR_close, close_args);
  if (at != -1)
    call (thread, __NR_madvise, advice);
  return at == -1 ? -1 : 0;
}
