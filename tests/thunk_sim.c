/* thunk_sim.c: see thunk_sim.h.  */

#include "thunk_sim.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "runtime/runtime.h"
#include "thunk_call.h"
#include "wire/stacks.h"

enum
{
  CELLS = LP_FRAMES + (SIM_CALLS + 2) * LP_FRAME_SIZE,
  FUNC_CELLS = CELLS + SIM_ALL_LINES * sizeof (lp_line_cell),
  BLOCK_SIZE = FUNC_CELLS + SIM_FUNCS * sizeof (lp_func_cell),
  GUARD = 16 << 10,		/* behind the block: nothing may be written there */
  STACK_SIZE = 4 << 20,
  ARITHMETIC_FLAGS = 0x8d5,	/* OF SF ZF AF PF CF */
  DIRECTION_FLAG = 0x400
};

uint64_t
sim_random (sim *s)
{
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return s->random * 0x2545f4914f6cdd1du;
}

int
sim_line (int func, int nth)
{
  return func ? 1 + (func - 1) * SIM_LINES + nth : 0;
}

uint32_t
sim_line_offset (int line)
{
  return line ? CELLS + line * sizeof (lp_line_cell) : LP_OUTSIDE_LINE;
}

uint32_t
sim_func_offset (int func)
{
  return func ? FUNC_CELLS + func * sizeof (lp_func_cell) : LP_OUTSIDE_FUNC;
}

void *
sim_cell (sim *s, uint32_t offset)
{
  return (unsigned char *) s->block + offset;
}

