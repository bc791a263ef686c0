/* report_fixture.h: what the tests of the report floor have in common.  */

#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "profile_fixture.h"
#include "report/report.h"

#define TITLE								\
  "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"	\
  "==============================================================\n"

/* What the writers warned of, a line each.  */
static char warnings[1000];

static inline void
warn (void *arg, const char *text)
{
  (void) arg;
  strcat (warnings, text);
  strcat (warnings, "\n");
}

static inline lp_report_options
plain (void)
{
  return (lp_report_options) { .top = LP_TOP_DEFAULT, .warn = warn };
}

/* The report on PROFILE, which is released.  */
static inline char *
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

static inline void
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

#endif
