/* check_debug.c: the pure parts of the debug floor's DWARF side: names, paths,
   patterns, the table of numbers, and the line table decoder on tables made by
   hand.  dwarf.tap checks it against other tools on real programs.  */

#include <check.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/intmap.h"
#include "debug/linetable.h"
#include "debug/names.h"
#include "debug/path.h"
#include "debug/pattern.h"

struct name_case
{
  const char *pattern, *display;
  bool match;
};

static const struct name_case name_cases[] = {
  { "foo", "foo", true },
  { "foo", "foo(int)", true },
  { "foo", "C::foo(int) const", true },
  { "C::foo", "ns::C::foo(int)", true },
  { "C::foo", "ns::XC::foo()", false },
  { "oo", "foo", false },
  { "", "foo", false },
  { "foo(int)", "C::foo(int) const", true },
  { "foo(int)", "foo(int, int)", false },
  { "foo(int,int)", "foo(int, int)", true },
  { "foo(void)", "foo()", true },
  { "foo()", "foo(int)", false },
  { "C::foo", "C<int>::foo<3>(int)", true },
  { "C<int>::foo", "void ns::C<int>::foo(int)", true },
  { "C<long>::foo", "void ns::C<int>::foo(int)", false },
  { "add", "int ns::add<int>(int, int)", true },
  { "add<int>", "int ns::add<int>(int, int)", true },
  { "int", "int ns::add<int>(int, int)", false },
  { "f", "f(std::function<void (int)>)", true },
  { "f", "decltype (x->y) ns::f<int>(int)", true },
  { "f", "g(void (*)(f))", false },
  { "operator()", "st(int)::{lambda(int)#1}::operator()(int) const", true },
  { "st", "st(int)::{lambda(int)#1}::operator()(int) const", false },
  { "{lambda(int)#1}::operator()",
    "st(int)::{lambda(int)#1}::operator()(int) const", true },
  { "V::operator()(int)", "V::operator()(int)", true },
  { "V::operator()(int)", "V::operator()()", false },
  { "operator new", "operator new(unsigned long)", true },
  { "operator<<", "std::ostream& operator<< <char>(std::ostream&, char)", true },
  { "operator<", "bool N::operator< <int>(A const&)", true },
  { "operator<", "bool N::operator<= <int>(A const&)", false },
  { "C::operator->", "C::operator->()", true },
  { "operator int", "C::operator int() const", true },
  { "operator[]", "V::operator[](unsigned long)", true },
  { "~C", "C::~C()", true },
  { "C", "C::~C()", false },
  { "::main", "main", true },
  { "::foo", "C::foo()", false },
  { "foo", "(anonymous namespace)::foo(char*)", true },
  { "(anonymous namespace)::foo", "(anonymous namespace)::foo(char*)", true },
  { "foo(char*)", "(anonymous namespace)::foo(char*)", true },
  { "str", "C::str[abi:cxx11](int)", true },
  { "call_once", "<F as core::ops::FnOnce>::call_once", true },
  { "foo::{closure#0}", "main::foo::{closure#0}", true },
  { "foo::{{closure}}", "main::foo::{{closure}}", true },
  { "main.add", "main.add", true },
  { "add", "main.add", true },
  { "dd", "main.add", false }
};

START_TEST (patterns_match_whole_tails)
{
  const struct name_case *c = &name_cases[_i];
  ck_assert_msg (lp_name_matches (c->pattern, c->display) == c->match,
		 "'%s' against '%s'", c->pattern, c->display);
}
END_TEST

START_TEST (globs_match_names_and_tails)
{
  ck_assert (lp_name_globs ("get*", "int C::get_x<int>(int)"));
  ck_assert (lp_name_globs ("C::*", "int C::get_x<int>(int)"));
  ck_assert (lp_name_globs ("*(int)", "C::get_x(int)"));
  ck_assert (!lp_name_globs ("et*", "C::get_x(int)"));
  ck_assert (!lp_name_globs ("f*", "C<f::x>::g()"));
}
END_TEST

START_TEST (globs_are_told_from_types)
{
  ck_assert (lp_is_glob ("foo*"));
  ck_assert (lp_is_glob ("[ab]c"));
  ck_assert (!lp_is_glob ("foo"));
  ck_assert (!lp_is_glob ("foo(char*)"));
  ck_assert (!lp_is_glob ("operator*"));
  ck_assert (!lp_is_glob ("C::operator[]"));
}
END_TEST

static void
check_text (char *got, const char *want)
{
  ck_assert_str_eq (got, want);
  free (got);
}

