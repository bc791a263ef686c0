/* check_forms.c: the report floor: where sources are found, and the other forms of a
   report.  */

#define _GNU_SOURCE

#include <jansson.h>
#include <sys/stat.h>
#include <utime.h>

#include "report_fixture.h"

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

int
main (void)
{
  Suite *suite = suite_create ("forms");
  TCase *tc = tcase_create ("forms");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_add_test (tc, sources_are_found_where_they_are_now);
  tcase_add_test (tc, source_maps_come_first);
  tcase_add_test (tc, sources_near_the_program);
  tcase_add_test (tc, a_changed_source_is_told_once);
  tcase_add_test (tc, csv);
  tcase_add_test (tc, json);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