static void
copy_thunks (sim *s)
{
  size_t n = lp_thunks_end - lp_thunks_begin;
  s->thunks = mmap (NULL, n, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (s->thunks, MAP_FAILED);
  memcpy (s->thunks, lp_thunks_begin, n);
  ck_assert_int_eq (mprotect (s->thunks, n, PROT_READ | PROT_EXEC), 0);
  s->thunks_end = s->thunks + n;
}

void
sim_start (sim *s, int limit)
{
  *s = (sim) { .random = 0x9e3779b97f4a7c15u, .limit = limit };
  copy_thunks (s);
  s->stack = mmap (NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (s->stack, MAP_FAILED);
  s->stack_end = s->stack + STACK_SIZE;

  /* Frames full of wrong numbers: none may be used before it was written.  */
  s->block = aligned_alloc (64, (BLOCK_SIZE + GUARD + 63) / 64 * 64);
  memset (s->block, 0xee, BLOCK_SIZE + GUARD);
  memset (sim_cell (s, CELLS), 0, BLOCK_SIZE - CELLS);
  *s->block = (lp_block) {
    .line = LP_OUTSIDE_LINE, .func = LP_OUTSIDE_FUNC, .top = LP_FRAMES,
    .limit = LP_FRAMES + limit * LP_FRAME_SIZE, .version = LP_WIRE_VERSION,
    .entry_cost = SIM_ENTRY_COST, .exit_cost = SIM_EXIT_COST
  };
  *(lp_frame *) sim_cell (s, LP_FRAMES) = (lp_frame) { .cfa = 0 };
  s->calls[0].cfa = UINT64_MAX;
  s->block->last = s->first = __rdtsc ();
}

void
sim_know_stack (sim *s)
{
  s->block->deep = (uintptr_t) s->stack;
  s->block->high = (uintptr_t) s->stack_end;
  lp_stack_window (s->block);
}

void
sim_stop (sim *s)
{
  const unsigned char *guard = sim_cell (s, BLOCK_SIZE);
  ck_assert_uint_eq (guard[0], 0xee);
  ck_assert_int_eq (memcmp (guard, guard + 1, GUARD - 1), 0);
  munmap (s->thunks, s->thunks_end - s->thunks);
  munmap (s->stack, STACK_SIZE);
  free (s->block);
}

/* The model.  */

static void
charge (sim *s, uint64_t ticks)
{
  unsigned seen = 0;
  for (int i = s->depth; i >= 0; i--)
    {
      sim_call *call = &s->calls[i];
      if (seen & 1u << call->func)
	continue;
      seen |= 1u << call->func;
      s->funcs[call->func].total += ticks;
      if (i == s->depth)
	s->lines[call->line].self += ticks;
      else
	s->lines[call->line].callees += ticks;
    }
}

static void
end_calls (sim *s, uint64_t cfa)
{
  while (s->calls[s->depth].cfa <= cfa)
    s->depth--;
}

static void
begin_call (sim *s, uint64_t cfa, int func, int line)
{
  s->funcs[func].calls++;
  if (s->depth < s->limit)
    s->calls[++s->depth] = (sim_call) { cfa, func, line };
  else
    {
      s->calls[s->depth].line = line;
      s->overflow++;
    }
}

/* Events.  */

static struct thunk_call
make_call (sim *s, int thunk, uint64_t sp, uint64_t argument, uint64_t flags)
{
  const unsigned char *entries[] = { lp_thunk_entry, lp_thunk_exit, lp_thunk_resync };
  struct thunk_call call = {
    .thunk = s->thunks + (entries[thunk] - lp_thunks_begin),
    .rcx = (uintptr_t) s->block, .rax = argument, .in_flags = flags
  };
  for (int i = 0; i < 16; i++)
    call.in[i] = sim_random (s);
  call.in[4] = sp;
  return call;
}

void
sim_raw (sim *s, int thunk, uint64_t sp, uint64_t argument, uint64_t flags)
{
  struct thunk_call call = make_call (s, thunk, sp, argument, flags | 0x202);
  thunk_call (&call);
}

/* Call THUNK with the stack pointer at SP, where only what the thunk may use
   is overwritten.  */
static void
call_and_compare (sim *s, int thunk, uint64_t sp, uint64_t argument)
{
  enum { AROUND = 1024 };
  unsigned char before[2 * AROUND], *stack = (unsigned char *) sp - AROUND;
  uint64_t cfa = sp + 8;
  int used = 16 + (thunk == SIM_RESYNC || cfa < s->block->floor
		   || cfa > s->block->ceiling ? LP_SETTLE_STACK
		   : LP_THUNKS_STACK);
  for (int i = 0; i < 2 * AROUND; i++)
    before[i] = stack[i] = sim_random (s);

  uint64_t flags = sim_random (s) & (ARITHMETIC_FLAGS | DIRECTION_FLAG);
  struct thunk_call call = make_call (s, thunk, sp, argument, flags | 0x202);
  thunk_call (&call);

  ck_assert_uint_eq (call.out_flags & (ARITHMETIC_FLAGS | DIRECTION_FLAG), flags);
  for (int i = 0; i < 16; i++)
    ck_assert_msg (call.in[i] == call.out[i], "register %d is lost", i);
  ck_assert_mem_eq (stack, before, AROUND - used);
  ck_assert_mem_eq (stack + AROUND, before + AROUND, AROUND);
}

/* Call THUNK, and charge in the model what it charged, when that is right.  */
static void
timed (sim *s, int thunk, uint64_t sp, uint64_t argument, uint64_t cost)
{
  uint64_t last = s->block->last, clock = s->block->clock;
  uint64_t earliest = __rdtsc ();
  call_and_compare (s, thunk, sp, argument);
  uint64_t latest = __rdtsc (), ticks = s->block->clock - clock;

  ck_assert_uint_le (last + ticks, ticks ? latest : UINT64_MAX);
  ck_assert_uint_ge (last + ticks, earliest);
  ck_assert_uint_eq (s->block->last, last + ticks + cost);
  s->cost += cost;
  charge (s, ticks);
}

void
sim_enter (sim *s, uint64_t cfa, int func, int line)
{
  uint64_t argument = (uint64_t) sim_line_offset (line) << 32 | sim_func_offset (func);
  timed (s, SIM_ENTRY, cfa - 8, argument, SIM_ENTRY_COST);
  end_calls (s, cfa);
  begin_call (s, cfa, func, line);
}

void
sim_exit (sim *s, uint64_t cfa)
{
  timed (s, SIM_EXIT, cfa - 8, sim_random (s), SIM_EXIT_COST);
  end_calls (s, cfa);
}

void
sim_resync (sim *s, uint64_t sp)
{
  timed (s, SIM_RESYNC, sp - 144, sp, SIM_EXIT_COST);
  end_calls (s, sp);
}

void
sim_at_line (sim *s, int line)
{
  lp_block *block = s->block;
  uint64_t now = __rdtsc ();
  uint64_t ticks = now > block->last ? now - block->last : 0;
  ((lp_line_cell *) sim_cell (s, block->line))->self += ticks;
  block->clock += ticks;
  block->last += ticks;
  block->line = sim_line_offset (line);
  charge (s, ticks);
  s->calls[s->depth].line = line;
}

void
sim_wait (sim *s, uint64_t ticks)
{
  s->block->last -= ticks;
  s->first -= ticks;
}

static void
check_cells (sim *s)
{
  for (int i = 0; i < SIM_ALL_LINES; i++)
    {
      lp_line_cell *cell = sim_cell (s, sim_line_offset (i));
      ck_assert_msg (cell->self == s->lines[i].self, "self of line %d", i);
      ck_assert_msg (cell->callees == s->lines[i].callees, "callees of line %d", i);
    }
  for (int i = 1; i < SIM_FUNCS; i++)
    {
      lp_func_cell *cell = sim_cell (s, sim_func_offset (i));
      ck_assert_msg (cell->calls == s->funcs[i].calls, "calls of function %d", i);
      ck_assert_msg (cell->total == s->funcs[i].total, "total of function %d", i);
    }
}

void
sim_check (sim *s)
{
  lp_block *block = s->block;
  ck_assert_uint_eq (block->top, LP_FRAMES + s->depth * LP_FRAME_SIZE);
  ck_assert_uint_eq (block->line, sim_line_offset (s->calls[s->depth].line));
  ck_assert_uint_eq (block->func, sim_func_offset (s->calls[s->depth].func));
  ck_assert_uint_eq (block->overflow, s->overflow);
  ck_assert_uint_eq (block->version, LP_WIRE_VERSION);
  ck_assert_uint_eq (block->last, s->first + block->clock + s->cost);
  for (int i = 1; i <= s->depth; i++)
    {
      lp_frame *frame = sim_cell (s, LP_FRAMES + i * LP_FRAME_SIZE);
      ck_assert_uint_eq (frame->cfa, s->calls[i].cfa);
      ck_assert_uint_eq (frame->func, sim_func_offset (s->calls[i].func));
      ck_assert_uint_eq (frame->caller_line, sim_line_offset (s->calls[i - 1].line));
      ck_assert_uint_eq (frame->caller_func, sim_func_offset (s->calls[i - 1].func));
    }
  if (s->depth == 0)
    check_cells (s);
}
