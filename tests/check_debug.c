/* check_debug.c: names, paths and patterns as the debug floor reads them.
   dwarf.tap has the same on real programs.  */

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/intmap.h"
#include "base/arena.h"
#include "debug/language.h"
#include "debug/names.h"
#include "debug/path.h"
#include "debug/pattern.h"
#include "debug/rust.h"

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
  { "dd", "main.add", false },
  { "p.inner", "main.p.inner", true },
  { "P::inner", "main.p.inner", false },
  { "outer::hidden", "outer::(anonymous namespace)::hidden(int)", true },
  { "outer::(anonymous namespace)::hidden",
    "outer::(anonymous namespace)::hidden(int)", true },
  { "::hidden", "(anonymous namespace)::hidden(int)", true },
  { "Inner::method", "local(int)::Inner::method(int)", true },
  { "local::Inner::method", "local(int)::Inner::method(int)", true },
  { "local(long)::Inner::method", "local(int)::Inner::method(int)", false },
  { "Box::as<long>", "long outer::Box<int>::as<long>(long)", true },
  { "Box<long>::as", "long outer::Box<int>::as<long>(long)", false },
  { "p.\"+\"", "main.p.\"+\"", true },
  { "\"<\"", "main.p.\"+\"", false },
  { "S::area", "<a::S as b::Tr>::area", true },
  { "Tr::area", "<a::S as b::Tr>::area", true },
  { "b::S::area", "<a::S as b::Tr>::area", false },
  { "<S as Tr>::area", "<a::S as b::Tr>::area", true },
  { "<S as Other>::area", "<a::S as b::Tr>::area", false },
  { "<a::S as b::Tr>::area", "<a::S as b::Tr>::area", true },
  { "Map::fold", "<<a::I as b::It>::Map as c::Fold>::fold", true },
  { "S::fmt", "<&mut a::S as b::Fmt>::fmt", true },
  { "P<i32>::larger", "a::P<i32>::larger", true },
  { "<P<i32>>::larger", "a::P<i32>::larger", true },
  { "P::larger", "a::P<i32>::larger", true },
  { "largest::<i32>", "a::largest<i32>", true },
  { "largest::<f64>", "a::largest<i32>", false },
  { "f::{closure}", "main::f::{closure#3}", true },
  { "f::{{closure}}", "main::f::{closure#3}", true },
  { "f::{closure#2}", "main::f::{closure#3}", false }
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
  ck_assert (lp_name_globs ("method::*", "a(int)::method(int)::{lambda(int)#1}::operator()(int)"));
  ck_assert (lp_name_globs ("shapes.*", "main.shapes.area"));
  ck_assert (lp_name_globs ("a::*", "<a::S as b::Tr>::area"));
  ck_assert (lp_name_globs ("b::Tr::*", "<a::S as b::Tr>::area"));
  ck_assert (!lp_name_globs ("c::*", "<a::S as b::Tr>::area"));
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
  ck_assert (lp_is_glob ("*::operator()"));
  ck_assert (!lp_is_glob ("p.\"*\""));
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

START_TEST (rust_has_one_spelling)
{
  check_text (lp_rust_canonical ("a::<impl b::Tr for a::S>::f"), "<a::S as b::Tr>::f");
  check_text (lp_rust_canonical ("core::str::<impl str>::len"), "str::len");
  check_text (lp_rust_canonical ("core::slice::<impl [T]>::len"), "<[T]>::len");
  check_text (lp_rust_canonical ("<a::P<i32>>::larger"), "a::P<i32>::larger");
  check_text (lp_rust_canonical ("a::f::<a::g::<i32>>"), "a::f<a::g<i32>>");
  check_text (lp_rust_canonical ("<a::S as b::Tr>::f::<u8>"), "<a::S as b::Tr>::f<u8>");
  check_text (lp_rust_canonical ("<<<"), "<<<");
  check_text (lp_rust_complete ("a::f", "f<i32>"), "a::f<i32>");
  check_text (lp_rust_complete ("a::f::{{closure}}", "{closure#1}<()>"), "a::f::{closure#1}");
  ck_assert_ptr_null (lp_rust_complete ("a::f", "f"));
  ck_assert_ptr_null (lp_rust_complete ("a::f", "g<i32>"));
  check_text (lp_plain_name ("<a::P<i32> as b::Tr>::f<u8>"), "a::P::f");
  check_text (lp_demangle ("_ZN5langs7largest17hb3e146e8b749f9c5E"), "langs::largest");
  check_text (lp_demangle ("_RINvCsdtTJ8dJuasK_5langs7largestdEB2_"), "langs::largest<f64>");
}
END_TEST

START_TEST (ada_is_spelled_as_in_the_source)
{
  lp_arena *arena = lp_arena_new ();
  ck_assert_str_eq (lp_ada_name (arena, "p__q"), "p.q");
  ck_assert_str_eq (lp_ada_name (arena, "p__Oadd"), "p.\"+\"");
  ck_assert_str_eq (lp_ada_name (arena, "p__One__2"), "p.\"/=\"");
  ck_assert_str_eq (lp_ada_name (arena, "p__area__12"), "p.area");
  ck_assert_str_eq (lp_ada_name (arena, "main"), "main");
  ck_assert_str_eq (lp_ada_name (arena, "p___q"), "p___q");
  lp_arena_free (arena);
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
  tcase_add_test (names, rust_has_one_spelling);
  tcase_add_test (names, ada_is_spelled_as_in_the_source);
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
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (debug_suite ());
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
