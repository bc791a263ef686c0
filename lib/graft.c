/* graft.c: putting clones near a module and taking them out.  */

#include "graft.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "move.h"
#include "probe/patch.h"
#include "probe/places.h"
#include "probe/trap.h"
#include "runtime/runtime.h"

enum { PAGE = 4096, TRIES = 8 };

static size_t
area_size (const lp_prepared *prepared, const lp_guard *guard)
{
  size_t n = prepared->calls ? lp_tree_end_code - lp_tree_begin_code
	     : lp_thunks_end - lp_thunks_begin;
  n += guard->room;
  n += lp_claim_end - lp_claim_begin + lp_own_end - lp_own_begin
       + LP_THUNKS_ALIGN;
  for (size_t i = 0; i < prepared->plans.n; i++)
    if (prepared->plans.v[i].engine != LP_PLAN_NONE)
      n += lp_clone_size (&prepared->plans.v[i]);
  return (n + PAGE - 1) / PAGE * PAGE;
}

/* Map AREA bytes at HINT in PROC for GRAFT's code.  *FD (may be NULL) is a
   descriptor of them.  */
static int
map_at (lp_graft *graft, lp_process *proc, size_t area, uint64_t hint,
	int *fd, lp_error *err)
{
  uint64_t remote;
  void *local;
  graft->area = area;
  if (lp_map_shared (proc, lp_process_able (proc), graft->area, hint,
			PROT_READ | PROT_EXEC, &local, &remote, fd, err))
    return -1;
  graft->text.code = (lp_asm) { .buf = local, .cap = graft->area,
				.base = remote };
  return 0;
}

static int
map_area (lp_graft *graft, lp_process *proc, const lp_loaded *where,
	  lp_error *err)
{
  uint64_t hint = 0, before;
  size_t area = area_size (graft->prepared, &graft->guard);
  do
    {
      before = hint;
      if (lp_find_gap (proc, where->lo, where->hi, area, &hint, err))
	return -1;
      if (map_at (graft, proc, area, hint, NULL, err) == 0)
	return 0;
    }
  while (hint != before);	/* another thread mapped something there meanwhile */
  return -1;
}

static void
drop (lp_graft *graft)
{
  if (--graft->refs > 0)
    return;
  if (graft->text.code.buf)
    munmap (graft->text.code.buf, graft->area);
  lp_text_free (&graft->text);
  lp_guard_free (&graft->guard);
  free (graft);
}

/* Take GRAFT's code out of PROC.  */
static int
unmap (const lp_graft *graft, lp_process *proc, pid_t tid, lp_error *err)
{
  return lp_graft_unmap_pages (&graft->text, proc, tid, err)
	 | lp_unmap_shared (proc, tid, NULL, graft->text.code.base, graft->area,
			    err);
}

void
lp_sketch_free (lp_sketch *sketch)
{
  if (sketch->text.code.buf)
    {
      munmap (sketch->text.code.buf, sketch->area);
      close (sketch->fd);
    }
  lp_text_free (&sketch->text);
  lp_guard_free (&sketch->guard);
  *sketch = (lp_sketch) { .prepared = NULL };
}

void
lp_graft_sketch (lp_sketch *sketch, lp_process *proc, lp_prepared *prepared,
		 const lp_loaded *where, const lp_graft_how *how)
{
  uint64_t hint;
  lp_guard guard = { .room = 0 };
  size_t area = 0;
  void *local = NULL;
  if (lp_guard_plan (&guard, prepared, where->bias, NULL) == 0)
    area = area_size (prepared, &guard);
  if (!area || lp_find_gap (proc, where->lo, where->hi, area, &hint, NULL))
    {
      lp_guard_free (&guard);
      return;
    }
  int fd = lp_share_make (area, &local, NULL);
  *sketch = (lp_sketch) {
    .prepared = prepared, .guard = guard, .area = area, .fd = fd,
    .text = { .code = { .buf = fd < 0 ? NULL : local, .cap = area,
			.base = hint },
	      .bias = where->bias, .env = how->env,
	      .trap_cost = how->trap_cost, .step_cost = how->step_cost } };
  if (fd < 0 || lp_graft_emit (&sketch->text, prepared, proc, NULL)
      || lp_places_index (&sketch->text))
    lp_sketch_free (sketch);
}

/* A write makes pages several times as fast as touching them does.  */
static void
write_code (const lp_asm *to, const lp_asm *from, int fd)
{
  size_t done = 0;
  ssize_t n;
  while (done < from->n
	 && (n = pwrite (fd, from->buf + done, from->n - done, done)) > 0)
    done += n;
  memcpy (to->buf + done, from->buf + done, from->n - done);
  close (fd);
}

