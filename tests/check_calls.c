/* check_calls.c: call trees: their form in a file, and what is refused.  */

#define _GNU_SOURCE

#include "profile/format.h"
#include "profile_fixture.h"

#define FUNCTIONS							\
  "{'format':'lineprof profile','format_version':1,'kind':'functions',"	\
  "'lineprof':'0.1.0','host':'h','machine':'m','command':['./demo','7']," \
  "'start':1000,'duration':2000,'exit_status':0,'clock':'tsc',"		\
  "'ticks_per_ns':2.5,'probe_cost':0.0,'call_cost':20.5,"		\
  "'time_mode':'exact','selected':false,'notes':[],"			\
  "'objects':[['/bin/demo','abc123'],['/lib/libc.so.6','']],"		\
  "'sources':[['/src/demo.c',500,null],['',-1,null]],"			\
  "'subjects':["							\
  "{'name':'main','linkage':'main','object':0,'source':0,'line':30,"	\
  "'last_line':40,'engine':'clone','reason':null,'lines':[]},"		\
  "{'name':'fact','linkage':'fact','object':0,'source':0,'line':15,"	\
  "'last_line':20,'engine':'clone','reason':null,'lines':[]},"		\
  "{'name':'malloc','linkage':'malloc','object':1,'source':1,'line':0,"	\
  "'last_line':0,'engine':'clone','reason':null,'lines':[]}],"		\
  "'parts':["								\
  "{'pid':10,'tid':10,'name':'demo','functions':[]},"			\
  "{'pid':10,'tid':11,'name':'worker','functions':[]}],"

/* main calls fact twice, which calls itself twice each time, and malloc; a
   thread calls fact.  */
#define NODES								\
  "'nodes':{'parent':'0 1 2 3 0','subject':'0 1 1 2 1',"		\
  "'part':'0 0 0 0 1','calls':'1 2 4 3 9223372036854775807',"		\
  "'own':'100 20 40 7 0'}}"

START_TEST (a_tree_is_read)
{
  lp_profile *p = profile_of (FUNCTIONS NODES);
  ck_assert_str_eq (p->kind, LP_KIND_FUNCTIONS);
  ck_assert_uint_eq (p->nodes.n, 5);
  ck_assert_uint_eq (p->nodes.v[0].parent, LP_NO_NODE);
  ck_assert_uint_eq (p->nodes.v[3].parent, 2);
  ck_assert_uint_eq (p->nodes.v[3].subject, 2);
  ck_assert_uint_eq (p->nodes.v[4].part, 1);
  ck_assert_int_eq (p->nodes.v[2].calls, 4);
  ck_assert_int_eq (p->nodes.v[2].own, 40);
  ck_assert (p->nodes.v[4].calls == INT64_MAX);
  lp_profile_free (p);
}
END_TEST

START_TEST (what_was_read_is_written)
{
  lp_error err;
  size_t n, m;
  lp_profile *p = profile_of (FUNCTIONS NODES);
  ck_assert_int_eq (lp_profile_save (p, "again.prof", &err), 0);
  char *want = read_file ("fixture.lprof", &n);
  char *got = read_file ("again.prof", &m);
  ck_assert_str_eq (strtok (got, "\n"), want);
  free (want);
  free (got);
  lp_profile_free (p);
}
END_TEST

START_TEST (an_empty_tree_is_a_tree)
{
  lp_profile *p = profile_of (FUNCTIONS "'nodes':{'parent':'','subject':'',"
			      "'part':'','calls':'','own':''}}");
  ck_assert_uint_eq (p->nodes.n, 0);
  lp_profile_free (p);
}
END_TEST

static void
check_refused (const char *nodes, const char *what)
{
  lp_error err = { 0 };
  char *text;
  ck_assert_int_ge (asprintf (&text, "%s'nodes':%s}", FUNCTIONS, nodes), 0);
  write_profile ("x.prof", text);
  free (text);
  ck_assert_ptr_null (lp_profile_load ("x.prof", &err));
  ck_assert_int_eq (err.code, LP_EFORMAT);
  ck_assert_msg (strstr (err.text, what) != NULL, "%s: %s", nodes, err.text);
}

