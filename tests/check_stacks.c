/* check_stacks.c: threads that change stacks (wire/stacks.h), against a model in which every
   stack has its calls.  */

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "wire/events.h"

enum
{
  THREADS = 3, STACKS = 24, FUNCS = 5, DEEPEST = 40,
  CELLS = LP_FRAMES + LP_MAX_FRAMES * LP_FRAME_SIZE,
  STRIDE = CELLS + 4096, SPACE = 65536
};

/* Block 0 has the depot only.  */
static char *memory;

static lp_block *
block_at (int i)
{
  return (lp_block *) (memory + (size_t) i * STRIDE);
}

static uint32_t
func_at (int func)
{
  return CELLS + func * 48;
}

/* The function's one line.  */
static uint32_t
line_at (int func)
{
  return func_at (func) + 16;
}

static void
begin (int i, uint32_t process)
{
  lp_event_begin (block_at (i), 0, 0, 0);
  block_at (i)->depot = (size_t) i * STRIDE;
  block_at (i)->process = process;
}

static void
setup (void)
{
  memory = calloc (THREADS + 1, STRIDE);
  ck_assert_ptr_nonnull (memory);
  for (int i = 1; i <= THREADS; i++)
    begin (i, 1);
}

static void
teardown (void)
{
  free (memory);
}

/* The upper end of stack N.  */
static uint64_t
end_of (int n)
{
  return 0x10000000 + (uint64_t) (n + 1) * SPACE;
}

/* The calls that BLOCK has are those of CFAS, the outermost first.  */
static void
check_frames (lp_block *block, const uint64_t *cfas, int n)
{
  ck_assert_uint_eq (block->top, LP_FRAMES + n * LP_FRAME_SIZE);
  for (int i = 0; i < n; i++)
    ck_assert_uint_eq (lp_frame_at (block, LP_FRAMES + (i + 1) * LP_FRAME_SIZE)->cfa,
		       cfas[i]);
}

/* The model.  */

struct stack
{
  uint64_t cfa[DEEPEST + 1];
  int func[DEEPEST + 1], n;
};

static struct
{
  struct stack stacks[STACKS];
  int runs[THREADS + 1];	/* the stack that a thread runs on; -1: none yet */
  int known[THREADS + 1];	/* that its last event was on */
  uint64_t total[FUNCS];
  uint64_t now[THREADS + 1];
} model;

static unsigned seed;

static unsigned
any (unsigned n)
{
  seed = seed * 1103515245 + 12345;
  return (seed >> 16) % n;
}

/* TICKS pass in thread I, for every function that is in a call of the stack that it is known
   to run on.  */
static void
pass (int i, uint64_t ticks)
{
  unsigned seen = 0;
  const struct stack *s = model.known[i] < 0 ? NULL
			  : &model.stacks[model.known[i]];
  for (int k = 0; s && k < s->n; k++)
    if (!(seen & 1u << s->func[k]))
      {
	seen |= 1u << s->func[k];
	model.total[s->func[k]] += ticks;
      }
  model.now[i] += ticks;
}

/* Let thread I run on another stack, one that no other thread is known to run on.  */
static void
change (int i)
{
  int n = any (STACKS);
  for (int k = 1; k <= THREADS; k++)
    if (k != i && (model.known[k] == n || model.runs[k] == n))
      return;
  model.runs[i] = n;
}

static void
step (int i)
{
  struct stack *s = &model.stacks[model.runs[i]];
  int enters = s->n == 0 || (s->n < DEEPEST && any (2)), func = any (FUNCS);
  uint64_t cfa = s->n ? s->cfa[s->n - 1] - 16 * (1 + any (40))
		 : end_of (model.runs[i]) - 16 * any (10);
  pass (i, any (1000));
  if (enters)
    lp_event_entry (block_at (i), model.now[i], cfa, func_at (func),
		    line_at (func));
  else
    lp_event_exit (block_at (i), model.now[i], s->cfa[s->n - 1]);
  model.known[i] = model.runs[i];
  if (enters)
    {
      s->cfa[s->n] = cfa;
      s->func[s->n++] = func;
    }
  else
    s->n--;
}

/* A guest's first call has returned: nobody knows where the thread is, but it is
   taken to be where it was.  Go on there.  */
static void
follow_guest (int i)
{
  const lp_block *block = block_at (i);
  if (model.stacks[model.runs[i]].n || block->top == LP_FRAMES)
    return;
  uint64_t outer = lp_frame_at (block_at (i), LP_FRAMES + LP_FRAME_SIZE)->cfa;
  model.known[i] = model.runs[i] = (outer - 0x10000000 - 1) / SPACE;
}

