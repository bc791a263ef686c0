/* own.c: install the profiler in this process.  */

#define _GNU_SOURCE

#include "own.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libraries.h"
#include "own_claim.h"
#include "own_loads.h"
#include "own_threads.h"
#include "range.h"
#include "runtime/runtime.h"

enum { TRIES = 3 };

static bool active;

/* Libraries come in whatever thread loads them, while another one may look at what was
   counted.  */
static pthread_mutex_t lock;
static lp_own *loading;		/* who is told of them, or NULL */

static void
take_lock (void)
{
  pthread_mutex_lock (&lock);
}

static void
give_lock (void)
{
  pthread_mutex_unlock (&lock);
}

static void
init_lock (void)
{
  pthread_mutexattr_t attr;
  pthread_mutexattr_init (&attr);
  pthread_mutexattr_settype (&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init (&lock, &attr);
}

/* A forked child finds it free: it could not give it, being another thread than the one
   that took it.  */
static void
make_lock (void)
{
  init_lock ();
  pthread_atfork (take_lock, give_lock, init_lock);
}

/* What is new among the libraries is patched: nobody can be in it yet.  None goes while
   somebody has the lock.  Where this very thread has it, it loads something for
   itself.  */
static void
on_loaded (bool consistent)
{
  lp_error err;
  if (pthread_mutex_lock (&lock))
    return;
  if (consistent && loading
      && lp_libraries_place (&loading->follow, loading->self, &err))
    lp_follow_note (&loading->follow, "libraries that were loaded later were not "
		    "profiled: %s", err.text);
  pthread_mutex_unlock (&lock);
}

/* Hear of those from now on, when some are wanted.  */
static void
hear_of_libraries (lp_own *own)
{
  lp_error why;
  if (lp_prepare_wants_libraries (&own->options.select)
      && lp_module_interp (own->follow.programs->prepared.mod)
      && lp_own_loads_begin (own->self, on_loaded, &why))
    lp_follow_note (&own->follow, "%s", why.text);
}

static int
check_active (lp_error *err)
{
  return !active ? 0 : lp_fail (err, LP_EUNSUPPORTED, "another profiler is at work "
				"in this process");
}

bool
lp_own_active (void)
{
  return active;
}

static void
nothing (lp_follow *follow)
{
  (void) follow;
}

/* What probes cost, measured once in a process.  */
static int
calibrate (lp_costs *costs, lp_error *err)
{
  static lp_costs known;
  const uint8_t *begin = lp_thunks_begin;
  if (!known.entry
      && lp_calibrate (begin, lp_thunks_end - begin, lp_thunk_entry - begin,
		       lp_thunk_exit - begin, 0, &known, err))
    return -1;
  *costs = known;
  return 0;
}

static int
prepare (lp_own *own, lp_error *err)
{
  char path[4096];
  ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);
  if (n < 0)
    return lp_fail (err, LP_ENOTFOUND, "/proc/self/exe: %m");
  path[n] = '\0';
  own->follow.on_start = nothing;
  if (lp_follow_prepare (&own->follow, path, err))
    return -1;
  return calibrate (&own->follow.costs, err);
}

/* The pool, and what clones need to find blocks in it.  */
static int
make_image (lp_own *own, lp_image *image, lp_error *err)
{
  const lp_program *program = own->follow.programs;
  const lp_costs *costs = &own->follow.costs;
  *image = (lp_image) { .slot = lp_own_slot_offset () };
  image->pool.entry_cost = costs->entry;
  image->pool.exit_cost = costs->exit;
  if (lp_pool_map_own (&image->pool,
		       lp_program_room (program, &own->options.select), err))
    return -1;
  if (lp_pool_extend (&image->pool, program->end))
    return lp_nomem (err);
  image->how.env = (lp_emit_env) {
    .slot = image->slot, .timed = true, .line_cost = costs->line,
    .own = (uintptr_t) lp_own_claim };
  image->how.later = image->how.undoable = true;
  return 0;
}

/* The executable's clones.  */
static int
graft_executable (lp_own *own, lp_error *err)
{
  lp_live *live = own->member.live;
  lp_prepared *prepared = &live->program->prepared;
  const lp_loaded *modules;
  size_t n;
  return prepared->functions.n
	 && (lp_process_modules (own->self, &modules, &n, err)
	     || lp_image_graft (&live->image, &own->member.grafts, own->self,
				prepared, &modules[0], err)) ? -1 : 0;
}

/* A library that was about to be unloaded when we began to hear of that may be gone when
   it is to be patched: then those that remain are.  */
static int
patch (lp_own *own, bool everyone, lp_error *err)
{
  lp_error why = { 0 };
  if (graft_executable (own, err))
    return -1;
  for (int tries = 0; tries < TRIES; tries++)
    {
      if (lp_libraries_place (&own->follow, own->self, err)
	  || (!everyone && lp_libraries_check (&own->follow, err)))
	return -1;
      if (lp_own_patch (own, &why) == 0)
	return 0;
      if (why.code != LP_ETARGET)
	break;
    }
  if (err)
    *err = why;
  return -1;
}

