/* sites.c: how control comes from the original code into the clone.

   The original body is dead but for its calls, which run at home, so that every
   return address is the original one.  Control arrives in it at the entry, at
   return sites, and wherever else the flow graph says (jump tables, landing
   pads, pointers, branches from outside).  There a jump into the clone must
   fit.  The tactics, best first:

     home         call a              the code up to the next call (or, where
                  mov ...  } at home  nothing else fits, the next site) has no
                  call b              probe: it runs where it is

     springboard  jmp clone           5 dead bytes

     call         nop...              the code up to and with the next call turns
                  call stub           into one call that ends at the same address;
                                      the stub runs the code, then jumps to b

     island       jmp +x  ...  x: jmp clone        2 dead bytes, and 5 within reach

     (pun)        with one dead byte before the next site's jump: eb, whose
                  displacement is that jump's first byte: e9, eb, or a prefix
                  without effect, chosen so that an island fits there

     (room)       for an island or a springboard, made by what has more than it
                  needs (room.c)

     trap         int3; where all functions of the module are planned, islands
                  among the others' bytes are looked for instead (neighbours.c)

   Bytes are tracked in a map with one cell for each byte of the ranges and of
   the padding behind them.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/board.h"

enum { REACH = 127 };

bool
lp_is_call (const lp_insn *in)
{
  return in->kind == LP_INSN_CALL || in->kind == LP_INSN_CALL_IND;
}

/* Sites.  */

static int
add_site (lp_plan *plan, uint64_t addr, uint8_t kind)
{
  long at = lp_flow_find (&plan->flow, addr);
  if (at < 0)
    return 0;
  return lp_vec_push (&plan->sites, (lp_site) { .addr = addr, .kind = kind,
						.insn = at });
}

/* The entry's springboard goes behind endbr64 (f3 0f 1e fa), unless that is all
   of the function.  */
static uint64_t
behind_endbr (const struct board *b, uint64_t entry)
{
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (b->census->mod, entry, &avail);
  bool endbr = p && avail >= 4 && memcmp (p, "\xf3\x0f\x1e\xfa", 4) == 0
	       && lp_flow_find (&b->plan->flow, entry + 4) >= 0;
  return endbr ? entry + 4 : entry;
}

static int
by_addr (const void *a, const void *b)
{
  const lp_site *x = a, *y = b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void
unite (lp_plan *plan)
{
  size_t out = 0;
  qsort (plan->sites.v, plan->sites.n, sizeof *plan->sites.v, by_addr);
  for (size_t i = 0; i < plan->sites.n; i++)
    if (out && plan->sites.v[out - 1].addr == plan->sites.v[i].addr)
      plan->sites.v[out - 1].kind |= plan->sites.v[i].kind;
    else
      plan->sites.v[out++] = plan->sites.v[i];
  plan->sites.n = out;
}

static int
collect_sites (struct board *b)
{
  lp_plan *plan = b->plan;
  const lp_flow *flow = &plan->flow;
  for (size_t i = 0; i < flow->entries.n; i++)
    {
      lp_entry e = flow->entries.v[i];
      uint64_t at = e.kind & LP_ENTRY_FUNCTION
		    ? behind_endbr (b, e.addr) : e.addr;
      if (add_site (plan, at, e.kind))
	return -1;
    }
  for (size_t i = 0; i < flow->insns.n; i++)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (!lp_is_call (in))
	continue;
      lp_board_set (b, in->addr, in->len, HOME);
      if (lp_function_holds (plan->fn, in->addr + in->len)
	  && add_site (plan, in->addr + in->len, LP_ENTRY_RETURN))
	return -1;
    }
  unite (plan);
  return 0;
}

uint64_t
lp_site_next (const lp_plan *plan, size_t s)
{
  return s + 1 < plan->sites.n ? plan->sites.v[s + 1].addr : UINT64_MAX;
}

long
lp_site_call (const lp_plan *plan, size_t s)
{
  uint32_t i = plan->sites.v[s].insn;
  uint64_t next = lp_site_next (plan, s);
  for (uint32_t k = i; k < plan->flow.insns.n; k++)
    {
      const lp_insn *in = &plan->flow.insns.v[k];
      if (k > i && (in->addr != in[-1].addr + in[-1].len
		    || in->addr >= next))
	return -1;
      if (lp_is_call (in))
	return k;
      if (in->kind != LP_INSN_PLAIN)
	return -1;
    }
  return -1;
}

/* Does straight code without a probe lead from site S to the next one?  */
static bool
runs_into_next (const lp_plan *plan, size_t s, uint64_t next)
{
  for (uint32_t k = plan->sites.v[s].insn; k < plan->flow.insns.n; k++)
    {
      const lp_insn *in = &plan->flow.insns.v[k];
      if (in->addr == next)
	return true;
      if (in->addr > next || in->kind != LP_INSN_PLAIN
	  || lp_plan_has_probe (plan, in->addr))
	return false;
    }
  return false;
}