START_TEST (every_stack_keeps_its_calls)
{
  seed = _i;
  memset (&model, 0, sizeof model);
  for (int i = 1; i <= THREADS; i++)
    model.known[i] = -1, model.runs[i] = i;
  for (int n = 0; n < 10000; n++)
    {
      int i = 1 + any (THREADS);
      if (any (6) == 0)
	change (i);
      step (i);
      follow_guest (i);
      const struct stack *s = &model.stacks[model.known[i]];
      check_frames (block_at (i), s->cfa, s->n);
    }
  for (int i = 1; i <= THREADS; i++)
    lp_event_end (block_at (i), model.now[i]);
  for (int f = 0; f < FUNCS; f++)
    {
      uint64_t total = 0;
      for (int i = 1; i <= THREADS; i++)
	total += lp_func_at (block_at (i), func_at (f))->total;
      ck_assert_uint_eq (total, model.total[f]);
    }
}
END_TEST

static void
enter (int i, uint64_t cfa)
{
  lp_event_entry (block_at (i), 0, cfa, func_at (0), line_at (0));
}

/* More calls than a parked stack has: the innermost ones come back.  */
START_TEST (deep_stacks)
{
  enum { DEEP = LP_PARKED_CALLS + 100 };
  uint64_t end = end_of (0), cfas[LP_PARKED_CALLS];
  for (int k = 0; k < DEEP; k++)
    enter (1, end - 32 * k);
  enter (1, end_of (9));
  lp_event_exit (block_at (1), 0, end - 32 * (DEEP - 1));
  for (int k = 0; k < LP_PARKED_CALLS - 1; k++)
    cfas[k] = end - 32 * (DEEP - LP_PARKED_CALLS + k);
  check_frames (block_at (1), cfas, LP_PARKED_CALLS - 1);
}
END_TEST

/* More stacks than there is place for: the last ones are there.  */
START_TEST (many_stacks)
{
  enum { MANY = LP_PIECES + 200 };
  for (int n = 0; n < MANY; n++)
    {
      enter (1, end_of (n));
      enter (1, end_of (n) - 64);
    }
  for (int n = MANY - 100; n < MANY - 1; n++)
    {
      uint64_t cfa = end_of (n);
      lp_event_exit (block_at (1), 0, cfa - 64);
      check_frames (block_at (1), &cfa, 1);
    }
}
END_TEST

/* Who is abandoned, and whose memory another stack gets, is gone.  */
START_TEST (dead_stacks)
{
  uint64_t top = end_of (3), cfas[3] = { top, top - 4000, top - 4100 };
  for (int k = 0; k < 3; k++)
    enter (1, cfas[k]);
  enter (1, end_of (9));
  uint64_t fresh = top - 2000;
  enter (1, fresh);
  check_frames (block_at (1), &fresh, 1);
  lp_event_exit (block_at (1), 0, fresh);
  enter (1, top - 4050);
  fresh = top - 4050;
  check_frames (block_at (1), &fresh, 1);
}
END_TEST

START_TEST (processes_have_their_own)
{
  uint64_t cfas[2] = { end_of (1), end_of (1) - 32 };
  begin (2, 7);
  enter (1, cfas[0]);
  enter (1, end_of (5));
  enter (2, cfas[1]);
  check_frames (block_at (2), &cfas[1], 1);
  enter (1, cfas[1]);
  check_frames (block_at (1), cfas, 2);
}
END_TEST

/* A handler on a stack of its own: afterwards its line goes on that it interrupted.  */
START_TEST (guests_leave)
{
  lp_block *block = block_at (1);
  uint64_t cfa = end_of (1);
  enter (1, cfa);
  block->line = line_at (3);
  lp_event_entry (block, 10, end_of (7), func_at (1), line_at (1));
  lp_event_exit (block, 15, end_of (7));
  check_frames (block, &cfa, 1);
  ck_assert_uint_eq (block->line, line_at (3));
  ck_assert_uint_eq (block->func, func_at (0));
  lp_event_charge (block, 18);
  ck_assert_uint_eq (lp_line_at (block, line_at (3))->self, 10 + 3);
  ck_assert_uint_eq (lp_line_at (block, line_at (1))->self, 5);
  ck_assert_uint_eq (lp_line_at (block, line_at (3))->callees, 0);
}
END_TEST

/* The stack of the process, or the thread, may have large arrays; others not.  */
START_TEST (large_arrays)
{
  uint64_t cfas[2] = { end_of (200), end_of (200) - 1000000 };
  lp_depot_of (block_at (1))->main = end_of (200) + 500;
  block_at (2)->thread = end_of (200) + 500;
  for (int i = 1; i <= 2; i++)
    {
      enter (i, cfas[0]);
      enter (i, cfas[1]);
      check_frames (block_at (i), cfas, 2);
      lp_depot_of (block_at (1))->main = 0;
    }
  enter (3, cfas[0]);
  enter (3, cfas[1]);
  check_frames (block_at (3), cfas + 1, 1);
}
END_TEST

static lp_depot *
depot (void)
{
  return lp_depot_of (block_at (1));
}

/* A lock that BLOCK has since TICKS of its units ago.  */
static uint64_t
lock_of (int block, uint32_t ticks)
{
  uint32_t now = __builtin_ia32_rdtsc () >> LP_DEPOT_TICK;
  return (uint64_t) lp_depot_stamp (block_at (block)) << 32
	 | (uint32_t) (now - ticks);
}

