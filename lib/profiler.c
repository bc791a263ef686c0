/* profiler.c: the public functions of <lineprof.h> for a process that profiles
   itself.  */

#include <lineprof.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitizer.h"
#include "own.h"
#include "own_claim.h"
#include "report/report.h"

struct lp_profiler
{
  LP_VEC (char *) patterns;
  LP_VEC (uint64_t) entries;
  lp_own *own;			/* from the first lp_enable on */
};

/* There is one.  */
static lp_profiler *the_one;

lp_profiler *
lp_profiler_new (lp_error *err)
{
  if (lp_sanitizer_check_own (err))
    return NULL;
  if (the_one || lp_own_active ())
    return lp_fail_null (err, LP_EUSAGE, "this process has a profiler already");
  the_one = calloc (1, sizeof *the_one);
  if (!the_one)
    lp_nomem (err);
  return the_one;
}

/* Whoever did not look whether there is one is told why there is none.  */
static int
check_made (const lp_profiler *p, lp_error *err)
{
  if (p)
    return 0;
  return lp_sanitizer_check_own (err) ? -1
	 : lp_fail (err, LP_EUSAGE, "there is no profiler: lp_profiler_new failed");
}

static int
check_open (const lp_profiler *p, lp_error *err)
{
  if (check_made (p, err))
    return -1;
  if (!p->own)
    return 0;
  return lp_fail (err, LP_EUSAGE, "functions are chosen before a profiler is "
		  "enabled for the first time");
}

int
lp_profiler_add (lp_profiler *p, const char *pattern, lp_error *err)
{
  if (check_open (p, err))
    return -1;
  if (!*pattern)
    return lp_fail (err, LP_EUSAGE, "a function pattern is empty");
  char *copy = strdup (pattern);
  if (copy && lp_vec_push (&p->patterns, copy) == 0)
    return 0;
  free (copy);
  return lp_nomem (err);
}

int
lp_profiler_add_function (lp_profiler *p, void (*function) (void),
			  lp_error *err)
{
  uint64_t entry = (uintptr_t) function;
  if (check_open (p, err) || lp_own_entry (&entry, err))
    return -1;
  return lp_vec_push (&p->entries, entry) ? lp_nomem (err) : 0;
}

static int
start (lp_profiler *p, lp_error *err)
{
  const lp_prepare_options select = {
    .patterns = (const char *const *) p->patterns.v,
    .npatterns = p->patterns.n, .entries = p->entries.v,
    .nentries = p->entries.n, .marked = true };
  lp_own *own = lp_own_start (&select, false, err);
  __atomic_store_n (&p->own, own, __ATOMIC_RELEASE);
  return own ? 0 : -1;
}

/* Several threads may be the first.  */
static int
start_once (lp_profiler *p, lp_error *err)
{
  static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&starting);
  int bad = p->own ? 0 : start (p, err);
  pthread_mutex_unlock (&starting);
  return bad;
}

int
lp_enable (lp_profiler *p, lp_error *err)
{
  if (check_made (p, err))
    return -1;
  if (!__atomic_load_n (&p->own, __ATOMIC_ACQUIRE) && start_once (p, err))
    return -1;
  if (lp_own_on ())
    return 0;
  return lp_fail (err, LP_ENOMEM, "there are no counters for so many threads");
}

int
lp_disable (lp_profiler *p, lp_error *err)
{
  if (check_made (p, err))
    return -1;
  if (p->own && lp_own_off ())
    return 0;
  return lp_fail (err, LP_EUSAGE, "this thread is not enabled");
}

int
lp_run (lp_profiler *p, void (*function) (void *arg), void *arg, lp_error *err)
{
  if (lp_enable (p, err))
    return -1;
  function (arg);
  return lp_disable (p, err);
}

static int
check_started (const lp_profiler *p, lp_error *err)
{
  if (check_made (p, err))
    return -1;
  return p->own ? 0
	 : lp_fail (err, LP_EUSAGE, "the profiler was never enabled");
}

lp_profile *
lp_snapshot (const lp_profiler *p, lp_error *err)
{
  return check_started (p, err) ? NULL : lp_own_profile (p->own, err);
}

int
lp_reset (lp_profiler *p, lp_error *err)
{
  if (check_started (p, err))
    return -1;
  return lp_own_clear () ? 0
	 : lp_fail (err, LP_EUSAGE, "another thread is enabled");
}

int
lp_profiler_free (lp_profiler *p, lp_error *err)
{
  if (!p)
    return 0;
  if (p->own && lp_own_stop (p->own, err))
    return -1;
  while (p->patterns.n)
    free (p->patterns.v[--p->patterns.n]);
  lp_vec_free (&p->patterns);
  lp_vec_free (&p->entries);
  free (p);
  the_one = NULL;
  return 0;
}

int
lp_profile_print (lp_profile *profile, FILE *out, lp_error *err)
{
  const lp_report_options options = { .top = LP_TOP_DEFAULT };
  return lp_report_write ("text", profile, &options, out, err);
}
