/* check_target.c: programs under the target floor.  Each must do exactly what it
   does without; the oracles are the bare run, nm, and /proc.  */

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target_run.h"

enum { TIMEOUT = 120 };

/* A command whose first word is a target, or a path.  */
typedef const char *const command[WORDS];

static const command commands[] = {
  { "/bin/true" },
  { "/bin/false" },
  { "/bin/sh", "-c", "ls / | sort -r | head -3; (exit 3); echo $?; echo x >&2" },
  { "/bin/bash", "-c", "for i in 1 2 3; do /bin/echo $i; done | cat; kill -9 $$" },
  { "t_env", "one", "two" }, { "t_env.nopie" }, { "t_env.static", "one" },
  { "t_env.static-pie" }, { "t_env.musl", "one" }, { "t_env.musl-static" },
  { "t_procs", "fork" }, { "t_procs", "storm" }, { "t_procs", "spawn" },
  { "t_procs", "vfork" }, { "t_procs", "clone" }, { "t_procs", "daemon" },
  { "t_procs", "thread-exec" }, { "t_procs", "leaderless-exec" },
  { "t_procs", "chain", "20" }, { "t_procs", "stops" },
  { "t_procs", "stopped" }, { "t_procs", "kill-child" },
  { "t_procs.static", "storm" }, { "t_procs.static", "spawn" },
  { "t_procs.static-pie", "vfork" }, { "t_procs.static", "thread-exec" },
  { "t_procs.musl", "storm" }, { "t_procs.musl", "spawn" },
  { "t_procs.musl", "vfork" }, { "t_procs.musl", "chain", "5" },
  { "t_procs.musl-static", "fork" },
  { "t_threads", "at-once", "100" }, { "t_threads", "one-by-one", "300" },
  { "t_threads", "cancel", "20" }, { "t_threads", "raw", "50" },
  { "t_threads", "leader-exits" }, { "t_threads", "exit" },
  { "t_threads", "kill" }, { "t_threads", "stopped" },
  { "t_threads", "fork-and-die" }, { "t_threads.static", "at-once", "50" },
  { "t_threads.musl", "at-once", "50" }, { "t_threads.musl", "raw", "10" },
  { "t_signals", "trap" }, { "t_signals", "int3" }, { "t_signals", "queue" },
  { "t_signals", "blocked-trap" }, { "t_signals", "interrupted" },
  { "t_signals", "altstack" }, { "t_signals", "thread" },
  { "t_signals", "abort" }, { "t_signals", "9" }, { "t_signals", "11" },
  { "t_signals", "15" }, { "t_signals", "5" }, { "t_signals", "2" },
  { "t_confine", "dlopen" }, { "t_confine", "strict" }, { "t_confine", "close" },
  { "t_confine", "seccomp", "x", "/bin/echo", "x" },
  { "t_confine", "user", "x", "/usr/bin/id" },
  { "t_confine", "chroot", "/nowhere" },
};

/* What began also ended.  */
static void
check_balance (const seen *s, bool follow)
{
  ck_assert_int_le (1, s->loaded);
  ck_assert_int_eq (s->ended, 1 + s->forked - s->released);
  ck_assert_int_eq (s->threads, s->threads_gone);
  if (!follow)
    ck_assert_int_le (s->forked, s->released + s->ended);
}

START_TEST (behaves_the_same)
{
  char *const *argv = target_argv (commands[_i]);
  if (!argv)
    return;
  outcome bare = run_bare (argv);
  for (int mode = 0; mode < 4; mode++)
    {
      bool preload = mode & 1, follow = mode & 2;
      outcome traced = run_traced (argv, preload ? preload_path () : NULL,
				   follow, NULL);
      check_same (&bare, &traced, follow ? "followed" : "not followed");
      check_balance (&traced.seen, follow);
      outcome_free (&traced);
    }
  outcome_free (&bare);
}
END_TEST

static outcome
traced (command words, const char *preload, const extra *extra)
{
  char *const *argv = target_argv (words);
  ck_assert_ptr_ne (argv, NULL);
  return run_traced (argv, preload, true, extra);
}

START_TEST (own_preload_comes_back)
{
  static const command cases[] = { { "t_env" }, { "t_env.musl" } };
  static const char *const values[] = { "", "libm.so.6", " : ", "/none/x.so" };
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < sizeof values / sizeof *values; j++)
      {
	char *const *argv = target_argv (cases[i]);
	if (!argv)
	  continue;
	setenv ("LD_PRELOAD", values[j], 1);
	outcome bare = run_bare (argv);
	outcome with = run_traced (argv, preload_path (), true, NULL);
	check_same (&bare, &with, values[j]);
	ck_assert_int_eq (with.seen.preloaded, 1);
	outcome_free (&bare);
	outcome_free (&with);
      }
}
END_TEST

