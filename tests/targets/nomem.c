/* nomem.c: a session of every public function of <lineprof.h>, in which the Nth
   allocation fails, N = 1, 2, 3 ... until there are no more.

   Whatever function it is in fails with LP_ENOMEM, or does without; it does what it is
   for when it is called again, and in the end the process has what it had: code,
   mappings, descriptors, memory.  Prints TAP, and a line `# FUNCTION CODE' for what each
   function failed with.

   Arguments: `one', where only the Nth fails, or `all', those behind it, too, as long as
   the function runs; a folder to write to; `alone', or `crowd' for another thread; the
   first N, the last (0: no end), and how far apart they are.

   What other libraries do not look after never fails: capstone's opening; the loader's words for
   a thread of a library that came later; libdw's tables
   of abbreviations, of which none is as long as what else it allocates, and its
   tsearch, after which it loses a unit; with `one' jansson's text, which is the shorter
   for it.  */

#define _GNU_SOURCE

#include <lineprof.h>

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "entries.h"

/* The allocator.  */

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *p, size_t size);
void *__libc_memalign (size_t align, size_t size);
void __libc_free (void *p);

static bool armed, all, failed;	/* ARMED: those of the armed thread are counted */
static long left;		/* the one that fails comes after so many */
static long live;		/* blocks */
static __thread bool mine __attribute__ ((tls_model ("initial-exec")));

/* Who does not look.  */
enum { CAPSTONE, LOADER, DW, JANSSON, LIBRARIES };
static struct
{
  const char *name;
  uintptr_t lo, hi;		/* its code */
} library[LIBRARIES] = { { "libcapstone", 0, 0 }, { "ld-linux", 0, 0 },
			 { "libdw", 0, 0 }, { "libjansson", 0, 0 } };

static int
library_of (const void *caller)
{
  int i = 0;
  while (i < LIBRARIES && ((uintptr_t) caller < library[i].lo
			   || (uintptr_t) caller >= library[i].hi))
    i++;
  return i;
}

static bool
is_spared (const void *caller, size_t size)
{
  int i = library_of (caller);
  if ((uintptr_t) caller - (uintptr_t) tsearch < 1024)
    return true;
  return i == CAPSTONE || i == LOADER || (i == DW && size < 4000) || (i == JANSSON && !all);
}

static bool
refuses (const void *caller, size_t size)
{
  if (!armed || !mine || is_spared (caller, size))
    return false;
  if (left-- > 0)
    return false;
  if (left < -1 && !all)
    return false;
  failed = true;
  errno = ENOMEM;
  return true;
}

/* What the loader makes for a thread stays with it.  */
static void *
counted (void *p, const void *caller)
{
  if (p && library_of (caller) != LOADER)
    __atomic_fetch_add (&live, 1, __ATOMIC_RELAXED);
  return p;
}

void *
malloc (size_t size)
{
  return refuses (__builtin_return_address (0), size) ? NULL
	 : counted (__libc_malloc (size), __builtin_return_address (0));
}

void *
calloc (size_t n, size_t size)
{
  return refuses (__builtin_return_address (0), n * size) ? NULL
	 : counted (__libc_calloc (n, size), __builtin_return_address (0));
}

void *
realloc (void *p, size_t size)
{
  if (refuses (__builtin_return_address (0), size))
    return NULL;
  void *to = __libc_realloc (p, size);
  return p ? to : counted (to, __builtin_return_address (0));
}

void *
aligned_alloc (size_t align, size_t size)
{
  return refuses (__builtin_return_address (0), size) ? NULL
	 : counted (__libc_memalign (align, size), __builtin_return_address (0));
}

int
posix_memalign (void **p, size_t align, size_t size)
{
  *p = aligned_alloc (align, size);
  return *p ? 0 : ENOMEM;
}

void
free (void *p)
{
  if (p)
    __atomic_fetch_sub (&live, 1, __ATOMIC_RELAXED);
  __libc_free (p);
}

void *
mmap (void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
  return refuses (__builtin_return_address (0), size) ? MAP_FAILED
	 : (void *) syscall (SYS_mmap, at, size, prot, flags, fd, offset);
}

void *
mmap64 (void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
  return mmap (at, size, prot, flags, fd, offset);
}

