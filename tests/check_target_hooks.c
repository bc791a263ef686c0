/* check_target_hooks.c: what an owner of a target does to its programs: system
   calls, shared memory, breakpoints, letting go.  The programs must not notice,
   and the numbers must be right.  */

#define _GNU_SOURCE
#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target_run.h"

enum { TIMEOUT = 120 };

typedef const char *const command[WORDS];

static outcome
traced (command words, const char *preload, const extra *extra)
{
  char *const *argv = target_argv (words);
  ck_assert_ptr_ne (argv, NULL);
  return run_traced (argv, preload, true, extra);
}

/* System calls in TID, and the registers are as before.  */
static int
remote_getpid (seen *s, lp_process *proc, pid_t tid, lp_error *err)
{
  struct user_regs_struct before, after;
  const uint64_t args[6] = { 0 };
  int64_t result;
  /* The first call runs the thread out of the kernel.  */
  if (lp_remote_syscall (proc, tid, SYS_getpid, args, &result, err)
      || lp_thread_get_regs (tid, &before, err)
      || lp_remote_syscall (proc, tid, SYS_gettid, args, &result, err)
      || lp_thread_get_regs (tid, &after, err))
    return -1;
  bool right = result == tid;
  if (lp_remote_syscall (proc, tid, SYS_getpid, args, &result, err))
    return -1;
  s->numbers[0] += right;
  s->numbers[1] += memcmp (&before, &after, sizeof before) == 0;
  s->numbers[2] += result == lp_process_pid (proc);
  s->numbers[3]++;
  return 0;
}

static int
remote_loaded (seen *s, lp_process *proc, lp_error *err)
{
  return remote_getpid (s, proc, lp_process_pid (proc), err);
}

static int
remote_forked (seen *s, lp_process *parent, lp_process *child, bool shares,
	       lp_error *err)
{
  lp_error refused;
  int64_t result;
  const uint64_t args[6] = { 0 };
  if (shares && lp_remote_syscall (parent, lp_process_pid (parent), SYS_getpid,
				   args, &result, &refused) == 0)
    s->numbers[4]++;
  /* Where the forking thread is the first, it is stopped, too.  */
  if (!shares && remote_getpid (s, parent, lp_process_pid (parent), &refused)
      && strstr (refused.text, "not stopped") == NULL)
    return lp_fail (err, refused.code, "%s", refused.text);
  return remote_getpid (s, child, lp_process_pid (child), err);
}

