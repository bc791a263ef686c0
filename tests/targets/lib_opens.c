/* lib_opens.c: loads and unloads shared objects.  Each word of the command line is
   done in its turn:

   open LIB ROUNDS	load, call work (5), and doubled (1) where it is, unload
   rename FROM TO	as mv
   elsewhere LIB	the same twice, and the second time at another address
   twice LIB		load it into two namespaces at once
   threads LIB LIB ROUNDS
			eight threads load, call and unload either, ROUNDS times
   fork LIB		parent and child load it when they are apart
   wait LIB		load it, call it until the file `stop' exists, all the time
			loading and unloading the next word's, too  */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <err.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int work_fn (int);

static void *
load (const char *path)
{
  void *lib = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    errx (9, "%s", dlerror ());
  return lib;
}

static int
call (void *lib)
{
  work_fn *work = (work_fn *) dlsym (lib, "work");
  if (!work)
    errx (9, "%s", dlerror ());
  work_fn *doubled = (work_fn *) dlsym (lib, "doubled");
  return work (5) + (doubled ? doubled (1) : 0);
}

static int
once (const char *path)
{
  void *lib = load (path);
  int sum = call (lib);
  dlclose (lib);
  return sum;
}

static int
rounds (const char *path, int n)
{
  int sum = 0;
  while (n-- > 0)
    sum += once (path);
  return sum;
}

/* Something else takes the place where it was.  */
static int
elsewhere (const char *path)
{
  void *lib = load (path);
  struct link_map *map;
  dlinfo (lib, RTLD_DI_LINKMAP, &map);
  uint64_t was = map->l_addr;
  int sum = call (lib);
  dlclose (lib);
  mmap ((void *) was, 4096, PROT_NONE,
	MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  lib = load (path);
  dlinfo (lib, RTLD_DI_LINKMAP, &map);
  puts (map->l_addr != was ? "elsewhere" : "at the same place");
  sum += call (lib);
  dlclose (lib);
  return sum;
}

static int
two_namespaces (const char *path)
{
#ifdef LM_ID_NEWLM
  void *other = dlmopen (LM_ID_NEWLM, path, RTLD_NOW), *lib = load (path);
  if (!other)
    errx (9, "%s", dlerror ());
  int sum = call (lib) + 100 * call (other);
  dlclose (other);
  dlclose (lib);
  return sum;
#else
  return once (path) * 101;
#endif
}

static const char *libs[2];
static int nrounds;

static void *
thread (void *arg)
{
  long i = (long) arg, sum = 0;
  for (int n = 0; n < nrounds; n++)
    sum += once (libs[(i + n) % 2]);
  return (void *) sum;
}

static int
threads (char **args)
{
  pthread_t ids[8];
  long sum = 0;
  libs[0] = args[0];
  libs[1] = args[1];
  nrounds = atoi (args[2]);
  for (long i = 0; i < 8; i++)
    pthread_create (&ids[i], NULL, thread, (void *) i);
  for (int i = 0; i < 8; i++)
    {
      void *result;
      pthread_join (ids[i], &result);
      sum += (long) result;
    }
  return (int) sum;
}

static int
forks (const char *path)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      /* Not where the parent will have it.  */
      mmap (NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      exit (rounds (path, 3) & 0x7f);
    }
  int sum = once (path), status;
  waitpid (pid, &status, 0);
  return sum + WEXITSTATUS (status);
}

static int
waits (const char *path, const char *other)
{
  void *lib = load (path);
  long n = 0;
  int sum = 0;
  puts ("ready");
  fflush (stdout);
  while (access ("stop", F_OK))
    {
      sum = call (lib);
      if (++n % 16 == 0)
	sum = once (other);
    }
  dlclose (lib);
  return sum;
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      const char *word = argv[i];
      int sum = 0;
      if (strcmp (word, "open") == 0)
	sum = rounds (argv[i + 1], atoi (argv[i + 2])), i += 2;
      else if (strcmp (word, "rename") == 0)
	sum = rename (argv[i + 1], argv[i + 2]), i += 2;
      else if (strcmp (word, "elsewhere") == 0)
	sum = elsewhere (argv[++i]);
      else if (strcmp (word, "twice") == 0)
	sum = two_namespaces (argv[++i]);
      else if (strcmp (word, "threads") == 0)
	sum = threads (argv + i + 1), i += 3;
      else if (strcmp (word, "fork") == 0)
	sum = forks (argv[++i]);
      else if (strcmp (word, "wait") == 0)
	sum = waits (argv[i + 1], argv[i + 2]), i += 2;
      printf ("%s: %d\n", word, sum);
      fflush (stdout);
    }
  return 0;
}
