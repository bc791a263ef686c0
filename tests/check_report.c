/* check_report.c: the report floor: the tables.  What line_profiler prints for the
   same numbers was typed in here by hand.  */

#define _GNU_SOURCE

#include "report_fixture.h"

static const char demo_c[] =
  "#include <x.h>\n"
  "long fact(int n)\n"
  "{\n"
  "\n"
  "    if (n == 0)\n"
  "        return 1;\r\n"
  "    return n * fact(n - 1);\n"
  "}\n"
  "void never(void)\n"
  "{\n"
  "}";

#define DEMO								\
  HEAD									\
  "'objects':[['/nowhere/demo','']],'sources':[['demo.c',-1,null]],"	\
  "'subjects':["							\
  SUBJECT ("fact", 0, 2, 8, "[2,5,6,7,8]") ","				\
  SUBJECT ("never", 0, 9, 11, "[9,11]") "],"				\
  PART ("[0,4,1,82331110,82331110,[4,4,1,3,4],"				\
	"[200,800,50,82329960,100],[200,800,50,82329960,100],[]]")

static void
demo_source (void)
{
  write_file ("demo.c", demo_c, strlen (demo_c));
}

#define FACT								\
  "Total time: 0.0823311 s\n"						\
  "File: demo.c\n"							\
  "Function: fact at line 2\n"						\
  "\n"									\
  TITLE									\
  "     2         4          0.2      0.1      0.0  long fact(int n)\n"	\
  "     3                                           {\n"		\
  "     4                                           \n"			\
  "     5         4          0.8      0.2      0.0      if (n == 0)\n"	\
  "     6         1          0.1      0.1      0.0          return 1;\n"	\
  "     7         3      82330.0  27443.3    100.0      return n * fact(n - 1);\n"\
  "     8         4          0.1      0.0      0.0  }\n"		\
  "\n"

#define NEVER								\
  "Total time: 0 s\n"							\
  "File: demo.c\n"							\
  "Function: never at line 9\n"						\
  "\n"									\
  TITLE									\
  "     9                                           void never(void)\n"	\
  "    10                                           {\n"		\
  "    11                                           }\n"		\
  "\n"

START_TEST (the_tables_of_line_profiler)
{
  lp_report_options options = plain ();
  demo_source ();
  check_report (DEMO, &options, "Timer unit: 1e-06 s\n\n" FACT NEVER);
  ck_assert_str_eq (warnings, "");
}
END_TEST

START_TEST (skip_zero_hides_what_never_ran)
{
  lp_report_options options = plain ();
  demo_source ();
  options.skip_zero = true;
  options.summarize = true;
  check_report (DEMO, &options, "Timer unit: 1e-06 s\n\n" FACT
		"  0.08 seconds - demo.c:2 - fact\n");
}
END_TEST

START_TEST (sorted_has_the_hottest_last)
{
  lp_report_options options = plain ();
  demo_source ();
  options.sort = true;
  options.summarize = true;
  check_report (DEMO, &options, "Timer unit: 1e-06 s\n\n" NEVER FACT
		"  0.00 seconds - demo.c:9 - never\n"
		"  0.08 seconds - demo.c:2 - fact\n");
}
END_TEST

#define TOTALS_BY_UNIT(unit, rows)					\
  "Timer unit: " unit " s\n\n"						\
  "Total time: 0.0823311 s\n"						\
  "File: demo.c\n"							\
  "Function: fact at line 2\n"						\
  "\n" TITLE rows "\n"