static int
install (lp_own *own, bool everyone, lp_error *err)
{
  lp_live *live = calloc (1, sizeof *live);
  if (!live)
    return lp_nomem (err);
  live->program = own->follow.programs;
  live->nprocesses = 1;
  own->follow.live = own->member.live = live;
  if (lp_libraries_learn (&own->follow, live->program, own->self, err)
      || make_image (own, &live->image, err))
    return -1;
  lp_process_set_data (own->self, &own->member);
  lp_own_claims_begin (&live->image.pool, everyone);
  active = true;
  hear_of_libraries (own);
  if (lp_range_record (&live->image.pool, everyone, err)
      || patch (own, everyone, err))
    return -1;
  live->image.how.later = false;
  loading = own;
  return 0;
}

/* Nothing is patched, and nobody is in the clones.  ALONE: nor is anybody in the middle of
   a range.  */
static void
take_out (lp_own *own, bool alone)
{
  lp_pool *pool = &own->member.live->image.pool;
  lp_own_claims_end ();
  lp_grafts_unmap (&own->member.grafts, own->self,
		   lp_process_able (own->self), NULL);
  lp_grafts_free (&own->member.grafts);
  lp_pool_end (pool);
  if (!alone)
    lp_pool_keep_own (pool);
  active = false;
}

/* Release what is not patched in.  */
static void
undo (lp_own *own, bool alone)
{
  if (own->self)
    lp_own_loads_end (own->self);
  loading = NULL;
  lp_range_record_end (alone);
  if (active)
    take_out (own, alone);
  if (own->self)
    lp_process_self_free (own->self);
  lp_follow_free (&own->follow);
  free (own->argv ? own->argv[0] : NULL);
  free (own->argv);
  free (own);
}

int
lp_own_stop (lp_own *own, lp_error *err)
{
  bool alone;
  pthread_mutex_lock (&lock);
  int bad = lp_own_unpatch (own, &alone, err);
  if (!bad)
    {
      undo (own, alone);
    }
  pthread_mutex_unlock (&lock);
  return bad;
}

int
lp_own_entry (uint64_t *addr, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  lp_process *self = lp_process_self (err);
  int bad = !self || lp_process_modules (self, &modules, &n, err);
  if (!bad && (n == 0 || *addr < modules[0].lo || *addr >= modules[0].hi))
    bad = lp_fail (err, LP_EUSAGE, "the executable has no function at %p; choose "
		   "those of libraries by a pattern", (void *) *addr);
  if (!bad)
    *addr -= modules[0].bias;
  if (self)
    lp_process_self_free (self);
  return bad ? -1 : 0;
}

static lp_own *
new_own (const lp_prepare_options *select, lp_error *err)
{
  lp_own *own = calloc (1, sizeof *own);
  if (own && (own->argv = lp_record_command (getpid ())))
    {
      own->options = (lp_session_options) { .select = *select, .timed = true };
      own->options.select.engine = LP_ENGINE_CLONE;
      own->options.select.strict = own->options.select.detached = true;
      own->record = (lp_record) { .argv = own->argv, .start = time (NULL) };
      own->follow.options = &own->options;
      return own;
    }
  free (own);
  lp_nomem (err);
  return NULL;
}

lp_own *
lp_own_start_ranges (lp_error *err)
{
  lp_own *own = new_own (&(lp_prepare_options) { .marked = true }, err);
  if (!own)
    return NULL;
  own->record.begin = lp_record_now ();
  if ((own->follow.strings = lp_arena_new ())
      && lp_range_record (NULL, true, err) == 0)
    return own;
  undo (own, lp_own_alone ());
  return NULL;
}

lp_own *
lp_own_start (const lp_prepare_options *select, bool everyone, lp_error *err)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, make_lock);
  if (check_active (err))
    return NULL;
  lp_own *own = new_own (select, err);
  if (!own)
    return NULL;
  own->options.select.defer = everyone;
  pthread_mutex_lock (&lock);
  if (prepare (own, err) == 0
      && (own->self = lp_process_self (err)) && install (own, everyone, err) == 0)
    {
      own->follow.started = true;
      own->record.begin = lp_record_now ();
    }
  else
    {
      undo (own, lp_own_alone ());
      own = NULL;
    }
  pthread_mutex_unlock (&lock);
  return own;
}

int
lp_own_check (const lp_own *own, lp_error *err)
{
  return own->follow.programs ? lp_libraries_check (&own->follow, err) : 0;
}

lp_profile *
lp_own_profile (const lp_own *own, lp_error *err)
{
  if (!own->follow.programs)
    return lp_record_profile (&own->record, &own->follow, -1, err);
  pthread_mutex_lock (&lock);
  lp_profile *profile
    = lp_libraries_conclude ((lp_follow *) &own->follow)
      ? lp_fail_null (err, LP_ENOMEM, "out of memory")
      : lp_record_profile (&own->record, &own->follow, -1, err);
  pthread_mutex_unlock (&lock);
  return profile;
}
