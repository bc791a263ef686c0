/* room.c: room for the jumps of sites that have none: code that runs at home
   though it need not is run in the clone instead, and its bytes are dead then.

     home         a site whose code runs at home gets a springboard instead, where
                  its code is long enough to hold that, and an island of another
                  site

     away         the call that stands in the way, or one where an island could
                  be, is made from the clone by pushing its return address  */

#include "probe/board.h"

/* From a short jump to a byte of an island that it can reach in any case.  */
enum { REACH = 127 };

static bool
within_reach (uint64_t a, uint64_t b)
{
  return a + REACH >= b && a <= b + REACH;
}

static bool
takes_island (struct board *b, size_t s)
{
  return lp_site_island (b, s) || lp_site_pun (b, s);
}

/* Where the code ends that runs at home from site S on, a call not included.  */
static uint64_t
home_end (const lp_plan *plan, size_t s)
{
  long call = lp_site_call (plan, s);
  return call >= 0 ? plan->flow.insns.v[call].addr : lp_site_next (plan, s);
}

/* Give the home site H a springboard, and site S an island behind that; with AWAY
   the call that H leads to makes room too.  */
static bool
try_behind_springboard (struct board *b, size_t h, size_t s, bool away)
{
  lp_plan *plan = b->plan;
  lp_site *home = &plan->sites.v[h];
  long call = lp_site_call (plan, h);
  const lp_insn *in = &plan->flow.insns.v[call >= 0 ? call : 0];
  if (away && (call < 0 || !lp_call_can_leave (b, in)))
    return false;
  unsigned n = home_end (plan, h) - home->addr + (away ? in->len : 0);
  lp_board_set (b, home->addr, n, DEAD);
  if (lp_site_springboard (b, h) && takes_island (b, s))
    {
      if (away)
	plan->away[call] = true;
      return true;
    }
  home->tactic = LP_TACTIC_HOME;
  lp_board_set (b, home->addr, n, HOME);
  return false;
}

static bool
try_home_near (struct board *b, size_t s, bool away)
{
  const lp_plan *plan = b->plan;
  for (size_t h = 0; h < plan->sites.n; h++)
    if (plan->sites.v[h].tactic == LP_TACTIC_HOME
	&& (within_reach (plan->sites.v[h].addr, plan->sites.v[s].addr)
	    || within_reach (home_end (plan, h), plan->sites.v[s].addr))
	&& try_behind_springboard (b, h, s, away))
      return true;
  return false;
}

/* Make the call that stands in the way of site S from the clone instead.  */
static bool
try_away (struct board *b, size_t s)
{
  lp_plan *plan = b->plan;
  uint64_t addr = plan->sites.v[s].addr;
  long call = lp_site_call (plan, s);
  if (call < 0 || !lp_call_can_leave (b, &plan->flow.insns.v[call]))
    return false;
  const lp_insn *in = &plan->flow.insns.v[call];
  lp_strip *strip = lp_board_strip (b, in->addr);
  if (in->addr >= addr + JUMP || strip->state[in->addr - strip->lo] != HOME)
    return false;
  lp_board_set (b, in->addr, in->len, DEAD);
  plan->away[call] = true;
  if (lp_site_springboard (b, s) || lp_site_island (b, s))
    return true;
  plan->away[call] = false;
  lp_board_set (b, in->addr, in->len, HOME);
  return false;
}

/* Does some site lead to CALL at home?  */
static bool
is_needed_home (const lp_plan *plan, uint32_t call)
{
  for (size_t s = 0; s < plan->sites.n; s++)
    if (plan->sites.v[s].tactic == LP_TACTIC_HOME
	&& lp_site_call (plan, s) == (long) call)
      return true;
  return false;
}

/* Give a call within reach away, and put an island where it was.  */
static bool
try_away_near (struct board *b, size_t s)
{
  lp_plan *plan = b->plan;
  uint64_t addr = plan->sites.v[s].addr;
  for (size_t i = 0; i < plan->flow.insns.n; i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      if (!lp_is_call (in) || in->len < JUMP || plan->away[i]
	  || !within_reach (in->addr, addr) || !lp_call_can_leave (b, in))
	continue;
      lp_strip *strip = lp_board_strip (b, in->addr);
      uint8_t *state = strip->state + (in->addr - strip->lo);
      if (*state != HOME || is_needed_home (plan, i))
	continue;
      lp_board_set (b, in->addr, in->len, DEAD);
      plan->away[i] = true;
      if (takes_island (b, s))
	return true;
      plan->away[i] = false;
      lp_board_set (b, in->addr, in->len, HOME);
    }
  return false;
}

bool
lp_site_make_room (struct board *b, size_t s)
{
  return try_home_near (b, s, false) || try_away (b, s) || try_home_near (b, s, true)
	 || try_away_near (b, s);
}
