/* check_target_signals.c: signals to the tracer, from terminals and from others,
   and what becomes of the program.  */

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target_run.h"

enum { TIMEOUT = 60 };

typedef const char *const command[WORDS];

/* A tracer in a process group of its own, its program's output on FD.  */
typedef struct tracer
{
  pid_t pid;
  int fd;
  seen *seen;
} tracer;

static tracer
start (command words, const extra *extra)
{
  int fds[2];
  tracer t = { .seen = seen_new () };
  char *const *argv = target_argv (words);
  ck_assert_ptr_ne (argv, NULL);
  ck_assert_int_eq (pipe2 (fds, O_CLOEXEC), 0);
  t.pid = fork ();
  if (t.pid == 0)
    {
      setpgid (0, 0);
      dup2 (fds[1], 1);
      trace_here (argv, preload_path (), true, extra, t.seen);
      _exit (0);
    }
  setpgid (t.pid, t.pid);
  close (fds[1]);
  t.fd = fds[0];
  return t;
}

/* Read until TEXT came, or the end; what was read.  */
static const char *
expect (int fd, const char *text)
{
  static char got[4096];
  size_t n = 0;
  struct pollfd p = { fd, POLLIN, 0 };
  while (n < sizeof got - 1 && poll (&p, 1, 20000) > 0)
    {
      ssize_t r = read (fd, got + n, sizeof got - 1 - n);
      if (r <= 0)
	break;
      n += r;
      got[n] = '\0';
      if (text && strstr (got, text))
	return got;
    }
  got[n] = '\0';
  ck_assert_msg (!text, "no `%s' in `%s'", text, got);
  return got;
}

static void
finish (tracer *t)
{
  int status;
  ck_assert_int_eq (waitpid (t->pid, &status, 0), t->pid);
  ck_assert_int_eq (status, 0);
  close (t->fd);
}

/* A signal for the tracer alone is the program's; one for the whole group
   reaches the program once.  */
START_TEST (signals_are_sent_on_once)
{
  static const int signals[] = { SIGTERM, SIGINT };
  for (int i = 0; i < 2; i++)
    for (int group = 0; group < 2; group++)
      {
	tracer t = start ((command) { "t_calls", "count-signals" }, NULL);
	expect (t.fd, "ready\n");
	kill (group ? -t.pid : t.pid, signals[i]);
	ck_assert_str_eq (expect (t.fd, NULL), "1\n0\n");
	finish (&t);
	ck_assert_int_eq (t.seen->result, 0);
	ck_assert_int_eq (t.seen->status, 0);
      }
}
END_TEST

START_TEST (a_deadly_signal_ends_the_program)
{
  tracer t = start ((command) { "/bin/sleep", "100" }, NULL);
  while (t.seen->loaded == 0)
    usleep (1000);
  kill (t.pid, SIGTERM);
  finish (&t);
  ck_assert_int_eq (t.seen->status, SIGTERM);
}
END_TEST

/* Who stays after the first process is waited for, until ^C.  */
START_TEST (children_that_stay_can_be_left)
{
  tracer t = start ((command) { "t_calls", "leave-child" }, NULL);
  expect (t.fd, "ready\n0\n");
  while (t.seen->ended == 0)
    usleep (1000);
  usleep (50000);
  ck_assert_int_eq (waitpid (t.pid, NULL, WNOHANG), 0);
  kill (t.pid, SIGINT);
  finish (&t);
  ck_assert_int_eq (t.seen->result, 0);
  ck_assert_int_eq (t.seen->status, 0);
  ck_assert_int_eq (t.seen->released, 1);
}
END_TEST

/* The program does not even notice that its tracer was killed.  */
START_TEST (a_killed_tracer)
{
  static const extra extra = { .no_modules_hook = true };
  tracer t = start ((command) { "t_calls", "count-signals" }, &extra);
  int status;
  expect (t.fd, "ready\n");
  kill (t.pid, SIGKILL);
  waitpid (t.pid, &status, 0);
  ck_assert_int_eq (status, SIGKILL);
  ck_assert_str_eq (expect (t.fd, NULL), "0\n0\n");
}
END_TEST

/* A shell's part in job control: run argv in the foreground of the terminal at
   descriptor 0, see it stop, continue it.  */
typedef struct job
{
  volatile int stops, status;
  seen seen;
} job;

static void
put_in_foreground (pid_t group)
{
  signal (SIGTTOU, SIG_IGN);
  tcsetpgrp (0, group);
  signal (SIGTTOU, SIG_DFL);
}