/* The total stays in seconds; a time that does not fit goes to %5.3g.  */
START_TEST (units)
{
  lp_report_options options = plain ();
  demo_source ();
  options.skip_zero = true;
  options.unit = 1;
  check_report (DEMO, &options, TOTALS_BY_UNIT ("1",
    "     2         4          0.0      0.0      0.0  long fact(int n)\n"
    "     3                                           {\n"
    "     4                                           \n"
    "     5         4          0.0      0.0      0.0      if (n == 0)\n"
    "     6         1          0.0      0.0      0.0          return 1;\n"
    "     7         3          0.1      0.0    100.0      return n * fact(n - 1);\n"
    "     8         4          0.0      0.0      0.0  }\n"));
  options.unit = 1e-9;
  check_report (DEMO, &options, TOTALS_BY_UNIT ("1e-09",
    "     2         4        200.0     50.0      0.0  long fact(int n)\n"
    "     3                                           {\n"
    "     4                                           \n"
    "     5         4        800.0    200.0      0.0      if (n == 0)\n"
    "     6         1         50.0     50.0      0.0          return 1;\n"
    "     7         3   82329960.0 2.74e+07    100.0      return n * fact(n - 1);\n"
    "     8         4        100.0     25.0      0.0  }\n"));
}
END_TEST

/* Ten digits of hits widen their column, the header and the rule with it; the
   time of line 2 would need 14 characters and falls back.  */
START_TEST (columns_widen)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\n", 4);
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 2, "[1,2]") "],"
    PART ("[0,1,1,200000000000000,0,[12345678901,1],"
	  "[9999999999900,100000000000100],[0,0],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 200000 s\n"
    "File: demo.c\n"
    "Function: f at line 1\n"
    "\n"
    "Line #        Hits         Time  Per Hit   % Time  Line Contents\n"
    "================================================================\n"
    "     1 12345678901 9999999999.9      0.8      5.0  a\n"
    "     2           1        1e+11    1e+11     50.0  b\n"
    "\n");
}
END_TEST

START_TEST (self_is_a_column)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\n", 4);
  options.self = true;
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 2, "[1,2]") "],"
    PART ("[0,2,2,3000,2000,[2,0],[3000,0],[2000,0],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 3e-06 s\n"
    "File: demo.c\n"
    "Function: f at line 1\n"
    "\n"
    "Line #      Hits         Time         Self  Per Hit   % Time  Line Contents\n"
    "===========================================================================\n"
    "     1         2          3.0          2.0      1.5    100.0  a\n"
    "     2                                                        b\n"
    "\n");
}
END_TEST

/* Hits without a clock: no percentages.  A line may have time that none of its
   hits accounts for: it is shown, or the times would not add up.  */
START_TEST (lines_without_time_and_without_hits)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\n", 4);
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 1, "[1]") "," SUBJECT ("g", 0, 2, 2, "[2]") "],"
    PART ("[0,7,7,0,0,[7],[0],[0],[]],[1,1,1,500,500,[0],[500],[500],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 0 s\nFile: demo.c\nFunction: f at line 1\n\n" TITLE
    "     1         7          0.0      0.0           a\n\n"
    "Total time: 5e-07 s\nFile: demo.c\nFunction: g at line 2\n\n" TITLE
    "     2                    0.5             100.0  b\n\n");
}
END_TEST

START_TEST (notes_and_lines_that_did_not_return)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\n", 4);
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 2, "[[1,0,'(+inlined g)'],2]") "],"
    PART ("[0,1,1,4000,4000,[1,1],[1000,3000],[1000,3000],[1]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 4e-06 s\nFile: demo.c\nFunction: f at line 1\n\n" TITLE
    "     1         1          1.0      1.0     25.0  a  (+inlined g)\n"
    "     2         1          3.0      3.0     75.0  b  (did not return)\n\n");
}
END_TEST