/* The sketch's memory becomes GRAFT's, or where PROC cannot have it, a copy.  */
static int
take_code (lp_graft *graft, lp_process *proc, lp_sketch *sketch)
{
  lp_asm *code = &sketch->text.code;
  int fd;
  graft->area = sketch->area;
  if (lp_share_map (proc, lp_process_able (proc), sketch->fd, sketch->area,
		    code->base, PROT_READ | PROT_EXEC) == 0)
    {
      close (sketch->fd);
      return 0;
    }
  if (map_at (graft, proc, sketch->area, code->base, &fd, NULL))
    return -1;
  write_code (&graft->text.code, code, fd);
  munmap (code->buf, sketch->area);
  close (sketch->fd);
  code->buf = graft->text.code.buf;
  return 0;
}

/* Use SKETCH when it was drawn for this, and its place is free.  */
static bool
use_sketch (lp_graft *graft, lp_process *proc, const lp_loaded *where,
	    lp_sketch *sketch)
{
  if (!sketch || sketch->prepared != graft->prepared
      || sketch->text.bias != where->bias
      || sketch->text.env.slot != graft->text.env.slot
      || lp_graft_map_pages (&sketch->text, proc, NULL))
    return false;
  if (take_code (graft, proc, sketch))
    {
      lp_graft_unmap_pages (&sketch->text, proc, lp_process_able (proc), NULL);
      return false;
    }
  graft->text = sketch->text;
  graft->guard = sketch->guard;
  *sketch = (lp_sketch) { .prepared = NULL };
  return true;
}

/* Emit GRAFT, and map its pages: other threads may be mapping something there meanwhile.  */
static int
emit (lp_graft *graft, lp_process *proc, lp_prepared *prepared, lp_error *err)
{
  for (int tries = 0; tries < TRIES; tries++)
    {
      if (lp_graft_emit (&graft->text, prepared, proc, err))
	return -1;
      if (lp_graft_map_pages (&graft->text, proc, err) == 0)
	return 0;
    }
  return -1;
}

/* The clones in PROC's memory, the module still as it was.  */
static int
make (lp_graft *graft, lp_process *proc, lp_prepared *prepared,
      const lp_loaded *where, const lp_graft_how *how, lp_error *err)
{
  graft->refs = 1;
  graft->prepared = prepared;
  graft->lo = where->lo;
  graft->text.bias = where->bias;
  graft->text.env = how->env;
  graft->text.trap_cost = how->trap_cost;
  graft->text.step_cost = how->step_cost;
  graft->undoable = how->undoable;
  if (use_sketch (graft, proc, where, how->sketch))
    return 0;
  if (lp_guard_plan (&graft->guard, prepared, where->bias, err)
      || map_area (graft, proc, where, err)
      || emit (graft, proc, prepared, err))
    return -1;
  return how->later && lp_places_index (&graft->text) ? lp_nomem (err) : 0;
}

/* Move MOVER's threads (NULL: none) and patch GRAFT in.  In this order: should this
   process be killed between, they run on in clones that are there, and none stands in the
   midst of what has been overwritten.  */
static int
apply_with (lp_graft *graft, lp_process *proc, const lp_mover *mover,
	    lp_error *err)
{
  size_t stay;
  bool patched = false;
  if ((!mover || lp_move_in (proc, &graft->text, mover, err) == 0)
      && (patched = lp_patch_apply (proc, &graft->text, err) == 0)
      && lp_guard_close (&graft->guard, proc, err) == 0)
    return 0;
  if (patched)
    {
      lp_guard_open (&graft->guard, proc, NULL);
      lp_patch_undo (proc, &graft->text, NULL);
    }
  if (mover)
    lp_move_out (proc, &graft->text, mover, &stay, NULL);
  return -1;
}

static int
apply (lp_graft *graft, lp_process *proc, const lp_graft_how *how,
       lp_error *err)
{
  lp_mover mover;
  if (!how->running)
    return apply_with (graft, proc, NULL, err);
  if (lp_mover_begin (&mover, proc, err))
    return -1;
  int bad = lp_places_index (&graft->text) ? lp_nomem (err)
	    : apply_with (graft, proc, &mover, err);
  lp_mover_end (&mover);
  return bad;
}