/* Tactic "home" where it applies.  */
static void
try_home (struct board *b, size_t s)
{
  lp_plan *plan = b->plan;
  lp_site *site = &plan->sites.v[s];
  if (site->kind != LP_ENTRY_RETURN)
    return;
  long call = lp_site_call (plan, s);
  if (call < 0)
    return;
  for (uint32_t i = site->insn; i <= call; i++)
    if (lp_plan_has_probe (plan, plan->flow.insns.v[i].addr))
      return;
  site->tactic = LP_TACTIC_HOME;
  lp_board_set (b, site->addr, plan->flow.insns.v[call].addr - site->addr, HOME);
}

unsigned
lp_site_room (struct board *b, size_t s)
{
  const lp_plan *plan = b->plan;
  uint64_t addr = plan->sites.v[s].addr, limit = lp_site_next (plan, s);
  lp_strip *strip = lp_board_strip (b, addr);
  unsigned n = 0;
  while (n < JUMP && addr + n < limit && addr + n < strip->hi
	 && strip->state[addr + n - strip->lo] == DEAD)
    n++;
  return n;
}

/* Tactic "home" again: the few bytes to the next site, where nothing else
   fits.  */
static bool
try_run_in (struct board *b, size_t s)
{
  lp_site *site = &b->plan->sites.v[s];
  uint64_t next = lp_site_next (b->plan, s);
  if ((site->kind & (LP_ENTRY_FUNCTION | LP_ENTRY_LANDING))
      || lp_site_room (b, s) < next - site->addr
      || !runs_into_next (b->plan, s, next))
    return false;
  site->tactic = LP_TACTIC_HOME;
  lp_board_set (b, site->addr, next - site->addr, HOME);
  return true;
}

bool
lp_site_springboard (struct board *b, size_t s)
{
  lp_site *site = &b->plan->sites.v[s];
  if (lp_site_room (b, s) < JUMP)
    return false;
  site->tactic = LP_TACTIC_SPRINGBOARD;
  lp_board_set (b, site->addr, JUMP, TAKEN);
  return true;
}

/* Does the indirect call IN jump through the stack pointer itself, or (SIB)
   through memory whose address may be formed with it?  */
static void
call_operand (const struct board *b, const lp_insn *in, bool *sp, bool *memory)
{
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (b->census->mod, in->addr, &avail)
		     + in->opcode_off;
  bool rex_b = in->opcode_off && (p[-1] & 0xf1) == 0x41;
  unsigned mod = p[1] >> 6, rm = p[1] & 7;
  *sp = mod == 3 && rm == 4 && !rex_b;
  *memory = mod != 3 && rm == 4;
}

/* Does any of the instructions FROM..CALL name or move the stack pointer, the
   call's own push aside?  */
static bool
uses_stack (const struct board *b, uint32_t from, uint32_t call)
{
  const lp_insn *in = b->plan->flow.insns.v;
  bool sp, memory;
  for (uint32_t i = from; i < call; i++)
    if (in[i].uses_sp)
      return true;
  if (in[call].kind != LP_INSN_CALL_IND)
    return false;
  call_operand (b, &in[call], &sp, &memory);
  return sp || memory;
}

bool
lp_call_can_leave (const struct board *b, const lp_insn *in)
{
  bool sp = false, memory;
  if (in->kind == LP_INSN_CALL_IND)
    call_operand (b, in, &sp, &memory);
  return !sp;
}

/* Does control come to the instructions FROM..CALL only by the return before
   them?  Then the clone of the call is never reached.  */
static bool
is_exclusive (const lp_plan *plan, uint32_t from, uint32_t call)
{
  uint32_t block = lp_flow_block_of (&plan->flow, from);
  return plan->flow.blocks.v[block].first != from
	 && lp_flow_block_of (&plan->flow, call) == block;
}

/* Tactic "call".  The stub runs one return address deeper, so nothing in it may
   use the stack pointer.  The call is gone from home then: where other ways lead
   to it (SHARED), the clone has to make it.  */
static bool
try_call (struct board *b, size_t s, bool shared)
{
  lp_plan *plan = b->plan;
  lp_site *site = &plan->sites.v[s];
  if (site->kind & (LP_ENTRY_FUNCTION | LP_ENTRY_LANDING))
    return false;
  long call = lp_site_call (plan, s);
  if (call < 0 || plan->away[call])
    return false;
  const lp_insn *in = &plan->flow.insns.v[call];
  unsigned total = in->addr + in->len - site->addr;
  if (total < JUMP || uses_stack (b, site->insn, call)
      || (!shared && !is_exclusive (plan, site->insn, call))
      || (shared && !lp_call_can_leave (b, in)))
    return false;
  plan->away[call] = shared;
  site->tactic = LP_TACTIC_CALL;
  site->call = call;
  lp_board_set (b, site->addr, total, TAKEN);
  return true;
}

