/* every.c: runs a program with a probe on every instruction of every function, or
   with the probes of its plan.

   usage: every [-b | -s] [-n] [-p] OUT PROG [ARGS...]

   -b: by breakpoints; -s: by stepping; else by clones.  -n: nothing is timed.  -p: the counters
   that lines need, and no others.  Exits as PROG.  Writes to OUT, of each counter,
   a line "FROM TO COUNT": hexadecimal addresses of the file, FROM being 0 for a
   counter of the instruction at TO and else that of the branch it counts to TO.
   step.c counts the same by stepping.  A function that is refused gives the line
   "# NAME: REASON"; "# N functions, N counters, N traps" is the last.  */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image.h"
#include "runtime/runtime.h"

struct run
{
  lp_prepare_options options;
  lp_prepared prepared;
  lp_costs costs;
  lp_image image;
  lp_grafts grafts;
  bool installed, timed, planned;
  uint64_t *cells;
  uint8_t *open;
};

__attribute__ ((noreturn))
static void
fail (const lp_error *e)
{
  errx (2, "%s", e->text);
}

/* A plan with everything.  */

static void
add_counter (lp_hits *hits, uint64_t addr, uint64_t from)
{
  if (lp_vec_push (&hits->counters, (lp_counter) { addr, from }))
    errx (2, "out of memory");
}

