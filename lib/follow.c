/* follow.c: what happens at a process's or thread's birth, exec and end.  */

#define _GNU_SOURCE

#include "follow.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callees.h"
#include "harvest.h"
#include "libraries.h"

/* What was counted.  */

/* The thread that OWNER's numbers are shown for.  */
static pid_t
shown_tid (const lp_follow *follow, const lp_owner *owner)
{
  return follow->options->by_thread ? owner->tid : 0;
}

static const char *
shown_name (const lp_follow *follow, const lp_program *program,
	    const lp_owner *owner)
{
  return follow->options->by_thread && owner->name[0] ? owner->name
	 : program->name;
}

/* Keep what the dense arrays hold as OWNER's.  */
static int
keep (const lp_follow *follow, const lp_program *program, lp_tallies *tallies,
      const lp_owner *owner)
{
  return lp_tallies_keep (tallies, owner->pid, shown_tid (follow, owner),
			  shown_name (follow, program, owner));
}

/* Read all blocks of PID, which is gone or (ALIVE) let go.  */
static void
drain (lp_follow *follow, lp_live *live, pid_t pid, bool alive)
{
  int (*take) (lp_pool *, size_t, uint64_t *, uint8_t *)
    = alive ? lp_pool_leave : lp_pool_take;
  lp_tallies *tallies = &live->program->tallies;
  lp_owner owner = { .pid = pid };
  if (live->image.pool.tree)
    {
      lp_harvest_process (live, pid, alive);
      return;
    }
  for (size_t i = 0;
       (i = lp_pool_next (&live->image.pool, i, pid)) != SIZE_MAX; i++)
    {
      owner = live->image.pool.owners.v[i];
      take (&live->image.pool, i, tallies->cells, tallies->open);
      if (follow->options->by_thread)
	keep (follow, live->program, tallies, &owner);
    }
  if (!follow->options->by_thread)
    keep (follow, live->program, tallies, &owner);
}

/* Read block 0, for PID.  */
static void
leave_everybodys (lp_follow *follow, lp_live *live, pid_t pid)
{
  lp_tallies *tallies = &live->program->tallies;
  lp_owner owner = { .pid = pid };
  if (live->image.pool.local && live->image.pool.tree)
    lp_harvest_block (live, 0, pid, true);
  else if (live->image.pool.local)
    lp_pool_leave (&live->image.pool, 0, tallies->cells, tallies->open);
  keep (follow, live->program, tallies, &owner);
}

/* LIVE's last process, PID, is gone: so is it.  */
static void
end_live (lp_follow *follow, lp_live *live, pid_t pid)
{
  lp_live **link = &follow->live;
  lp_follow_keep_ranges (follow, live);
  leave_everybodys (follow, live, pid);
  while (*link != live)
    link = &(*link)->next;
  *link = live->next;
  lp_image_free (&live->image);
  free (live);
}

/* PROC leaves its image; ALIVE, it stays there without us.  */
static void
leave (lp_follow *follow, lp_process *proc, bool alive)
{
  lp_member *member = lp_process_data (proc);
  pid_t pid = lp_process_pid (proc);
  if (!member)
    return;
  lp_live *live = member->live;
  lp_process_set_data (proc, NULL);
  lp_grafts_free (&member->grafts);
  free (member);
  lp_follow_end_ranges (live, pid, 0);
  if (!alive)
    lp_pool_forget (&live->image.pool, pid);
  drain (follow, live, pid, alive);
  if (--live->nprocesses == 0)
    end_live (follow, live, pid);
}

/* Add the blocks of LIVE as they are now to SUMS.  */
static int
peek (const lp_follow *follow, const lp_live *live, lp_tallies *sums)
{
  for (size_t i = 0;
       (i = lp_pool_next (&live->image.pool, i, 0)) != SIZE_MAX; i++)
    {
      lp_owner owner = live->image.pool.owners.v[i];
      if (i == 0)
	owner.pid = sums->list.n ? sums->list.v[0].pid : follow->attached;
      else if (follow->options->by_thread)
	lp_thread_name (owner.pid, owner.tid, owner.name, sizeof owner.name);
      if (lp_pool_peek (&live->image.pool, i, sums->cells, sums->open)
	  || keep (follow, live->program, sums, &owner))
	return -1;
    }
  return 0;
}

int
lp_follow_sums (const lp_follow *follow, const lp_program *program,
		lp_tallies *sums, lp_error *err)
{
  if (lp_tallies_copy (sums, &program->tallies, err))
    return -1;
  for (const lp_live *live = follow->live; live; live = live->next)
    if (live->program == program && peek (follow, live, sums))
      {
	lp_tallies_free (sums);
	return lp_nomem (err);
      }
  return 0;
}

/* Hooks.  A process's data is its lp_member, or NULL.  */

static lp_live *
live_of (const lp_process *proc)
{
  const lp_member *member = lp_process_data (proc);
  return member ? member->live : NULL;
}

/* Make PROC a process of LIVE.  NULL when out of memory.  */
static lp_member *
join (lp_live *live, lp_process *proc)
{
  lp_member *member = calloc (1, sizeof *member);
  if (!member)
    return NULL;
  member->live = live;
  live->nprocesses++;
  lp_process_set_data (proc, member);
  return member;
}

