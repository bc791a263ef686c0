/* check_hits.c: the rules of hits on small functions written by hand, one
   instruction a word, with the counters that must come out.  What whole
   programs give is compared with gcov in hits.tap.  */

#include "hits_fixture.h"

START_TEST (straight_line)
{
  static const struct code code[] = { PLAIN, PLAIN, CALL, PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 2, 3, 0, 4, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  /* The row at the entry is the opening line's, not that of the brace.  */
  ck_assert_str_eq (sum_of (f, 1), "0");
  ck_assert_str_eq (sum_of (f, 2), "none");
  ck_assert_str_eq (sum_of (f, 3), "1");
  ck_assert_str_eq (sum_of (f, 4), "3");
  ck_assert_str_eq (sum_of (f, 5), "4");
  ck_assert_str_eq (marks_of (f), "0:1! 1:3! 3:4! 4:5!");
  ck_assert_uint_eq (f->hits.lines.v[f->hits.entry_line].line, 1);
  finish (f);
}
END_TEST

/* for (i = 0; i < n; i++) body; on two lines, as gcc has it.  */
static const struct code loop[] = {
  PLAIN,			/* 0: entry */
  PLAIN, JMP (5),		/* 1: i = 0 */
  PLAIN, PLAIN,			/* 3: body  4: i++ */
  PLAIN, JCC (3),		/* 5: i < n */
  PLAIN, RET			/* 7: } */
};

START_TEST (loop_on_two_lines)
{
  static const uint32_t lines[] = { 1, 2, 0, 3, 2, 2, 0, 4, 0 };
  struct function *f = PLAN (loop, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  /* The body's piece is line 3's, also where it has a row of line 2: the tests
     are counted where they are come to from there and once at the start.  */
  ck_assert_str_eq (sum_of (f, 2), "1 3");
  ck_assert_str_eq (sum_of (f, 3), "3");
  ck_assert_str_eq (sum_of (f, 4), "7");
  finish (f);
}
END_TEST

START_TEST (loop_on_one_line)
{
  static const uint32_t lines[] = { 1, 2, 0, 2, 2, 2, 0, 4, 0 };
  struct function *f = PLAN (loop, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  /* Once, and each time round.  */
  ck_assert_str_eq (sum_of (f, 2), "1 3");
  finish (f);
}
END_TEST

/* while (a && b) body; with each operand on a line of its own, as clang has it: where the
   ways meet, the value is loaded for no line and tested with a row of the first.  */
START_TEST (condition_of_two_lines)
{
  static const struct code code[] = {
    PLAIN,			/* 0: entry */
    PLAIN, JCC (4),		/* 1: a */
    PLAIN,			/* 3: b */
    { LP_INSN_PLAIN, FETCHES }, { LP_INSN_PLAIN, TESTS }, JCC (9), /* 4: the value */
    PLAIN, JMP (1),		/* 7: body */
    PLAIN, RET			/* 9: } */
  };
  static const uint32_t lines[] = { 1, 2, 3, 3, NO_LINE, 2, 0, 4, 2, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_LLVM, NEXT);
  /* The first line is hit at the start and from the body, and not by the test.  */
  ck_assert_str_eq (sum_of (f, 2), "1");
  ck_assert_str_eq (sum_of (f, 3), "3 4<2");
  finish (f);
}
END_TEST

/* for (...) if (c) on the first line, the statement on the second: the loop
   inside the line has two entrances, and the one behind the statement is the one
   to cut at.  */
START_TEST (loop_with_two_entrances)
{
  static const struct code code[] = {
    PLAIN,			/* 0: entry */
    PLAIN, JMP (6),		/* 1: i = 0 */
    PLAIN, JCC (10),		/* 3: if (c) */
    PLAIN,			/* 5: i++ */
    PLAIN, JCC (3),		/* 6: i < n */
    PLAIN, RET,			/* 8: } */
    PLAIN, JMP (5)		/* 10: statement */
  };
  static const uint32_t lines[] = { 1, 2, 0, 2, 0, 2, 2, 0, 4, 0, 3, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  /* Not counted: i++ to the test, and the test to the condition.  Counted: the
     start, and both ways to i++.  */
  ck_assert_str_eq (sum_of (f, 2), "1 5");
  ck_assert_str_eq (sum_of (f, 3), "10");
  finish (f);
}
END_TEST

START_TEST (edges_where_rows_leave_it_open)
{
  /* a && b over two lines, then a join of the first line.  */
  static const struct code code[] = {
    PLAIN,			/* 0: entry */
    PLAIN, JCC (5),		/* 1: a, line 2 */
    PLAIN, JCC (6),		/* 3: b, line 3; jumps over 5 */
    PLAIN,			/* 5: line 2 again, from line 2 and from line 3 */
    PLAIN, RET			/* 6: } */
  };
  static const uint32_t lines[] = { 1, 2, 0, 3, 0, 2, 4, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 5<4");
  ck_assert_str_eq (sum_of (f, 3), "3");
  ck_assert_str_eq (marks_of (f), "0:1! 1:2! 3:3! 5:2! 6:4!");
  finish (f);
}
END_TEST

START_TEST (line_that_ends_no_piece)
{
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, JCC (1),
				      PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 3, 0, 2, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 3), "2");
  ck_assert_str_eq (sum_of (f, 2), "4");
  finish (f);
}
END_TEST

START_TEST (mere_jumps)
{
  /* while (1) { a; if (b) break; }: the jump back has a row of a's line.  */
  static const struct code code[] = {
    PLAIN, PLAIN,		/* 0: entry  1: a */
    PLAIN, JCC (5), JMP (1),	/* 2: b  4: back */
    PLAIN, RET
  };
  static const uint32_t lines[] = { 1, 2, 3, 0, 2, 4, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1");
  ck_assert_str_eq (sum_of (f, 3), "2");
  finish (f);

  /* A `break' with a line of its own is hit at its jump.  */
  static const uint32_t own[] = { 1, 2, 3, 0, 9, 4, 0 };
  f = PLAN (code, own, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 9), "4");
  finish (f);
}
END_TEST

START_TEST (jumps_and_fillers)
{
  /* Two `break's: gcc merges the second's way out into a nop with the first one's line,
     which is a line without other code, so that its jump is one of its hits.  */
  static const struct code code[] = {
    PLAIN,			/* 0: entry */
    PLAIN, JCC (4), JMP (8),	/* 1: if (a)  3: break */
    PLAIN, JCC (7), JMP (8),	/* 4: if (b)  6: to the end */
    NOP,			/* 7: b's break */
    PLAIN, RET			/* 8: } */
  };
  static const uint32_t lines[] = { 1, 2, 0, 3, 4, 0, 0, 3, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 3), "3 7");
  ck_assert_str_eq (sum_of (f, 4), "4");
  finish (f);
}
END_TEST

START_TEST (epilogue)
{
  static const struct code code[] = { PLAIN, PLAIN, JCC (4), PLAIN,
				      PLAIN, RET };
  /* if (a) b; } with the brace on b's line: the brace is not a hit of it.  */
  static const uint32_t shared[] = { 1, 2, 0, 3, 3, 0 };
  struct function *f = PLAN (code, shared, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 3), "3");
  finish (f);
  static const uint32_t own[] = { 1, 2, 0, 3, 4, 0 };
  f = PLAN (code, own, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 4), "4");
  finish (f);
}
END_TEST

