/* t_env.c: all that a program can see of its environment and of the words
   around it, once in a constructor and once in main.  */

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* What stands behind envp's end must be the auxiliary vector, as in crt code
   that looks for it there.  */
static void
walk (const char *when, int argc, char **argv)
{
  char **p = argv + argc + 1;
  unsigned known = 0;
  if ((void *) p != (void *) environ)
    printf ("%s: environ is elsewhere\n", when);
  for (; *p; p++)
    printf ("%s: %s\n", when, *p);
  for (uint64_t *a = (uint64_t *) (p + 1); a[0] != AT_NULL; a += 2)
    known += a[0] == AT_PAGESZ || a[0] == AT_ENTRY || a[0] == AT_RANDOM;
  printf ("%s: %u of the auxiliary vector, %d arguments, LD_PRELOAD %s\n", when,
	  known, argc, getenv ("LD_PRELOAD") ? getenv ("LD_PRELOAD") : "unset");
}

static void
dump (const char *path)
{
  char buf[65536];
  ssize_t n;
  int fd = open (path, O_RDONLY);
  fflush (stdout);
  while ((n = read (fd, buf, sizeof buf)) > 0)
    if (write (1, buf, n) != n)
      abort ();
  close (fd);
}

#ifdef __GLIBC__
__attribute__ ((constructor)) static void
early (int argc, char **argv)
{
  walk ("constructor", argc, argv);
}
#endif

static void
signals (void)
{
  sigset_t mask;
  struct sigaction action;
  sigprocmask (SIG_BLOCK, NULL, &mask);
  for (int s = 1; s < 64; s++)
    if (sigismember (&mask, s) == 1)
      printf ("blocked %d\n", s);
  for (int s = 1; s < 32; s++)
    if (sigaction (s, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
      printf ("ignored %d\n", s);
}

int
main (int argc, char **argv)
{
  char *end = strchr (argv[0], '\0');
  walk ("main", argc, argv);
  dump ("/proc/self/environ");
  dump ("/proc/self/cmdline");
  signals ();
  printf ("\n%d stack aligned, strings %s\n",
	  (uintptr_t) __builtin_frame_address (0) % 16 == 0,
	  argc < 2 || argv[1] == end + 1 ? "in a row" : "scattered");
  for (int fd = 3; fd < 1024; fd++)
    if (fcntl (fd, F_GETFD) >= 0)
      printf ("descriptor %d is open\n", fd);
  return 0;
}
