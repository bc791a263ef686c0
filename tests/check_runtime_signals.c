/* check_runtime_signals.c: the thunks of the runtime floor with signal handlers
   between any two of their instructions.  The thunk is single-stepped; the
   handler of the trap is the program's handler, and runs profiled functions.  */

#define _GNU_SOURCE		/* REG_RIP */

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include "thunk_call.h"
#include "thunk_sim.h"

enum action { RETURN, LEAK, LEAVE };

/* A handler comes in before instruction AT[i] of the interrupted thunk.  */
static struct
{
  sim *s;
  int step, at[2];
  enum action action[2];
  int came, entries, exits;
  bool left;
} trap;

enum { SINGLE_STEP = 0x100 };	/* the flag TF */

enum { MAIN = 1, INNER, LOST, HANDLER, EARLIER };
enum { INNER_BELOW = 128 };
#define WAIT (UINT64_C (1) << 40)

static void
raw_enter (uint64_t cfa, int func, uint64_t flags)
{
  uint64_t line = sim_line_offset (sim_line (func, 0));
  sim_raw (trap.s, SIM_ENTRY, cfa - 8, line << 32 | sim_func_offset (func), flags);
  trap.entries++;
}

static void
raw_exit (uint64_t cfa, uint64_t flags)
{
  sim_raw (trap.s, SIM_EXIT, cfa - 8, 0, flags);
  trap.exits++;
}

static void
raw_resync (uint64_t sp, uint64_t flags)
{
  sim_raw (trap.s, SIM_RESYNC, sp - 144, sp, flags);
  trap.exits++;
}

/* Profiled functions called by the handler: one calls INNER, which is also what
   the thunk is about.  LEAK: they are left by a throw that the handler catches.
   LEAVE: the handler never returns.  */
static void
handle (enum action action, uint64_t stack, ucontext_t *uc)
{
  struct thunk_call *interrupted = thunk_current;
  raw_enter (stack, HANDLER, 0);
  raw_enter (stack - 64, INNER, 0);
  trap.came++;
  if (action == RETURN)
    {
      raw_exit (stack - 64, 0);
      raw_exit (stack, 0);
    }
  thunk_current = interrupted;
  if (action == LEAVE)
    {
      trap.left = true;
      uc->uc_mcontext.gregs[REG_RIP] = (greg_t) thunk_abandon;
      uc->uc_mcontext.gregs[REG_EFL] &= ~SINGLE_STEP;
    }
}

static void
on_trap (int sig, siginfo_t *info, void *context)
{
  (void) sig, (void) info;
  ucontext_t *uc = context;
  unsigned char *pc = (unsigned char *) uc->uc_mcontext.gregs[REG_RIP];
  bool inside = pc >= trap.s->thunks && pc < trap.s->thunks_end;
  trap.step += inside;
  if (trap.step && (!inside || (trap.at[1] && trap.step >= trap.at[1])))
    uc->uc_mcontext.gregs[REG_EFL] &= ~SINGLE_STEP;
  for (int i = 0; i < 2; i++)
    if (inside && trap.step == trap.at[i])
      handle (trap.action[i], (uintptr_t) trap.s->stack_end - (2 << 20), uc);
}

/* What one situation looks like: MAIN runs, has called EARLIER or not, perhaps
   runs INNER, which perhaps has LOST, deep in the stack, left without exit; then
   the interrupted event.  */
static const struct situation
{
  bool earlier, inner, lost;
  int event, limit;
} situations[] = {
  { false, false, false, SIM_ENTRY, SIM_CALLS },
  { true, false, false, SIM_ENTRY, SIM_CALLS },
  { false, false, true, SIM_ENTRY, SIM_CALLS },
  { true, false, false, SIM_ENTRY, 1 },
  { false, true, false, SIM_EXIT, SIM_CALLS },
  { false, true, true, SIM_EXIT, SIM_CALLS },
  { false, true, false, SIM_EXIT, 1 },
  { false, false, true, SIM_RESYNC, SIM_CALLS },
  { false, true, true, SIM_RESYNC, SIM_CALLS },
};
enum { SITUATIONS = sizeof situations / sizeof *situations };