START_TEST (clang_branch_rows)
{
  /* A conditional jump with a row of the line of the operand behind it.  */
  static const struct code code[] = { PLAIN, PLAIN, JCC (5), PLAIN, PLAIN,
				      PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 3, 3, 0, 4, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_LLVM, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1");
  ck_assert_str_eq (sum_of (f, 3), "3");
  finish (f);
  /* Not cut behind calls: back at the first line is not a new hit.  */
  static const struct code calls[] = { PLAIN, CALL, CALL, CALL, PLAIN, RET };
  static const uint32_t order[] = { 1, 2, 3, 2, 4, 0 };
  f = PLAN (calls, order, 1, LP_PRODUCER_LLVM, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1");
  finish (f);
  /* ... but gcov counts it for gcc, as it cuts there.  */
  f = PLAN (calls, order, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 3");
  finish (f);
}
END_TEST

START_TEST (optimised)
{
  /* Rows interleave: each way from another line is a hit.  */
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 3, 2, 4, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_OPT, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 3");
  finish (f);
  /* A row that starts no statement is none, if its line has others.  */
  f = PLAN (code, lines, 1, LP_PRODUCER_GCC_OPT, NEXT);
  lp_hits_free (&f->hits);
  f->rows[3].is_stmt = f->rows[2].is_stmt = false;
  lp_error error;
  ck_assert_int_eq (lp_hits_plan (&f->fn, &f->flow, &f->hits, &error), 0);
  ck_assert_str_eq (sum_of (f, 2), "1");
  ck_assert_str_eq (sum_of (f, 3), "2");
  ck_assert_str_eq (marks_of (f), "0:1! 1:2! 2:3! 4:4!");
  finish (f);
}
END_TEST

/* Two lines, mixed in one block, and a front end that does not say where they begin.  */
START_TEST (mixed)
{
  static const struct code code[] = {
    PLAIN,			/* 0: entry */
    PLAIN, PLAIN, PLAIN, PLAIN, JCC (1), /* 1: lines 2, 3, 2, 3 and the way back */
    PLAIN, RET
  };
  static const uint32_t lines[] = { 1, 2, 3, 2, 3, 0, 4, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_MIXED, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1");
  ck_assert_str_eq (sum_of (f, 3), "2");
  finish (f);
  f = PLAN (code, lines, 1, LP_PRODUCER_GCC_OPT, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 3");
  ck_assert_str_eq (sum_of (f, 3), "2 4");
  finish (f);
}
END_TEST

START_TEST (several_rows_at_the_entry)
{
  static const struct code code[] = { PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 0, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_OPT, NEXT);
  lp_hits_free (&f->hits);
  /* As gcc -O2 has it: the first statement's row, then the brace's again.  */
  f->rows[0] = (lp_row) { .addr = AT (0), .line = 3, .is_stmt = true };
  f->rows[1] = (lp_row) { .addr = AT (0), .line = 2, .is_stmt = true };
  f->rows[2] = (lp_row) { .addr = AT (1), .line = 5, .is_stmt = true };
  f->fn.nrows = 3;
  lp_error error;
  ck_assert_int_eq (lp_hits_plan (&f->fn, &f->flow, &f->hits, &error), 0);
  ck_assert_str_eq (sum_of (f, 1), "0");
  ck_assert_str_eq (sum_of (f, 2), "none");
  ck_assert_str_eq (sum_of (f, 3), "0");
  ck_assert_str_eq (sum_of (f, 5), "1");
  ck_assert_str_eq (marks_of (f), "0:3! 1:5!");
  finish (f);
}
END_TEST

START_TEST (inlined_code)
{
  /* f (); inlined with a loop: its rows are not the function's, its time is that of
     the line that calls it.  */
  lp_inline inlined = { .name = "f", .call_line = 2, .decl_line = 69 };
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, JCC (2), PLAIN,
				      PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 70, 0, 2, 3, 0 };
  for (int optimised = 0; optimised < 2; optimised++)
    {
      struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
      lp_hits_free (&f->hits);
      f->rows[2].inl = 1;
      f->fn.inlines = &inlined;
      f->fn.ninlines = 1;
      if (optimised)
	f->fn.producer = LP_PRODUCER_GCC_OPT;
      lp_error error;
      ck_assert_int_eq (lp_hits_plan (&f->fn, &f->flow, &f->hits, &error), 0);
      ck_assert_str_eq (sum_of (f, 70), "none");
      ck_assert_str_eq (sum_of (f, 2), optimised ? "1" : "1 4");
      ck_assert_str_eq (marks_of (f), "0:1! 1:2! 2:2 4:2 5:3!");
      finish (f);
    }
}
END_TEST

START_TEST (inlined_lines)
{
  /* The same, f selected: it has lines of its own, and the loop is theirs.  With
     the function only there for them, all else is one line without hits.  */
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, JCC (2), PLAIN,
				      PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 70, 0, 2, 3, 0 };
  for (int only = 0; only < 2; only++)
    {
      lp_inline inlined = { .name = "f", .call_line = 2, .decl_line = 69,
			    .wanted = true };
      struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_OPT, NEXT);
      lp_hits_free (&f->hits);
      f->rows[2].inl = 1;
      f->fn.inlines = &inlined;
      f->fn.ninlines = 1;
      f->fn.only_inlined = only;
      lp_error error;
      ck_assert_int_eq (lp_hits_plan (&f->fn, &f->flow, &f->hits, &error), 0);
      ck_assert_str_eq (sum_of (f, 70), "2");
      ck_assert_str_eq (sum_of (f, 69), "1");
      ck_assert_str_eq (sum_of (f, 2), only ? "none" : "1");
      ck_assert_str_eq (marks_of (f), only ? "0:0! 1:0 2:70! 4:0! 5:0"
					   : "0:1! 1:2! 2:70! 4:2! 5:3!");
      finish (f);
    }
}
END_TEST

START_TEST (nothing)
{
  static const struct code code[] = { PLAIN, RET };
  static const uint32_t lines[] = { 0, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_uint_eq (f->hits.lines.n, 0);
  ck_assert_uint_eq (f->hits.counters.n, 0);
  ck_assert_uint_eq (f->hits.marks.n, 0);
  finish (f);
  /* A row in the middle of an instruction is none.  */
  f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  lp_hits_free (&f->hits);
  f->rows[0] = (lp_row) { .addr = AT (0) + 1, .line = 7, .is_stmt = true };
  f->fn.nrows = 1;
  lp_error error;
  ck_assert_int_eq (lp_hits_plan (&f->fn, &f->flow, &f->hits, &error), 0);
  ck_assert_uint_eq (f->hits.lines.n, 0);
  finish (f);
}
END_TEST

START_TEST (endless)
{
  /* for (;;); and two jumps to each other.  */
  static const struct code code[] = { PLAIN, JCC (3), JMP (2), JMP (4),
				      JMP (3) };
  static const uint32_t lines[] = { 1, 0, 2, 3, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "2");
  ck_assert_str_ne (sum_of (f, 3), "none");
  finish (f);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("hits");
  TCase *tcase = tcase_create ("rules");
  tcase_add_test (tcase, straight_line);
  tcase_add_test (tcase, loop_on_two_lines);
  tcase_add_test (tcase, loop_on_one_line);
  tcase_add_test (tcase, condition_of_two_lines);
  tcase_add_test (tcase, loop_with_two_entrances);
  tcase_add_test (tcase, edges_where_rows_leave_it_open);
  tcase_add_test (tcase, line_that_ends_no_piece);
  tcase_add_test (tcase, mere_jumps);
  tcase_add_test (tcase, jumps_and_fillers);
  tcase_add_test (tcase, epilogue);
  tcase_add_test (tcase, clang_branch_rows);
  tcase_add_test (tcase, optimised);
  tcase_add_test (tcase, mixed);
  tcase_add_test (tcase, several_rows_at_the_entry);
  tcase_add_test (tcase, inlined_code);
  tcase_add_test (tcase, inlined_lines);
  tcase_add_test (tcase, nothing);
  tcase_add_test (tcase, endless);
  suite_add_tcase (suite, tcase);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
