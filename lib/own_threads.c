/* own_threads.c: what is done while all other threads stand still.  */

#define _GNU_SOURCE

#include "own_threads.h"

#include <dirent.h>
#include <time.h>

#include "own_claim.h"

enum { TRIES = 100 };

/* The argument of what runs then.  */
struct work
{
  lp_own *own;
  lp_mover mover;		/* but for the threads */
  bool again;			/* a thread is where it cannot be moved away from, now */
};

bool
lp_own_alone (void)
{
  size_t n = 0;
  DIR *tasks = opendir ("/proc/self/task");
  for (struct dirent *e; tasks && (e = readdir (tasks));)
    n += e->d_name[0] != '.';
  if (tasks)
    closedir (tasks);
  return n == 1;
}

typedef int for_thread (lp_process *self, uint64_t fs_base, lp_error *err);

static int
for_all (lp_process *self, const pid_t *tids, size_t n, for_thread *f,
	 lp_error *err)
{
  struct user_regs_struct regs;
  for (size_t i = 0; i < n; i++)
    if (lp_thread_get_regs (tids[i], &regs, err)
	|| f (self, regs.fs_base, err))
      return -1;
  return 0;
}

static lp_mover
mover_of (const struct work *w, const pid_t *tids, size_t n)
{
  lp_mover mover = w->mover;
  mover.tids = tids;
  mover.ntids = n;
  return mover;
}

/* A thread that comes out of a function's call into its clone needs its slot
   there.  */
static int
put_in (void *arg, const pid_t *tids, size_t n, lp_error *err)
{
  struct work *w = arg;
  lp_process *self = w->own->self;
  const lp_mover mover = mover_of (w, tids, n);
  if (for_all (self, tids, n, lp_own_adopt, err) == 0
      && lp_grafts_apply (&w->own->member.grafts, self, &mover, err) == 0)
    return 0;
  for_all (self, tids, n, lp_own_disown, NULL);
  return -1;
}

int
lp_own_patch (lp_own *own, lp_error *err)
{
  struct work w = { .own = own };
  if (lp_own_alone ())
    return lp_grafts_apply (&own->member.grafts, own->self, NULL, err);
  if (lp_mover_begin (&w.mover, own->self, err))
    return -1;
  int bad = lp_standstill (put_in, &w, err);
  lp_mover_end (&w.mover);
  return bad;
}

static bool
is_busy (const pid_t *tids, size_t n)
{
  struct user_regs_struct regs;
  for (size_t i = 0; i < n; i++)
    if (lp_thread_get_regs (tids[i], &regs, NULL)
	|| lp_own_is_busy (regs.rip))
      return true;
  return false;
}

/* Patch in again what was just taken out.  */
static void
put_back (lp_own *own, const lp_mover *mover)
{
  lp_grafts *grafts = &own->member.grafts;
  for (size_t i = 0; i < grafts->n; i++)
    if (grafts->v[i].there)
      grafts->v[i] = (lp_placed) { grafts->v[i].graft, true, false };
  lp_grafts_apply (grafts, own->self, mover, NULL);
}

static int
take_out (void *arg, const pid_t *tids, size_t n, lp_error *err)
{
  struct work *w = arg;
  lp_own *own = w->own;
  const lp_mover mover = mover_of (w, tids, n);
  size_t stay;
  w->again = false;
  if (lp_own_others_on ())
    return lp_fail (err, LP_EUSAGE, "another thread is enabled");
  w->again = is_busy (tids, n);
  if (!w->again)
    {
      w->again = lp_grafts_undo (&own->member.grafts, own->self, &mover, &stay,
				 err) || stay || is_busy (tids, n);
      if (!w->again)
	return for_all (own->self, tids, n, lp_own_disown, err);
      put_back (own, &mover);
    }
  return lp_fail (err, LP_EUNSUPPORTED, "other threads of this process do not leave "
		  "the functions that are profiled; end them first");
}

static int
try_unpatch (lp_own *own, lp_error *err)
{
  const struct timespec pause = { .tv_nsec = 1000000 };
  struct work w = { .own = own };
  if (lp_mover_begin (&w.mover, own->self, err))
    return -1;
  int bad = lp_standstill (take_out, &w, err);
  for (int i = 0; bad && w.again && i < TRIES; i++)
    {
      nanosleep (&pause, NULL);
      bad = lp_standstill (take_out, &w, err);
    }
  lp_mover_end (&w.mover);
  return bad;
}

int
lp_own_unpatch (lp_own *own, bool *alone, lp_error *err)
{
  static const lp_mover nobody;
  size_t stay;
  *alone = lp_own_alone ();
  return !*alone ? try_unpatch (own, err)
	 : lp_grafts_undo (&own->member.grafts, own->self, &nobody, &stay, err);
}