int
lp_follow_adopt (lp_follow *follow)
{
  lp_live *live = follow->live;
  if (!live || lp_pool_adopt (&live->image.pool, live->first))
    return 0;
  return lp_follow_note (follow, "%s made more threads and children than --detach "
			 "has room for; what some of them count at the same moment "
			 "may be lost", live->program->name);
}

/* PROC runs, and is not profiled.  */
static int
note_failure (lp_follow *follow, lp_process *proc, const lp_program *program,
	      const lp_error *why)
{
  return lp_follow_note (follow, "process %d (%s) was not profiled: %s",
			 lp_process_pid (proc), program->name, why->text);
}

/* Clone the executable's functions, when some were chosen.  */
static int
graft_executable (lp_member *member, lp_process *proc, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  lp_prepared *prepared = &member->live->program->prepared;
  if (!prepared->functions.n)
    return 0;
  if (lp_process_modules (proc, &modules, &n, err))
    return -1;
  return lp_image_graft (&member->live->image, &member->grafts, proc, prepared,
			 &modules[0], err);
}

static int
install (lp_follow *follow, lp_process *proc, lp_program *program,
	 lp_error *err)
{
  lp_live *live = calloc (1, sizeof *live);
  if (!live)
    return lp_nomem (err);
  live->program = program;
  if (lp_libraries_learn (follow, program, proc, err)
      || lp_callees_settle (follow, program, proc, err)
      || lp_image_install (&live->image, proc, &program->prepared,
			   lp_program_room (program,
					    &follow->options->select),
			   &follow->costs, follow->options->timed,
			   follow->attached && !follow->started,
			   lp_follow_splits_ranges (follow), err))
    {
      lp_image_free (&live->image);
      free (live);
      return -1;
    }
  live->image.idle = follow->windows.shut;
  if (!follow->started
      && follow->sketched == lp_callees_count (&program->prepared))
    live->image.how.sketch = &follow->sketch;
  live->next = follow->live;
  follow->live = live;
  live->first = lp_process_pid (proc);
  lp_member *member = join (live, proc);
  if (!member || lp_follow_note_ranges (follow, live))
    return lp_nomem (err);
  if ((!follow->options->detach
       || lp_image_let_go (&live->image, proc, err) == 0)
      && graft_executable (member, proc, err) == 0
      && lp_libraries_place (follow, proc, err) == 0)
    {
      /* Nobody can be in what is loaded later.  */
      live->image.how.running = false;
      return 0;
    }
  lp_image_remove (&live->image, &member->grafts, proc, NULL);
  leave (follow, proc, true);
  return -1;
}

/* The first program could not be profiled.  When we launched it, it has not run
   yet, and does not.  */
static int
refuse (lp_follow *follow, lp_process *proc, const lp_error *why,
	lp_error *err)
{
  *err = follow->why = *why;
  if (follow->attached)
    return -1;
  follow->refused = true;
  kill (lp_process_pid (proc), SIGKILL);
  return 0;
}

static int
on_loaded (void *arg, lp_process *proc, lp_error *err)
{
  lp_follow *follow = arg;
  lp_error why = { 0 };
  lp_program *program = lp_follow_program (follow, proc);
  if (!program || !program->usable)
    return 0;
  int bad = install (follow, proc, program, &why);
  if (!bad && !follow->started)
    bad = lp_libraries_check (follow, &why);
  if (bad && follow->started)
    return note_failure (follow, proc, program, &why) ? lp_nomem (err) : 0;
  if (bad)
    return refuse (follow, proc, &why, err);
  if (!follow->started)
    {
      follow->started = true;
      follow->on_start (follow);
    }
  return 0;
}

static void
on_unloaded (void *arg, lp_process *proc)
{
  leave (arg, proc, false);
}

/* TID of PROC, a new one in memory that is LIVE's and CREATOR's.  */
static int
claim_thread (lp_follow *follow, lp_live *live, lp_process *proc, pid_t tid,
	      pid_t creator, lp_error *err)
{
  int r = lp_image_claim_thread (&live->image, proc, tid, creator, err);
  if (r <= 0)
    return r;
  if (lp_follow_note (follow, "%s: threads run on the thread pointer of their "
		      "creator (clone without CLONE_SETTLS); what these count at "
		      "the same moment may be lost", live->program->name))
    return lp_nomem (err);
  return 0;
}

static int
on_thread_new (void *arg, lp_process *proc, pid_t tid, lp_error *err)
{
  lp_live *live = live_of (proc);
  return live ? claim_thread (arg, live, proc, tid, lp_process_pid (proc), err)
	 : 0;
}

/* Keep TID's name while /proc has it.  */
static void
on_thread_ends (void *arg, lp_process *proc, pid_t tid)
{
  lp_live *live = live_of (proc);
  lp_owner *owner = live ? lp_pool_owner (&live->image.pool, tid) : NULL;
  (void) arg;
  if (owner)
    lp_thread_name (owner->pid, tid, owner->name, sizeof owner->name);
}

