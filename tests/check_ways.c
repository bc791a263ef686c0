/* check_ways.c: which counters tell how a line was come to, where calls do not
   return and where gcc's blocks are not the machine's.  */

#include "hits_fixture.h"

START_TEST (landing_pad)
{
  /* Calls with a pad that cleans up: for their own line, for another line, and
     for the line of one of them.  The exceptions of one call are its executions
     less its returns, unless something else ends it.  */
  static const struct code code[] = { PLAIN, CALL, CALL, PLAIN, RET,
				      PLAIN, PLAIN, RET };
  static const uint32_t own[] = { 1, 2, 0, 4, 0, 2, 9, 0 };
  static const uint32_t other[] = { 1, 2, 0, 4, 0, 5, 9, 0 };
  static const uint32_t mixed[] = { 1, 2, 3, 4, 0, 3, 9, 0 };
  struct function *f = PLAN (code, own, 1, LP_PRODUCER_GCC_O0, 5);
  ck_assert_str_eq (sum_of (f, 2), "1");
  /* Nothing is known of the line that was left.  */
  ck_assert_str_eq (marks_of (f), "0:1! 1:2! 3:4! 5:2! 6:9!");
  finish (f);
  f = PLAN (code, other, 1, LP_PRODUCER_GCC_O0, 5);
  ck_assert_str_eq (sum_of (f, 5), "5");
  finish (f);
  f = PLAN (code, mixed, 1, LP_PRODUCER_GCC_O0, 5);
  ck_assert_str_eq (sum_of (f, 3), "3 5~");
  finish (f);
}
END_TEST

START_TEST (call_before_a_join)
{
  /* The call may not return: only what comes to the join behind it, less what
     comes there otherwise, tells how often it did.  */
  static const struct code code[] = { PLAIN, PLAIN, JCC (5), PLAIN, CALL,
				      PLAIN, JCC (8), PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 0, 3, 0, 2, 0, 2, 4, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 5 -5<2");
  finish (f);
}
END_TEST

START_TEST (landing_pad_of_llvm)
{
  /* LLVM's pieces are not cut behind calls: an exception comes from the line of
     the call, 2, though its piece is of line 3.  */
  static const struct code code[] = { PLAIN, CALL, PLAIN, RET,
				      PLAIN, PLAIN, RET };
  static const uint32_t own[] = { 1, 2, 3, 0, 2, 9, 0 };
  static const uint32_t other[] = { 1, 2, 3, 0, 3, 9, 0 };
  struct function *f = PLAN (code, own, 1, LP_PRODUCER_LLVM, 4);
  ck_assert_str_eq (sum_of (f, 2), "1");
  finish (f);
  f = PLAN (code, other, 1, LP_PRODUCER_LLVM, 4);
  ck_assert_str_eq (sum_of (f, 3), "2 4");
  finish (f);
}
END_TEST

START_TEST (rows_of_llvm_landing_pads)
{
  /* The selector is put away with a row of line 9, the function's end, and the
     exception is fetched for the call that catches it with one of line 3.  */
  static const struct code code[] = { PLAIN, CALL, PLAIN, PLAIN, RET,
				      PLAIN, SELECTOR, PLAIN, FETCH, SAFE_CALL,
				      PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 3, 9, 0, 0, 9, 0, 3, 0, 5, 9, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_LLVM, 5);
  ck_assert_str_eq (sum_of (f, 3), "2");
  ck_assert_str_eq (sum_of (f, 5), "10");
  finish (f);
}
END_TEST

START_TEST (opening_line_of_a_loop)
{
  /* A loop that starts with the function: the prologue is no block.  */
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, JCC (1), PLAIN,
				      PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 3, 0, 4, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 1), "1");
  ck_assert_str_eq (marks_of (f), "0:1! 1:2! 2:3! 4:4! 5:5!");
  finish (f);
  f = PLAN (code, lines, 1, LP_PRODUCER_LLVM, NEXT);
  ck_assert_str_eq (sum_of (f, 1), "0");
  finish (f);
}
END_TEST