/* Run a situation up to and including the event, single-stepped.  */
static void
run_situation (const struct situation *t, sim *s, uint64_t main_cfa)
{
  const uint64_t inner_cfa = main_cfa - INNER_BELOW, deep_cfa = main_cfa - (1 << 20);
  raw_enter (main_cfa, MAIN, 0);
  if (t->earlier)		/* its frame's remains are where INNER's gets */
    {
      raw_enter (deep_cfa, EARLIER, 0);
      raw_exit (deep_cfa, 0);
    }
  if (t->inner)
    raw_enter (inner_cfa, INNER, 0);
  if (t->lost)
    raw_enter (deep_cfa, LOST, 0);
  sim_wait (s, WAIT);
  sim_at_line (s, sim_line (t->lost ? LOST : t->inner ? INNER : MAIN, 1));
  if (t->event == SIM_ENTRY)
    raw_enter (inner_cfa, INNER, SINGLE_STEP);
  else if (t->event == SIM_EXIT)
    raw_exit (inner_cfa, SINGLE_STEP);
  else
    raw_resync (inner_cfa, SINGLE_STEP);
}

static uint64_t
calls_of (sim *s, int func)
{
  return ((lp_func_cell *) sim_cell (s, sim_func_offset (func)))->calls;
}

/* When all calls have ended, wherever handlers came in: nothing is out of
   place, each tick is on one line, and each call was counted.  Each handler may
   have put one call's time in the wrong place, no more.  */
static void
check_end (const struct situation *t, sim *s)
{
  lp_block *block = s->block;
  ck_assert_uint_eq (block->top, LP_FRAMES);
  ck_assert_uint_eq (block->func, LP_OUTSIDE_FUNC);
  uint64_t self = 0;
  int64_t most = (1 + trap.came) * (block->last - s->first);
  for (int i = 0; i < SIM_ALL_LINES; i++)
    {
      lp_line_cell *cell = sim_cell (s, sim_line_offset (i));
      self += cell->self;
      ck_assert_int_le (llabs ((long long) cell->callees), most);
    }
  for (int i = 1; i < SIM_FUNCS; i++)
    {
      lp_func_cell *cell = sim_cell (s, sim_func_offset (i));
      ck_assert_int_ge ((int64_t) cell->total, 0);
      ck_assert_int_le ((int64_t) cell->total, most);
    }
  uint64_t inner = t->inner + (t->event == SIM_ENTRY) + trap.came;
  ck_assert_uint_eq (calls_of (s, MAIN), 1);
  ck_assert_uint_eq (calls_of (s, EARLIER), t->earlier);
  ck_assert_uint_eq (calls_of (s, LOST), t->lost);
  ck_assert_uint_eq (calls_of (s, HANDLER), trap.came);
  ck_assert_uint_le (calls_of (s, INNER), inner);
  ck_assert_uint_ge (calls_of (s, INNER) + trap.left, inner);
  if (trap.left)
    return;
  ck_assert_uint_eq (self, block->clock);
  ck_assert_uint_eq (block->last, s->first + block->clock + trap.entries * SIM_ENTRY_COST
		     + trap.exits * SIM_EXIT_COST);
}

/* What came of a situation.  */
struct outcome
{
  lp_block event;		/* the block after the event */
  lp_frame top;			/* the top frame after the event, the CFA counted down
				   from MAIN's */
  int waits[2 * SIM_ALL_LINES + SIM_FUNCS]; /* each cell at the end, in WAITs */
};

static void
note_event (sim *s, uint64_t main_cfa, struct outcome *o)
{
  o->event = *s->block;
  o->top = *(lp_frame *) sim_cell (s, o->event.top);
  o->top.cfa = main_cfa - o->top.cfa;
}

