/* streams.c: what a program sees of the world: its arguments, environment,
   folder, standard streams, and open descriptors.  */

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static void
show_arguments (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    printf ("argument %d: <%s>\n", i, argv[i]);
}

static void
show_environment (void)
{
  for (char **e = environ; *e; e++)
    if (strncmp (*e, "_=", 2))
      printf ("environment: <%s>\n", *e);
}

static void
show_file (const char *path)
{
  FILE *f = fopen (path, "r");
  int c;
  while (f && (c = getc (f)) != EOF)
    putchar (c ? c : '\n');
  if (f)
    fclose (f);
}

static void
show_descriptors (void)
{
  for (int fd = 0; fd < 64; fd++)
    {
      char link[64], target[4096];
      snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
      ssize_t n = readlink (link, target, sizeof target - 1);
      if (n >= 0)
	printf ("descriptor %d is open\n", fd);
    }
}

static void
show_signals (void)
{
  sigset_t blocked;
  sigprocmask (SIG_BLOCK, NULL, &blocked);
  for (int s = 1; s < 32; s++)
    {
      struct sigaction action;
      sigaction (s, NULL, &action);
      printf ("signal %d: %s%s\n", s,
	      action.sa_handler == SIG_IGN ? "ignored" : "default",
	      sigismember (&blocked, s) ? ", blocked" : "");
    }
}

static void
copy_input (void)
{
  char line[256];
  while (fgets (line, sizeof line, stdin))
    printf ("input: %s", line);
}

int
main (int argc, char **argv)
{
  char *folder = getcwd (NULL, 0);
  printf ("folder: %s\n", folder);
  free (folder);
  printf ("name: %s\n", argv[0]);
  show_arguments (argc, argv);
  show_environment ();
  show_file ("/proc/self/environ");
  show_file ("/proc/self/cmdline");
  show_descriptors ();
  show_signals ();
  fprintf (stderr, "to stderr\n");
  copy_input ();
  return 0;
}
