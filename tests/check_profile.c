/* check_profile.c: the profile floor: saving and loading.  */

#define _GNU_SOURCE

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "profile/format.h"
#include "saved_fixture.h"

START_TEST (load_reads_every_member)
{
  lp_profile *p = profile_of (DEMO);
  ck_assert_str_eq (p->kind, "lines");
  ck_assert_str_eq (p->version, "0.1.0");
  ck_assert_str_eq (p->host, "h");
  ck_assert_str_eq (p->machine, "m");
  ck_assert_uint_eq (p->ncommand, 2);
  ck_assert_str_eq (p->command[1], "7");
  ck_assert_int_eq (p->start, 1000);
  ck_assert_int_eq (p->duration, 2000);
  ck_assert_int_eq (p->exit_status, 0);
  ck_assert_str_eq (p->clock, "tsc");
  ck_assert (p->ticks_per_ns == 2.5 && p->probe_cost == 11.5
	     && p->call_cost == 20);
  ck_assert_str_eq (p->time_mode, "exact");
  ck_assert (p->selected);
  ck_assert_str_eq (p->objects.v[0].build_id, "abc123");
  ck_assert_int_eq (p->sources.v[0].mtime, 500);
  ck_assert_ptr_null (p->sources.v[0].md5);
  ck_assert_str_eq (p->sources.v[1].md5, "d41d8cd98f00b204e9800998ecf8427e");
  const lp_subject *wait = &p->subjects.v[1];
  ck_assert_str_eq (wait->name, "wait");
  ck_assert_ptr_null (wait->linkage);
  ck_assert_int_eq (wait->engine, LP_ENGINE_BREAKPOINT);
  ck_assert_str_eq (wait->reason, "short");
  ck_assert_uint_eq (wait->line, 30);
  ck_assert_uint_eq (wait->last_line, 31);
  const lp_subject *fact = &p->subjects.v[0];
  ck_assert_uint_eq (fact->lines.n, 4);
  ck_assert_uint_eq (fact->lines.v[1].line, 17);
  ck_assert_str_eq (fact->lines.v[2].note, "(+inlined leaf)");
  ck_assert_uint_eq (fact->lines.v[3].source, 1);
  ck_assert_uint_eq (fact->lines.v[2].digest, 4294967295);
  ck_assert_uint_eq (wait->lines.v[0].digest, 0);
  ck_assert_uint_eq (p->parts.n, 2);
  ck_assert_str_eq (p->parts.v[1].name, "worker");
  ck_assert_int_eq (p->parts.v[1].tid, 11);
  ck_assert_int_eq (p->parts.v[0].functions.v[0].calls, 4);
  ck_assert_int_eq (p->parts.v[0].functions.v[0].primitive, 1);
  ck_assert_int_eq (p->parts.v[0].functions.v[0].total, 9000);
  ck_assert_int_eq (p->parts.v[0].functions.v[0].self, 8000);
  ck_assert_int_eq (line_stat (p, 0, 0, 2)->hits, 3);
  ck_assert_int_eq (line_stat (p, 0, 0, 2)->time, 6000);
  ck_assert_int_eq (line_stat (p, 0, 0, 2)->self, 5000);
  ck_assert (!line_stat (p, 0, 1, 0)->open && line_stat (p, 0, 1, 1)->open);
  lp_profile_free (p);
}
END_TEST

/* The fixture is in the very form that save writes, so that the bytes must come
   back, numbers with a point as save writes them.  */
START_TEST (save_writes_what_load_read)
{
  lp_error err;
  size_t n, m;
  lp_profile *p = profile_of (DEMO);
  ck_assert_int_eq (lp_profile_save (p, "again.lprof", &err), 0);
  char *want = read_file ("fixture.lprof", &n);
  char *got = read_file ("again.lprof", &m);
  char *cost = strstr (got, "\"call_cost\":20.0,");
  ck_assert_ptr_nonnull (cost);
  memmove (cost + 14, cost + 16, strlen (cost + 16) + 1);
  ck_assert_str_eq (strtok (got, "\n"), want);
  free (want);
  free (got);
  lp_profile_free (p);
}
END_TEST

static void
check_bytes (const char *bytes, const char *utf8)
{
  char *encoded = lp_bytes_encode (bytes);
  ck_assert_str_eq (encoded, utf8);
  lp_bytes_decode (encoded);
  ck_assert_str_eq (encoded, bytes);
  free (encoded);
}

