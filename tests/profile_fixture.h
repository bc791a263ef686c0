/* profile_fixture.h: profiles written by hand, for the tests of what reads
   them.  In their text ' stands for ", so that C needs no backslashes.  */

#ifndef TESTS_PROFILE_FIXTURE_H
#define TESTS_PROFILE_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/profile.h"

/* A profile's members before "objects", which few tests care for.  */
#define HEAD								\
  "{'format':'lineprof profile','format_version':1,'kind':'lines',"	\
  "'lineprof':'0.1.0','host':'h','machine':'m','command':['./demo','7']," \
  "'start':1000,'duration':2000,'exit_status':0,'clock':'tsc',"		\
  "'ticks_per_ns':2.5,'probe_cost':11.5,'call_cost':20,"		\
  "'time_mode':'exact','selected':true,'notes':[],"

/* Each test runs in an empty folder of its own.  */
static char fixture_folder[] = "/tmp/check-lineprof-XXXXXX";

static inline void
enter_folder (void)
{
  strcpy (strrchr (fixture_folder, '-'), "-XXXXXX");
  ck_assert_ptr_nonnull (mkdtemp (fixture_folder));
  ck_assert_int_eq (chdir (fixture_folder), 0);
}

static inline void
leave_folder (void)
{
  char command[100];
  ck_assert_int_eq (chdir ("/"), 0);
  snprintf (command, sizeof command, "rm -rf %s", fixture_folder);
  ck_assert_int_eq (system (command), 0);
}

static inline void
write_file (const char *path, const char *bytes, size_t n)
{
  FILE *file = fopen (path, "w");
  ck_assert_ptr_nonnull (file);
  ck_assert_uint_eq (fwrite (bytes, 1, n, file), n);
  ck_assert_int_eq (fclose (file), 0);
}

/* TEXT with its quotes as JSON has them, in PATH.  */
static inline void
write_profile (const char *path, const char *text)
{
  char *json = strdup (text);
  for (char *s = json; *s; s++)
    if (*s == '\'')
      *s = '"';
  write_file (path, json, strlen (json));
  free (json);
}

static inline lp_profile *
profile_of (const char *text)
{
  lp_error err = { 0 };
  write_profile ("fixture.lprof", text);
  lp_profile *profile = lp_profile_load ("fixture.lprof", &err);
  ck_assert_msg (profile != NULL, "%s", err.text);
  return profile;
}

/* All bytes of PATH, NUL behind them; free it.  */
static inline char *
read_file (const char *path, size_t *n)
{
  static char buffer[1 << 20];
  FILE *file = fopen (path, "r");
  ck_assert_ptr_nonnull (file);
  *n = fread (buffer, 1, sizeof buffer - 1, file);
  fclose (file);
  buffer[*n] = '\0';
  char *copy = malloc (*n + 1);
  memcpy (copy, buffer, *n + 1);
  return copy;
}

/* Run SUITE: what main is to return.  */
static inline int
run_suite (Suite *suite)
{
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