START_TEST (preload_is_where_it_can_be)
{
  static const command dynamic[] = { { "t_env" }, { "t_env.nopie" },
				     { "t_env.musl" } };
  static const command fixed[] = { { "t_env.static" }, { "t_env.static-pie" },
				   { "t_env.musl-static" } };
  for (size_t i = 0; i < 3; i++)
    {
      if (target_argv (dynamic[i]))
	ck_assert_int_eq (traced (dynamic[i], preload_path (),
				  NULL).seen.preloaded, 1);
      ck_assert_int_eq (traced (dynamic[0], NULL, NULL).seen.preloaded, 0);
      if (target_argv (fixed[i]))
	ck_assert_int_eq (traced (fixed[i], preload_path (),
				  NULL).seen.preloaded, 0);
    }
}
END_TEST

/* The loader of a program in another root cannot find our object: it must not
   be asked to.  */
START_TEST (another_root)
{
  char root[] = "/tmp/check_target.root.XXXXXX", text[1024];
  if (geteuid () != 0 || !mkdtemp (root))
    return;
  snprintf (text, sizeof text, "cp -L --parents /lib64/ld-linux-x86-64.so.2"
	    " $(ldd %s | grep -o '/[^ ]*libc.so.6') %s && cp %s %s/t_env",
	    target_path ("t_env"), root, target_path ("t_env"), root);
  if (system (text) == 0)
    {
      const command words = { "t_confine", "chroot", root, "/t_env" };
      char *argv[WORDS + 1];
      memcpy (argv, target_argv (words), sizeof argv);
      argv[3] = "/t_env";
      argv[2] = root;
      outcome bare = run_bare (argv);
      outcome with = run_traced (argv, preload_path (), true, NULL);
      check_same (&bare, &with, "chroot");
    }
  snprintf (text, sizeof text, "rm -rf %s", root);
  ck_assert_int_eq (system (text), 0);
}
END_TEST

/* A set-user-id program runs in secure mode, where nothing is preloaded.  */
START_TEST (secure_program)
{
  char text[1024], path[280];
  if (geteuid () != 0)
    return;
  snprintf (path, sizeof path, "%s.setuid", target_path ("t_env"));
  snprintf (text, sizeof text, "cp %s %s && chown 65534 %s && chmod 4755 %s",
	    target_path ("t_env"), path, path, path);
  ck_assert_int_eq (system (text), 0);
  char *const argv[] = { path, NULL };
  setenv ("LD_PRELOAD", "libm.so.6", 1);
  outcome bare = run_bare (argv);
  outcome with = run_traced (argv, preload_path (), true, NULL);
  check_same (&bare, &with, "set-user-id");
  ck_assert_int_eq (with.seen.preloaded, 0);
}
END_TEST

START_TEST (modules_are_where_they_are)
{
  static const char *const names[] = {
    "t_calls", "t_calls.nopie", "t_calls.static", "t_calls.static-pie",
    "t_calls.musl", "t_calls.musl-static"
  };
  const extra extra = { .loaded = first_module };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const command words = { names[i], "where" };
      if (!target_argv (words))
	continue;
      outcome o = traced (words, NULL, &extra);
      uint64_t at = strtoull (o.out, NULL, 16);
      ck_assert_uint_eq (o.seen.numbers[0] + target_symbol (names[i], "called"),
			 at);
      ck_assert_uint_le (o.seen.numbers[2], at);
      ck_assert_uint_lt (at, o.seen.numbers[3]);
      ck_assert_uint_ge (o.seen.numbers[1], 1);
      outcome_free (&o);
    }
}
END_TEST

/* Without root's rights: a process that closed itself, and a program that may be
   executed but not read.  */
START_TEST (closed_processes)
{
  char text[512];
  const char *path = target_path ("t_confine");
  snprintf (text, sizeof text, "chmod 755 $(dirname %s) && cp /bin/true %s.x"
	    " && chmod 711 %s.x", path, path, path);
  ck_assert_int_eq (system (text), 0);
  if (geteuid () != 0 || setgid (65534) || setuid (65534)
      || prctl (PR_SET_DUMPABLE, 1))
    return;
  snprintf (text, sizeof text, "%s.x; echo $?; %s undumpable", path, path);
  char *const *argv = target_argv ((command) { "/bin/sh", "-c", text });
  outcome bare = run_bare (argv);
  for (int follow = 0; follow < 2; follow++)
    {
      outcome with = run_traced (argv, preload_path (), follow, NULL);
      check_same (&bare, &with, "closed");
      ck_assert_int_eq (with.seen.modules, follow ? 12 : 0);
    }
  argv = target_argv ((command) { "t_confine", "undumpable" });
  outcome with = run_traced (argv, preload_path (), false, NULL);
  ck_assert_ptr_ne (strstr (with.out, "status 0\n"), NULL);
  ck_assert_int_eq (with.seen.modules, 6);
}
END_TEST