static void
on_thread_gone (void *arg, lp_process *proc, pid_t tid)
{
  lp_follow *follow = arg;
  lp_live *live = live_of (proc);
  lp_owner *owner = live ? lp_pool_owner (&live->image.pool, tid) : NULL;
  if (!owner)
    return;
  lp_follow_end_ranges (live, owner->pid, tid);
  if (live->image.pool.tree)
    {
      lp_harvest_block (live, owner - live->image.pool.owners.v, owner->pid,
			false);
      return;
    }
  if (!follow->options->by_thread)
    {
      lp_pool_retire (&live->image.pool, tid);
      return;
    }
  lp_owner was = *owner;
  lp_tallies *tallies = &live->program->tallies;
  lp_pool_take (&live->image.pool, owner - live->image.pool.owners.v,
		tallies->cells, tallies->open);
  keep (follow, live->program, tallies, &was);
}

/* What shares its parent's memory comes to its int3s, and its clones count where the
   parent's do: a vfork child while the parent waits.  */
static int
on_forked (void *arg, lp_process *parent, lp_process *child,
	   bool shares_memory, lp_error *err)
{
  lp_follow *follow = arg;
  lp_member *member = lp_process_data (parent), *copy;
  bool no_int3 = !follow->watched
		 && (!member || !lp_grafts_trap_any (&member->grafts));
  if (!member)
    return no_int3;
  lp_live *live = member->live;
  if (!(copy = join (live, child))
      || lp_grafts_copy (&copy->grafts, &member->grafts, err))
    return lp_nomem (err);
  copy->guest = shares_memory;
  if (shares_memory)
    return claim_thread (follow, live, child, lp_process_pid (child),
			 lp_process_pid (parent), err) ? -1 : no_int3;
  if (!follow->options->follow)
    return lp_image_claim_nobody (&live->image, child, err);
  return lp_image_claim_fork (&live->image, child, lp_process_pid (parent),
			      err);
}

static int
on_trap (void *arg, lp_process *proc, pid_t tid,
	 struct user_regs_struct *regs, lp_error *err)
{
  const lp_member *member = lp_process_data (proc);
  (void) arg;
  (void) err;
  return member ? lp_image_int3 (&member->live->image, &member->grafts, proc,
				 tid, regs) : 0;
}

static int
on_fault (void *arg, lp_process *proc, pid_t tid, uint64_t addr,
	  struct user_regs_struct *regs, lp_error *err)
{
  lp_member *member = lp_process_data (proc);
  (void) arg;
  return member ? lp_image_fault (&member->live->image, &member->grafts, proc,
				  tid, addr, regs, err) : 0;
}

static void
on_ended (void *arg, lp_process *proc, int status)
{
  lp_follow *follow = arg;
  (void) status;
  if (follow->options->detach)
    lp_follow_adopt (follow);
  leave (follow, proc, false);
}

/* Take MEMBER's image out of PROC, its only process, with all its memory where that
   can be.  PROC stands still: what was counted is read when it runs again.  */
static void
remove_all (lp_member *member, lp_process *proc)
{
  lp_pool_end (&member->live->image.pool);
  lp_image_remove (&member->live->image, &member->grafts, proc, NULL);
  lp_process_set_data (proc, NULL);
  lp_grafts_free (&member->grafts);
  free (member);
}

/* PROC runs on without us: with the program's own code, as far as it can still
   be written.  Threads inside a clone leave it by themselves.  */
static void
on_released (void *arg, lp_process *proc)
{
  lp_follow *follow = arg;
  lp_member *member = lp_process_data (proc);
  size_t stay;
  if (!member)
    return;
  if (follow->attached == lp_process_pid (proc)
      && member->live->nprocesses == 1)
    {
      remove_all (member, proc);
      return;
    }
  if (!member->guest)
    {
      lp_ranging_stop (&member->live->image.ranging, proc);
      lp_grafts_undo (&member->grafts, proc, NULL, &stay, NULL);
    }
  leave (follow, proc, true);
}

/* What TID's system call cost because of us is charged to nobody.  */
static void
on_called (void *arg, lp_process *proc, pid_t tid)
{
  const lp_follow *follow = arg;
  const lp_live *live = live_of (proc);
  lp_block *block = live ? lp_pool_find (&live->image.pool, tid) : NULL;
  if (block)
    block->last += 2 * (uint64_t) follow->costs.trap;
}

static int
on_modules (void *arg, lp_process *proc, lp_error *err)
{
  const lp_member *member = lp_process_data (proc);
  return member && !member->guest ? lp_libraries_place (arg, proc, err) : 0;
}

const lp_hooks lp_follow_hooks = {
  .loaded = on_loaded, .unloaded = on_unloaded, .modules = on_modules,
  .thread_new = on_thread_new, .thread_ends = on_thread_ends,
  .thread_gone = on_thread_gone, .forked = on_forked, .trap = on_trap,
  .fault = on_fault, .called = on_called, .paused = lp_windows_paused,
  .original = lp_originals_home, .copy = lp_originals_copy,
  .counted = lp_originals_counted,
  .ended = on_ended, .released = on_released };