static int
by_place (const void *a, const void *b)
{
  const lp_counter *x = a, *y = b;
  if (x->addr != y->addr)
    return x->addr < y->addr ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static void
count_all (lp_plan *plan)
{
  lp_hits *hits = &plan->hits;
  size_t n = 0;
  hits->counters.n = hits->terms.n = 0;
  for (size_t i = 0; i < hits->lines.n; i++)
    hits->lines.v[i].first_term = hits->lines.v[i].nterms = 0;
  for (size_t i = 0; i < plan->flow.insns.n; i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      bool conditional = in->kind == LP_INSN_JCC || in->kind == LP_INSN_LOOP;
      add_counter (hits, in->addr, 0);
      if (conditional || in->kind == LP_INSN_JMP)
	add_counter (hits, in->target, in->addr);
      if (conditional)
	add_counter (hits, in->addr + in->len, in->addr);
    }
  qsort (hits->counters.v, hits->counters.n, sizeof *hits->counters.v,
	 by_place);
  for (size_t i = 0; i < hits->counters.n; i++)
    if (n == 0 || by_place (&hits->counters.v[n - 1], &hits->counters.v[i]))
      hits->counters.v[n++] = hits->counters.v[i];
  hits->counters.n = n;
}

static void
mark_all (lp_plan *plan)
{
  lp_hits *hits = &plan->hits;
  size_t at = 0, nmarks = hits->marks.n;
  uint32_t line = hits->entry_line;
  lp_mark *marks = hits->marks.v;
  hits->marks.v = NULL;
  lp_vec_free (&hits->marks);
  for (size_t i = 0; i < plan->flow.insns.n; i++)
    {
      uint64_t addr = plan->flow.insns.v[i].addr;
      for (; at < nmarks && marks[at].addr <= addr; at++)
	line = marks[at].line;
      if (lp_vec_push (&hits->marks, (lp_mark) { addr, line, true }))
	errx (2, "out of memory");
    }
  free (marks);
}

/* Probes everywhere; sites and cells are chosen anew for them.  */
static void
widen (struct run *r, lp_plan *plan)
{
  lp_error e = { 0 };
  if (plan->engine == LP_PLAN_NONE)
    return;
  count_all (plan);
  mark_all (plan);
  plan->sites.n = 0;
  memset (plan->away, 0, plan->flow.insns.n * sizeof *plan->away);
  if (plan->engine == LP_PLAN_CLONE
      && lp_plan_sites (&r->prepared.census, plan, &e))
    fail (&e);
  if (plan->engine != LP_PLAN_NONE)
    lp_plan_place (plan, &r->prepared.end);
}

static void
prepare (struct run *r, const char *path)
{
  lp_error e = { 0 };
  const uint8_t *begin = lp_thunks_begin;
  if (lp_prepare (&r->prepared, path, &r->options, lp_pool_first_cell (), &e)
      || lp_calibrate (begin, lp_thunks_end - begin, lp_thunk_entry - begin,
		       lp_thunk_exit - begin, 0, &r->costs, &e))
    fail (&e);
  if (!r->planned)
    {
      r->prepared.end = lp_pool_first_cell ();
      for (size_t i = 0; i < r->prepared.plans.n; i++)
	widen (r, &r->prepared.plans.v[i]);
    }
  size_t n = (r->prepared.end - lp_pool_first_cell ()) / 8 + 1;
  r->cells = calloc (n, sizeof *r->cells);
  r->open = calloc (n, 1);
  if (!r->cells || !r->open)
    errx (2, "out of memory");
}

/* Hooks.  */

static int
on_loaded (void *arg, lp_process *proc, lp_error *e)
{
  struct run *r = arg;
  if (r->installed)
    return 0;
  const lp_loaded *modules;
  size_t n;
  if (lp_image_install (&r->image, proc, &r->prepared, r->prepared.end,
			&r->costs, r->timed, false, false, e)
      || lp_process_modules (proc, &modules, &n, e)
      || lp_image_graft (&r->image, &r->grafts, proc, &r->prepared,
			 &modules[0], e))
    return -1;
  r->installed = true;
  lp_process_set_data (proc, &r->image);
  return 0;
}

/* The counts of PID's blocks (0: those that nobody owns).  */
static void
take (struct run *r, pid_t pid)
{
  for (size_t i = 0; (i = lp_pool_next (&r->image.pool, i, pid)) != SIZE_MAX; i++)
    lp_pool_take (&r->image.pool, i, r->cells, r->open);
}

static void
on_unloaded (void *arg, lp_process *proc)
{
  struct run *r = arg;
  if (lp_process_data (proc))
    take (r, lp_process_pid (proc));
  lp_process_set_data (proc, NULL);
}

static int
on_thread_new (void *arg, lp_process *proc, pid_t tid, lp_error *e)
{
  struct run *r = arg;
  pid_t pid = lp_process_pid (proc);
  return lp_process_data (proc) ? lp_image_claim_thread (&r->image, proc, tid,
							 pid, e) : 0;
}

static void
on_thread_gone (void *arg, lp_process *proc, pid_t tid)
{
  struct run *r = arg;
  if (lp_process_data (proc))
    lp_pool_retire (&r->image.pool, tid);
}

static int
on_forked (void *arg, lp_process *parent, lp_process *child, bool shares_memory,
	   lp_error *e)
{
  struct run *r = arg;
  if (!lp_process_data (parent) || shares_memory)
    return 0;
  lp_process_set_data (child, &r->image);
  return lp_image_claim_fork (&r->image, child, lp_process_pid (parent), e);
}

static int
on_trap (void *arg, lp_process *proc, pid_t tid, struct user_regs_struct *regs,
	 lp_error *e)
{
  struct run *r = arg;
  (void) e;
  return lp_process_data (proc)
	 ? lp_image_int3 (&r->image, &r->grafts, proc, tid, regs) : 0;
}

static int
on_fault (void *arg, lp_process *proc, pid_t tid, uint64_t addr,
	  struct user_regs_struct *regs, lp_error *e)
{
  struct run *r = arg;
  return lp_process_data (proc)
	 ? lp_image_fault (&r->image, &r->grafts, proc, tid, addr, regs, e) : 0;
}

static void
on_ended (void *arg, lp_process *proc, int status)
{
  (void) status;
  on_unloaded (arg, proc);
}

static int
run (struct run *r, const char *path, char *const *argv)
{
  char preload[64];
  int status;
  lp_error e = { 0 };
  int slot = lp_slot_file (&e);
  snprintf (preload, sizeof preload, "/proc/%d/fd/%d", (int) getpid (), slot);
  lp_launch launch = { .path = path, .argv = argv, .preload = preload,
		       .follow = true };
  lp_hooks hooks = { .arg = r, .loaded = on_loaded, .unloaded = on_unloaded,
		     .thread_new = on_thread_new,
		     .thread_gone = on_thread_gone, .forked = on_forked,
		     .trap = on_trap, .fault = on_fault,
		     .ended = on_ended };
  lp_target *target = slot < 0 ? NULL : lp_target_launch (&launch, &e);
  if (!target || lp_target_run (target, &hooks, &status, &e))
    fail (&e);
  lp_target_free (target);
  if (r->installed)
    take (r, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

/* Results.  */

static size_t
write_plan (const struct run *r, const lp_plan *plan, FILE *out)
{
  if (plan->engine == LP_PLAN_NONE)
    {
      fprintf (out, "# %s: %s\n", plan->fn->name, plan->reason);
      return 0;
    }
  for (size_t i = 0; i < plan->hits.counters.n; i++)
    {
      const lp_counter *c = &plan->hits.counters.v[i];
      uint32_t cell = lp_plan_counter_cell (plan, i) - lp_pool_first_cell ();
      fprintf (out, "%" PRIx64 " %" PRIx64 " %" PRIu64 "\n", c->from, c->addr,
	       r->cells[cell / 8]);
    }
  return plan->hits.counters.n;
}

static void
write_all (const struct run *r, const char *path)
{
  size_t n = 0;
  FILE *out = fopen (path, "w");
  if (!out)
    err (2, "%s", path);
  for (size_t i = 0; i < r->prepared.plans.n; i++)
    n += write_plan (r, &r->prepared.plans.v[i], out);
  fprintf (out, "# %zu functions, %zu counters, %zu traps\n",
	   r->prepared.plans.n, n, (size_t) r->grafts.v[0].graft->text.traps.n);
  if (fclose (out))
    err (2, "%s", path);
}

int
main (int argc, char **argv)
{
  int c;
  struct run r = { .options.engine = LP_ENGINE_CLONE, .timed = true };
  lp_error e = { 0 };
  while ((c = getopt (argc, argv, "+bnps")) != -1)
    if (c == 'b')
      r.options.engine = LP_ENGINE_BREAKPOINT;
    else if (c == 's')
      r.options.engine = LP_ENGINE_STEP;
    else if (c == 'n')
      r.timed = false;
    else if (c == 'p')
      r.planned = true;
    else
      return 2;
  if (argc - optind < 2)
    errx (2, "usage: every [-b | -s] [-n] [-p] OUT PROG [ARGS...]");
  char *path = lp_find_program (argv[optind + 1], &e);
  if (!path)
    fail (&e);
  prepare (&r, path);
  int status = run (&r, path, argv + optind + 1);
  write_all (&r, argv[optind]);
  return status;
}
