/* check_merge.c: the profile floor: totals, merging, named ranges.  */

#define _GNU_SOURCE

#include "saved_fixture.h"

START_TEST (totals_add_up_the_parts)
{
  lp_error err;
  lp_profile *p = profile_of (DEMO);
  const lp_function_stat *t = lp_profile_totals (p, &err);
  ck_assert_int_eq (t[0].calls, 5);
  ck_assert_int_eq (t[0].primitive, 2);
  ck_assert_int_eq (t[0].total, 9050);
  ck_assert_int_eq (t[0].self, 8050);
  ck_assert_int_eq (t[0].lines[0].hits, 5);
  ck_assert_int_eq (t[0].lines[2].hits, 3);
  ck_assert_int_eq (t[0].lines[3].hits, 7);
  ck_assert_int_eq (t[0].lines[0].time, 1010);
  ck_assert_uint_eq (t[1].subject, 1);
  ck_assert (t[1].lines[1].open);
  lp_profile_free (p);
}
END_TEST

START_TEST (sums_stop_at_the_largest_number)
{
  ck_assert_int_eq (lp_add (1, 2), 3);
  ck_assert_int_eq (lp_add (INT64_MAX, 1), INT64_MAX);
  ck_assert_int_eq (lp_add (INT64_MAX - 1, 1), INT64_MAX);
}
END_TEST

/* Another run: the files in the other order, fact without line 18 and with 16,
   a function of its own, one thread of the same ids.  */
#define OTHER								\
  HEAD									\
  "'objects':[['/elsewhere/demo','abc123']],"				\
  "'sources':[['/src/demo.inc',-1,'d41d8cd98f00b204e9800998ecf8427e'],"	\
  "['/src/demo.c',500,null],['/src/new.c',1,null]],"			\
  "'subjects':["							\
  "{'name':'extra','linkage':'extra','object':0,'source':2,'line':1,"	\
  "'last_line':2,'engine':'clone','reason':null,'lines':[1,2]},"	\
  "{'name':'fact','linkage':'fact','object':0,'source':1,'line':15,"	\
  "'last_line':21,'engine':'clone','reason':null,"			\
  "'lines':[[3,0,null],[4,0,null],15,16,17]}],"				\
  "'parts':["								\
  "{'pid':10,'tid':11,'name':'worker','functions':["			\
  "[0,2,2,40,40,[2,2],[10,30],[10,30],[]],"				\
  "[1,1,1,15,15,[1,2,3,4,5],[1,2,3,4,5],[1,2,3,4,5],[3]]]}]}"

START_TEST (merge_unites_functions_lines_and_parts)
{
  lp_error err;
  write_profile ("other.lprof", OTHER);
  lp_profile *p = profile_of (DEMO);
  lp_profile *other = lp_profile_load ("other.lprof", &err);
  ck_assert_ptr_nonnull (other);
  ck_assert_int_eq (lp_profile_merge (p, other, &err), 0);
  lp_profile_free (other);	/* P must not lean on it */
  ck_assert_uint_eq (p->objects.n, 1);
  ck_assert_uint_eq (p->sources.n, 3);
  ck_assert_str_eq (p->sources.v[2].path, "/src/new.c");
  ck_assert_uint_eq (p->subjects.n, 3);
  ck_assert_str_eq (p->subjects.v[2].name, "extra");
  ck_assert_uint_eq (p->subjects.v[2].source, 2);
  ck_assert_uint_eq (p->subjects.v[0].last_line, 21);
  ck_assert_int_eq (p->duration, 4000);
  /* fact: demo.c 15 16 17 18, demo.inc 3 4.  */
  static const lp_code_line lines[] = {
    { .line = 15 }, { .line = 16 }, { .line = 17 },
    { .line = 18, .note = "(+inlined leaf)" }, { .source = 1, .line = 3 },
    { .source = 1, .line = 4 },
  };
  static const int64_t first[] = { 4, 0, 4, 3, 0, 0 };
  static const int64_t second[] = { 1 + 3, 4, 1 + 5, 0, 7 + 1, 2 };
  ck_assert_uint_eq (p->subjects.v[0].lines.n, 6);
  for (size_t i = 0; i < 6; i++)
    {
      const lp_code_line *line = &p->subjects.v[0].lines.v[i];
      ck_assert_uint_eq (line->source, lines[i].source);
      ck_assert_uint_eq (line->line, lines[i].line);
      ck_assert_pstr_eq (line->note, lines[i].note);
      ck_assert_int_eq (line_stat (p, 0, 0, i)->hits, first[i]);
      ck_assert_int_eq (line_stat (p, 1, 0, i)->hits, second[i]);
    }
  ck_assert_uint_eq (p->parts.n, 2);
  ck_assert_uint_eq (p->parts.v[1].functions.n, 2);
  ck_assert_int_eq (p->parts.v[1].functions.v[0].total, 65);
  ck_assert (line_stat (p, 1, 0, 1)->open && !line_stat (p, 1, 0, 0)->open);
  ck_assert_uint_eq (p->parts.v[1].functions.v[1].subject, 2);
  ck_assert_int_eq (line_stat (p, 1, 1, 1)->time, 30);
  lp_profile_free (p);
}
END_TEST