START_TEST (handed_on)
{
  /* Two clean-ups of one line, one behind the other: between them the exception
     is handed on by a block without a line, which copies it.  */
  static const struct code code[] = { PLAIN, CALL, PLAIN, RET,
				      PLAIN, SAFE_CALL, COPY, PLAIN, SAFE_CALL,
				      STOP };
  static const uint32_t lines[] = { 1, 2, 3, 0, 4, 0, 0, 0, 0, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, 4);
  ck_assert_str_eq (sum_of (f, 4), "4 7");
  finish (f);
}
END_TEST

START_TEST (returned_from_a_register)
{
  /* The value of line 2 waits in a register for what line 3 cleans up; the block
     that returns it is nobody's.  */
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, CALL, COPY, PLAIN,
				      RET };
  static const uint32_t lines[] = { 1, 2, 3, 0, 2, 3, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 4");
  ck_assert_str_eq (sum_of (f, 3), "2");
  finish (f);
}
END_TEST

START_TEST (last_block_without_a_value)
{
  /* Line 2 goes on behind a call of line 3, and the function ends there, with a
     nop: the last block is nobody's.  Without it, it is line 2's.  */
  static const struct code code[] = { PLAIN, PLAIN, CALL, PLAIN, NOP, PLAIN,
				      RET };
  static const struct code value[] = { PLAIN, PLAIN, CALL, PLAIN, PLAIN, PLAIN,
				       RET };
  static const uint32_t lines[] = { 1, 2, 3, 2, 4, 0, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 3");
  finish (f);
  f = PLAN (value, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "3");
  finish (f);
}
END_TEST

START_TEST (loop_of_the_compiler)
{
  /* A test in a preserved register at the top of a loop that a jump without a
     row closes: of no line.  */
  static const struct code code[] = { PLAIN, PLAIN, COPY, JCC (6), CALL,
				      JMP (2), PLAIN, PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 0, 0, 2, 0, 2, 5, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_GCC_O0, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "1 4 6");
  finish (f);
}
END_TEST

START_TEST (check_that_fails)
{
  /* Line 2 adds behind line 3 and comes to a dead end where that overflows: it is hit where
     it adds.  What goes on behind is the line's.  */
  static const struct code code[] = { PLAIN, PLAIN, PLAIN, JCC (6), PLAIN, RET,
				      CALL, JMP (8), STOP };
  static const struct code on[] = { PLAIN, PLAIN, PLAIN, JCC (6), PLAIN, RET,
				    CALL, JMP (8), RET };
  static const uint32_t lines[] = { 1, 3, 2, 0, 4, 0, 2, 0, 0 };
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_LLVM, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "2");
  finish (f);
  f = PLAN (on, lines, 1, LP_PRODUCER_LLVM, NEXT);
  ck_assert_str_eq (sum_of (f, 2), "6");
  finish (f);
}
END_TEST

START_TEST (loop_turned_round)
{
  /* The test of line 2 stands behind the body, too, in one block with it.  */
  static const struct code code[] = { PLAIN, PLAIN, JCC (6), PLAIN, PLAIN,
				      JCC (3), PLAIN, RET };
  static const uint32_t lines[] = { 1, 2, 0, 3, 2, 0, 4, 0 };
  code_is_optimised = true;
  struct function *f = PLAN (code, lines, 1, LP_PRODUCER_LLVM, NEXT);
  code_is_optimised = false;
  ck_assert_str_eq (sum_of (f, 2), "1 4");
  ck_assert_str_eq (sum_of (f, 3), "3");
  finish (f);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ways");
  TCase *tcase = tcase_create ("rules");
  tcase_add_test (tcase, landing_pad);
  tcase_add_test (tcase, call_before_a_join);
  tcase_add_test (tcase, landing_pad_of_llvm);
  tcase_add_test (tcase, rows_of_llvm_landing_pads);
  tcase_add_test (tcase, opening_line_of_a_loop);
  tcase_add_test (tcase, handed_on);
  tcase_add_test (tcase, returned_from_a_register);
  tcase_add_test (tcase, last_block_without_a_value);
  tcase_add_test (tcase, loop_of_the_compiler);
  tcase_add_test (tcase, check_that_fails);
  tcase_add_test (tcase, loop_turned_round);
  suite_add_tcase (suite, tcase);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
