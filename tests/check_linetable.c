/* check_linetable.c: the line table decoder on tables made by hand.  dwarf.tap
   compares it with other tools on real programs.  */

#include <check.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/linetable.h"

/* A table under construction.  */
struct table
{
  uint8_t bytes[1024];
  size_t n;
};

static void
put (struct table *t, uint64_t value, size_t size)
{
  memcpy (t->bytes + t->n, &value, size);
  t->n += size;
}

static void
put_string (struct table *t, const char *s)
{
  memcpy (t->bytes + t->n, s, strlen (s) + 1);
  t->n += strlen (s) + 1;
}

/* Set the SIZE bytes at AT to the number of bytes behind them.  */
static void
close_length (struct table *t, size_t at, size_t size)
{
  uint64_t length = t->n - at - size;
  memcpy (t->bytes + at, &length, size);
}

static void
put_names4 (struct table *t)
{
  put_string (t, "dir");
  put (t, 0, 1);
  put_string (t, "a.c");
  put (t, 1, 1), put (t, 0, 2);
  put_string (t, "b.c");
  put (t, 0, 3);
  put (t, 0, 1);
}

/* Directories as strings; files as string, directory and MD5.  */
static void
put_names5 (struct table *t)
{
  put (t, 1, 1), put (t, DW_LNCT_path, 1), put (t, DW_FORM_string, 1);
  put (t, 2, 1);
  put_string (t, "/comp");
  put_string (t, "dir");
  put (t, 3, 1), put (t, DW_LNCT_path, 1), put (t, DW_FORM_string, 1);
  put (t, DW_LNCT_directory_index, 1), put (t, DW_FORM_udata, 1);
  put (t, DW_LNCT_MD5, 1), put (t, DW_FORM_data16, 1);
  put (t, 2, 1);
  for (int i = 0; i < 2; i++)
    {
      put_string (t, i ? "b.c" : "a.c");
      put (t, i, 1);
      put (t, 0x1122334455667788, 8), put (t, i, 8);
    }
}

/* Two sequences, one of them dead, with every kind of opcode.  */
static void
put_program (struct table *t)
{
  put (t, 0x0900, 2), put (t, DW_LNE_set_address, 1), put (t, 0x1000, 8);
  put (t, DW_LNS_advance_line, 1), put (t, 9, 1);		/* line 10 */
  put (t, DW_LNS_copy, 1);					/* 1000 10 S */
  put (t, 13 + 14 * 2 + 5 + 1, 1);				/* 1002 11 S */
  put (t, DW_LNS_negate_stmt, 1);
  put (t, DW_LNS_set_column, 1), put (t, 0x7f, 1);
  put (t, DW_LNS_advance_pc, 1), put (t, 0x0181, 2);		/* 129 */
  put (t, DW_LNS_copy, 1);					/* 1083 11 - */
  put (t, DW_LNS_set_file, 1), put (t, 2, 1);
  put (t, DW_LNS_const_add_pc, 1);				/* 17 */
  put (t, DW_LNS_fixed_advance_pc, 1), put (t, 0x100, 2);
  put (t, 0x0400, 2), put (t, 0x80, 1), put (t, 0, 3);		/* unknown */
  put (t, DW_LNS_advance_line, 1), put (t, 0x75, 1);		/* -11 */
  put (t, DW_LNS_copy, 1);					/* 1194 0 - */
  put (t, DW_LNS_advance_pc, 1), put (t, 4, 1);
  put (t, 0x0100, 2), put (t, DW_LNE_end_sequence, 1);		/* 1198 */
  put (t, 0x0900, 2), put (t, DW_LNE_set_address, 1), put (t, 0, 8);
  put (t, DW_LNS_copy, 1);					/* 0 1 S */
  put (t, DW_LNS_advance_pc, 1), put (t, 7, 1);
  put (t, 0x0100, 2), put (t, DW_LNE_end_sequence, 1);
  put (t, DW_LNS_copy, 1);			/* never ended */
}

static void
make_table (struct table *t, unsigned version, bool dwarf64)
{
  static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
  size_t size = dwarf64 ? 8 : 4;
  *t = (struct table) { .n = 0 };
  if (dwarf64)
    put (t, 0xffffffff, 4);
  size_t total = t->n;
  put (t, 0, size);
  put (t, version, 2);
  if (version == 5)
    put (t, 8, 2);
  size_t header = t->n;
  put (t, 0, size);
  put (t, 1, 1);
  if (version >= 4)
    put (t, 1, 1);
  put (t, 1, 1), put (t, -5, 1), put (t, 14, 1), put (t, 13, 1);
  for (size_t i = 0; i < sizeof lengths; i++)
    put (t, lengths[i], 1);
  if (version == 5)
    put_names5 (t);
  else
    put_names4 (t);
  close_length (t, header, size);
  put_program (t);
  close_length (t, total, size);
}

static int
decode (const uint8_t *bytes, size_t n, lp_line_header *header,
	lp_line_rows *rows, lp_error *err)
{
  lp_line_sections sections = { .line = { bytes, n }, .path = "prog" };
  *rows = (lp_line_rows) { 0 };
  return lp_line_header_read (&sections, 0, header, err)
    || lp_line_rows_read (&sections, header, rows, err) ? -1 : 0;
}

static void
check_row (const lp_line_rows *rows, size_t i, uint64_t addr, uint32_t line,
	   uint32_t file, bool is_stmt)
{
  ck_assert_uint_eq (rows->rows.v[i].addr, addr);
  ck_assert_uint_eq (rows->rows.v[i].line, line);
  ck_assert_uint_eq (rows->rows.v[i].file, file);
  ck_assert_int_eq (rows->rows.v[i].is_stmt, is_stmt);
}