/* Somebody else has the lock: nothing is kept, and nothing breaks.  */
START_TEST (locked_depot)
{
  uint64_t cfa = end_of (2);
  depot ()->lock = lock_of (2, 0);
  enter (1, end_of (1));
  enter (1, cfa);
  check_frames (block_at (1), &cfa, 1);
  lp_event_exit (block_at (1), 0, end_of (1));
  check_frames (block_at (1), NULL, 0);
  ck_assert_uint_eq (depot ()->lock >> 32, lp_depot_stamp (block_at (2)));
}
END_TEST

/* Somebody was killed with it: the next one who finds it so for long, and is not stopped
   by what was left behind, has its stacks.  Who was not dead does not unlock it.  */
START_TEST (lost_lock)
{
  uint64_t cfa = end_of (1);
  enter (2, end_of (5));
  enter (2, end_of (6));
  depot ()->lock = lock_of (2, 3 * LP_DEPOT_LONG);
  depot ()->order[0] = LP_PIECES;
  enter (1, cfa);
  enter (1, end_of (2));
  ck_assert_uint_eq (depot ()->lock, 0);
  ck_assert_uint_eq (depot ()->n, 1);
  lp_event_exit (block_at (1), 0, end_of (1) - 16);
  check_frames (block_at (1), &cfa, 1);
  ck_assert (lp_depot_open (block_at (1)) != NULL);
  lp_depot_close (depot (), block_at (2));
  ck_assert_uint_eq (depot ()->lock >> 32, lp_depot_stamp (block_at (1)));
}
END_TEST

/* The tracer knows at once who is dead.  */
START_TEST (dead_holder)
{
  depot ()->lock = lock_of (2, 0);
  lp_depot_abandon (block_at (1));
  ck_assert_uint_ne (depot ()->lock, 0);
  lp_depot_abandon (block_at (2));
  ck_assert_uint_eq (depot ()->lock, 0);
}
END_TEST

/* The stacks that wait are in the child, too; of each process each has its own.  */
START_TEST (forks_have_copies)
{
  uint64_t cfas[30];
  for (int k = 0; k < 30; k++)
    enter (1, cfas[k] = end_of (1) - 16 * k);
  enter (1, end_of (5));
  enter (1, end_of (8));
  begin (2, 7);
  lp_event_fork (block_at (2), block_at (1));
  ck_assert_uint_eq (depot ()->n, 4);
  uint32_t used = depot ()->used;
  lp_event_exit (block_at (1), 0, end_of (1) - 16 * 29 - 8);
  check_frames (block_at (1), cfas, 30);
  lp_event_exit (block_at (1), 0, end_of (1) - 16 * 10);
  check_frames (block_at (1), cfas, 10);
  lp_event_exit (block_at (2), 0, end_of (1) - 16 * 29 - 8);
  check_frames (block_at (2), cfas, 30);
  lp_event_exit (block_at (2), 0, end_of (5) - 16);
  check_frames (block_at (2), (uint64_t[]) { end_of (5) }, 1);
  ck_assert_uint_eq (lp_depot_open (block_at (1))->n, 4);
  lp_depot_drop (depot (), 7);
  ck_assert_uint_eq (depot ()->n, 2);
  for (int i = 0; i < 2; i++)
    ck_assert_uint_eq (lp_depot_at (depot (), i)->process, 1);
  ck_assert_uint_le (depot ()->used, used + 1);
}
END_TEST

/* A child's copies take nobody's place.  */
START_TEST (forks_without_room)
{
  depot ()->used = LP_PIECES - 1;
  enter (1, end_of (1));
  enter (1, end_of (2));
  begin (2, 7);
  lp_event_fork (block_at (2), block_at (1));
  ck_assert_uint_eq (depot ()->n, 1);
  ck_assert_uint_eq (lp_depot_at (depot (), 0)->process, 1);
}
END_TEST

/* A handler has interrupted a change and left by longjmp.  */
START_TEST (abandoned_change)
{
  lp_block *block = block_at (1);
  uint64_t cfa = end_of (2);
  enter (1, end_of (1));
  block->settling = 2;
  depot ()->lock = lock_of (1, 0);
  lp_event_resync (block, 0, end_of (1) - 64);
  check_frames (block, NULL, 0);
  ck_assert_uint_eq (lp_depot_of (block)->lock, 0);
  enter (1, cfa);
  enter (1, end_of (3));
  lp_event_exit (block, 0, end_of (2) - 16);
  check_frames (block, &cfa, 1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("stacks");
  TCase *tc = tcase_create ("stacks");
  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_loop_test (tc, every_stack_keeps_its_calls, 0, 6);
  tcase_add_test (tc, deep_stacks);
  tcase_add_test (tc, many_stacks);
  tcase_add_test (tc, dead_stacks);
  tcase_add_test (tc, processes_have_their_own);
  tcase_add_test (tc, guests_leave);
  tcase_add_test (tc, large_arrays);
  tcase_add_test (tc, locked_depot);
  tcase_add_test (tc, lost_lock);
  tcase_add_test (tc, dead_holder);
  tcase_add_test (tc, forks_have_copies);
  tcase_add_test (tc, forks_without_room);
  tcase_add_test (tc, abandoned_change);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