START_TEST (names_are_shortened)
{
  check_text (lp_plain_name ("void ns::C<int>::foo<3>(int) const"), "ns::C::foo");
  check_text (lp_base_name ("void ns::C<int>::foo<3>(int) const"), "foo");
  check_text (lp_base_name ("C::~C()"), "~C");
  check_text (lp_base_name ("main"), "main");
  check_text (lp_base_name ("C::operator()(int)"), "operator()");
  check_text (lp_base_name (""), "");
  check_text (lp_plain_name ("a(((("), "a((((");
  check_text (lp_plain_name (">>>"), ">>>");
}
END_TEST

START_TEST (clone_suffixes_go)
{
  static const char *const cases[][2] = {
    { "foo", "foo" }, { "foo.part.0", "foo" }, { "foo.cold", "foo" },
    { "foo.constprop.0.cold", "foo" }, { "foo.isra.0.part.12", "foo" },
    { "foo.__uniq.123456.llvm.99", "foo" }, { "foo.lto_priv.0", "foo" },
    { "foo.cold.1", "foo" }, { "foo.actor", "foo" }, { "foo.1", "foo.1" },
    { "foo.bar", "foo.bar" }, { ".cold", ".cold" },
    { "_ZN4core3ptr9drop_in_place$LT$a..b$GT$E",
      "_ZN4core3ptr9drop_in_place$LT$a..b$GT$E" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_uint_eq (lp_clone_base (cases[i][0]), strlen (cases[i][1]));
}
END_TEST

START_TEST (symbols_are_demangled)
{
  check_text (lp_demangle ("_ZN1C3fooEi"), "C::foo(int)");
  check_text (lp_demangle ("_ZN1C3fooEi.part.0.cold"), "C::foo(int)");
  check_text (lp_demangle ("_ZN4prog4main17h0123456789abcdefE"), "prog::main");
  check_text (lp_demangle ("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
  ck_assert_ptr_null (lp_demangle ("main"));
  ck_assert_ptr_null (lp_demangle ("_Z"));
}
END_TEST

START_TEST (keys_are_spelled_out_by_symbols)
{
  check_text (lp_pattern_key ("C<int>::foo(int)"), "foo");
  check_text (lp_pattern_key ("~C"), "");
  check_text (lp_pattern_key ("operator+"), "");
  check_text (lp_pattern_key ("f::{closure#0}"), "");
}
END_TEST

START_TEST (plain_symbols_name_what_they_may)
{
  ck_assert (lp_symbol_may_be ("foo", "foo"));
  ck_assert (lp_symbol_may_be ("foo.part.0", "foo"));
  ck_assert (lp_symbol_may_be ("foo.avx2", "foo"));
  ck_assert (lp_symbol_may_be ("foo_", "foo"));
  ck_assert (lp_symbol_may_be ("__shapes_MOD_area", "shapes::area"));
  ck_assert (lp_symbol_may_be ("ada_main__p__inner.0", "p.inner"));
  ck_assert (lp_symbol_may_be ("_ada_main", "main"));
  ck_assert (!lp_symbol_may_be ("get_foo", "foo"));
  ck_assert (!lp_symbol_may_be ("foobar", "foo"));
  ck_assert (!lp_symbol_may_be ("fo", "foo"));
}
END_TEST

static void
check_pattern (const char *text, const char *file, const char *name,
	       uint32_t line)
{
  lp_pattern p;
  ck_assert_int_eq (lp_pattern_parse (text, &p), 0);
  ck_assert_pstr_eq (p.file, file);
  ck_assert_pstr_eq (p.name, name);
  ck_assert_uint_eq (p.line, line);
  lp_pattern_free (&p);
}

START_TEST (patterns_are_taken_apart)
{
  check_pattern ("foo", NULL, "foo", 0);
  check_pattern ("ns::C::foo(int)", NULL, "ns::C::foo(int)", 0);
  check_pattern ("file.c", "file.c", "file.c", 0);
  check_pattern ("file.c:foo", "file.c", "foo", 0);
  check_pattern ("a/file.cc:ns::foo", "a/file.cc", "ns::foo", 0);
  check_pattern ("file.c:120", "file.c", NULL, 120);
  check_pattern ("dir/", "dir/", NULL, 0);
  check_pattern ("operator/", NULL, "operator/", 0);
  check_pattern ("C::operator/=", NULL, "C::operator/=", 0);
}
END_TEST

START_TEST (paths_are_joined_and_normalised)
{
  check_text (lp_path_join ("/src", "lib", "a.c"), "/src/lib/a.c");
  check_text (lp_path_join ("/src", "/usr/include", "a.h"), "/usr/include/a.h");
  check_text (lp_path_join ("/src", "lib", "/abs/a.c"), "/abs/a.c");
  check_text (lp_path_join ("/src/b", "../lib/./x", "..//a.c"), "/src/lib/a.c");
  check_text (lp_path_join ("/src", "", "../../../a.c"), "/a.c");
  check_text (lp_path_join (".", "lib", "a.c"), "lib/a.c");
  check_text (lp_path_join ("", "../lib", "../../a.c"), "../../a.c");
  check_text (lp_path_join ("", "", "x/../a.c"), "a.c");
  check_text (lp_path_join ("", "", ""), "");
}
END_TEST

START_TEST (paths_end_in_whole_components)
{
  ck_assert (lp_path_ends_with ("/src/lib/a.c", "a.c"));
  ck_assert (lp_path_ends_with ("/src/lib/a.c", "./lib/a.c"));
  ck_assert (lp_path_ends_with ("/src/lib/a.c", "/src/lib/a.c"));
  ck_assert (lp_path_ends_with ("/src/lib/a.c", "lib/*.c"));
  ck_assert (lp_path_ends_with ("a.c", "a.c"));
  ck_assert (!lp_path_ends_with ("/src/lib/aa.c", "a.c"));
  ck_assert (!lp_path_ends_with ("/src/lib/a.c", "/lib/a.c"));
  ck_assert (!lp_path_ends_with ("/src/lib/a.c", ""));
  ck_assert (lp_path_in_dir ("/src/lib/a.c", "lib/"));
  ck_assert (lp_path_in_dir ("/src/lib/a.c", "/src/"));
  ck_assert (lp_path_in_dir ("/src/lib/a.c", "src/lib/"));
  ck_assert (!lp_path_in_dir ("/src/mylib/a.c", "lib/"));
  ck_assert (!lp_path_in_dir ("/src/lib/a.c", "/lib/"));
}
END_TEST

START_TEST (system_paths_are_known)
{
  ck_assert (lp_path_is_system ("/usr/include/c++/12/vector"));
  ck_assert (lp_path_is_system ("/usr/lib/gcc/x86_64-linux-gnu/12/include/a.h"));
  ck_assert (lp_path_is_system ("/rustc/abc/library/core/src/iter.rs"));
  ck_assert (lp_path_is_system ("<built-in>"));
  ck_assert (!lp_path_is_system ("/home/me/usr/include/a.h"));
  ck_assert (!lp_path_is_system ("a.c"));
}
END_TEST

START_TEST (numbers_are_found_again)
{
  lp_intmap map = { 0 };
  ck_assert_int_eq (lp_intmap_get (&map, 5), -1);
  for (uint32_t i = 0; i < 5000; i++)
    ck_assert_int_eq (lp_intmap_put (&map, (uint64_t) i << 33, i), 0);
  for (uint32_t i = 0; i < 5000; i++)
    ck_assert_int_eq (lp_intmap_get (&map, (uint64_t) i << 33), i);
  ck_assert_int_eq (lp_intmap_get (&map, 77), -1);
  lp_intmap_free (&map);
}
END_TEST

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

static Suite *
debug_suite (void)
{
  Suite *suite = suite_create ("debug");
  TCase *names = tcase_create ("names");
  tcase_add_loop_test (names, patterns_match_whole_tails, 0,
		       sizeof name_cases / sizeof *name_cases);
  tcase_add_test (names, globs_match_names_and_tails);
  tcase_add_test (names, globs_are_told_from_types);
  tcase_add_test (names, names_are_shortened);
  tcase_add_test (names, clone_suffixes_go);
  tcase_add_test (names, symbols_are_demangled);
  tcase_add_test (names, keys_are_spelled_out_by_symbols);
  tcase_add_test (names, plain_symbols_name_what_they_may);
  tcase_add_test (names, patterns_are_taken_apart);
  suite_add_tcase (suite, names);
  TCase *paths = tcase_create ("paths");
  tcase_add_test (paths, paths_are_joined_and_normalised);
  tcase_add_test (paths, paths_end_in_whole_components);
  tcase_add_test (paths, system_paths_are_known);
  tcase_add_test (paths, numbers_are_found_again);
  suite_add_tcase (suite, paths);
  TCase *lines = tcase_create ("lines");
  tcase_set_timeout (lines, 60);
  tcase_add_loop_test (lines, line_tables_are_decoded, 0, 8);
  tcase_add_loop_test (lines, truncated_tables_are_refused, 0, 8);
  tcase_add_loop_test (lines, damaged_tables_do_no_harm, 0, 8);
  tcase_add_test (lines, unknown_versions_are_named);
  suite_add_tcase (suite, lines);
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (debug_suite ());
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