START_TEST (line_tables_are_decoded)
{
  unsigned version = _i % 4 + 2;
  struct table t;
  lp_line_header header;
  lp_line_rows rows;
  lp_error err = { 0 };
  make_table (&t, version, _i >= 4);
  ck_assert_msg (decode (t.bytes, t.n, &header, &rows, &err) == 0, "%s", err.text);
  ck_assert_uint_eq (header.next, t.n);
  size_t first = version < 5;
  ck_assert_uint_eq (header.files.n, 2 + first);
  ck_assert_str_eq (header.files.v[first].name, "a.c");
  ck_assert_str_eq (header.files.v[first + 1].name, "b.c");
  ck_assert_str_eq (header.dirs.v[1], "dir");
  ck_assert (version < 5 ? !header.files.v[1].md5
	     : header.files.v[1].md5[0] == 0x88 && header.files.v[1].md5[8] == 1);
  ck_assert_uint_eq (rows.rows.n, 5);
  check_row (&rows, 0, 0x1000, 10, 1, true);
  check_row (&rows, 1, 0x1002, 11, 1, true);
  check_row (&rows, 2, 0x1083, 11, 1, false);
  check_row (&rows, 3, 0x1194, 0, 2, false);
  check_row (&rows, 4, 0, 1, 1, true);
  ck_assert_uint_eq (rows.sequences.n, 2);
  ck_assert_uint_eq (rows.sequences.v[0].lo, 0x1000);
  ck_assert_uint_eq (rows.sequences.v[0].hi, 0x1198);
  ck_assert_uint_eq (rows.sequences.v[0].n, 4);
  ck_assert_uint_eq (rows.sequences.v[1].lo, 0);
  ck_assert_uint_eq (rows.sequences.v[1].hi, 7);
  lp_line_header_free (&header);
  lp_line_rows_free (&rows);
}
END_TEST

/* Decode a copy of N bytes that ends where its storage ends, so that the
   sanitizer and valgrind see what is read behind it.  */
static int
decode_copy (const uint8_t *bytes, size_t n, lp_error *err)
{
  lp_line_header header;
  lp_line_rows rows;
  uint8_t *copy = malloc (n ? n : 1);
  memcpy (copy, bytes, n);
  int result = decode (copy, n, &header, &rows, err);
  lp_line_header_free (&header);
  lp_line_rows_free (&rows);
  free (copy);
  return result;
}

START_TEST (truncated_tables_are_refused)
{
  struct table t;
  make_table (&t, _i % 4 + 2, _i >= 4);
  for (size_t n = 0; n < t.n; n++)
    {
      lp_error err = { 0 };
      ck_assert_int_eq (decode_copy (t.bytes, n, &err), -1);
      ck_assert_int_eq (err.code, LP_EFORMAT);
      ck_assert_ptr_nonnull (strstr (err.text, "0x0 of 'prog'"));
    }
}
END_TEST

/* No assertion but that nothing is read or written where it must not be.  */
START_TEST (damaged_tables_do_no_harm)
{
  struct table t;
  srand (_i);
  for (int round = 0; round < 4000; round++)
    {
      lp_error err = { 0 };
      make_table (&t, _i % 4 + 2, _i >= 4);
      for (int flips = rand () % 4; flips >= 0; flips--)
	t.bytes[rand () % t.n] = rand ();
      if (decode_copy (t.bytes, t.n, &err))
	ck_assert_int_ne (err.code, LP_OK);
    }
}
END_TEST

START_TEST (unknown_versions_are_named)
{
  struct table t;
  lp_error err = { 0 };
  make_table (&t, 5, false);
  t.bytes[4] = 6;
  ck_assert_int_eq (decode_copy (t.bytes, t.n, &err), -1);
  ck_assert_int_eq (err.code, LP_EUNSUPPORTED);
  ck_assert_ptr_nonnull (strstr (err.text, "version 6"));
}
END_TEST

/* Lines are counted modulo 2^32, whatever a damaged table adds.  */
START_TEST (lines_wrap_around)
{
  static const uint8_t most[] = { DW_LNS_advance_line, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0x00, DW_LNS_advance_line, 20, DW_LNS_copy,
    0, 1, DW_LNE_end_sequence };
  struct table t;
  lp_line_header header;
  lp_line_rows rows;
  lp_error err = { 0 };
  make_table (&t, 4, false);
  memcpy (t.bytes + t.n, most, sizeof most);
  t.n += sizeof most;
  close_length (&t, 0, 4);
  ck_assert_msg (decode (t.bytes, t.n, &header, &rows, &err) == 0, "%s", err.text);
  ck_assert_uint_eq (rows.rows.v[rows.rows.n - 1].line, 20);
  lp_line_header_free (&header);
  lp_line_rows_free (&rows);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("linetable");
  TCase *lines = tcase_create ("tables");
  tcase_set_timeout (lines, 60);
  tcase_add_loop_test (lines, line_tables_are_decoded, 0, 8);
  tcase_add_loop_test (lines, truncated_tables_are_refused, 0, 8);
  tcase_add_loop_test (lines, damaged_tables_do_no_harm, 0, 8);
  tcase_add_test (lines, unknown_versions_are_named);
  tcase_add_test (lines, lines_wrap_around);
  suite_add_tcase (suite, lines);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