bool
lp_site_island (struct board *b, size_t s)
{
  lp_site *site = &b->plan->sites.v[s];
  if (lp_site_room (b, s) < SHORT)
    return false;
  site->tactic = LP_TACTIC_ISLAND;	/* its own bytes are known to be spoken for */
  lp_board_set (b, site->addr, SHORT, TAKEN);
  for (int d = 0; d <= 2 * REACH; d++)
    {
      int away = d & 1 ? -(d + 1) / 2 : d / 2;
      uint64_t at = site->addr + SHORT + away;
      if (lp_board_is_free (b, at))
	{
	  site->island = at;
	  lp_board_set (b, at, JUMP, TAKEN);
	  return true;
	}
    }
  site->tactic = LP_TACTIC_NONE;
  lp_board_set (b, site->addr, SHORT, DEAD);
  return false;
}

/* Length and opcode of the jump at a site.  */
static unsigned
jump_length (const lp_site *site)
{
  return site->tactic == LP_TACTIC_SPRINGBOARD ? JUMP : SHORT;
}

static uint8_t
jump_opcode (const lp_site *site)
{
  return site->tactic == LP_TACTIC_SPRINGBOARD ? 0xe9 : 0xeb;
}

/* Can the jump of site N begin with PREFIX?  One more byte must be dead then,
   and an island still be within reach.  */
static bool
takes_prefix (struct board *b, size_t n, uint8_t prefix)
{
  const lp_site *site = &b->plan->sites.v[n];
  lp_strip *strip = lp_board_strip (b, site->addr);
  uint64_t more = site->addr + jump_length (site);
  if (prefix == jump_opcode (site))
    return true;
  if (prefix == 0xe9 || prefix == 0xeb
      || (site->tactic == LP_TACTIC_ISLAND
	  && (int64_t) (site->island - more - 1) < -REACH))
    return false;
  return more < strip->hi && more < lp_site_next (b->plan, n)
	 && strip->state[more - strip->lo] == DEAD && !lp_board_waits (b, more);
}

/* Prefixes that a near jump ignores in 64-bit mode (Intel SDM volume 2, 2.1.1
   and 2.2.1: segment overrides, address size, REX), and the jumps
   themselves.  */
static const uint8_t puns[] = {
  0xe9, 0xeb, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0x67, 0x40, 0x41, 0x42, 0x43,
  0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f };

bool
lp_site_pun_on (struct board *b, size_t s, struct board *other, size_t n)
{
  lp_site *site = &b->plan->sites.v[s], *next = &other->plan->sites.v[n];
  if (lp_site_room (b, s) != 1 || next->addr != site->addr + 1
      || (next->tactic != LP_TACTIC_SPRINGBOARD
	  && next->tactic != LP_TACTIC_ISLAND) || next->pun || next->prefix)
    return false;
  for (size_t i = 0; i < sizeof puns; i++)
    {
      uint64_t at = site->addr + SHORT + (int8_t) puns[i];
      if (!lp_board_is_free (b, at) || !takes_prefix (other, n, puns[i]))
	continue;
      site->tactic = LP_TACTIC_ISLAND;
      site->island = at;
      site->pun = puns[i];
      lp_board_set (b, site->addr, 1, TAKEN);
      lp_board_set (b, at, JUMP, TAKEN);
      if (puns[i] != jump_opcode (next))
	{
	  next->prefix = puns[i];
	  lp_board_set (other, next->addr + jump_length (next), 1, TAKEN);
	}
      return true;
    }
  return false;
}

bool
lp_site_pun (struct board *b, size_t s)
{
  return s + 1 < b->plan->sites.n && lp_site_pun_on (b, s, b, s + 1);
}

/* A call under an int3 cannot run at home: the clone, which jumps there, would
   come back to the int3 for ever.  */
static void
place_trap (struct board *b, size_t s)
{
  lp_plan *plan = b->plan;
  lp_site *site = &plan->sites.v[s];
  const lp_insn *in = &plan->flow.insns.v[site->insn];
  if (lp_is_call (in) && lp_call_can_leave (b, in))
    plan->away[site->insn] = true;
  else if (lp_is_call (in))
    {
      plan->engine = LP_PLAN_NONE;
      snprintf (plan->reason, sizeof plan->reason, "the call at %#lx goes "
		"through the stack pointer", (unsigned long) in->addr);
    }
  site->tactic = LP_TACTIC_TRAP;
  lp_board_set (b, site->addr, 1, TAKEN);
}

static void
choose_tactics (struct board *b)
{
  lp_plan *plan = b->plan;
  for (size_t s = 0; s < plan->sites.n; s++)
    try_home (b, s);
  for (size_t s = 0; s < plan->sites.n; s++)
    if (!plan->sites.v[s].tactic && !lp_site_springboard (b, s))
      try_call (b, s, false);
  for (size_t s = plan->sites.n; s-- > 0;)	/* a pun is on the next one's jump */
    if (!plan->sites.v[s].tactic && !lp_site_island (b, s) && !try_run_in (b, s)
	&& !try_call (b, s, true) && !lp_site_pun (b, s) && !lp_site_make_room (b, s))
      place_trap (b, s);
}

int
lp_plan_sites (const lp_census *census, lp_plan *plan, lp_error *err)
{
  struct board b = { .census = census, .plan = plan };
  int bad = lp_board_lay_out (&b) || collect_sites (&b);
  if (!bad)
    choose_tactics (&b);
  return bad ? lp_nomem (err) : 0;
}
