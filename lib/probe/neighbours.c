/* neighbours.c: sites for which their own function has no room, as a function of one
   to four bytes has none, with padding behind it or without.

   The functions of a module are patched together and restored together.  So the
   dead bytes of one can hold an island of another: whatever may come to them, they
   are as dead for the one as for the other.  That makes one function rely on another
   one's being cloned (lp_plan_forsake), and none on one that needs an int3 itself.

   The tactics, best first:

     island       jmp +x, to an island among the neighbours

     (pun)        with one byte: eb, whose displacement is the first byte behind the
                  function: that of a neighbour's jump, as in sites.c, or of code
                  that nobody patches

     pun          a jump whose last bytes are the first ones behind (puns.h); where
                  that leads cannot be known yet

   What one site gets makes its function a host for others, so all are tried again
   while that helps.  */

#include <stdlib.h>

#include "probe/board.h"

/* The land of a module.  */

static int
by_lo (const void *a, const void *b)
{
  const struct plot *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Where padding turns out to be a function that has no symbol, it ends there.  */
static int
survey (struct land *land, lp_plan *plans, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < plans[i].strips.n; k++)
      {
	lp_strip *s = &plans[i].strips.v[k];
	if (lp_vec_push (&land->plots, (struct plot) { s->lo, s->hi, &plans[i], s }))
	  return -1;
      }
  if (land->plots.n)
    qsort (land->plots.v, land->plots.n, sizeof *land->plots.v, by_lo);
  for (size_t i = 0; i + 1 < land->plots.n; i++)
    if (land->plots.v[i].hi > land->plots.v[i + 1].lo)
      land->plots.v[i].hi = land->plots.v[i + 1].lo;
  return 0;
}

/* Whose dead bytes the island of B's site is in, if not B's own.  */
static const lp_plan *
host_of (const struct board *b, const lp_site *site)
{
  const struct plot *plot = lp_land_plot (b->land, site->island);
  return plot && plot->plan != b->plan ? plot->plan : NULL;
}

/* One site.  */

static bool
take_island (struct board *b, lp_site *site, uint64_t at, uint8_t pun)
{
  if (!pun || !lp_board_is_free (b, at))
    return false;
  site->tactic = LP_TACTIC_ISLAND;
  site->island = at;
  site->pun = pun;
  lp_board_set (b, site->addr, 1, TAKEN);
  lp_board_set (b, at, JUMP, TAKEN);
  return true;
}

/* A pun on a byte of code that stays what it is: nobody's, or one of BEHIND, which holds
   it, that no jump is in, and none will be.  */
static bool
try_pun_on_code (struct board *b, size_t s, const struct plot *behind)
{
  lp_site *site = &b->plan->sites.v[s];
  uint64_t addr = site->addr + 1, avail;
  const uint8_t *p = lp_module_bytes (b->census->mod, addr, &avail);
  uint8_t *state = behind ? behind->strip->state + (addr - behind->strip->lo) : NULL;
  if (!p || (state && *state == TAKEN)
      || !take_island (b, site, addr + 1 + (int8_t) *p, *p))
    return false;
  if (state)
    *state = HOME;
  return true;
}

static bool
try_pun (struct board *b, size_t s)
{
  lp_site *site = &b->plan->sites.v[s];
  const struct plot *behind = lp_land_plot (b->land, site->addr + 1);
  if (lp_site_room (b, s) != 1)
    return false;
  if (behind && behind->plan == b->plan)
    return lp_site_pun (b, s);
  if (!behind || behind->plan->engine != LP_PLAN_CLONE)
    return (!behind || behind->plan->engine == LP_PLAN_NONE)
	   && try_pun_on_code (b, s, NULL);
  struct board other = { b->census, behind->plan, b->land };
  size_t n = 0;
  while (n < behind->plan->sites.n && behind->plan->sites.v[n].addr <= site->addr)
    n++;
  if (n == behind->plan->sites.n || behind->plan->sites.v[n].addr > site->addr + 1)
    return try_pun_on_code (b, s, behind);
  if (lp_plan_needs_int3 (behind->plan) || !lp_site_pun_on (b, s, &other, n))
    return false;
  site->next = behind->plan;
  return true;
}

/* Find something better than an int3 for site S.  */
static bool
relieve (struct board *b, size_t s)
{
  lp_site *site = &b->plan->sites.v[s];
  site->tactic = LP_TACTIC_NONE;
  lp_board_set (b, site->addr, 1, DEAD);
  if (lp_site_island (b, s) || try_pun (b, s))
    {
      site->host = host_of (b, site);
      return true;
    }
  site->tactic = LP_TACTIC_TRAP;
  lp_board_set (b, site->addr, 1, TAKEN);
  return false;
}

static bool
relieve_all (const lp_census *census, const struct land *land, lp_plan *plan)
{
  struct board b = { census, plan, land };
  bool any = false;
  for (size_t s = 0; plan->engine == LP_PLAN_CLONE && s < plan->sites.n; s++)
    if (plan->sites.v[s].tactic == LP_TACTIC_TRAP)
      any |= relieve (&b, s);
  return any;
}

static void
make_puns (const lp_census *census, const struct land *land, lp_plan *plan)
{
  struct board b = { census, plan, land };
  for (size_t s = 0; plan->engine == LP_PLAN_CLONE && s < plan->sites.n; s++)
    {
      lp_site *site = &plan->sites.v[s];
      if (site->tactic != LP_TACTIC_TRAP)
	continue;
      lp_board_set (&b, site->addr, 1, DEAD);
      site->tactic = LP_TACTIC_PUN;
      site->room = lp_site_room (&b, s);
      lp_board_set (&b, site->addr, site->room, TAKEN);
    }
}

int
lp_plan_neighbours (const lp_census *census, lp_plan *plans, size_t n,
		    lp_error *err)
{
  struct land land = { .plots = { 0 } };
  bool wanted = false, again = true;
  for (size_t i = 0; i < n && !wanted; i++)
    wanted = plans[i].engine == LP_PLAN_CLONE && lp_plan_needs_int3 (&plans[i]);
  int bad = wanted && survey (&land, plans, n);
  while (wanted && !bad && again)
    {
      again = false;
      for (size_t i = 0; i < n; i++)
	again |= relieve_all (census, &land, &plans[i]);
    }
  for (size_t i = 0; wanted && !bad && i < n; i++)
    make_puns (census, &land, &plans[i]);
  lp_vec_free (&land.plots);
  return bad ? lp_nomem (err) : 0;
}

static bool
is_gone (const lp_plan *plan)
{
  return plan && plan->engine != LP_PLAN_CLONE;
}

bool
lp_plan_forsake (lp_plan *plans, size_t n)
{
  bool any = false;
  for (size_t i = 0; i < n; i++)
    for (size_t s = 0; s < plans[i].sites.n; s++)
      {
	lp_site *site = &plans[i].sites.v[s];
	if (!is_gone (site->host) && !is_gone (site->next))
	  continue;
	*site = (lp_site) { .addr = site->addr, .kind = site->kind,
			    .tactic = LP_TACTIC_TRAP, .insn = site->insn };
	any = true;
      }
  return any;
}
