/* check_base.c: the base floor: errors, vectors, arena.  */

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

START_TEST (error_is_one_line)
{
  lp_error err = { 0 };
  ck_assert_int_eq (lp_fail (&err, LP_EIO, "cannot write '%s'\nmore", "x"), -1);
  ck_assert_int_eq (err.code, LP_EIO);
  ck_assert_str_eq (err.text, "cannot write 'x'");
}
END_TEST

START_TEST (error_is_cut)
{
  lp_error err = { 0 };
  char *name = malloc (5000);
  memset (name, 'n', 4999);
  name[4999] = '\0';
  ck_assert_ptr_null (lp_fail_null (&err, LP_ENOTFOUND, "%s", name));
  ck_assert_uint_eq (strlen (err.text), sizeof err.text - 1);
  free (name);
}
END_TEST

START_TEST (error_may_be_unwanted)
{
  ck_assert_int_eq (lp_fail (NULL, LP_EIO, "text"), -1);
  ck_assert_int_eq (lp_nomem (NULL), -1);
}
END_TEST

START_TEST (vector_keeps_what_was_pushed)
{
  LP_VEC (int) vec = { 0 };
  for (int i = 0; i < 1000; i++)
    ck_assert_int_eq (lp_vec_push (&vec, i * i), 0);
  ck_assert_uint_eq (vec.n, 1000);
  for (int i = 0; i < 1000; i++)
    ck_assert_int_eq (vec.v[i], i * i);
  lp_vec_free (&vec);
  ck_assert_uint_eq (vec.n, 0);
  ck_assert_uint_eq (vec.cap, 0);
  ck_assert_ptr_null (vec.v);
}
END_TEST

START_TEST (vector_refuses_an_impossible_size)
{
  LP_VEC (uint64_t) vec = { 0 };
  ck_assert_int_eq (lp_vec_push (&vec, 7), 0);
  ck_assert_int_eq (lp_vec_reserve (&vec, SIZE_MAX), -1);
  ck_assert_int_eq (lp_vec_reserve (&vec, SIZE_MAX / 8), -1);
  ck_assert_uint_eq (vec.n, 1);
  ck_assert_uint_eq (vec.v[0], 7);
  lp_vec_free (&vec);
}
END_TEST

START_TEST (arena_gives_zeroed_aligned_storage)
{
  lp_arena *arena = lp_arena_new ();
  ck_assert_ptr_nonnull (arena);
  for (size_t n = 1; n < 300000; n = n * 3 + 1)
    {
      unsigned char *p = lp_arena_alloc (arena, n);
      ck_assert_ptr_nonnull (p);
      ck_assert_uint_eq ((uintptr_t) p % _Alignof (max_align_t), 0);
      for (size_t i = 0; i < n; i++)
	ck_assert_uint_eq (p[i], 0);
      memset (p, 0xff, n);
    }
  lp_arena_free (arena);
}
END_TEST

START_TEST (arena_interns)
{
  lp_arena *arena = lp_arena_new ();
  const char *first[2000];
  char name[32];
  for (int i = 0; i < 2000; i++)
    {
      snprintf (name, sizeof name, "name %d", i);
      first[i] = lp_arena_intern (arena, name);
      ck_assert_str_eq (first[i], name);
    }
  for (int i = 0; i < 2000; i++)
    {
      snprintf (name, sizeof name, "name %d", i);
      ck_assert_ptr_eq (lp_arena_intern (arena, name), first[i]);
    }
  ck_assert_ptr_eq (lp_arena_intern (arena, ""), lp_arena_intern (arena, ""));
  lp_arena_free (arena);
}
END_TEST

START_TEST (arena_copies_bytes)
{
  lp_arena *arena = lp_arena_new ();
  char *copy = lp_arena_copy (arena, "abcdef", 3);
  ck_assert_str_eq (copy, "abc");
  ck_assert_ptr_ne (copy, lp_arena_copy (arena, "abcdef", 3));
  lp_arena_free (arena);
  lp_arena_free (NULL);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("base");
  TCase *tc = tcase_create ("base");
  tcase_add_test (tc, error_is_one_line);
  tcase_add_test (tc, error_is_cut);
  tcase_add_test (tc, error_may_be_unwanted);
  tcase_add_test (tc, vector_keeps_what_was_pushed);
  tcase_add_test (tc, vector_refuses_an_impossible_size);
  tcase_add_test (tc, arena_gives_zeroed_aligned_storage);
  tcase_add_test (tc, arena_interns);
  tcase_add_test (tc, arena_copies_bytes);
  suite_add_tcase (suite, tc);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
