/* t_confine.c: processes with fewer rights, another root, no descriptors;
   argv[1] names a case, argv[2] a program to exec afterwards.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* memfd_create and mmap's likes are the death of this process.  */
static void
forbid_memfd (void)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog filter = { sizeof code / sizeof *code, code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
    perror ("seccomp");
}

static void
load_library (void)
{
  for (int i = 0; i < 3; i++)
    {
      void *lib = dlopen ("libm.so.6", RTLD_NOW);
      double (*cosine) (double) = (double (*) (double)) dlsym (lib, "cos");
      printf ("cos 0 = %g\n", cosine (0));
      dlclose (lib);
    }
}

/* Libraries and children of a process that may not be looked into.  */
static void
undumpable (void)
{
  int status;
  prctl (PR_SET_DUMPABLE, 0);
  load_library ();
  fflush (stdout);
  if (fork () == 0)
    {
      load_library ();
      fflush (stdout);
      _exit (prctl (PR_GET_DUMPABLE));
    }
  wait (&status);
  printf ("status %x\n", status);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp (what, "seccomp"))
    forbid_memfd ();
  else if (!strcmp (what, "strict"))
    {
      prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
      if (write (1, "strict\n", 7) == 7)
	syscall (SYS_exit, 5);
    }
  else if (!strcmp (what, "chroot"))
    printf ("chroot %d\n", chroot (argv[2]) || chdir ("/"));
  else if (!strcmp (what, "user"))
    printf ("setuid %d\n", setgid (65534) || setuid (65534));
  else if (!strcmp (what, "close"))
    for (int fd = 3; fd < 1024; fd++)
      close (fd);
  else if (!strcmp (what, "dlopen"))
    load_library ();
  else if (!strcmp (what, "undumpable"))
    undumpable ();
  fflush (stdout);
  char **rest = argv + (strcmp (what, "chroot") ? 2 : 3);
  if (argc > rest - argv)
    {
      execv (rest[0], rest);
      perror (rest[0]);
      return 1;
    }
  puts (what);
  return 0;
}