START_TEST (remote_calls_leave_no_trace)
{
  const extra extra = { .loaded = remote_loaded, .thread_new = remote_getpid,
			.forked = remote_forked };
  static const command cases[] = {
    { "t_procs", "storm" }, { "t_procs", "vfork" }, { "t_procs", "spawn" },
    { "t_procs", "clone" }, { "t_procs", "daemon" }, { "t_threads", "at-once", "30" },
    { "t_threads", "raw", "20" }, { "t_threads", "exit" },
    { "t_threads", "kill" }, { "t_threads", "stopped" },
    { "t_threads", "fork-and-die" }, { "t_procs.static", "fork" },
    { "t_procs.musl", "spawn" }, { "t_signals", "interrupted" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char *const *argv = target_argv (cases[i]);
      if (!argv)
	continue;
      outcome bare = run_bare (argv);
      outcome o = run_traced (argv, preload_path (), true, &extra);
      check_same (&bare, &o, cases[i][1]);
      ck_assert_uint_ge (o.seen.numbers[3], 1);
      for (int j = 0; j < 3; j++)
	ck_assert_uint_eq (o.seen.numbers[j], o.seen.numbers[3]);
      if (strcmp (cases[i][1], "clone"))
	ck_assert_uint_eq (o.seen.numbers[4], 0);
      outcome_free (&bare);
      outcome_free (&o);
    }
}
END_TEST

/* Killed while its first thread is asked, which has no report of its end before those of
   the others.  */
static int
killed_in_call (seen *s, lp_process *proc, pid_t tid, lp_error *err)
{
  pid_t pid = lp_process_pid (proc);
  const uint64_t args[6] = { 0 };
  int64_t result;
  (void) tid;
  (void) err;
  if (s->numbers[0]++ < 5)
    return 0;
  lp_error refused;
  kill (pid, SIGKILL);
  s->numbers[1] += lp_remote_syscall (proc, pid, SYS_getpid, args, &result,
				      &refused) != 0;
  return 0;
}

START_TEST (killed_in_calls)
{
  const extra extra = { .thread_new = killed_in_call };
  command words = { "t_threads", "at-once", "30" };
  outcome o = traced (words, preload_path (), &extra);
  ck_assert_int_eq (o.status, SIGKILL);
  ck_assert_uint_ge (o.seen.numbers[1], 1);
  outcome_free (&o);
}
END_TEST

/* Step through pushf; popf; pushfw; popfw; nop, put where the thread stands.  Notes how often
   the flag by which that is done was in what is saved, or stayed.  */
static int
step_flags (seen *s, lp_process *proc, lp_error *err)
{
  static const uint8_t code[] = { 0x9c, 0x9d, 0x66, 0x9c, 0x66, 0x9d, 0x90 };
  enum { TRAP_FLAG = 0x100, STEPS = 5 };
  pid_t tid = lp_process_pid (proc);
  const uint64_t args[6] = { 0 };
  struct user_regs_struct before, regs;
  uint8_t old[sizeof code];
  int64_t result;
  if (lp_remote_syscall (proc, tid, SYS_getpid, args, &result, err)
      || lp_thread_get_regs (tid, &before, err)
      || lp_process_read (proc, before.rip, old, sizeof old, err)
      || lp_process_write (proc, before.rip, code, sizeof code, err))
    return -1;
  for (int i = 0; i < STEPS; i++)
    {
      uint16_t flags = 0;
      if (lp_thread_step (proc, tid, err) || lp_thread_get_regs (tid, &regs, err)
	  || (regs.rsp != before.rsp
	      && lp_process_read (proc, regs.rsp, &flags, sizeof flags, err)))
	return -1;
      s->numbers[0] += regs.rsp != before.rsp;
      s->numbers[1] += (flags & TRAP_FLAG) != 0;
      s->numbers[2] += (regs.eflags & TRAP_FLAG) != 0;
    }
  s->numbers[3] = regs.rip - before.rip;
  return lp_process_write (proc, before.rip, old, sizeof old, err)
	   || lp_thread_set_regs (tid, &before, err) ? -1 : 0;
}

START_TEST (steps_leave_no_trace)
{
  const extra extra = { .loaded = step_flags };
  command words = { "t_env", "one" };
  outcome bare = run_bare (target_argv (words));
  outcome o = traced (words, preload_path (), &extra);
  check_same (&bare, &o, "stepped");
  ck_assert_uint_eq (o.seen.numbers[0], 2);
  ck_assert_uint_eq (o.seen.numbers[1], 0);
  ck_assert_uint_eq (o.seen.numbers[2], 0);
  ck_assert_uint_eq (o.seen.numbers[3], 7);
  outcome_free (&bare);
  outcome_free (&o);
}
END_TEST

enum { SHARED = 1 << 30, CODE = 1 << 20 };
static char *shared;
static uint64_t shared_at;

static int
descriptors (pid_t pid)
{
  char path[64];
  int n = 0;
  snprintf (path, sizeof path, "/proc/%d/fd", pid);
  DIR *fds = opendir (path);
  while (fds && readdir (fds))
    n++;
  closedir (fds);
  return n;
}

/* A gigabyte of counters, and code near the executable.  */
static int
map_both (seen *s, lp_process *proc, lp_error *err)
{
  pid_t pid = lp_process_pid (proc);
  int before = descriptors (pid);
  uint64_t at, remote;
  void *code;
  char text[8] = "here", back[8];
  if (first_module (s, proc, err)
      || lp_map_shared (proc, pid, SHARED, 0, PROT_READ | PROT_WRITE,
			(void **) &shared, &shared_at, NULL, err)
      || lp_find_gap (proc, s->numbers[2], s->numbers[3], CODE, &at, err)
      || lp_map_shared (proc, pid, CODE, at, PROT_READ | PROT_EXEC, &code,
			&remote, NULL, err))
    return -1;
  s->numbers[4] = at;
  s->numbers[5] = remote;
  strcpy (shared + SHARED - 8, text);
  if (lp_process_read (proc, shared_at + SHARED - 8, back, 8, err))
    return -1;
  s->numbers[6] += !strcmp (back, "here");
  if (lp_process_write (proc, shared_at, "there", 6, err))
    return -1;
  s->numbers[6] += !strcmp (shared, "there");
  memset (code, 0x90, CODE);
  s->numbers[6] += lp_process_read (proc, remote, back, 8, err) == 0
    && (unsigned char) back[7] == 0x90;
  s->numbers[7] = descriptors (pid) == before;
  return 0;
}

/* A place is taken only once.  */
static int
map_twice (seen *s, lp_process *proc, lp_error *err)
{
  uint64_t remote;
  void *local;
  if (map_both (s, proc, err))
    return -1;
  s->numbers[0] = lp_map_shared (proc, lp_process_pid (proc), CODE,
				 s->numbers[4], PROT_READ, &local, &remote,
				 NULL, NULL) == -1;
  return 0;
}

/* The child has the same pages.  */
static int
look_in_child (seen *s, lp_process *parent, lp_process *child, bool shares,
	       lp_error *err)
{
  char back[8];
  (void) parent;
  (void) shares;
  if (lp_process_read (child, shared_at, back, 6, err))
    return -1;
  s->numbers[1] = !strcmp (back, "there");
  return 0;
}

START_TEST (shared_memory)
{
  static const char *const names[] = {
    "t_calls", "t_calls.nopie", "t_calls.static", "t_calls.static-pie",
    "t_calls.musl", "t_calls.musl-static"
  };
  const extra extra = { .loaded = map_twice, .forked = look_in_child };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const command grow = { names[i], "grow" }, child = { names[i], "child" };
      if (!target_argv (grow) || strstr (names[i], "musl"))
	continue;
      outcome o = traced (grow, preload_path (), &extra);
      ck_assert_msg (o.seen.result == 0, "%s: %s", names[i], o.seen.text);
      ck_assert_str_eq (o.out, "200 MB\n0\n");
      ck_assert_uint_eq (o.seen.numbers[4], o.seen.numbers[5]);
      ck_assert_uint_eq (o.seen.numbers[6], 3);
      ck_assert_uint_eq (o.seen.numbers[7], 1);
      ck_assert_uint_eq (o.seen.numbers[0], 1);
      int64_t up = o.seen.numbers[3] - o.seen.numbers[4];
      int64_t down = o.seen.numbers[4] + CODE - o.seen.numbers[2];
      ck_assert_msg (up < INT32_MAX && down < INT32_MAX, "too far");
      outcome_free (&o);
      o = traced (child, preload_path (), &extra);
      ck_assert_uint_eq (o.seen.numbers[1], 1);
      outcome_free (&o);
    }
}
END_TEST

