/* graft_emit.c: all the code of a graft, and the patches for it.  */

#include "graft.h"

#include <stdlib.h>
#include <string.h>

#include "probe/places.h"
#include "probe/puns.h"
#include "probe/trap.h"
#include "runtime/runtime.h"

static void
emit_thunks (lp_text *text)
{
  uint64_t base = lp_asm_here (&text->code);
  lp_asm_bytes (&text->code, lp_thunks_begin, lp_thunks_end - lp_thunks_begin);
  text->env.thunk_entry = base + (lp_thunk_entry - lp_thunks_begin);
  text->env.thunk_exit = base + (lp_thunk_exit - lp_thunks_begin);
  text->env.thunk_resync = base + (lp_thunk_resync - lp_thunks_begin);
}

/* The same where call trees are kept.  */
static void
emit_tree_thunks (lp_text *text)
{
  const uint8_t *begin = lp_tree_begin_code;
  uint64_t base = lp_asm_here (&text->code) - (uintptr_t) begin;
  lp_emit_env *env = &text->env;
  bool timed = env->timed;
  lp_asm_bytes (&text->code, begin, lp_tree_end_code - begin);
  env->thunk_entry
    = base + (uintptr_t) (timed ? lp_tree_thunk_entry : lp_tree_count_entry);
  env->thunk_exit
    = base + (uintptr_t) (timed ? lp_tree_thunk_exit : lp_tree_count_exit);
  env->thunk_resync
    = base + (uintptr_t) (timed ? lp_tree_thunk_resync : lp_tree_count_resync);
  env->thunk_switch
    = base + (uintptr_t) (timed ? lp_tree_thunk_switch : lp_tree_count_switch);
  env->thunk_inlined = base + (uintptr_t) lp_tree_count_inlined;
  env->thunk_uninlined = base + (uintptr_t) lp_tree_count_uninlined;
}

/* A word of the code at AT, a distance from its begin.  */
static void
set_word (lp_asm *code, size_t at, uint64_t value)
{
  memcpy (code->buf + at, &value, sizeof value);
}

/* The code from BEGIN to END, by which a thread takes a block itself and which is
   entered at THUNK; at the code's very begin.  */
static void
emit_claim_code (lp_text *text, const uint8_t *begin, const uint8_t *end,
		 const uint8_t *thunk)
{
  text->env.thunk_claim = lp_asm_here (&text->code) + (thunk - begin);
  lp_asm_bytes (&text->code, begin, end - begin);
  while (text->code.n % LP_THUNKS_ALIGN)
    lp_asm_byte (&text->code, 0xcc);
}

static void
emit_claim (lp_text *text)
{
  const uint8_t *begin = lp_claim_begin;
  emit_claim_code (text, begin, lp_claim_end, lp_thunk_claim);
  set_word (&text->code, lp_claim_block0 - begin, text->env.block0);
  set_word (&text->code, lp_claim_mark - begin, text->env.mark);
}

/* The same in this process itself.  */
static void
emit_own_claim (lp_text *text)
{
  const uint8_t *begin = lp_own_begin;
  emit_claim_code (text, begin, lp_own_end, lp_thunk_own_claim);
  set_word (&text->code, lp_own_function - begin, text->env.own);
}

static int
emit_functions (lp_text *text, lp_prepared *prepared, lp_error *err)
{
  for (size_t i = 0; i < prepared->plans.n; i++)
    {
      lp_plan *plan = &prepared->plans.v[i];
      lp_error why = { 0 };
      if (plan->engine == LP_PLAN_NONE
	  || lp_clone_emit (text, prepared->mod, plan, &why) == 0)
	continue;
      if (why.code == LP_ENOMEM)
	return lp_nomem (err);
      plan->engine = LP_PLAN_NONE;
      memcpy (plan->reason, why.text, sizeof plan->reason);
      plan->reason[sizeof plan->reason - 1] = '\0';
    }
  return 0;
}

static int
find_page (void *arg, uint64_t first, uint64_t last, uint64_t *page)
{
  return lp_find_page (arg, first, last, page, NULL);
}

/* Some pun of TEXT found no place: change PREPARED.  */
static bool
give_up_puns (const lp_text *text, lp_prepared *prepared)
{
  bool any = false;
  for (size_t i = 0; i < text->puns.n; i++)
    if (!text->puns.v[i].placed)
      {
	lp_prepared_unplaced (prepared, text->puns.v[i].plan, text->puns.v[i].site);
	any = true;
      }
  return any;
}

/* Forget what was emitted behind the first START bytes.  */
static void
begin_again (lp_text *text, size_t start)
{
  text->code.n = start;
  text->patches.n = text->traps.n = text->places.n = 0;
  text->detours.n = text->puns.n = 0;
  while (text->pages.n)
    free (text->pages.v[--text->pages.n].bytes);
}

int
lp_graft_emit (lp_text *text, lp_prepared *prepared, lp_process *proc,
	       lp_error *err)
{
  text->code.n = 0;
  if (text->env.own)
    emit_own_claim (text);
  else if (text->env.block0)
    emit_claim (text);
  if (prepared->calls)
    emit_tree_thunks (text);
  else
    emit_thunks (text);
  const size_t start = text->code.n;
  bool again;
  do
    {
      begin_again (text, start);
      if (emit_functions (text, prepared, err))
	return -1;
      if (lp_puns_place (text, prepared->mod, find_page, proc))
	return lp_nomem (err);
      again = give_up_puns (text, prepared);
      again |= lp_prepared_forsake (prepared);
    }
  while (again);
  lp_trap_sort (text);
  lp_places_sort_detours (text);
  return 0;
}