START_TEST (a_missing_source_still_shows_the_numbers)
{
  lp_report_options options = plain ();
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['/gone/x.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 3, 5, "[3,5]") "],"
    PART ("[0,1,1,4000,4000,[1,1],[1000,3000],[1000,3000],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 4e-06 s\nFile: /gone/x.c\nFunction: f at line 3\n\n"
    "Could not find file /gone/x.c\n"
    "Say where it is with --source-map FROM=TO, or view the profile from the\n"
    "folder that holds the sources.\n"
    "Continuing without the function's contents.\n\n" TITLE
    "     3         1          1.0      1.0     25.0  \n"
    "     4                                           \n"
    "     5         1          3.0      3.0     75.0  \n\n");
}
END_TEST

/* A table about lines that no file has is not printed line by line.  */
START_TEST (long_gaps_are_cut)
{
  lp_report_options options = plain ();
  check_report (
    HEAD "'objects':[['/d','']],'sources':[['',-1,null]],'subjects':["
    SUBJECT ("f", 0, 4, 4294967295, "[4,4000000000]") "],"
    PART ("[0,1,1,4000,4000,[1,1],[1000,3000],[1000,3000],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 4e-06 s\nFile: \nFunction: f at line 4\n\n"
    "Could not find file \n"
    "Say where it is with --source-map FROM=TO, or view the profile from the\n"
    "folder that holds the sources.\n"
    "Continuing without the function's contents.\n\n" TITLE
    "     4         1          1.0      1.0     25.0  \n"
    "   ...                                           \n"
    "4000000000         1          3.0      3.0     75.0  \n"
    "   ...                                           \n\n");
}
END_TEST

START_TEST (lines_of_included_files_are_shown)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\n", 4);
  write_file ("ops.inc", "o1\no2\no3\n", 9);
  check_report (
    HEAD "'objects':[['/d','']],"
    "'sources':[['ops.inc',-1,null],['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 1, 1, 2, "[[1,0,null],[3,0,null],1]") "],"
    PART ("[0,1,1,4000,4000,[5,6,1],[1000,2000,1000],[0,0,0],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 4e-06 s\nFile: demo.c\nFunction: f at line 1\n\n" TITLE
    "     1         1          1.0      1.0     25.0  a\n"
    "     2                                           b\n\n"
    "Included file: ops.inc\n\n" TITLE
    "     1         5          1.0      0.2     25.0  o1\n"
    "     2                                           o2\n"
    "     3         6          2.0      0.3     50.0  o3\n\n");
}
END_TEST

START_TEST (included_files_are_shown_around_their_lines)
{
  lp_report_options options = plain ();
  write_file ("x.inc", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n", 24);
  check_report (
    HEAD "'objects':[['/d','']],"
    "'sources':[['x.inc',-1,null],['gone.c',-1,null]],'subjects':["
    SUBJECT ("f", 1, 0, 0, "[[1,0,null],[11,0,null]]") "],"
    PART ("[0,1,1,0,0,[1,1],[0,0],[0,0],[]]"),
    &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 0 s\nFile: gone.c\nFunction: f at line 0\n\n"
    "Could not find file gone.c\n"
    "Say where it is with --source-map FROM=TO, or view the profile from the\n"
    "folder that holds the sources.\n"
    "Continuing without the function's contents.\n\n" TITLE
    "\nIncluded file: x.inc\n\n" TITLE
    "     1         1          0.0      0.0           1\n"
    "   ...                                           \n"
    "    11         1          0.0      0.0           11\n\n");
}
END_TEST

#define INSTANCES							\
  HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["\
  "{'name':'int add<int>(int)','linkage':'_Z1','object':0,'source':0,"	\
  "'line':1,'last_line':1,'engine':'clone','reason':null,'lines':[1]},"	\
  "{'name':'long add<long>(long)','linkage':'_Z2','object':0,'source':0,"\
  "'line':1,'last_line':2,'engine':'clone','reason':null,'lines':[1,2]},"\
  "{'name':'g','linkage':'g','object':0,'source':0,'line':4,"		\
  "'last_line':4,'engine':'clone','reason':null,'lines':[4]},"		\
  "{'name':'g','linkage':'g.constprop.0','object':0,'source':0,'line':4,"\
  "'last_line':4,'engine':'clone','reason':null,'lines':[4]},"		\
  "{'name':'g','linkage':'g','object':0,'source':0,'line':4,"		\
  "'last_line':4,'engine':'clone','reason':null,'lines':[4]}],"		\
  PART ("[0,1,1,1000,0,[1],[1000],[0],[]],"				\
	"[1,2,2,3000,0,[2,1],[2000,1000],[0,0],[]],"			\
	"[2,1,1,0,0,[1],[0],[0],[]],[3,1,1,0,0,[1],[0],[0],[]],"	\
	"[4,1,1,0,0,[1],[0],[0],[]]")

START_TEST (instances_of_one_source_function_are_summed)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\nc\nd\n", 8);
  check_report (
    INSTANCES, &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 4e-06 s\nFile: demo.c\nFunction: add at line 1\n"
    "Instances: int add<int>(int), long add<long>(long)\n\n" TITLE
    "     1         3          3.0      1.0     75.0  a\n"
    "     2         1          1.0      1.0     25.0  b\n\n"
    "Total time: 0 s\nFile: demo.c\nFunction: g at line 4\n"
    "Instances: g (2 copies), g.constprop.0\n\n" TITLE
    "     4         3          0.0      0.0           d\n\n");
}
END_TEST

/* Two libraries made of one file: each has it as a source of its own, here with
   the lines in different orders.  */
START_TEST (sources_of_one_path_are_one)
{
  lp_report_options options = plain ();
  write_file ("demo.c", "a\nb\n", 4);
  check_report (
    HEAD "'objects':[['/x',''],['/y','']],"
    "'sources':[['demo.c',-1,null],['demo.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 2, "[2,1]") "," SUBJECT ("f", 1, 1, 2, "[1,2]") "],"
    PART ("[0,1,1,3000,0,[1,2],[2000,1000],[0,0],[]],"
	  "[1,1,1,3000,0,[2,1],[1000,2000],[0,0],[]]"), &options,
    "Timer unit: 1e-06 s\n\n"
    "Total time: 6e-06 s\nFile: demo.c\nFunction: f at line 1\n"
    "Instances: f (2 copies)\n\n" TITLE
    "     1         4          2.0      0.5     33.3  a\n"
    "     2         2          4.0      2.0     66.7  b\n\n");
}
END_TEST

