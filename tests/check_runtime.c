/* check_runtime.c: what runs in the profiled process: the thunks, against a
   model of what they shall do (thunk_sim.c), and the thread slot.  */

#define _GNU_SOURCE		/* memfd_create, dl_iterate_phdr */

#include <check.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/runtime.h"
#include "thunk_sim.h"

#define SAME(type, field, name) \
  _Static_assert (offsetof (type, field) == name, #name " is wrong")
SAME (lp_block, last, LP_BLOCK_LAST);
SAME (lp_block, clock, LP_BLOCK_CLOCK);
SAME (lp_block, line, LP_BLOCK_LINE);
SAME (lp_block, func, LP_BLOCK_FUNC);
SAME (lp_block, top, LP_BLOCK_TOP);
SAME (lp_block, top, LP_BLOCK_FUNC + 4);
SAME (lp_block, limit, LP_BLOCK_LIMIT);
SAME (lp_block, overflow, LP_BLOCK_OVERFLOW);
SAME (lp_block, entry_cost, LP_BLOCK_ENTRY_COST);
SAME (lp_block, inlined_cost, LP_BLOCK_INLINED_COST);
SAME (lp_block, exit_cost, LP_BLOCK_EXIT_COST);
SAME (lp_block, floor, LP_BLOCK_FLOOR);
SAME (lp_block, ceiling, LP_BLOCK_CEILING);
SAME (lp_block, depot, LP_BLOCK_DEPOT);
SAME (lp_block, guest, LP_BLOCK_GUEST);
SAME (lp_block, process, LP_BLOCK_PROCESS);
SAME (lp_block, outside, LP_OUTSIDE_LINE);
SAME (lp_block, outside[4], LP_BLOCK_UNOWNED);
SAME (lp_frame, cfa, LP_FRAME_CFA);
SAME (lp_frame, entry, LP_FRAME_ENTRY);
SAME (lp_frame, self_before, LP_FRAME_SELF_BEFORE);
SAME (lp_frame, caller_before, LP_FRAME_CALLER_BEFORE);
SAME (lp_frame, caller_line, LP_FRAME_CALLER_LINE);
SAME (lp_frame, caller_func, LP_FRAME_CALLER_FUNC);
SAME (lp_frame, func, LP_FRAME_FUNC);
SAME (lp_line_cell, self, LP_LINE_SELF);
SAME (lp_line_cell, callees, LP_LINE_CALLEES);
SAME (lp_func_cell, calls, LP_FUNC_CALLS);
SAME (lp_func_cell, total, LP_FUNC_TOTAL);
_Static_assert (LP_OUTSIDE_FUNC == LP_OUTSIDE_LINE + sizeof (lp_line_cell),
		"the outside's cells overlap");
_Static_assert (sizeof (lp_block) <= LP_FRAMES, "the root overlaps the block");
_Static_assert (sizeof (lp_frame) == LP_FRAME_SIZE, "LP_FRAME_SIZE is wrong");

/* Random programs.  */

/* A running program: the CFAs of its active calls.  SURPRISES: it also unwinds to
   code that is not profiled, so that calls seem active which are not.  */
struct program
{
  sim *s;
  bool surprises;
  uint64_t cfa[1000];
  int func[1000], depth;
};

static void
enter (struct program *p, uint64_t cfa)
{
  int func = 1 + sim_random (p->s) % (SIM_FUNCS - 1);
  sim_enter (p->s, cfa, func, sim_line (func, sim_random (p->s) % SIM_LINES));
  p->depth++;
  p->cfa[p->depth] = cfa;
  p->func[p->depth] = func;
}

/* Leave one or more calls without an exit; the stack pointer then.  */
static uint64_t
unwind (struct program *p)
{
  p->depth -= 1 + sim_random (p->s) % p->depth;
  return p->cfa[p->depth + 1];
}

static void
step (struct program *p)
{
  sim *s = p->s;
  int action = sim_random (s) % 16, func = p->func[p->depth];
  uint64_t cfa = p->cfa[p->depth];
  if (action < 5 && p->depth < 900)
    enter (p, cfa - 16 * (2 + sim_random (s) % 20));
  else if (p->depth == 0 || action < 8)
    sim_at_line (s, sim_line (func, sim_random (s) % SIM_LINES));
  else if (action < 11)
    {
      p->depth--;
      sim_exit (s, cfa);
    }
  else if (action == 11)	/* a throw or longjmp to profiled code */
    sim_resync (s, unwind (p));
  else if (action == 12 && p->surprises)
    unwind (p);
  else if (action <= 13)	/* a tail call, its jump seen or not */
    {
      if (sim_random (s) % 2)
	sim_exit (s, cfa);
      p->depth--;
      enter (p, cfa);
    }
  else if (action == 14)	/* return of a call that was not seen */
    sim_exit (s, cfa - 16);
  else
    sim_wait (s, sim_random (s) % 100000);
}

/* The cells of a function's lines sum up to its total.  */
static void
check_sums (sim *s)
{
  for (int f = 1; f < SIM_FUNCS; f++)
    {
      uint64_t sum = 0;
      for (int i = 0; i < SIM_LINES; i++)
	{
	  lp_line_cell *cell = sim_cell (s, sim_line_offset (sim_line (f, i)));
	  sum += cell->self + cell->callees;
	}
      lp_func_cell *cell = sim_cell (s, sim_func_offset (f));
      ck_assert_uint_eq (sum, cell->total);
    }
}

/* A random program of EVENTS steps in a thread that tracks LIMIT calls.  */
static void
run_random (int seed, int limit, int events, bool surprises)
{
  sim s;
  sim_start (&s, limit);
  s.random += seed * 2654435761u;
  struct program p = { .s = &s, .surprises = surprises };
  p.cfa[0] = (uintptr_t) s.stack_end - 4096;
  for (int i = 0; i < events; i++)
    {
      step (&p);
      sim_check (&s);
    }
  sim_resync (&s, p.cfa[0]);
  sim_check (&s);
  if (limit == SIM_CALLS && !surprises)
    check_sums (&s);
  sim_stop (&s);
}

START_TEST (random_programs_are_as_the_model)
{
  for (int seed = _i * 30; seed < _i * 30 + 30; seed++)
    run_random (seed, SIM_CALLS, 60, seed % 2);
}
END_TEST

START_TEST (random_programs_may_overflow)
{
  for (int seed = 0; seed < 40; seed++)
    run_random (seed, seed % 5, 200, true);
}
END_TEST

/* `return f (n - 1) + slow ();' gives slow's time to the line at each level,
   once, whether slow is a profiled function or not.  */
START_TEST (recursion_keeps_the_rest_of_the_line)
{
  enum { LEVELS = 8, F = 1, SLOW = 2, WAIT = 1000000000 };
  sim s;
  sim_start (&s, SIM_CALLS);
  uint64_t base = (uintptr_t) s.stack_end - 4096;
  for (int i = 0; i < LEVELS; i++)
    {
      sim_enter (&s, base - i * 64, F, sim_line (F, 0));
      sim_at_line (&s, sim_line (F, 1));
    }
  for (int i = LEVELS - 1; i >= 0; i--)
    {
      if (_i)
	sim_enter (&s, base - i * 64 - 64, SLOW, sim_line (SLOW, 0));
      sim_wait (&s, WAIT);
      if (_i)
	sim_exit (&s, base - i * 64 - 64);
      sim_exit (&s, base - i * 64);
    }
  sim_check (&s);
  check_sums (&s);
  lp_line_cell *line = sim_cell (&s, sim_line_offset (sim_line (F, 1)));
  uint64_t rest = (_i ? line->callees : line->self) - LEVELS * (uint64_t) WAIT;
  ck_assert_uint_lt (rest, WAIT / 2);
  ck_assert_uint_lt (_i ? line->self : line->callees, WAIT / 2);
  sim_stop (&s);
}
END_TEST

/* LAST ahead of the clock: nothing is charged, and the debt is kept.  */
START_TEST (a_debt_is_kept)
{
  enum { AHEAD = 1 << 30 };
  sim s;
  sim_start (&s, SIM_CALLS);
  uint64_t cfa = (uintptr_t) s.stack_end - 4096;
  sim_wait (&s, -(uint64_t) AHEAD);
  uint64_t last = s.block->last;
  sim_enter (&s, cfa, 1, sim_line (1, 0));
  sim_exit (&s, cfa);
  ck_assert_uint_eq (s.block->clock, 0);
  ck_assert_uint_eq (s.block->last, last + SIM_ENTRY_COST + SIM_EXIT_COST);
  sim_check (&s);
  sim_stop (&s);
}
END_TEST

/* The slot.  */

/* The address of the TLS image of the object that contains ADDR.  */
struct image
{
  uintptr_t addr;
  uint64_t *image;
};

static int
find_image (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  struct image *wanted = data;
  uint64_t *image = NULL;
  bool inside = false;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *ph = &info->dlpi_phdr[i];
      uintptr_t start = info->dlpi_addr + ph->p_vaddr;
      if (ph->p_type == PT_TLS && ph->p_filesz == 8 && ph->p_memsz == 8)
	image = (uint64_t *) start;
      inside |= ph->p_type == PT_LOAD && wanted->addr - start < ph->p_memsz;
    }
  if (inside)
    wanted->image = image;
  return inside;
}