/* Take GRAFT out, in the reverse order.  *STAY: threads that are in it yet.  */
static int
undo_with (lp_graft *graft, lp_process *proc, const lp_mover *mover,
	   size_t *stay, lp_error *err)
{
  int bad = lp_guard_open (&graft->guard, proc, err)
	    | lp_patch_undo (proc, &graft->text, err);
  *stay = 1;
  if (graft->undoable)
    bad |= lp_move_out (proc, &graft->text, mover, stay, err);
  return bad;
}

/* The clones of PREPARED that wait for a module to come back, or NULL.  */
static lp_placed *
find_waiting (const lp_grafts *grafts, const lp_prepared *prepared)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (!grafts->v[i].there && grafts->v[i].graft->prepared == prepared)
      return &grafts->v[i];
  return NULL;
}

static int
add_new (lp_grafts *grafts, lp_process *proc, lp_prepared *prepared,
	 const lp_loaded *where, const lp_graft_how *how, lp_error *err)
{
  lp_graft *graft = calloc (1, sizeof *graft);
  if (!graft || lp_vec_reserve (grafts, 1))
    {
      free (graft);
      return lp_nomem (err);
    }
  if (make (graft, proc, prepared, where, how, err)
      || (!how->later && apply (graft, proc, how, err)))
    {
      pid_t tid = lp_process_able (proc);
      if (graft->text.code.buf && tid)
	unmap (graft, proc, tid, NULL);
      drop (graft);
      return -1;
    }
  grafts->v[grafts->n++] = (lp_placed) { graft, how->later, !how->later };
  return 0;
}

int
lp_graft_add (lp_grafts *grafts, lp_process *proc, lp_prepared *prepared,
	      const lp_loaded *where, const lp_graft_how *how, lp_error *err)
{
  lp_placed *waiting = find_waiting (grafts, prepared);
  if (waiting && waiting->graft->lo == where->lo
      && waiting->graft->text.bias == where->bias)
    {
      if (!how->later && apply (waiting->graft, proc, how, err))
	return -1;
      waiting->later = how->later;
      waiting->there = !how->later;
      return 0;
    }
  if (waiting)
    {
      unmap (waiting->graft, proc, lp_process_able (proc), NULL);
      drop (waiting->graft);
      *waiting = grafts->v[--grafts->n];
    }
  return add_new (grafts, proc, prepared, where, how, err);
}

int
lp_grafts_apply (lp_grafts *grafts, lp_process *proc, const lp_mover *mover,
		 lp_error *err)
{
  size_t stay, i = 0;
  for (; i < grafts->n; i++)
    if (grafts->v[i].later
	&& apply_with (grafts->v[i].graft, proc, mover, err))
      break;
  bool bad = i < grafts->n;
  while (bad && i-- > 0)
    if (grafts->v[i].later)
      undo_with (grafts->v[i].graft, proc, mover, &stay, NULL);
  for (i = 0; !bad && i < grafts->n; i++)
    if (grafts->v[i].later)
      grafts->v[i] = (lp_placed) { grafts->v[i].graft, false, true };
  return bad ? -1 : 0;
}

int
lp_grafts_undo (const lp_grafts *grafts, lp_process *proc,
		const lp_mover *mover, size_t *stay, lp_error *err)
{
  lp_mover own = { .tids = NULL };
  int bad = 0;
  for (size_t i = 0; i < grafts->n && !mover && !bad; i++)
    if (grafts->v[i].there && grafts->v[i].graft->undoable && !own.words)
      bad = lp_mover_begin (&own, proc, err);
  *stay = bad;
  for (size_t i = 0; i < grafts->n; i++)
    {
      size_t here;
      if (!grafts->v[i].there)
	continue;
      bad |= undo_with (grafts->v[i].graft, proc, mover ? mover : &own, &here,
			err);
      *stay += here;
    }
  lp_mover_end (&own);
  return bad ? -1 : 0;
}

int
lp_grafts_unmap (const lp_grafts *grafts, lp_process *proc, pid_t tid,
		 lp_error *err)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (unmap (grafts->v[i].graft, proc, tid, err))
      return -1;
  return 0;
}

int
lp_grafts_copy (lp_grafts *to, const lp_grafts *from, lp_error *err)
{
  if (lp_vec_reserve (to, from->n))
    return lp_nomem (err);
  for (size_t i = 0; i < from->n; i++)
    {
      to->v[to->n++] = from->v[i];
      from->v[i].graft->refs++;
    }
  return 0;
}

void
lp_grafts_free (lp_grafts *grafts)
{
  for (size_t i = 0; i < grafts->n; i++)
    drop (grafts->v[i].graft);
  lp_vec_free (grafts);
}
