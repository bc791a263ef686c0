/* calibrate.c: measure probes against nothing and against a bare call.  */

#include "probe/calibrate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "probe/emit.h"
#include "wire/events.h"
#include "wire/tree.h"

enum
{
  AREA = 64 * 1024,
  UNROLL = 64,			/* probes in a row */
  ROUNDS = 20,			/* calls of such a row in one measurement */
  TRIES = 24,			/* measurements, of which the shortest counts */
  CELLS = LP_FRAMES + LP_MAX_FRAMES * LP_FRAME_SIZE,
  FUNC = CELLS, LINE = CELLS + 16, COUNTER = CELLS + 48,
  NODES = CELLS + 64, END = NODES + 16 * LP_NODE_SIZE
};

static __thread uint64_t slot __attribute__ ((tls_model ("initial-exec")));

typedef void code (void);

/* The pieces of code.  */
struct pieces
{
  code *inlined;		/* UNROLL counts of an inlined call */
  code *lines;			/* UNROLL line probes */
  code *calls;			/* UNROLL calls of a function with entry and exit */
  code *bare;			/* UNROLL calls of a function without */
};

static code *
here (lp_asm *a)
{
  return (code *) (uintptr_t) lp_asm_here (a);
}

static void
emit_lines (lp_asm *a, const lp_emit_env *env)
{
  /* rax, rcx and rdx free: what a line's start mostly finds.  */
  uint32_t counter = COUNTER;
  lp_probe probe = { .counters = &counter, .ncounters = 1, .line_cell = LINE,
		     .live_regs = 0xfff8 };
  for (int i = 0; i < UNROLL; i++)
    lp_emit_probe (a, env, &probe);
  lp_asm_byte (a, 0xc3);
}

static void
emit_inlined (lp_asm *a, const lp_emit_env *env)
{
  for (int i = 0; i < UNROLL; i++)
    lp_emit_inlined (a, env, FUNC, FUNC + 1, false);
  lp_asm_byte (a, 0xc3);
}

static void
emit_calls (lp_asm *a, code *callee)
{
  for (int i = 0; i < UNROLL; i++)
    lp_asm_call (a, (uintptr_t) callee);
  lp_asm_byte (a, 0xc3);
}

static struct pieces
emit_pieces (lp_asm *a, const lp_emit_env *env)
{
  struct pieces p = { .lines = here (a) };
  emit_lines (a, env);
  code *probed = here (a);
  lp_emit_entry (a, env, FUNC, LINE);
  lp_emit_exit (a, env);
  lp_asm_byte (a, 0xc3);
  code *plain = here (a);
  lp_asm_byte (a, 0xc3);
  p.calls = here (a);
  emit_calls (a, probed);
  p.bare = here (a);
  emit_calls (a, plain);
  p.inlined = here (a);
  if (env->calls)
    emit_inlined (a, env);
  return p;
}

/* Ticks for one of the UNROLL things that CODE does.  */
static double
measure (code *code)
{
  uint64_t best = UINT64_MAX;
  for (int t = 0; t < TRIES; t++)
    {
      uint64_t from = __rdtsc ();
      for (int i = 0; i < ROUNDS; i++)
	code ();
      uint64_t took = __rdtsc () - from;
      best = took < best ? took : best;
    }
  return (double) best / (ROUNDS * UNROLL);
}

static void
run (lp_asm *a, const lp_emit_env *env, lp_block *block, lp_costs *costs)
{
  struct pieces p = emit_pieces (a, env);
  mprotect (a->buf, AREA, PROT_READ | PROT_EXEC);
  lp_event_begin (block, __rdtsc (), 0, 0);
  if (env->calls)
    lp_tree_begin (block, NODES, END);
  slot = (uintptr_t) block;
  costs->line = measure (p.lines) + 0.5;
  double pair = measure (p.calls) - measure (p.bare);
  costs->entry = costs->exit = pair > 0 ? pair / 2 + 0.5 : 0;
  costs->inlined = env->calls ? measure (p.inlined) + 0.5 : 0;
}

int
lp_calibrate (const uint8_t *thunks, size_t nthunks, size_t entry,
	      size_t exit, size_t inlined, lp_costs *costs, lp_error *err)
{
  lp_block *block = calloc (1, END);
  uint8_t *area = mmap (NULL, AREA, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  lp_asm a = { .buf = area, .cap = AREA, .base = (uintptr_t) area };
  /* Volatile: folded into one 32-bit load of the offset, the linker cannot
     relax it.  */
  volatile uintptr_t address = (uintptr_t) &slot;
  lp_emit_env env = {
    .slot = address - (uintptr_t) __builtin_thread_pointer (),
    .thunk_entry = a.base + entry, .thunk_exit = a.base + exit,
    .thunk_inlined = a.base + inlined, .timed = true, .calls = inlined != 0 };
  int bad = 0;
  if (!block)
    bad = lp_nomem (err);
  else if (area == MAP_FAILED || nthunks > AREA)
    bad = lp_fail (err, LP_EUNSUPPORTED,
		   "no executable memory for measuring the probes' cost");
  else
    {
      lp_asm_bytes (&a, thunks, nthunks);
      run (&a, &env, block, costs);
    }
  if (area != MAP_FAILED)
    munmap (area, AREA);
  free (block);
  return bad;
}
