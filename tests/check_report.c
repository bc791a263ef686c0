/* check_report.c: the report floor.  What line_profiler prints for the same
   numbers was typed in here by hand.  */

#define _GNU_SOURCE

#include <jansson.h>
#include <sys/stat.h>
#include <utime.h>

#include "profile_fixture.h"
#include "report/report.h"
#include "report/tables.h"

#define TITLE								\
  "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"	\
  "==============================================================\n"

/* What the writers warned of, a line each.  */
static char warnings[1000];

static void
warn (void *arg, const char *text)
{
  (void) arg;
  strcat (warnings, text);
  strcat (warnings, "\n");
}

static lp_report_options
plain (void)
{
  return (lp_report_options) { .top = LP_TOP_DEFAULT, .warn = warn };
}

/* The report on PROFILE, which is released.  */
static char *
report (lp_profile *profile, const char *writer,
	const lp_report_options *options)
{
  lp_error err = { 0 };
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  warnings[0] = '\0';
  ck_assert_msg (lp_report_write (writer, profile, options, out, &err) == 0,
		 "%s", err.text);
  fclose (out);
  lp_profile_free (profile);
  return text;
}

static void
check_report (const char *profile, const lp_report_options *options,
	      const char *want)
{
  char *got = report (profile_of (profile), "text", options);
  ck_assert_str_eq (got, want);
  free (got);
}

#define SUBJECT(name, source, line, last, lines)			\
  "{'name':'" name "','linkage':'" name "','object':0,'source':" #source ","\
  "'line':" #line ",'last_line':" #last ",'engine':'clone','reason':null,"\
  "'lines':" lines "}"

#define PART(functions) "'parts':[{'pid':1,'tid':0,'name':'','functions':[" \
  functions "]}]}"

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

#define REFUSED								\
  HEAD "'objects':[['/d','']],'sources':[['demo.c',-1,null]],'subjects':["\
  "{'name':'f','linkage':'f','object':0,'source':0,'line':1,"		\
  "'last_line':1,'engine':'none','reason':'data in its code','lines':[1]},"\
  "{'name':'g','linkage':'g','object':0,'source':0,'line':2,"		\
  "'last_line':2,'engine':'breakpoint','reason':'unknown jump',"	\
  "'lines':[2]},"							\
  "{'name':'h','linkage':'h','object':0,'source':0,'line':3,"		\
  "'last_line':3,'engine':'breakpoint','reason':null,'lines':[3]}],"	\
  PART ("[1,1,1,0,0,[1],[0],[0],[]],[2,1,1,0,0,[1],[0],[0],[]]")

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

/* Where the source of "/build/pkg/src/x.c" is found: WANT is its first line, or
   NULL where it is not found.  */
static void
check_found (const lp_report_options *options, const char *want,
	     const char *warned)
{
  char *got = report (profile_of (
    HEAD "'objects':[['/nowhere/demo','']],"
    "'sources':[['/build/pkg/src/x.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 1, "[1]") "],"
    PART ("[0,1,1,0,0,[1],[0],[0],[]]")), "text", options);
  ck_assert_str_eq (warnings, warned);
  if (want)
    ck_assert_ptr_nonnull (strstr (got, want));
  else
    ck_assert_ptr_nonnull (strstr (got, "Could not find file /build/pkg"));
  free (got);
}

#define TAKEN(from) "the source '/build/pkg/src/x.c' is taken from '" from "'\n"

START_TEST (sources_are_found_where_they_are_now)
{
  lp_report_options options = plain ();
  check_found (&options, NULL, "");
  mkdir ("deep", 0777);
  mkdir ("deep/a", 0777);
  mkdir ("deep/b", 0777);
  write_file ("deep/a/x.c", "in a\n", 5);
  check_found (&options, "  in a\n", TAKEN ("deep/a/x.c"));
  write_file ("deep/b/x.c", "in b\n", 5);
  check_found (&options, NULL, "");	/* which of the two? */
  mkdir ("deep/b/src", 0777);
  write_file ("deep/b/src/x.c", "in src\n", 7);
  check_found (&options, "  in src\n", TAKEN ("deep/b/src/x.c"));
  write_file ("x.c", "here\n", 5);
  check_found (&options, "  here\n", TAKEN ("x.c"));
  mkdir ("src", 0777);
  write_file ("src/x.c", "longer tail\n", 12);
  check_found (&options, "  longer tail\n", TAKEN ("src/x.c"));
}
END_TEST

START_TEST (source_maps_come_first)
{
  lp_report_options options = plain ();
  lp_source_map maps[] = { { "/build/pk", "." }, { "/build/pkg", "new" } };
  options.maps = maps;
  options.nmaps = 2;
  mkdir ("src", 0777);
  write_file ("src/x.c", "old\n", 4);
  check_found (&options, "  old\n", TAKEN ("src/x.c"));
  mkdir ("new", 0777);
  mkdir ("new/src", 0777);
  write_file ("new/src/x.c", "mapped\n", 7);
  check_found (&options, "  mapped\n", "");
  maps[1] = (lp_source_map) { "/build/pkg/src/x.c", "new/src/x.c" };
  check_found (&options, "  mapped\n", "");
}
END_TEST