/* Nodes of two columns that vary; the others hold zeros.  */
static void
check_columns (const char *parent, const char *calls, const char *what)
{
  char *nodes;
  ck_assert_int_ge (asprintf (&nodes, "{'parent':'%s','subject':'0 0',"
			      "'part':'0 0','calls':'%s','own':'0 0'}", parent,
			      calls), 0);
  check_refused (nodes, what);
  free (nodes);
}

START_TEST (every_column_is_checked)
{
  const char *wrong = "a column of its nodes is wrong";
  check_refused ("[]", "not a string");
  check_refused ("{'parent':'0'}", "not a string");
  check_columns ("0 2", "0 0", wrong);		/* its own parent */
  check_columns ("0 3", "0 0", wrong);		/* a later one */
  check_columns ("0 1 1", "0 0", wrong);
  check_columns ("0", "0 0", wrong);
  check_columns ("0 ", "0 0", wrong);
  check_columns (" 0", "0 0", wrong);
  check_columns ("0  1", "0 0", wrong);
  check_columns ("0 1", "0 -1", wrong);
  check_columns ("0 1", "0 1x", wrong);
  check_columns ("0 1", "0 9223372036854775808", wrong);
  check_columns ("0 1", "0 99999999999999999999999", wrong);
  check_refused ("{'parent':'0','subject':'3','part':'0','calls':'0','own':'0'}",
		 wrong);
  check_refused ("{'parent':'0','subject':'0','part':'2','calls':'0','own':'0'}",
		 wrong);
  check_refused ("{'parent':'0 1','subject':'0 0','part':'0 1','calls':'0 0',"
		 "'own':'0 0'}", "another thread");
}
END_TEST

START_TEST (kinds_are_told_apart)
{
  lp_error err;
  lp_profile *p = profile_of (FUNCTIONS NODES);
  ck_assert_int_eq (lp_profile_check_kind (p, LP_KIND_FUNCTIONS, "a", &err), 0);
  ck_assert_int_eq (lp_profile_check_kind (p, LP_KIND_LINES, "a", &err), -1);
  ck_assert_str_eq (err.text, "'a' holds a profile of functions, not of lines: "
		    "print it with kernprof stats a");
  lp_profile_free (p);
}
END_TEST

/* A tree of a million nodes, its file read again.  */
START_TEST (a_million_nodes_come_back)
{
  enum { N = 1000000 };
  lp_error err;
  lp_profile *p = profile_of (FUNCTIONS "'nodes':{'parent':'0','subject':'0',"
			      "'part':'0','calls':'1','own':'1'}}");
  for (uint32_t i = 1; i < N; i++)
    {
      lp_call_node node = { .parent = (i - 1) / 2, .subject = i % 3,
			    .calls = i * 7LL, .own = i * 1001LL };
      ck_assert_uint_eq (lp_profile_add_node (p, &node, &err), i);
    }
  ck_assert_int_eq (lp_profile_save (p, "big.prof", &err), 0);
  lp_profile *q = lp_profile_load ("big.prof", &err);
  ck_assert_msg (q != NULL, "%s", err.text);
  ck_assert_uint_eq (q->nodes.n, N);
  for (size_t i = 0; i < N; i++)
    ck_assert_mem_eq (&q->nodes.v[i], &p->nodes.v[i], sizeof p->nodes.v[i]);
  lp_profile_free (p);
  lp_profile_free (q);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("calls");
  TCase *tc = tcase_create ("calls");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, a_tree_is_read);
  tcase_add_test (tc, what_was_read_is_written);
  tcase_add_test (tc, an_empty_tree_is_a_tree);
  tcase_add_test (tc, every_column_is_checked);
  tcase_add_test (tc, kinds_are_told_apart);
  tcase_add_test (tc, a_million_nodes_come_back);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