static int
find_library (struct dl_phdr_info *info, size_t size, void *arg)
{
  (void) size, (void) arg;
  for (int k = 0; k < LIBRARIES; k++)
    for (int i = 0; i < info->dlpi_phnum; i++)
      if (strstr (info->dlpi_name, library[k].name)
	  && info->dlpi_phdr[i].p_type == PT_LOAD
	  && info->dlpi_phdr[i].p_flags & PF_X)
	{
	  library[k].lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	  library[k].hi = library[k].lo + info->dlpi_phdr[i].p_memsz;
	}
  return 0;
}

/* What is profiled.  */

static volatile int sink;

__attribute__ ((noinline)) static int
third (int n)
{
  return n * 3 + 1;
}

__attribute__ ((noinline)) static int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += third (i);
  return sum;
}

static void
call_work (void *arg)
{
  LP_RANGE ("range")
    sink = work (*(int *) arg);
}

/* The session.  */

static struct
{
  lp_profiler *p;
  lp_profile *profile, *loaded;
  const lp_function_count *functions;
  const lp_range_count *ranges;
  size_t nfunctions, nranges;
  char path[4096];
  FILE *out;
} s;

static int
do_new (lp_error *err)
{
  return (s.p = lp_profiler_new (err)) ? 0 : -1;
}

static int
do_add (lp_error *err)
{
  return lp_profiler_add (s.p, "work", err);
}

static int
do_add_function (lp_error *err)
{
  return lp_profiler_add_function (s.p, (void (*) (void)) third, err);
}

static int
do_enable (lp_error *err)
{
  return lp_enable (s.p, err);
}

static int
do_run (lp_error *err)
{
  int n = 10;
  return lp_run (s.p, call_work, &n, err);
}

static int
do_disable (lp_error *err)
{
  return lp_disable (s.p, err);
}

static int
do_reset (lp_error *err)
{
  return lp_reset (s.p, err);
}

static int
do_snapshot (lp_error *err)
{
  return (s.profile = lp_snapshot (s.p, err)) ? 0 : -1;
}

/* As often as it takes to need more memory than there is in store.  */
static int
do_functions (lp_error *err)
{
  int bad = 0;
  for (int i = 0; i < 200 && !bad; i++)
    bad = lp_profile_functions (s.profile, &s.functions, &s.nfunctions, err);
  return bad;
}

static int
do_ranges (lp_error *err)
{
  return lp_profile_ranges (s.profile, &s.ranges, &s.nranges, err);
}

static int
do_print (lp_error *err)
{
  rewind (s.out);
  return lp_profile_print (s.profile, s.out, err);
}

static int
do_save (lp_error *err)
{
  return lp_profile_save (s.profile, s.path, err);
}

static int
do_load (lp_error *err)
{
  return (s.loaded = lp_profile_load (s.path, err)) ? 0 : -1;
}

static int
do_merge (lp_error *err)
{
  return lp_profile_merge (s.profile, s.loaded, err);
}

static int
do_free (lp_error *err)
{
  return lp_profiler_free (s.p, err);
}

static const struct
{
  int (*run) (lp_error *err);
  const char *name;
} steps[] = {
  { do_new, "lp_profiler_new" },
  { do_add, "lp_profiler_add" },
  { do_add_function, "lp_profiler_add_function" },
  { do_enable, "lp_enable" },
  { do_reset, "lp_reset" },
  { do_disable, "lp_disable" },
  { do_run, "lp_run" },
  { do_snapshot, "lp_snapshot" },
  { do_print, "lp_profile_print" },
  { do_save, "lp_profile_save" },
  { do_load, "lp_profile_load" },
  { do_merge, "lp_profile_merge" },
  { do_functions, "lp_profile_functions" },
  { do_ranges, "lp_profile_ranges" },
  { do_free, "lp_profiler_free" },
};

enum { STEPS = sizeof steps / sizeof *steps };

/* What the process has.  */
struct holdings
{
  int maps, fds;
  long blocks;
};

static struct holdings
holdings (void)
{
  return (struct holdings) { count_entries ("/proc/self/map_files"),
			     count_entries ("/proc/self/fd"), live };
}

static int count, failures, codes[STEPS][32];