START_TEST (strings_of_any_bytes_come_back)
{
  check_bytes ("plain", "plain");
  check_bytes ("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  check_bytes ("\xe4", "\xf4\x8f\x9f\xa4");	     /* Latin-1 */
  check_bytes ("a\x80z", "a\xf4\x8f\x9e\x80z");	     /* a lone continuation */
  check_bytes ("\xc0\x80", "\xf4\x8f\x9f\x80\xf4\x8f\x9e\x80"); /* overlong */
  check_bytes ("\xed\xa0\x80", "\xf4\x8f\x9f\xad\xf4\x8f\x9e\xa0\xf4\x8f\x9e\x80");
  check_bytes ("\xe2\x82", "\xf4\x8f\x9f\xa2\xf4\x8f\x9e\x82"); /* cut off */
  /* One of the private characters themselves, U+10F780.  */
  check_bytes ("\xf4\x8f\x9e\x80",
	       "\xf4\x8f\x9f\xb4\xf4\x8f\x9e\x8f\xf4\x8f\x9e\x9e\xf4\x8f\x9e\x80");
}
END_TEST

START_TEST (odd_names_survive_a_file)
{
  static const char odd[] = "/tmp/\"q\"\\ \n\t\x01 \xff\xfe \xc3\xa4";
  lp_error err;
  lp_profile *p = profile_of (DEMO);
  p->sources.v[0].path = lp_profile_string (p, odd);
  ck_assert_int_eq (lp_profile_save (p, "odd.lprof", &err), 0);
  lp_profile_free (p);
  p = lp_profile_load ("odd.lprof", &err);
  ck_assert_ptr_nonnull (p);
  ck_assert_str_eq (p->sources.v[0].path, odd);
  lp_profile_free (p);
}
END_TEST

/* Loading PATH must fail with CODE and TEXT, where a * at TEXT's end stands for
   anything.  */
START_TEST (files_that_are_no_profiles)
{
  check_refused ("none.lprof", LP_ENOTFOUND,
		 "cannot read 'none.lprof': No such file or directory");
  check_refused (".", LP_EIO, "cannot read '.': Is a directory");
  check_refused_text ("", "'x.lprof' is empty");
  check_refused_text ("hello", "'x.lprof' is not a lineprof profile");
  check_refused_text ("\177ELF\002\001", "'x.lprof' is not a lineprof profile");
  check_refused_text ("{'a':1}", "'x.lprof' is not a lineprof profile");
  check_refused_text ("[1,2]", "'x.lprof' is not a lineprof profile");
  check_refused_text ("\200\004\225", "'x.lprof' is not a lineprof profile; a "
		      "pickle of Python's line_profiler is read by python -m "
		      "line_profiler");
  check_refused_text ("{'format':'lineprof profile','format_version':2}",
		      "'x.lprof' was written by a newer lineprof: its format is "
		      "2, this version reads up to 1; upgrade lineprof");
  check_refused_text ("{'format':'lineprof profile','format_version':0}",
		      "'x.lprof' is corrupt: format_version is not *");
  check_refused_text ("{'format':'lineprof profile','format_version':1,"
		      "'kind':'heaps'}", "'x.lprof' holds a profile of heaps, which "
		      "this version does not know; upgrade lineprof");
  check_refused_text ("{'format':'lineprof profile','format_version':1}",
		      "'x.lprof' is corrupt: kind is not a string");
  check_refused_text (DEMO "x", "'x.lprof' is corrupt at byte *");
  /* No byte of an endless file that is none of ours is waited for.  */
  check_refused ("/dev/zero", LP_EFORMAT,
		 "'/dev/zero' is not a lineprof profile");
}
END_TEST

/* DEMO with the first OLD replaced by NEW.  */
static void
check_change (const char *old, const char *new, const char *text)
{
  const char *demo = DEMO, *at = strstr (demo, old);
  ck_assert_msg (at != NULL, "%s", old);
  char *changed, message[200];
  ck_assert (asprintf (&changed, "%.*s%s%s", (int) (at - demo), demo, new,
		       at + strlen (old)) > 0);
  snprintf (message, sizeof message, "'x.lprof' is corrupt: %s*", text);
  check_refused_text (changed, message);
  free (changed);
}

START_TEST (every_member_is_checked)
{
  check_change ("'host':'h'", "'host':7", "host is not a string");
  check_change ("['./demo','7']", "'./demo'", "command is not an array");
  check_change ("['./demo','7']", "[1]", "command is not a string");
  check_change ("'start':1000", "'start':1.5", "start is not a number");
  check_change ("'duration':2000", "'duration':-1", "duration is not a number");
  check_change ("2.5", "'x'", "ticks_per_ns is not a number");
  check_change ("2.5", "-2.5", "ticks_per_ns is not a number");
  check_change ("true", "1", "selected is neither");
  check_change ("'notes':[]", "'notes':{}", "notes is not an array");
  check_change ("'notes':[]", "'nodes':[]", "notes is not an array");
  check_change ("['/bin/demo','abc123']", "['/bin/demo']", "objects has 1 ");
  check_change ("'abc123'", "null", "build-id is not a string");
  check_change (",500,", ",-2,", "source's mtime is not a number");
  check_change ("'object':0", "'object':1", "object is not an index below 1");
  check_change ("'object':0", "'object':-1", "object is not an index");
  check_change ("'source':0", "'source':2", "source is not an index below 2");
  check_change ("'line':15", "'line':4294967296", "line is not a number");
  check_change ("'clone'", "'warp'", "engine is none");
  check_change ("[3,1,null]", "[3,2,null]", "line's source is not an index");
  check_change ("[3,1,null]", "[3,1]", "line of a function has 2 items");
  check_change ("[3,1,null]", "true", "line of a function is not an array");
  check_change ("[3,1,null]", "[3,1,9]", "line's note is not a string");
  check_change ("[7,0,4", "[7,4", "digests of a function has 3 items for 4");
  check_change ("[7,0,4", "[7,-1,4", "digest is not a number");
  check_change ("'pid':10", "'pid':3000000000", "pid is not a number");
  check_change ("[0,4,1", "[2,4,1", "function is not an index below 2");
  check_change ("[1,1,1,700", "[0,1,1,700", "hits of a function has 2 items");
  check_change ("[[0,4,1,9000", "[[0,-4,1,9000", "calls is not a number");
  check_change ("[4,4,3,0]", "[4,4,3]", "hits of a function has 3 items for 4");
  check_change ("[4,4,3,0]", "[4,4,3,-1]", "hits is not a number");
  check_change ("[4,4,3,0]", "[4,4,3,'0']", "hits is not a number");
  check_change ("[4,4,3,0]", "4", "hits is not an array");
  check_change ("[1]]]}", "[2]]]}", "open line is not an index below 2");
  check_change ("'tid':11", "'tid':null", "tid is not a number");
  check_change ("{'pid':10,'tid':11", "null,{'pid':10,'tid':11",
		"pid is not a number");
}
END_TEST

START_TEST (numbers_too_big_are_corrupt)
{
  const char *demo = DEMO, *at = strstr (demo, "9000");
  char *changed;
  ck_assert (asprintf (&changed, "%.*s99999999999999999999%s",
		       (int) (at - demo), demo, at + 4) > 0);
  check_refused_text (changed, "'x.lprof' is corrupt at byte *");
  free (changed);
}
END_TEST

START_TEST (every_truncation_is_refused)
{
  size_t n;
  write_profile ("whole.lprof", DEMO);
  char *bytes = read_file ("whole.lprof", &n);
  for (size_t cut = 0; cut < n; cut++)
    {
      lp_error err = { 0 };
      write_file ("cut.lprof", bytes, cut);
      ck_assert_ptr_null (lp_profile_load ("cut.lprof", &err));
      ck_assert_int_eq (err.code, LP_EFORMAT);
      const char *want = cut == 0 ? "'cut.lprof' is empty"
			 : cut < 27 ? "'cut.lprof' is not a lineprof profile"
			 : "'cut.lprof' is truncated";
      ck_assert_str_eq (err.text, want);
    }
  free (bytes);
}
END_TEST

/* Whatever one wrong byte does to a file, it is read or refused by name.  */
START_TEST (flipped_bytes_never_surprise)
{
  size_t n;
  write_profile ("whole.lprof", DEMO);
  char *bytes = read_file ("whole.lprof", &n);
  unsigned random = 12345;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      {
	lp_error err = { 0 };
	char kept = bytes[i];
	random = random * 1103515245u + 12345u;
	bytes[i] ^= k == 0 ? 1 << (random >> 16) % 8 : (char) (random >> 16);
	write_file ("flip.lprof", bytes, n);
	lp_profile *p = lp_profile_load ("flip.lprof", &err);
	if (p)
	  ck_assert_ptr_nonnull (lp_profile_totals (p, &err));
	else
	  ck_assert_ptr_nonnull (strstr (err.text, "'flip.lprof'"));
	lp_profile_free (p);
	bytes[i] = kept;
      }
  free (bytes);
}
END_TEST

static int
files_here (void)
{
  int n = 0;
  DIR *dir = opendir (".");
  for (struct dirent *e; (e = readdir (dir));)
    n += *e->d_name != '.';
  closedir (dir);
  return n;
}

START_TEST (a_failed_save_leaves_nothing)
{
  lp_error err;
  struct rlimit none = { 100, RLIM_INFINITY };
  lp_profile *p = profile_of (DEMO);
  write_file ("old.lprof", "old", 3);
  signal (SIGXFSZ, SIG_IGN);
  ck_assert_int_eq (setrlimit (RLIMIT_FSIZE, &none), 0);
  ck_assert_int_eq (lp_profile_save (p, "old.lprof", &err), -1);
  ck_assert_int_eq (err.code, LP_EIO);
  ck_assert_str_eq (err.text, "cannot write 'old.lprof': File too large; name "
		    "another file with -o");
  size_t n;
  char *old = read_file ("old.lprof", &n);
  ck_assert_str_eq (old, "old");
  free (old);
  ck_assert_int_eq (files_here (), 2);	/* and fixture.lprof */
  ck_assert_int_eq (lp_profile_save (p, "/dev/full", &err), -1);
  ck_assert_str_eq (err.text, "cannot write '/dev/full': No space left on "
		    "device; name another file with -o");
  lp_profile_free (p);
}
END_TEST

static void
check_unwritable (lp_profile *p, const char *path, const char *why)
{
  lp_error err, early;
  char text[200];
  snprintf (text, sizeof text,
	    "cannot write '%s': %s; name another file with -o", path, why);
  ck_assert_int_eq (lp_profile_save (p, path, &err), -1);
  ck_assert_str_eq (err.text, text);
  ck_assert_int_eq (lp_profile_check_output (path, &early), -1);
  ck_assert_str_eq (early.text, text);
}

START_TEST (unwritable_places_are_known_early)
{
  lp_error err;
  lp_profile *p = profile_of (DEMO);
  check_unwritable (p, "no/such/x.lprof", "No such file or directory");
  check_unwritable (p, ".", "Is a directory");
  check_unwritable (p, "", "No such file or directory");
  check_unwritable (p, "fixture.lprof/x", "Not a directory");
  if (geteuid () != 0)
    {
      write_file ("ro.lprof", "", 0);
      chmod ("ro.lprof", 0400);
      check_unwritable (p, "ro.lprof", "Permission denied");
    }
  int before = files_here ();
  ck_assert_int_eq (lp_profile_check_output ("new.lprof", &err), 0);
  ck_assert_int_eq (lp_profile_check_output ("/dev/null", &err), 0);
  ck_assert_int_eq (files_here (), before);
  lp_profile_free (p);
}
END_TEST

START_TEST (save_keeps_links_devices_and_the_umask)
{
  lp_error err;
  struct stat st;
  lp_profile *p = profile_of (DEMO);
  write_file ("real.lprof", "old", 3);
  ck_assert_int_eq (symlink ("real.lprof", "link.lprof"), 0);
  ck_assert_int_eq (lp_profile_save (p, "link.lprof", &err), 0);
  ck_assert (lstat ("link.lprof", &st) == 0 && S_ISLNK (st.st_mode));
  ck_assert (stat ("real.lprof", &st) == 0 && st.st_size > 100);
  ck_assert_int_eq (lp_profile_save (p, "/dev/null", &err), 0);
  ck_assert (stat ("/dev/null", &st) == 0 && S_ISCHR (st.st_mode));
  umask (027);
  ck_assert_int_eq (lp_profile_save (p, "mode.lprof", &err), 0);
  ck_assert (stat ("mode.lprof", &st) == 0 && (st.st_mode & 0777) == 0640);
  lp_profile_free (p);
}
END_TEST

START_TEST (an_empty_profile_is_a_profile)
{
  lp_error err;
  lp_profile *p = lp_profile_new (&err);
  ck_assert_int_eq (lp_profile_save (p, "e.lprof", &err), 0);
  lp_profile *q = lp_profile_load ("e.lprof", &err);
  ck_assert_msg (q != NULL, "%s", err.text);
  ck_assert_int_eq (lp_profile_merge (q, p, &err), 0);
  ck_assert_ptr_nonnull (lp_profile_totals (q, &err));
  ck_assert_int_eq (q->exit_status, -1);
  lp_profile_free (p);
  lp_profile_free (q);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profile");
  TCase *tc = tcase_create ("profile");
  tcase_add_checked_fixture (tc, enter_folder, leave_folder);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, load_reads_every_member);
  tcase_add_test (tc, save_writes_what_load_read);
  tcase_add_test (tc, strings_of_any_bytes_come_back);
  tcase_add_test (tc, odd_names_survive_a_file);
  tcase_add_test (tc, files_that_are_no_profiles);
  tcase_add_test (tc, every_member_is_checked);
  tcase_add_test (tc, numbers_too_big_are_corrupt);
  tcase_add_test (tc, every_truncation_is_refused);
  tcase_add_test (tc, flipped_bytes_never_surprise);
  tcase_add_test (tc, a_failed_save_leaves_nothing);
  tcase_add_test (tc, unwritable_places_are_known_early);
  tcase_add_test (tc, save_keeps_links_devices_and_the_umask);
  tcase_add_test (tc, an_empty_profile_is_a_profile);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