START_TEST (merging_a_profile_with_itself_doubles_it)
{
  lp_error err;
  lp_profile *p = profile_of (DEMO), *q = profile_of (DEMO);
  ck_assert_int_eq (lp_profile_merge (p, q, &err), 0);
  ck_assert_uint_eq (p->subjects.n, 2);
  ck_assert_uint_eq (p->parts.n, 2);
  const lp_function_stat *t = lp_profile_totals (p, &err);
  ck_assert_int_eq (t[0].calls, 10);
  ck_assert_int_eq (t[0].lines[3].time, 40);
  ck_assert_int_eq (t[1].lines[1].hits, 2);
  ck_assert_uint_eq (p->notes.n, 0);
  ck_assert (p->selected);
  lp_profile_free (p);
  lp_profile_free (q);
}
END_TEST

/* Two functions that nothing tells apart, as a static inline function of a
   header in two units: the first goes to the first, the second to the second.  */
#define TWIN(calls1, calls2)						\
  HEAD									\
  "'objects':[['/bin/demo','']],'sources':[['a.h',1,null]],"		\
  "'subjects':["							\
  "{'name':'f','linkage':'f','object':0,'source':0,'line':1,"		\
  "'last_line':1,'engine':'clone','reason':null,'lines':[1]},"		\
  "{'name':'f','linkage':'f','object':0,'source':0,'line':1,"		\
  "'last_line':1,'engine':'none','reason':'r','lines':[1]}],"		\
  "'parts':[{'pid':1,'tid':0,'name':'','functions':["			\
  "[0," #calls1 ",0,0,0,[0],[0],[0],[]],"				\
  "[1," #calls2 ",0,0,0,[0],[0],[0],[]]]}]}"

START_TEST (merge_tells_twins_apart)
{
  lp_error err;
  lp_profile *p = profile_of (TWIN (1, 2)), *q = profile_of (TWIN (10, 20));
  ck_assert_int_eq (lp_profile_merge (p, q, &err), 0);
  ck_assert_uint_eq (p->subjects.n, 2);
  ck_assert_int_eq (p->parts.v[0].functions.v[0].calls, 11);
  ck_assert_int_eq (p->parts.v[0].functions.v[1].calls, 22);
  lp_profile_free (p);
  lp_profile_free (q);
}
END_TEST

/* The lines may come in any order, and the same one twice.  */
START_TEST (merge_takes_lines_in_any_order)
{
  lp_error err;
#define SHUFFLED(lines, hits)						\
  HEAD "'objects':[['/d','']],'sources':[['a.c',1,null]],'subjects':["	\
  "{'name':'f','linkage':'f','object':0,'source':0,'line':1,"		\
  "'last_line':3,'engine':'clone','reason':null,'lines':" lines "}],"	\
  "'parts':[{'pid':1,'tid':0,'name':'','functions':["			\
  "[0,1,0,0,0," hits ",[0,0,0],[0,0,0],[]]]}]}"
  lp_profile *p = profile_of (SHUFFLED ("[3,1,3]", "[10,20,5]"));
  lp_profile *q = profile_of (SHUFFLED ("[2,3,1]", "[7,1,2]"));
  ck_assert_int_eq (lp_profile_merge (p, q, &err), 0);
  ck_assert_uint_eq (p->subjects.v[0].lines.n, 3);
  ck_assert_uint_eq (p->subjects.v[0].lines.v[2].line, 3);
  ck_assert_int_eq (line_stat (p, 0, 0, 0)->hits, 22);
  ck_assert_int_eq (line_stat (p, 0, 0, 1)->hits, 7);
  ck_assert_int_eq (line_stat (p, 0, 0, 2)->hits, 16);
  lp_profile_free (p);
  lp_profile_free (q);
}
END_TEST

START_TEST (merge_says_what_does_not_match)
{
  lp_error err;
  lp_profile *p = profile_of (DEMO), *q = profile_of (DEMO);
  q->sources.v[0].mtime = 501;
  q->time_mode = "none";
  q->selected = false;
  q->exit_status = 9;
  q->subjects.v[0].engine = LP_ENGINE_BREAKPOINT;
  q->subjects.v[0].reason = "why";
  q->subjects.v[1].engine = LP_ENGINE_NONE;
  ck_assert_int_eq (lp_profile_merge (p, q, &err), 0);
  ck_assert_uint_eq (p->notes.n, 2);
  ck_assert_str_eq (p->notes.v[0], "the profiles were timed in different ways: "
		    "only the hits add up");
  ck_assert_str_eq (p->notes.v[1], "/src/demo.c changed between the profiles: "
		    "its lines may not match");
  ck_assert (!p->selected);
  ck_assert_int_eq (p->exit_status, -1);
  ck_assert_int_eq (p->subjects.v[0].engine, LP_ENGINE_BREAKPOINT);
  ck_assert_str_eq (p->subjects.v[0].reason, "why");
  ck_assert_int_eq (p->subjects.v[1].engine, LP_ENGINE_BREAKPOINT);
  q->kind = "functions";
  ck_assert_int_eq (lp_profile_merge (p, q, &err), -1);
  ck_assert_int_eq (err.code, LP_EUSAGE);
  lp_profile_free (p);
  lp_profile_free (q);
}
END_TEST

