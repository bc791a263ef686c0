/* saved_fixture.h: what the tests of saving, loading and merging have in common.  */

#ifndef TESTS_SAVED_FIXTURE_H
#define TESTS_SAVED_FIXTURE_H

#include "profile_fixture.h"

/* Two functions in two files, two threads; one line in an included file.  */
#define DEMO								\
  HEAD									\
  "'objects':[['/bin/demo','abc123']],"					\
  "'sources':[['/src/demo.c',500,null],"				\
  "['/src/demo.inc',-1,'d41d8cd98f00b204e9800998ecf8427e']],"		\
  "'subjects':["							\
  "{'name':'fact','linkage':'fact','object':0,'source':0,'line':15,"	\
  "'last_line':20,'engine':'clone','reason':null,"			\
  "'lines':[15,17,[18,0,'(+inlined leaf)'],[3,1,null]],"		\
  "'digests':[7,0,4294967295,1]},"					\
  "{'name':'wait','linkage':null,'object':0,'source':0,'line':30,"	\
  "'last_line':31,'engine':'breakpoint','reason':'short','lines':[30,31]}],"\
  "'parts':["								\
  "{'pid':10,'tid':10,'name':'demo','functions':["			\
  "[0,4,1,9000,8000,[4,4,3,0],[1000,2000,6000,0],[1000,2000,5000,0],[]],"\
  "[1,1,1,700,700,[1,1],[100,600],[100,600],[1]]]},"			\
  "{'pid':10,'tid':11,'name':'worker','functions':["			\
  "[0,1,1,50,50,[1,1,0,7],[10,20,0,20],[10,20,0,20],[]]]}]}"

static inline const lp_line_stat *
line_stat (const lp_profile *p, size_t part, size_t function, size_t line)
{
  return &p->parts.v[part].functions.v[function].lines[line];
}

static inline void
check_refused (const char *path, int code, const char *text)
{
  lp_error err = { 0 };
  ck_assert_ptr_null (lp_profile_load (path, &err));
  ck_assert_int_eq (err.code, code);
  ck_assert_ptr_null (strchr (err.text, '\n'));
  size_t n = strcspn (text, "*");
  ck_assert_msg (strncmp (err.text, text, n) == 0
		 && (text[n] || !err.text[n]), "%s", err.text);
}

static inline void
check_refused_text (const char *bytes, const char *text)
{
  write_profile ("x.lprof", bytes);
  check_refused ("x.lprof", LP_EFORMAT, text);
}

#endif