static int
count_modules (seen *s, lp_process *proc, lp_error *err)
{
  const lp_loaded *modules;
  size_t n;
  if (lp_process_modules (proc, &modules, &n, err))
    return -1;
  s->numbers[s->modules & 1] = n;
  return 0;
}

START_TEST (dlopen_is_told)
{
  const extra extra = { .loaded = count_modules, .modules = count_modules };
  outcome o = traced ((command) { "t_confine", "dlopen" }, NULL, &extra);
  ck_assert_int_eq (o.seen.modules, 6);
  ck_assert_uint_eq (o.seen.numbers[1], o.seen.numbers[0] + 1);
  outcome_free (&o);
}
END_TEST

START_TEST (programs_are_found)
{
  lp_error err;
  char *path = lp_find_program ("sh", &err);
  ck_assert_ptr_ne (path, NULL);
  ck_assert_int_eq (access (path, X_OK), 0);
  free (path);
  ck_assert_ptr_eq (lp_find_program ("no-such-program-", &err), NULL);
  ck_assert_int_eq (err.code, LP_ENOTFOUND);
  ck_assert_ptr_eq (lp_find_program ("/no/such", &err), NULL);
  ck_assert_int_eq (err.code, LP_ENOTFOUND);
  ck_assert_ptr_eq (lp_find_program ("", &err), NULL);
  ck_assert_int_eq (err.code, LP_ENOTFOUND);
  ck_assert_ptr_eq (lp_find_program ("/tmp", &err), NULL);
  ck_assert_int_eq (err.code, LP_ENOEXEC);
  ck_assert_ptr_ne (strstr (err.text, "directory"), NULL);
  ck_assert_ptr_eq (lp_find_program ("/etc/passwd", &err), NULL);
  ck_assert_int_eq (err.code, LP_ENOEXEC);
  setenv ("PATH", ":/nowhere", 1);
  ck_assert_int_eq (chdir ("/bin"), 0);
  path = lp_find_program ("sh", &err);
  ck_assert_str_eq (path, "./sh");
  free (path);
}
END_TEST

START_TEST (launch_says_why_not)
{
  char path[] = "/tmp/check_target.script.XXXXXX";
  int fd = mkostemp (path, O_CLOEXEC);
  char *argv[] = { path, NULL };
  ck_assert_int_eq (write (fd, "#!/none\n", 8), 8);
  ck_assert_int_eq (fchmod (fd, 0755), 0);
  close (fd);
  outcome o = run_traced (argv, NULL, true, NULL);
  ck_assert_int_eq (o.seen.launched, 0);
  ck_assert_int_eq (o.seen.code, LP_ENOEXEC);
  ck_assert_ptr_ne (strstr (o.seen.text, "interpreter"), NULL);
  unlink (path);
  o = run_traced (argv, NULL, true, NULL);
  ck_assert_int_eq (o.seen.code, LP_ENOTFOUND);
}
END_TEST

START_TEST (never_run_is_never_executed)
{
  char *const *argv = target_argv ((command) { "/bin/sh", "-c",
					   "echo ran >/tmp/check_target.ran" });
  lp_launch launch = { .path = argv[0], .argv = argv, .follow = true };
  lp_error err;
  lp_target *target = lp_target_launch (&launch, &err);
  ck_assert_ptr_ne (target, NULL);
  pid_t pid = lp_target_pid (target);
  lp_target_free (target);
  ck_assert_int_eq (kill (pid, 0), -1);
  ck_assert_int_eq (errno, ESRCH);
  ck_assert_int_ne (access ("/tmp/check_target.ran", F_OK), 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("target");
  TCase *tc = tcase_create ("target");
  tcase_set_timeout (tc, TIMEOUT);
  tcase_add_loop_test (tc, behaves_the_same, 0,
		       sizeof commands / sizeof *commands);
  tcase_add_test (tc, own_preload_comes_back);
  tcase_add_test (tc, preload_is_where_it_can_be);
  tcase_add_test (tc, another_root);
  tcase_add_test (tc, secure_program);
  tcase_add_test (tc, closed_processes);
  tcase_add_test (tc, modules_are_where_they_are);
  tcase_add_test (tc, dlopen_is_told);
  tcase_add_test (tc, programs_are_found);
  tcase_add_test (tc, launch_says_why_not);
  tcase_add_test (tc, never_run_is_never_executed);
  suite_add_tcase (suite, tc);
  targets_begin ();
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  targets_end ();
  return failed != 0;
}