/* Named ranges: `a' has two that ended, of 10 and 30 ns, and one that did not.  */
#define RANGES(rows)							\
  HEAD "'objects':[],'sources':[],'subjects':[],'parts':[{'pid':1,'tid':0," \
  "'name':'p','functions':[],'ranges':[" rows "]}]}"

static const lp_range_stat *
range_of (const lp_profile *p, const char *name)
{
  for (size_t i = 0; p->parts.n && i < p->parts.v[0].ranges.n; i++)
    if (strcmp (p->parts.v[0].ranges.v[i].name, name) == 0)
      return &p->parts.v[0].ranges.v[i];
  return NULL;
}

static void
check_range (const lp_profile *p, const char *name, int64_t count,
	     int64_t total, int64_t own, int64_t min, int64_t max, int64_t open)
{
  const lp_range_stat *r = range_of (p, name);
  ck_assert_msg (r != NULL, "%s", name);
  ck_assert_int_eq (r->count, count);
  ck_assert_int_eq (r->total, total);
  ck_assert_int_eq (r->own, own);
  ck_assert_int_eq (r->min, min);
  ck_assert_int_eq (r->max, max);
  ck_assert_int_eq (r->open, open);
}

START_TEST (ranges_come_back_and_add_up)
{
  lp_error err;
  lp_profile *p = profile_of (RANGES ("['a',3,90,80,10,30,1],['b',1,5,5,-1,-1,1]"));
  check_range (p, "a", 3, 90, 80, 10, 30, 1);
  ck_assert_int_eq (lp_profile_save (p, "again.lprof", &err), 0);
  lp_profile_free (p);
  p = lp_profile_load ("again.lprof", &err);
  ck_assert_ptr_nonnull (p);
  check_range (p, "a", 3, 90, 80, 10, 30, 1);
  check_range (p, "b", 1, 5, 5, -1, -1, 1);
  lp_profile *q
    = profile_of (RANGES ("['b',2,9,9,4,5,0],['a',2,12,11,5,7,0],['c',2,1,1,-1,-1,0]"));
  ck_assert_int_eq (lp_profile_merge (p, q, &err), 0);
  check_range (p, "a", 5, 102, 91, 5, 30, 1);
  check_range (p, "b", 3, 14, 14, 4, 5, 1);
  check_range (p, "c", 2, 1, 1, -1, -1, 0);
  lp_profile_free (q);
  /* Where those of one are not known, they are not of both.  */
  q = profile_of (RANGES ("['c',1,3,3,3,3,0]"));
  ck_assert_int_eq (lp_profile_merge (p, q, &err), 0);
  check_range (p, "c", 3, 4, 4, -1, -1, 0);
  lp_profile_free (q);
  lp_profile_free (p);
}
END_TEST

START_TEST (ranges_are_taken_away)
{
  lp_error err;
  lp_profile *p
    = profile_of (RANGES ("['a',5,90,80,10,30,1],['b',2,9,9,4,5,0],['c',1,1,1,1,1,0]"));
  lp_profile *q = profile_of (RANGES ("['a',2,40,30,15,25,0],['b',2,9,9,4,5,0]"));
  ck_assert_int_eq (lp_profile_take_away (p, q, &err), 0);
  check_range (p, "a", 3, 50, 50, -1, -1, 1);
  ck_assert_ptr_null (range_of (p, "b"));
  check_range (p, "c", 1, 1, 1, 1, 1, 0);
  lp_profile_free (q);
  lp_profile_free (p);
}
END_TEST

START_TEST (ranges_are_checked)
{
  static const char *const bad[] = {
    "7", "['a',3,90,80,10,30]", "['a',3,90,80,10,30,4]", "['a',-1,90,80,10,30,0]",
    "['a',3,90,80,31,30,0]", "['a',3,90,80,-1,30,0]", "['a',3,90,80,-2,-2,0]",
    "[null,3,90,80,10,30,0]", "['a',3,90,'x',10,30,0]" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      char text[2000];
      snprintf (text, sizeof text, RANGES ("%s"), bad[i]);
      check_refused_text (text, "'x.lprof' is corrupt: the ranges of a part*");
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("merge");
  TCase *tc = tcase_create ("merge");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, totals_add_up_the_parts);
  tcase_add_test (tc, sums_stop_at_the_largest_number);
  tcase_add_test (tc, merge_unites_functions_lines_and_parts);
  tcase_add_test (tc, merging_a_profile_with_itself_doubles_it);
  tcase_add_test (tc, merge_tells_twins_apart);
  tcase_add_test (tc, merge_takes_lines_in_any_order);
  tcase_add_test (tc, merge_says_what_does_not_match);
  tcase_add_test (tc, ranges_come_back_and_add_up);
  tcase_add_test (tc, ranges_are_taken_away);
  tcase_add_test (tc, ranges_are_checked);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
