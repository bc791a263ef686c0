/* guard.c: closing pages, opening them, and who may pass.  */

#include "guard.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, LONGEST = 15 };

static int
by_lo (const void *a, const void *b)
{
  const lp_pages *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Add the pages of PLAN's function; returns how many bytes it has, or -1.  */
static int64_t
add_pages (lp_guard *guard, uint64_t bias, const lp_plan *plan)
{
  int64_t bytes = 0;
  for (size_t i = 0; i < plan->fn->nranges; i++)
    {
      const lp_range *r = &plan->fn->ranges[i];
      lp_pages pages = { (r->lo + bias) / PAGE * PAGE,
			 (r->hi + bias + PAGE - 1) / PAGE * PAGE };
      if (lp_vec_push (&guard->aside.pages, pages))
	return -1;
      bytes += r->hi - r->lo;
    }
  return bytes;
}

/* Sort the pages and put those together that touch; returns their bytes.  */
static size_t
unite (lp_guard *guard)
{
  lp_pages *v = guard->aside.pages.v;
  size_t n = 0, bytes = 0;
  if (guard->aside.pages.n)
    qsort (v, guard->aside.pages.n, sizeof *v, by_lo);
  for (size_t i = 0; i < guard->aside.pages.n; i++)
    if (n && v[i].lo <= v[n - 1].hi)
      v[n - 1].hi = v[i].hi > v[n - 1].hi ? v[i].hi : v[n - 1].hi;
    else
      v[n++] = v[i];
  guard->aside.pages.n = n;
  for (size_t i = 0; i < n; i++)
    bytes += v[i].hi - v[i].lo;
  return bytes;
}

/* The copy of two bytes takes at most a jump's five; a call's five take 28.  */
int
lp_guard_plan (lp_guard *guard, const lp_prepared *prepared, uint64_t bias,
	       lp_error *err)
{
  size_t watched = 0;
  guard->aside.mod = prepared->mod;
  for (size_t i = 0; i < prepared->plans.n; i++)
    {
      const lp_plan *plan = &prepared->plans.v[i];
      int64_t bytes = plan->engine == LP_PLAN_STEP
		      ? add_pages (guard, bias, plan) : 0;
      if (bytes < 0)
	return lp_nomem (err);
      watched += bytes;
    }
  if (!guard->aside.pages.n)
    return 0;
  size_t closed = unite (guard);
  guard->room = closed > watched ? (closed - watched) * 6 + PAGE : PAGE;
  guard->aside.decoder = lp_decoder_new (err);
  return guard->aside.decoder ? 0 : -1;
}

void
lp_guard_free (lp_guard *guard)
{
  lp_aside_free (&guard->aside);
}

static int
protect (const lp_guard *guard, lp_process *proc, int prot, lp_error *err)
{
  for (size_t i = 0; i < guard->aside.pages.n; i++)
    {
      const lp_pages *p = &guard->aside.pages.v[i];
      pid_t tid = lp_process_able (proc);
      if (lp_protect (proc, tid, p->lo, p->hi - p->lo, prot, err))
	return -1;
    }
  return 0;
}

int
lp_guard_close (lp_guard *guard, lp_process *proc, lp_error *err)
{
  guard->closed = true;
  return protect (guard, proc, PROT_READ, err);
}

int
lp_guard_open (lp_guard *guard, lp_process *proc, lp_error *err)
{
  return protect (guard, proc, PROT_READ | PROT_EXEC, err);
}

/* An instruction can begin before the pages.  */
bool
lp_guard_stops (const lp_guard *guard, uint64_t addr,
		const struct user_regs_struct *regs)
{
  return guard->closed && addr - regs->rip < LONGEST
	 && lp_aside_is_closed (&guard->aside, addr);
}

int
lp_guard_pass (lp_guard *guard, lp_text *text, struct user_regs_struct *regs,
	       lp_error *err)
{
  uint64_t copy = lp_aside_copy (&guard->aside, text, regs->rip, err);
  if (!copy)
    return -1;
  regs->rip = copy;
  return 1;
}