static void *
read_slot (void *offset)
{
  void *slot;
  __asm__ volatile ("mov %%fs:(%1), %0" : "=r" (slot) : "r" (*(int64_t *) offset));
  return slot;
}

START_TEST (new_threads_get_what_the_image_says)
{
  char path[64];
  size_t n = lp_slot_image_end - lp_slot_image;
  int fd = memfd_create ("slot", 0);
  ck_assert_int_eq (write (fd, lp_slot_image, n), n);
  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  void *object = dlopen (path, RTLD_NOW);
  ck_assert_msg (object != NULL, "%s", dlerror ());
  int64_t *offset = dlsym (object, LP_SLOT_OFFSET_SYMBOL);
  ck_assert_ptr_nonnull (offset);
  ck_assert_int_lt (*offset, 0);
  ck_assert_int_eq (*offset % 8, 0);
  ck_assert_ptr_null (read_slot (offset));

  struct image image = { .addr = (uintptr_t) offset };
  ck_assert_int_eq (dl_iterate_phdr (find_image, &image), 1);
  ck_assert_ptr_nonnull (image.image);
  *image.image = 0x123456789abcdef0;
  pthread_t thread;
  void *slot;
  ck_assert_int_eq (pthread_create (&thread, NULL, read_slot, offset), 0);
  ck_assert_int_eq (pthread_join (thread, &slot), 0);
  ck_assert_uint_eq ((uintptr_t) slot, 0x123456789abcdef0);
  ck_assert_ptr_null (read_slot (offset));
  dlclose (object);
  close (fd);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("runtime");
  TCase *tc = tcase_create ("runtime");
  tcase_set_timeout (tc, 60);
  tcase_add_loop_test (tc, random_programs_are_as_the_model, 0, 20);
  tcase_add_test (tc, random_programs_may_overflow);
  tcase_add_loop_test (tc, recursion_keeps_the_rest_of_the_line, 0, 2);
  tcase_add_test (tc, a_debt_is_kept);
  tcase_add_test (tc, new_threads_get_what_the_image_says);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