static void
complain (long n, const char *what, const char *detail)
{
  printf ("not ok %d - allocation %ld: %s: %s\n", ++count, n, what, detail);
  failures++;
}

/* Step I with what is left; whether an allocation failed.  It succeeds the first time, or
   the second.  */
static bool
take_step (int i, long n)
{
  lp_error err = { 0 };
  failed = false;
  mine = armed = true;
  int bad = steps[i].run (&err);
  mine = armed = false;
  if (bad && (err.code != LP_ENOMEM || !err.text[0]))
    complain (n, steps[i].name, err.text);
  if (bad && !failed)
    complain (n, steps[i].name, "it failed though nothing did");
  if (bad)
    codes[i][err.code & 31] = 1;
  if (bad && steps[i].run (&err))
    complain (n, steps[i].name, err.text);
  return failed;
}

/* Are the numbers twice those of ten rounds?  */
static bool
is_right (void)
{
  long calls = 0, thirds = 0;
  for (size_t i = 0; i < s.nfunctions; i++)
    if (strcmp (s.functions[i].name, "work") == 0)
      calls = s.functions[i].calls;
    else if (strcmp (s.functions[i].name, "third") == 0)
      thirds = s.functions[i].calls;
  return s.nfunctions == 2 && calls == 2 && thirds == 20 && s.nranges == 1
	 && s.ranges[0].count == 2;
}

/* A session whose allocation N fails; false: there are not so many.  */
static bool
session (long n)
{
  bool any = false;
  left = n - 1;
  for (int i = 0; i < STEPS; i++)
    {
      if (take_step (i, n))
	{
	  any = true;
	  left = 1L << 60;
	}
      if (steps[i].run == do_ranges && !is_right ())
	complain (n, "the numbers", "they are wrong");
    }
  lp_profile_free (s.profile);
  lp_profile_free (s.loaded);
  return any;
}

static void
check_left (long n, const struct holdings *was, const unsigned char *code)
{
  char text[128];
  struct holdings is = holdings ();
  if (memcmp (code, (void *) work, 32) || memcmp (code + 32, (void *) third, 8))
    complain (n, "the code", "it is not as before");
  if (is.maps == was->maps && is.fds == was->fds && is.blocks == was->blocks)
    return;
  snprintf (text, sizeof text, "%d mappings, %d descriptors, %ld blocks more",
	    is.maps - was->maps, is.fds - was->fds, is.blocks - was->blocks);
  complain (n, "what is left", text);
}

static void *
spin (void *arg)
{
  while (!__atomic_load_n ((int *) arg, __ATOMIC_RELAXED))
    usleep (100);
  return NULL;
}

int
main (int argc, char **argv)
{
  static char buffer[1 << 16];
  unsigned char code[40];
  pthread_t thread;
  int stop = 0;
  if (argc < 7)
    return 2;
  lp_profile_free (lp_profile_load ("/dev/null", NULL));
  dl_iterate_phdr (find_library, NULL);
  all = strcmp (argv[1], "all") == 0;
  bool crowd = strcmp (argv[3], "crowd") == 0;
  long n = atol (argv[4]), last = atol (argv[5]), step = atol (argv[6]);
  setvbuf (stdout, buffer, _IOLBF, sizeof buffer);
  snprintf (s.path, sizeof s.path, "%s/nomem.lprof", argv[2]);
  s.out = fopen ("/dev/null", "w");
  memcpy (code, (void *) work, 32);
  memcpy (code + 32, (void *) third, 8);
  if (crowd)
    pthread_create (&thread, NULL, spin, &stop);
  for (int i = 0; i < 3; i++)
    session (1L << 60);
  struct holdings was = holdings ();
  for (; (last == 0 || n <= last) && session (n); n += step)
    {
      check_left (n, &was, code);
      was.blocks = live;
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  if (crowd)
    pthread_join (thread, NULL);
  for (int i = 0; i < STEPS; i++)
    if (codes[i][LP_ENOMEM])
      printf ("# %s LP_ENOMEM\n", steps[i].name);
  printf ("%sok %d - up to allocation %ld\n", failures ? "not " : "", ++count, n);
  printf ("1..%d\n", count);
  return failures > 0;
}
