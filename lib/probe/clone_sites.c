/* clone_sites.c: how the original code leads into the clone: the patches that the
   plan's tactics ask for (sites.c).  */

#include <string.h>

#include "probe/clone_build.h"

/* The run-time address where site S has to lead.  */
static uint64_t
destination (struct clone *c, const lp_site *site)
{
  if (site->kind & LP_ENTRY_FUNCTION)
    return c->entry;
  bool landing = site->kind & LP_ENTRY_LANDING;
  if (!landing && !lp_plan_comes_back (c->plan, site->insn))
    return c->at[site->insn];
  uint64_t here = lp_asm_here (&c->text->code);
  if (landing)
    lp_emit_resync (&c->text->code, &c->text->env);
  else
    lp_emit_called (&c->text->code, &c->text->env);
  lp_asm_jmp (&c->text->code, c->at[site->insn]);
  return here;
}

/* [PREFIX] e9 rel32 at file address ADDR; no prefix when it is 0.  */
static int
patch_jump (struct clone *c, uint64_t addr, uint8_t prefix, uint64_t target)
{
  uint8_t jump[6] = { prefix };
  unsigned op = prefix != 0;
  int64_t disp = target - (addr + c->text->bias + op + 5);
  int32_t rel = disp;
  c->text->code.far |= disp != rel;
  jump[op] = 0xe9;
  memcpy (jump + op + 1, &rel, 4);
  return lp_clone_patch (c->text, c->mod, addr, jump, op + 5);
}

/* At file address AT stands what leads on from SITE.  */
static int
detour (struct clone *c, uint64_t at, const lp_site *site)
{
  return lp_vec_push (&c->text->detours,
		      ((lp_detour) { at + c->text->bias,
				     site->addr + c->text->bias }));
}

static int
patch_island (struct clone *c, const lp_site *site)
{
  unsigned op = site->prefix != 0;
  uint8_t jump[3] = { site->prefix };
  jump[op] = 0xeb;
  jump[op + 1] = site->island - (site->addr + op + 2);
  return detour (c, site->island, site)
	 || lp_clone_patch (c->text, c->mod, site->addr, jump,
			    site->pun ? 1 : op + 2)
	 || patch_jump (c, site->island, 0, destination (c, site));
}

/* Tactic "call": the stub, and `nop...; call stub` at home.  */
static int
patch_call (struct clone *c, const lp_site *site)
{
  const lp_insn *insns = c->plan->flow.insns.v, *call = &insns[site->call];
  lp_asm *a = &c->text->code;
  uint64_t stub = lp_asm_here (a);
  uint32_t callee = lp_plan_callee_number (c->plan, site->call);
  /* The stack pointer is at a return address here, as an entry and an exit expect
     it.  */
  if (lp_plan_comes_back (c->plan, site->insn))
    lp_emit_exit (a, &c->text->env);
  for (uint32_t i = site->insn; i < site->call; i++)
    {
      lp_clone_emit_probe (c, i);
      lp_clone_copy (c->text, &insns[i], lp_clone_bytes (c, &insns[i]));
    }
  lp_clone_emit_probe (c, site->call);
  if (callee)
    lp_emit_entry (a, &c->text->env, callee, 0);
  if (call->kind == LP_INSN_CALL)
    lp_asm_jmp (a, call->target + c->text->bias);
  else
    lp_clone_jump_through (c->text, call, lp_clone_bytes (c, call), 8);

  uint8_t bytes[24];
  unsigned n = call->addr + call->len - site->addr;
  int64_t disp = stub - (call->addr + call->len + c->text->bias);
  int32_t rel = disp;
  if (n > sizeof bytes)
    return -1;
  a->far |= disp != rel;
  memset (bytes, 0x90, n);
  for (unsigned i = 1; i + 5 <= n; i++)
    if (detour (c, site->addr + i, site))
      return -1;
  bytes[n - 5] = 0xe8;
  memcpy (bytes + n - 4, &rel, 4);
  return lp_clone_patch (c->text, c->mod, site->addr, bytes, n);
}

static int
patch_trap (struct clone *c, const lp_site *site)
{
  lp_trap trap = { .addr = site->addr + c->text->bias,
		   .resume = destination (c, site), .plan = c->plan,
		   .insn = site->insn };
  return lp_clone_patch (c->text, c->mod, site->addr, (uint8_t[]) { 0xcc }, 1)
	 || lp_vec_push (&c->text->traps, trap);
}

/* What it leads through will be known when all is emitted.  */
static int
want_pun (struct clone *c, const lp_site *site)
{
  return lp_vec_push (&c->text->puns,
		      ((lp_pun) { .addr = site->addr + c->text->bias,
				  .target = destination (c, site),
				  .room = site->room, .plan = c->plan,
				  .site = site - c->plan->sites.v }));
}

int
lp_clone_patch_site (struct clone *c, const lp_site *site)
{
  switch ((enum lp_tactic) site->tactic)
    {
    case LP_TACTIC_SPRINGBOARD:
      return patch_jump (c, site->addr, site->prefix, destination (c, site));
    case LP_TACTIC_ISLAND:
      return patch_island (c, site);
    case LP_TACTIC_CALL:
      return patch_call (c, site);
    case LP_TACTIC_PUN:
      return want_pun (c, site);
    case LP_TACTIC_TRAP:
      return patch_trap (c, site);
    case LP_TACTIC_HOME: case LP_TACTIC_NONE:
      return 0;
    }
  return -1;
}
