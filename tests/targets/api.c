/* api.c: every public function of <lineprof.h> for a process that profiles itself:
   its success, and each error that it documents (tests/own-api.tap has those of programs
   that are built in another way, nomem.c a lack of memory).  Prints TAP.  The argument is a folder to write to;
   with `short' behind it only what counts is done, with a number nothing but so many
   profilers in turn.  */

#include <lineprof.h>

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entries.h"

static int count, failures;

static void
ok (int good, const char *name, const lp_error *err)
{
  printf ("%sok %d - %s\n", good ? "" : "not ", ++count, name);
  if (!good && err && err->code)
    printf ("#   %d: %s\n", err->code, err->text);
  failures += !good;
}

static void
fails (int bad, int code, const lp_error *err, const char *name)
{
  ok (bad && err->code == code && err->text[0], name, err);
}

__attribute__ ((noinline)) int
work (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i & n;
  __asm__ volatile ("");	/* each call is made */
  return sum;
}

PROFILE_FN
__attribute__ ((noinline)) static int
marked (int n)
{
  return work (n) + 1;
}

static volatile int sink;

static const lp_function_count *
find (lp_profile *profile, const char *name)
{
  const lp_function_count *functions;
  size_t n;
  if (!profile || lp_profile_functions (profile, &functions, &n, NULL))
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (strcmp (functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

/* How often NAME was called, as P counted; -1: it is not in the profile.  */
static long
calls (const lp_profiler *p, const char *name)
{
  lp_profile *profile = lp_snapshot (p, NULL);
  const lp_function_count *f = find (profile, name);
  long n = f ? (long) f->calls : -1;
  lp_profile_free (profile);
  return n;
}

static lp_profiler *
profiler_of (const char *pattern)
{
  lp_error err = { 0 };
  lp_profiler *p = lp_profiler_new (&err);
  ok (p != NULL, "a profiler", &err);
  if (p && pattern)
    ok (lp_profiler_add (p, pattern, &err) == 0, pattern, &err);
  return p;
}

static void
never_called (void *arg)
{
  *(int *) arg = 1;
}

static void
check_choices (void)
{
  lp_error err = { 0 };
  int called = 0;
  lp_profiler *p = profiler_of ("work");
  ok (!lp_profiler_new (&err) && err.code == LP_EUSAGE, "there is one", &err);
  fails (lp_profiler_add (p, "", &err), LP_EUSAGE, &err, "an empty pattern");
  fails (lp_disable (p, &err), LP_EUSAGE, &err, "not enabled");
  fails (lp_snapshot (p, &err) == NULL, LP_EUSAGE, &err, "nothing to see yet");
  fails (lp_reset (p, &err), LP_EUSAGE, &err, "nothing to forget yet");
  ok (lp_profiler_free (p, &err) == 0, "freed unused", &err);
  p = profiler_of ("wrok");
  fails (lp_enable (p, &err), LP_ENOMATCH, &err, "no such function");
  ok (strstr (err.text, "work") != NULL, "the nearest name is told", &err);
  fails (lp_run (p, never_called, &called, &err), LP_ENOMATCH, &err, "nor to run it");
  ok (!called, "what was to run did not", NULL);
  ok (lp_profiler_free (p, &err) == 0, "freed after that", &err);
  p = profiler_of (NULL);
  fails (lp_profiler_add_function (p, NULL, &err), LP_EUSAGE, &err, "NULL");
  ok (lp_profiler_add_function (p, (void (*) (void)) work, &err) == 0,
      "by its address", &err);
  ok (lp_enable (p, &err) == 0, "enabled", &err);
  sink = work (3);
  ok (lp_disable (p, &err) == 0, "disabled", &err);
  ok (calls (p, "work") == 1 && calls (p, "marked") == -1, "it alone", NULL);
  fails (lp_profiler_add (p, "main", &err), LP_EUSAGE, &err, "too late");
  ok (lp_profiler_free (p, &err) == 0, "freed", &err);
  p = profiler_of (NULL);
  ok (lp_enable (p, &err) == 0, "what is marked", &err);
  sink = marked (3);
  lp_disable (p, NULL);
  ok (calls (p, "marked") == 1 && calls (p, "work") == -1, "just that", NULL);
  ok (lp_profiler_free (p, &err) == 0 && lp_profiler_free (NULL, &err) == 0,
      "freed, and so is nothing", &err);
}

static const lp_range_count *
find_range (lp_profile *profile, const char *name)
{
  const lp_range_count *ranges;
  size_t n;
  if (!profile || lp_profile_ranges (profile, &ranges, &n, NULL))
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (strcmp (ranges[i].name, name) == 0)
      return &ranges[i];
  return NULL;
}

/* How often the range NAME was begun, and OPEN of these did not end.  */
static int
range_is (const lp_profiler *p, const char *name, int64_t count, int64_t open)
{
  lp_profile *profile = lp_snapshot (p, NULL);
  const lp_range_count *r = find_range (profile, name);
  int good = r ? r->count == count && r->open == open && r->own <= r->total
		 && (count > open) == (r->min >= 0) && r->max >= r->min
	     : count == 0;
  lp_profile_free (profile);
  return good;
}

static void
check_ranges (void)
{
  lp_error err = { 0 };
  lp_profiler *p = profiler_of ("work");
  lp_range_pop ();
  LP_RANGE ("before")
    lp_enable (p, &err);
  ok (range_is (p, "before", 0, 0), "begun before recording: not counted", &err);
  for (int i = 0; i < 3; i++)
    LP_RANGE ("range")
      sink = work (1);
  lp_range_push ("pushed");
  ok (range_is (p, "range", 3, 0) && range_is (p, "pushed", 1, 1),
      "ranges of the thread that is on", NULL);
  uint64_t mark = lp_range_enter ("outer");
  ok (mark != 0 && lp_ranges_on, "a mark", NULL);
  lp_range_push ("in it");
  lp_range_leave (mark);
  ok (range_is (p, "outer", 1, 0) && range_is (p, "in it", 1, 0),
      "a mark ends all that is in it", NULL);
  LP_RANGE ("open")
    {
      lp_disable (p, NULL);
      LP_RANGE ("off")
	sink = work (1);
    }
  ok (range_is (p, "open", 1, 1) && range_is (p, "off", 0, 0)
	&& range_is (p, "pushed", 1, 1), "what is open ends with recording", NULL);
  lp_enable (p, NULL);
  lp_range_leave (mark);
  lp_range_pop ();
  LP_RANGE ("reset")
    lp_reset (p, NULL);
  ok (range_is (p, "range", 0, 0) && range_is (p, "reset", 0, 0),
      "reset forgets them", NULL);
  LP_RANGE ("range")
    sink = work (1);
  ok (range_is (p, "range", 1, 0), "and goes on", NULL);
  lp_disable (p, NULL);
  ok (lp_profiler_free (p, &err) == 0 && !lp_ranges_on
	&& lp_range_enter ("range") == 0, "freed: nobody records", &err);
}

static void
call_work (void *arg)
{
  *(int *) arg = work (*(int *) arg);
}

static void
leave_early (lp_profiler *p)
{
  LP_PROFILE (p)
    {
      sink = work (2);
      return;
    }
}

static void
check_counting (void)
{
  lp_error err = { 0 };
  lp_profiler *p = profiler_of ("work");
  int arg = 5;
  ok (lp_enable (p, &err) == 0 && lp_enable (p, &err) == 0, "twice", &err);
  sink = work (1);
  lp_disable (p, &err);
  sink = work (1);
  lp_disable (p, &err);
  sink = work (1);
  ok (calls (p, "work") == 2, "nested calls count", NULL);
  fails (lp_disable (p, &err), LP_EUSAGE, &err, "once too often");
  ok (lp_run (p, call_work, &arg, &err) == 0, "one call", &err);
  sink = work (1);
  ok (calls (p, "work") == 3, "it was counted", NULL);
  LP_PROFILE (p)
    sink = work (1);
  for (int i = 0; i < 5; i++)
    LP_PROFILE (p)
      {
	sink = work (1);
	break;
      }
  leave_early (p);
  sink = work (1);
  ok (calls (p, "work") == 10, "a scope is left in any way", NULL);
  lp_enable (p, NULL);
  ok (lp_reset (p, &err) == 0, "reset", &err);
  sink = work (1);
  lp_disable (p, NULL);
  ok (calls (p, "work") == 1, "it counts from 0", NULL);
  lp_profile *profile = lp_snapshot (p, NULL);
  const lp_function_count *f = find (profile, "work");
  int64_t hits = 0;
  for (size_t i = 0; f && i < f->nlines; i++)
    if (strstr (f->lines[i].file, "api.c"))
      hits += f->lines[i].hits;
  ok (f && f->line && hits >= 3 && f->self <= f->total && !f->reason,
      "numbers of lines", NULL);
  lp_profile_free (profile);
  ok (lp_profiler_free (p, &err) == 0, "freed", &err);
}

/* A thread that is on, and waits to be let go.  */
struct worker
{
  pthread_barrier_t barrier;
  lp_profiler *p;
};

static void *
run_worker (void *arg)
{
  struct worker *w = arg;
  lp_enable (w->p, NULL);
  sink = work (1);
  pthread_barrier_wait (&w->barrier);
  pthread_barrier_wait (&w->barrier);
  lp_disable (w->p, NULL);
  sink = work (1);
  return NULL;
}

static void *
wait_there (void *barrier)
{
  pthread_barrier_wait (barrier);
  return NULL;
}

static void
check_threads (void)
{
  lp_error err = { 0 };
  struct worker w = { .p = profiler_of ("work") };
  pthread_t thread;
  pthread_barrier_init (&w.barrier, NULL, 2);
  ok (lp_enable (w.p, &err) == 0 && lp_disable (w.p, &err) == 0, "patched",
      &err);
  if (failures)
    exit (1);
  pthread_create (&thread, NULL, run_worker, &w);
  pthread_barrier_wait (&w.barrier);
  sink = work (1);
  ok (calls (w.p, "work") == 1, "threads are enabled by themselves", NULL);
  fails (lp_reset (w.p, &err), LP_EUSAGE, &err, "another one is enabled");
  fails (lp_profiler_free (w.p, &err), LP_EUSAGE, &err, "it is in use");
  pthread_barrier_wait (&w.barrier);
  pthread_join (thread, NULL);
  ok (calls (w.p, "work") == 1, "and disabled", NULL);
  ok (lp_profiler_free (w.p, &err) == 0, "freed", &err);
  w.p = profiler_of ("work");
  pthread_create (&thread, NULL, wait_there, &w.barrier);
  ok (lp_enable (w.p, &err) == 0 && lp_disable (w.p, &err) == 0,
      "threads may come first", &err);
  pthread_barrier_wait (&w.barrier);
  pthread_join (thread, NULL);
  ok (lp_profiler_free (w.p, &err) == 0, "freed", &err);
}

static void
check_fork (void)
{
  lp_error err = { 0 };
  int status;
  lp_profiler *p = profiler_of ("work");
  lp_enable (p, &err);
  sink = work (1);
  pid_t child = fork ();
  if (child == 0)
    {
      int good = calls (p, "work") == 1 && lp_reset (p, NULL) == 0;
      sink = work (1);
      sink = work (1);
      _exit (!(good && calls (p, "work") == 2));
    }
  waitpid (child, &status, 0);
  ok (status == 0, "a child counts for itself", NULL);
  lp_disable (p, &err);
  ok (calls (p, "work") == 1, "its parent, too", NULL);
  ok (lp_profiler_free (p, &err) == 0, "freed", &err);
}

static void
check_files (const char *folder)
{
  lp_error err = { 0 };
  char path[4096], text[4096];
  lp_profiler *p = profiler_of ("work");
  LP_PROFILE (p)
    sink = work (1);
  lp_profile *profile = lp_snapshot (p, &err);
  snprintf (path, sizeof path, "%s/api.lprof", folder);
  ok (lp_profile_save (profile, path, &err) == 0, "saved", &err);
  fails (lp_profile_save (profile, "/nowhere/x", &err), LP_EIO, &err,
	 "no such folder");
  lp_profile *loaded = lp_profile_load (path, &err);
  ok (loaded != NULL, "loaded", &err);
  ok (lp_profile_merge (loaded, profile, &err) == 0, "merged", &err);
  const lp_function_count *f = find (loaded, "work");
  ok (f && f->calls == 2, "the sum", NULL);
  lp_profile_free (loaded);
  fails (!lp_profile_load ("/nowhere/x", &err), LP_ENOTFOUND, &err, "no file");
  FILE *out = fopen (path, "w+");
  fails (!lp_profile_load (path, &err), LP_EFORMAT, &err, "an empty file");
  ok (lp_profile_print (profile, out, &err) == 0, "printed", &err);
  rewind (out);
  size_t n = fread (text, 1, sizeof text - 1, out);
  text[n] = '\0';
  ok (strstr (text, "Function: work at line") != NULL, "the table", NULL);
  fclose (out);
  out = fopen ("/dev/full", "w");
  fails (lp_profile_print (profile, out, &err), LP_EIO, &err, "no room");
  fclose (out);
  lp_profile_free (profile);
  lp_profile_free (NULL);
  ok (lp_profiler_free (p, &err) == 0, "freed", &err);
}

/* A profile of calls, as kernprof without -l makes them.  */
static const char of_calls[]
  = "{\"format\":\"lineprof profile\",\"format_version\":1,"
    "\"kind\":\"functions\",\"lineprof\":\"0\",\"host\":null,"
    "\"machine\":null,\"command\":[],\"start\":0,\"duration\":0,"
    "\"exit_status\":0,\"clock\":null,\"ticks_per_ns\":1,\"probe_cost\":0,"
    "\"call_cost\":0,\"time_mode\":\"exact\",\"selected\":false,"
    "\"notes\":[],\"objects\":[],\"sources\":[],\"subjects\":[],"
    "\"parts\":[],\"nodes\":{\"parent\":\"\",\"subject\":\"\","
    "\"part\":\"\",\"calls\":\"\",\"own\":\"\"}}";

static void
check_kinds (const char *folder)
{
  lp_error err = { 0 };
  char path[4096];
  lp_profiler *p = profiler_of ("work");
  LP_PROFILE (p)
    sink = work (1);
  lp_profile *lines = lp_snapshot (p, &err);
  snprintf (path, sizeof path, "%s/calls.prof", folder);
  FILE *out = fopen (path, "w");
  fputs (of_calls, out);
  fclose (out);
  lp_profile *calls = lp_profile_load (path, &err);
  ok (calls != NULL, "a profile of calls", &err);
  fails (lp_profile_merge (lines, calls, &err), LP_EUSAGE, &err, "two kinds");
  fails (!lp_profile_load (folder, &err), LP_EIO, &err, "a folder");
  lp_profile_free (calls);
  lp_profile_free (lines);
  ok (lp_profiler_free (p, &err) == 0, "freed", &err);
}

/* Code that somebody has changed is left alone.  */
static void
check_changed_code (void)
{
  lp_error err = { 0 };
  unsigned char *code = (unsigned char *) (uintptr_t) work;
  void *page = (void *) ((uintptr_t) code & -4096ul);
  lp_profiler *p = profiler_of ("work");
  if (mprotect (page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
    {
      ok (lp_profiler_free (p, &err) == 0, "code cannot be changed here", &err);
      return;
    }
  *code ^= 1;
  fails (lp_enable (p, &err), LP_ETARGET, &err, "the code is another");
  *code ^= 1;
  ok (lp_enable (p, &err) == 0 && lp_disable (p, &err) == 0,
      "it may be tried again", &err);
  ok (lp_profiler_free (p, &err) == 0, "freed", &err);
}

/* What the process has: mappings, descriptors, bytes of the heap.  */
struct holdings
{
  int maps, fds;
  size_t heap;
};

static struct holdings
holdings (void)
{
  return (struct holdings) { count_entries ("/proc/self/map_files"),
			     count_entries ("/proc/self/fd"),
			     mallinfo2 ().uordblks };
}

/* Code is as before, and again and again; nothing grows after the first rounds, what
   malloc itself keeps for each size apart (own-api.tap turns that off).  */
static void
check_repeated (int times)
{
  unsigned char before[16], after[16];
  struct holdings early = { 0 }, late;
  memcpy (before, (const void *) work, sizeof before);
  int good = 1;
  for (int i = 0; i < times && good; i++)
    {
      if (i == 3)
	early = holdings ();
      lp_profiler *p = lp_profiler_new (NULL);
      good = p && lp_profiler_add (p, "work", NULL) == 0;
      LP_PROFILE (p)
	sink = work (1);
      good = good && calls (p, "work") == 1 && lp_profiler_free (p, NULL) == 0;
    }
  late = holdings ();
  ok (good, "many in turn", NULL);
  ok (times < 100 || (late.maps == early.maps && late.fds == early.fds
		      && late.heap == early.heap), "nothing grows", NULL);
  memcpy (after, (const void *) work, sizeof after);
  ok (memcmp (before, after, sizeof after) == 0, "the code is as before", NULL);
}

int
main (int argc, char **argv)
{
  int rounds = argc > 2 ? atoi (argv[2]) : 0;
  if (rounds)
    {
      check_repeated (rounds);
      printf ("1..%d\n", count);
      return failures > 0;
    }
  ok (lp_version () != NULL, "a version", NULL);
  check_counting ();
  check_ranges ();
  check_files (argv[1]);
  if (argc == 2)		/* else the short way, for valgrind */
    {
      check_choices ();
      check_threads ();
      check_fork ();
      check_kinds (argv[1]);
      check_changed_code ();
      check_repeated (20);
    }
  printf ("1..%d\n", count);
  return failures > 0;
}