START_TEST (a_full_disk_and_an_unknown_form)
{
  lp_report_options options = plain ();
  lp_error err;
  lp_profile *p = profile_of (DEMO);
  FILE *full = fopen ("/dev/full", "w");
  ck_assert_int_eq (lp_report_write ("text", p, &options, full, &err), -1);
  ck_assert_str_eq (err.text, "cannot write the report: No space left on "
		    "device");
  fclose (full);
  ck_assert_int_eq (lp_report_write ("xml", p, &options, stdout, &err), -1);
  ck_assert_int_eq (err.code, LP_EUSAGE);
  lp_profile_free (p);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("report");
  TCase *tc = tcase_create ("report");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_add_test (tc, the_tables_of_line_profiler);
  tcase_add_test (tc, skip_zero_hides_what_never_ran);
  tcase_add_test (tc, sorted_has_the_hottest_last);
  tcase_add_test (tc, units);
  tcase_add_test (tc, columns_widen);
  tcase_add_test (tc, self_is_a_column);
  tcase_add_test (tc, lines_without_time_and_without_hits);
  tcase_add_test (tc, notes_and_lines_that_did_not_return);
  tcase_add_test (tc, a_missing_source_still_shows_the_numbers);
  tcase_add_test (tc, long_gaps_are_cut);
  tcase_add_test (tc, lines_of_included_files_are_shown);
  tcase_add_test (tc, included_files_are_shown_around_their_lines);
  tcase_add_test (tc, instances_of_one_source_function_are_summed);
  tcase_add_test (tc, sources_of_one_path_are_one);
  tcase_add_test (tc, a_full_disk_and_an_unknown_form);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