/* Breakpoints of the owner's, on a function that begins with `push %rbp'.  */
static uint64_t break_at;
static const uint8_t int3 = 0xcc, push_rbp = 0x55;

static int
set_break (seen *s, lp_process *proc, lp_error *err)
{
  uint8_t byte;
  if (first_module (s, proc, err))
    return -1;
  break_at = s->numbers[0] + target_symbol ("t_calls", "called");
  return lp_process_read (proc, break_at, &byte, 1, err) || byte != push_rbp
    || lp_process_write (proc, break_at, &int3, 1, err) ? -1 : 0;
}

static int
on_break (seen *s, lp_process *proc, pid_t tid, struct user_regs_struct *regs,
	  lp_error *err)
{
  (void) s;
  (void) tid;
  if (regs->rip - 1 != break_at)
    return 0;
  regs->rsp -= 8;
  return lp_process_write (proc, regs->rsp, &regs->rbp, 8, err) ? -1 : 1;
}

static void
clear_break (seen *s, lp_process *proc)
{
  s->numbers[5] += lp_process_write (proc, break_at, &push_rbp, 1, NULL) == 0;
}

static const extra breaking = { .loaded = set_break, .trap = on_break,
				.released = clear_break };

START_TEST (breakpoints_count)
{
  static const struct
  {
    command words;
    int traps;
  } cases[] = {
    { { "t_calls", "calls", "1000" }, 1000 }, { { "t_calls", "threads" }, 400 },
    { { "t_calls", "blocked" }, 50 }, { { "t_calls", "masked" }, 50 },
    { { "t_calls", "child" }, 20 }, { { "t_calls", "ignored" }, 10 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char *const *argv = target_argv (cases[i].words);
      if (!strcmp (cases[i].words[1], "ignored"))
	signal (SIGTRAP, SIG_IGN);
      outcome bare = run_bare (argv);
      outcome o = run_traced (argv, NULL, true, &breaking);
      check_same (&bare, &o, cases[i].words[1]);
      ck_assert_int_eq (o.seen.traps, cases[i].traps);
      outcome_free (&bare);
      outcome_free (&o);
    }
}
END_TEST

/* A child that is let go must not run into them.  */
START_TEST (released_children_are_clean)
{
  char *const *argv = target_argv ((command) { "t_calls", "child" });
  outcome bare = run_bare (argv);
  outcome o = run_traced (argv, NULL, false, &breaking);
  check_same (&bare, &o, "released");
  ck_assert_int_eq (o.seen.released, 1);
  ck_assert_uint_eq (o.seen.numbers[5], 1);
}
END_TEST

static int
nothing_traps (seen *s, lp_process *parent, lp_process *child, bool shares,
	       lp_error *err)
{
  (void) s;
  (void) parent;
  (void) child;
  (void) shares;
  (void) err;
  return 1;
}

/* A debugger works on its own children when they are not followed.  */
START_TEST (programs_that_trace)
{
  static const command cases[] = { { "t_procs", "ptrace" },
				   { "t_procs", "ptrace-vfork" } };
  static const extra extra = { .forked = nothing_traps };
  for (int i = 0; i < 2; i++)
    {
      char *const *argv = target_argv (cases[i]);
      outcome bare = run_bare (argv);
      outcome o = run_traced (argv, preload_path (), false, &extra);
      check_same (&bare, &o, cases[i][1]);
      outcome_free (&bare);
      outcome_free (&o);
    }
}
END_TEST

static int
no (seen *s, lp_process *proc, lp_error *err)
{
  s->numbers[7]++;
  err->code = LP_EUNSUPPORTED;
  snprintf (err->text, sizeof err->text, "no (%p)", (void *) proc);
  return -1;
}

static int
no_after_five (seen *s, lp_process *proc, pid_t tid, lp_error *err)
{
  (void) tid;
  return s->threads < 5 ? 0 : no (s, proc, err);
}

static int
no_after_three_forks (seen *s, lp_process *parent, lp_process *child,
		      bool shares, lp_error *err)
{
  (void) shares;
  (void) child;
  return s->forked < 3 ? 0 : no (s, parent, err);
}

/* Not before the program is there, which can take many ticks.  */
static int
no_at_tick (seen *s, lp_error *err)
{
  return s->ticks < 3 || !s->loaded ? 0 : no (s, NULL, err);
}

/* Whatever ends the profiling, the program ends as if nothing had been.  */
START_TEST (letting_go)
{
  static const struct
  {
    command words;
    extra extra;
  } cases[] = {
    { { "t_env", "one" }, { .loaded = no } },
    { { "t_env.static", "one" }, { .loaded = no } },
    { { "t_threads", "at-once", "50" }, { .thread_new = no_after_five } },
    { { "t_procs", "storm" }, { .forked = no_after_three_forks } },
    { { "t_procs", "spawn" }, { .forked = no_after_three_forks } },
    { { "t_procs", "vfork" }, { .forked = no_after_three_forks } },
    { { "t_calls", "calls", "20000" },
      { .loaded = set_break, .trap = on_break, .released = clear_break,
	.tick_ms = 10 } },
    { { "t_calls", "threads", "5000" },
      { .loaded = set_break, .trap = on_break, .released = clear_break,
	.tick_ms = 10 } },
    { { "t_signals", "interrupted" }, { .tick_ms = 7 } },
    { { "t_confine", "dlopen" }, { .modules = no } },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char *const *argv = target_argv (cases[i].words);
      extra extra = cases[i].extra;
      extra.tick = extra.tick_ms ? no_at_tick : NULL;
      if (!argv)
	continue;
      outcome bare = run_bare (argv);
      outcome o = run_traced (argv, preload_path (), true, &extra);
      ck_assert_msg (o.seen.result == -1, "%s went on", cases[i].words[1]);
      ck_assert_int_eq (o.seen.code, LP_EUNSUPPORTED);
      ck_assert_int_ge (o.seen.released, 1);
      o.seen.result = 0;
      check_same (&bare, &o, cases[i].words[1]);
      outcome_free (&bare);
      outcome_free (&o);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("target hooks");
  TCase *tc = tcase_create ("hooks");
  tcase_set_timeout (tc, TIMEOUT);
  tcase_add_test (tc, remote_calls_leave_no_trace);
  tcase_add_test (tc, killed_in_calls);
  tcase_add_test (tc, steps_leave_no_trace);
  tcase_add_test (tc, shared_memory);
  tcase_add_test (tc, breakpoints_count);
  tcase_add_test (tc, released_children_are_clean);
  tcase_add_test (tc, programs_that_trace);
  tcase_add_test (tc, letting_go);
  suite_add_tcase (suite, tc);
  targets_begin ();
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  targets_end ();
  return failed != 0;
}
