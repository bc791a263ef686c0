/* check_shown.c: the report floor: which functions are shown, by which names, and
   what is said of the others.  */

#define _GNU_SOURCE

#include "report_fixture.h"
#include "report/tables.h"

static void
check_stem (const char *name, const char *want)
{
  char stem[200];
  lp_name_stem (name, stem);
  ck_assert_str_eq (stem, want);
}

START_TEST (what_instances_share)
{
  check_stem ("main", "main");
  check_stem ("f(int, char)", "f(int, char)");
  check_stem ("int add<int>(int)", "add");
  check_stem ("std::vector<int> make<int>(std::vector<int> const&)", "make");
  check_stem ("Vec<int>::push(int const&)", "Vec::push");
  check_stem ("Vec<int>::size() const", "Vec::size() const");
  check_stem ("Vec<std::pair<int, long> >::~Vec()", "Vec::~Vec");
  check_stem ("bool operator< <int>(A<int>, A<int>)", "operator<");
  check_stem ("bool operator==<int>(A<int>, A<int>)", "operator==");
  check_stem ("std::ostream& operator<< <int>(std::ostream&, A<int>)",
	      "operator<<");
  check_stem ("A<int>::operator->()", "A::operator->");
  check_stem ("A<int>::operator bool() const", "A::operator bool() const");
  check_stem ("int A<int>::operator()<long>(long)", "A::operator()");
  check_stem ("void (anonymous namespace)::f<int>(int)",
	      "(anonymous namespace)::f");
  check_stem ("(anonymous namespace)::g<int>(int)", "(anonymous namespace)::g");
  check_stem ("void each<f(int)::{lambda(int)#1}>(int)", "each");
  check_stem ("f<int>(int)::{lambda(int)#1}::operator()(int) const",
	      "f()::{lambda()#1}::operator()() const");
  check_stem ("alloc::vec::Vec<T>::push", "alloc::vec::Vec::push");
  check_stem ("broken<", "broken<");
}
END_TEST

/* N functions f1 to fN, one a line, fI with I microseconds; those above RAN did
   not run.  */
static lp_profile *
many (int n, int ran, bool selected)
{
  static char text[100000];
  size_t at = (size_t) sprintf (text, HEAD "'objects':[['/d','']],"
				"'sources':[['demo.c',-1,null]],'subjects':[");
  for (int i = 1; i <= n; i++)
    at += (size_t) sprintf (text + at, "%s" "{'name':'f%d','linkage':'f%d',"
			    "'object':0,'source':0,'line':%d,'last_line':%d,"
			    "'engine':'clone','reason':null,'lines':[%d]}",
			    i > 1 ? "," : "", i, i, i, i, i);
  at += (size_t) sprintf (text + at, "],'parts':[{'pid':1,'tid':0,'name':'',"
			  "'functions':[");
  for (int i = 1; i <= ran; i++)
    at += (size_t) sprintf (text + at, "%s[%d,1,1,%d000,0,[1],[%d000],[0],[]]",
			    i > 1 ? "," : "", i - 1, i, i);
  strcpy (text + at, "]}]}");
  lp_profile *profile = profile_of (text);
  profile->selected = selected;
  return profile;
}

/* The functions whose tables TEXT has, "f1 f2 ", and what follows the last.  */
static void
check_shown (char *text, const char *want, const char *tail)
{
  char shown[1000] = "", *at = text, *end = text;
  while ((at = strstr (at, "Function: ")))
    {
      at += strlen ("Function: ");
      strncat (shown, at, strcspn (at, " ") + 1);
      end = at;
    }
  ck_assert_str_eq (shown, want);
  if (*want)
    end = strstr (end, "=\n") + 2;
  end = strstr (end, "\n\n") + 2;
  ck_assert_str_eq (end, tail);
  free (text);
}

START_TEST (the_hottest_are_shown)
{
  lp_report_options options = plain ();
  check_shown (report (many (12, 12, false), "text", &options),
	       "f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 ",
	       "2 more functions ran; --top 0 shows all.\n\n");
  check_shown (report (many (14, 11, false), "text", &options),
	       "f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 ",
	       "1 more function ran, 3 functions did not run; --top 0 shows "
	       "all.\n\n");
  check_shown (report (many (4, 3, false), "text", &options), "f1 f2 f3 ",
	       "1 function did not run; --top 0 shows all.\n\n");
  check_shown (report (many (4, 0, false), "text", &options), "",
	       "4 functions did not run; --top 0 shows all.\n\n");
  check_shown (report (many (12, 11, true), "text", &options),
	       "f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 ", "");
  options.top = 2;
  options.sort = true;
  check_shown (report (many (4, 4, true), "text", &options), "f3 f4 ",
	       "2 more functions ran; --top 0 shows all.\n\n");
  options.top = LP_TOP_ALL;
  check_shown (report (many (12, 11, false), "text", &options),
	       "f12 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 ", "");
  options.skip_zero = true;
  check_shown (report (many (3, 2, false), "text", &options), "f1 f2 ", "");
}
END_TEST

START_TEST (refusals_and_notes_are_listed)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\nc\n", 6);
  lp_profile *p = profile_of (REFUSED);
  ck_assert_int_eq (lp_vec_push (&p->notes, "process 7 was not followed"), 0);
  options.summarize = true;
  char *got = report (p, "text", &options);
  ck_assert_str_eq (got,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 0 s\nFile: demo.c\nFunction: g at line 2\n\n" TITLE
    "     2         1          0.0      0.0           b\n\n"
    "Total time: 0 s\nFile: demo.c\nFunction: h at line 3\n\n" TITLE
    "     3         1          0.0      0.0           c\n\n"
    "Not profiled:\n"
    "  demo.c:1 - f: data in its code\n\n"
    "Profiled by a slower engine:\n"
    "  demo.c:2 - g: unknown jump\n\n"
    "Note: process 7 was not followed\n\n"
    "  0.00 seconds - demo.c:2 - g\n"
    "  0.00 seconds - demo.c:3 - h\n");
  free (got);
}
END_TEST

START_TEST (names_cannot_move_the_cursor)
{
  lp_report_options options = plain ();
  lp_profile *p = profile_of (REFUSED);
  options.top = 1;
  p->subjects.v[0].name = "f\033[2J\nx";
  char *got = report (p, "text", &options);
  ck_assert_ptr_nonnull (strstr (got, "demo.c:1 - f?[2J?x: data"));
  free (got);
}
END_TEST

/* Without the escapes the text is the same.  */
START_TEST (colours_by_heat)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\nc\nd\ne\n", 10);
  options.color = true;
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 5, "[1,2,3,5]") "],"
    PART ("[0,1,1,1000,0,[1,1,1,0],[700,250,50,0],[0,0,0,0],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 1e-06 s\nFile: demo.c\nFunction: f at line 1\n\n"
    "\033[1mLine #      Hits         Time  Per Hit   % Time  Line Contents"
    "\033[0m\n"
    "==============================================================\n"
    "\033[1;31m     1         1          0.7      0.7     70.0  a\033[0m\n"
    "\033[31m     2         1          0.2      0.2     25.0  b\033[0m\n"
    "\033[33m     3         1          0.1      0.1      5.0  c\033[0m\n"
    "     4                                           d\n"
    "\033[2m     5                                           e\033[0m\n\n");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("shown");
  TCase *tc = tcase_create ("shown");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_add_test (tc, what_instances_share);
  tcase_add_test (tc, the_hottest_are_shown);
  tcase_add_test (tc, refusals_and_notes_are_listed);
  tcase_add_test (tc, names_cannot_move_the_cursor);
  tcase_add_test (tc, colours_by_heat);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