static void __attribute__ ((noreturn))
be_shell (char *const argv[], bool traced, job *job)
{
  pid_t pid = fork ();
  if (pid == 0)
    {
      setpgid (0, 0);
      put_in_foreground (getpid ());
      if (!traced)
	execv (argv[0], argv);
      trace_here (argv, preload_path (), true, NULL, &job->seen);
      if (WIFSIGNALED (job->seen.status))
	{
	  signal (WTERMSIG (job->seen.status), SIG_DFL);
	  kill (getpid (), WTERMSIG (job->seen.status));
	}
      _exit (WEXITSTATUS (job->seen.status));
    }
  int status;
  while (waitpid (pid, &status, WUNTRACED) == pid && WIFSTOPPED (status))
    {
      put_in_foreground (getpgrp ());
      job->stops++;
      usleep (100000);
      put_in_foreground (pid);
      kill (-pid, SIGCONT);
    }
  job->status = status;
  _exit (0);
}

static pid_t
start_job (command words, bool traced, job *job, int *terminal)
{
  char *const *argv = target_argv (words);
  ck_assert_ptr_ne (argv, NULL);
  pid_t pid = forkpty (terminal, NULL, NULL, NULL);
  if (pid == 0)
    be_shell (argv, traced, job);
  ck_assert_int_gt (pid, 0);
  return pid;
}

static job *
job_new (void)
{
  job *j = mmap (NULL, sizeof *j, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (j, MAP_FAILED);
  return j;
}

static void
type (int terminal, const char *keys)
{
  ck_assert_int_eq (write (terminal, keys, strlen (keys)), strlen (keys));
}

/* ^Z stops the job once each time, it goes on, and reads the terminal.  */
START_TEST (job_control)
{
  for (int traced = 0; traced < 2; traced++)
    {
      int terminal;
      job *job = job_new ();
      pid_t shell = start_job ((command) { "t_calls", "read" }, traced, job,
			       &terminal);
      expect (terminal, "ready");
      for (int i = 1; i <= 3; i++)
	{
	  usleep (150000);
	  type (terminal, "\x1a");
	  for (int j = 0; j < 500 && job->stops < i; j++)
	    usleep (10000);
	  ck_assert_int_eq (job->stops, i);
	}
      usleep (200000);
      type (terminal, "hello\n");
      expect (terminal, "got hello");
      waitpid (shell, NULL, 0);
      ck_assert_int_eq (job->status, 0);
      ck_assert_int_eq (job->stops, 3);
      close (terminal);
    }
}
END_TEST

/* ^C ends the program, and the tracer lives to tell.  */
START_TEST (interrupt_from_the_terminal)
{
  int terminal;
  job *job = job_new ();
  pid_t shell = start_job ((command) { "t_calls", "read" }, true, job,
			   &terminal);
  expect (terminal, "ready");
  type (terminal, "\x03");
  waitpid (shell, NULL, 0);
  ck_assert_int_eq (job->status, SIGINT);
  ck_assert_int_eq (job->seen.status, SIGINT);
  ck_assert_int_eq (job->seen.ended, 1);
  close (terminal);
}
END_TEST

/* A program that handles ^C gets it once.  */
START_TEST (interrupt_that_is_handled)
{
  int terminal;
  job *job = job_new ();
  pid_t shell = start_job ((command) { "t_calls", "count-signals" }, true, job,
			   &terminal);
  expect (terminal, "ready");
  type (terminal, "\x03");
  expect (terminal, "1\r\n0\r\n");
  waitpid (shell, NULL, 0);
  ck_assert_int_eq (job->status, 0);
  close (terminal);
}
END_TEST

/* A stop that did not come from a terminal is not ours.  */
START_TEST (someone_stops_the_program)
{
  tracer t = start ((command) { "t_procs", "stopped" }, NULL);
  ck_assert_ptr_ne (strstr (expect (t.fd, NULL), "stopped 2"), NULL);
  finish (&t);
  ck_assert_int_eq (t.seen->result, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("target signals");
  TCase *tc = tcase_create ("signals");
  tcase_set_timeout (tc, TIMEOUT);
  tcase_add_test (tc, signals_are_sent_on_once);
  tcase_add_test (tc, a_deadly_signal_ends_the_program);
  tcase_add_test (tc, children_that_stay_can_be_left);
  tcase_add_test (tc, a_killed_tracer);
  tcase_add_test (tc, job_control);
  tcase_add_test (tc, interrupt_from_the_terminal);
  tcase_add_test (tc, interrupt_that_is_handled);
  tcase_add_test (tc, someone_stops_the_program);
  suite_add_tcase (suite, tc);
  targets_begin ();
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  targets_end ();
  return failed != 0;
}