static void
note_end (sim *s, struct outcome *o)
{
  int *waits = o->waits;
  for (int i = 0; i < SIM_ALL_LINES; i++)
    {
      lp_line_cell *cell = sim_cell (s, sim_line_offset (i));
      *waits++ = (cell->self + WAIT / 2) / WAIT;
      *waits++ = (cell->callees + WAIT / 2) / WAIT;
    }
  for (int i = 0; i < SIM_FUNCS; i++)
    {
      lp_func_cell *cell = sim_cell (s, sim_func_offset (i));
      *waits++ = (cell->total + WAIT / 2) / WAIT;
    }
}

/* Situation T with the handlers that `trap' asks for.  Returns the number of
   instructions of the event.  */
static int
interrupt (const struct situation *t, struct outcome *o)
{
  sim s;
  sim_start (&s, t->limit);
  uint64_t main_cfa = (uintptr_t) s.stack_end - 4096;
  sim_know_stack (&s);
  trap.s = &s;
  trap.step = trap.came = trap.entries = trap.exits = 0;
  trap.left = false;
  run_situation (t, &s, main_cfa);
  note_event (&s, main_cfa, o);
  if (trap.left)
    raw_resync (main_cfa - 64, 0);
  else if (t->event == SIM_ENTRY)
    raw_exit (main_cfa - INNER_BELOW, 0);
  raw_exit (main_cfa, 0);
  check_end (t, &s);
  note_end (&s, o);
  sim_stop (&s);
  return trap.step;
}

static void
catch_traps (void)
{
  struct sigaction act = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
  ck_assert_int_eq (sigaction (SIGTRAP, &act, NULL), 0);
}

/* One handler that returns: afterwards all is as if it had not come, but for
   the time that it took.  */
START_TEST (a_handler_leaves_no_trace)
{
  const struct situation *t = &situations[_i];
  struct outcome undisturbed, o;
  catch_traps ();
  trap.at[0] = trap.at[1] = 0;
  trap.action[0] = RETURN;
  int n = interrupt (t, &undisturbed);
  ck_assert_int_gt (n, 30);
  for (int i = 1; i <= n; i++)
    {
      trap.at[0] = i;
      interrupt (t, &o);
      ck_assert_int_eq (trap.came, 1);
      ck_assert_uint_eq (o.event.top, undisturbed.event.top);
      ck_assert_uint_eq (o.event.func, undisturbed.event.func);
      ck_assert_uint_eq (o.top.cfa, undisturbed.top.cfa);
      ck_assert_uint_eq (o.top.func, undisturbed.top.func);
      ck_assert_uint_eq (o.top.caller_line, undisturbed.top.caller_line);
      ck_assert_uint_eq (o.top.caller_func, undisturbed.top.caller_func);
      if (t->limit == SIM_CALLS)
	ck_assert_uint_eq (o.event.line, undisturbed.event.line);
      ck_assert_mem_eq (o.waits, undisturbed.waits, sizeof o.waits);
    }
}
END_TEST

/* Two handlers that return, throw inside, or leave: the second soon after the
   first, or anywhere.  */
START_TEST (handlers_may_do_anything)
{
  const struct situation *t = &situations[_i];
  struct outcome o;
  catch_traps ();
  trap.at[0] = trap.at[1] = 0;
  int n = interrupt (t, &o);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= 12; j++)
      {
	trap.at[0] = i;
	trap.at[1] = i + (j <= 9 ? j : j * (i + 3) % n);
	trap.action[0] = (i + j / 3) % 2 ? RETURN : LEAK;
	trap.action[1] = j % 3;
	interrupt (t, &o);
      }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("runtime-signals");
  TCase *tc = tcase_create ("signals");
  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, a_handler_leaves_no_trace, 0, SITUATIONS);
  tcase_add_loop_test (tc, handlers_may_do_anything, 0, SITUATIONS);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