START_TEST (sources_near_the_program)
{
  lp_report_options options = plain ();
  char *got, cwd[100], *path;
  mkdir ("bin", 0777);
  mkdir ("empty", 0777);
  write_file ("bin/x.c", "by it\n", 6);
  ck_assert_ptr_nonnull (getcwd (cwd, sizeof cwd));
  ck_assert (asprintf (&path, "%s/bin/demo", cwd) > 0);
  lp_profile *p = profile_of (
    HEAD "'objects':[['','']],'sources':[['/build/x.c',-1,null]],'subjects':["
    SUBJECT ("f", 0, 1, 1, "[1]") "]," PART ("[0,1,1,0,0,[1],[0],[0],[]]"));
  p->objects.v[0].path = path;
  ck_assert_int_eq (chdir ("empty"), 0);
  got = report (p, "text", &options);
  ck_assert_ptr_nonnull (strstr (got, "  by it\n"));
  free (got);
  free (path);
}
END_TEST

/* The digest is md5sum's.  */
START_TEST (a_changed_source_is_told_once)
{
  lp_report_options options = plain ();
  struct utimbuf then = { 1000, 1000 };
#define DATED(mtime, md5)						\
  HEAD "'objects':[['/d','']],'sources':[['demo.c'," mtime "," md5 "]],"\
  "'subjects':[" SUBJECT ("f", 0, 1, 1, "[1]") ","			\
  SUBJECT ("g", 0, 2, 2, "[2]") "]," PART ("[0,1,1,0,0,[1],[0],[0],[]]")
  write_file ("demo.c", "a\nb\n", 4);
  utime ("demo.c", &then);
  free (report (profile_of (DATED ("1000", "null")), "text", &options));
  ck_assert_str_eq (warnings, "");
  free (report (profile_of (DATED ("999", "null")), "text", &options));
  ck_assert_str_eq (warnings, "'demo.c' is not as it was when the program was "
		    "profiled: its lines may not match\n");
  free (report (profile_of (DATED ("999",
				   "'dd8c6a395b5dd36c56d23275028f526c'")),
		"text", &options));
  ck_assert_str_eq (warnings, "");
  free (report (profile_of (DATED ("1000",
				   "'dd8c6a395b5dd36c56d23275028f526d'")),
		"text", &options));
  ck_assert_str_eq (warnings, "'demo.c' is not as it was when the program was "
		    "compiled: its lines may not match\n");
}
END_TEST

START_TEST (csv)
{
  lp_report_options options = plain ();
  char *got = report (profile_of (
    HEAD "'objects':[['/d','']],"
    "'sources':[['a,b.c',-1,null],['o.inc',-1,null]],'subjects':["
    SUBJECT ("f(int, char)", 0, 1, 4, "[1,[4,0,'say \\\"x\\\"'],[9,1,null]]")
    "]," PART ("[0,1,1,6,5,[1,0,3],[2,0,4],[1,0,4],[2]]")), "csv", &options);
  ck_assert_str_eq (got,
    "file,function,function_line,line,hits,time_ns,self_ns,note,"
    "did_not_return,object\n"
    "\"a,b.c\",\"f(int, char)\",1,1,1,2,1,,0,/d\n"
    "\"a,b.c\",\"f(int, char)\",1,4,0,0,0,\"say \"\"x\"\"\",0,/d\n"
    "o.inc,\"f(int, char)\",1,9,3,4,4,,1,/d\n");
  free (got);
}
END_TEST

START_TEST (json)
{
  lp_report_options options = plain ();
  json_error_t e;
  char *text = report (profile_of (REFUSED), "json", &options);
  json_t *root = json_loads (text, JSON_REJECT_DUPLICATES, &e);
  ck_assert_ptr_nonnull (root);
  json_t *f = json_array_get (json_object_get (root, "functions"), 0);
  json_t *line = json_array_get (json_object_get (f, "lines"), 0);
  ck_assert_str_eq (json_string_value (json_object_get (f, "function")), "g");
  ck_assert_str_eq (json_string_value (json_object_get (f, "file")), "demo.c");
  ck_assert_int_eq (json_integer_value (json_object_get (f, "line")), 2);
  ck_assert_int_eq (json_integer_value (json_object_get (f, "calls")), 1);
  ck_assert_int_eq (json_integer_value (json_object_get (line, "line")), 2);
  ck_assert_int_eq (json_integer_value (json_object_get (line, "hits")), 1);
  json_t *no = json_array_get (json_object_get (root, "not_profiled"), 0);
  ck_assert_str_eq (json_string_value (json_object_get (no, "reason")),
		    "data in its code");
  ck_assert_uint_eq (json_array_size (json_object_get (root, "slower_engine")),
		     1);
  json_decref (root);
  free (text);
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

static TCase *
table_tests (void)
{
  TCase *tc = tcase_create ("tables");
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
  tcase_add_test (tc, what_instances_share);
  tcase_add_test (tc, the_hottest_are_shown);
  tcase_add_test (tc, refusals_and_notes_are_listed);
  tcase_add_test (tc, names_cannot_move_the_cursor);
  tcase_add_test (tc, colours_by_heat);
  return tc;
}

static TCase *
other_tests (void)
{
  TCase *tc = tcase_create ("sources and forms");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_add_test (tc, sources_are_found_where_they_are_now);
  tcase_add_test (tc, source_maps_come_first);
  tcase_add_test (tc, sources_near_the_program);
  tcase_add_test (tc, a_changed_source_is_told_once);
  tcase_add_test (tc, csv);
  tcase_add_test (tc, json);
  tcase_add_test (tc, a_full_disk_and_an_unknown_form);
  return tc;
}

int
main (void)
{
  Suite *suite = suite_create ("report");
  suite_add_tcase (suite, table_tests ());
  suite_add_tcase (suite, other_tests ());
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
