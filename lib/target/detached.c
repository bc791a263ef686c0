/* detached.c: a program that is let go as soon as it is prepared.  It is our child,
   and not more: its stops and its end are all that is heard of it.

   The kernel does not say which signals it gets.  So one that somebody sends to
   this process is sent on, even if it went to the whole group.  */

#include "target/internal.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

/* The thread must not go on before it is let go.  */
void
lp_target_let_go (lp_target *target)
{
  target->letting_go = target->holding = true;
}

static void
let_go (lp_target *target)
{
  lp_process *proc = target->processes;
  lp_image_undo (proc);
  for (lp_thread *t = proc->threads; t; t = t->next)
    {
      ptrace (PTRACE_DETACH, t->tid, 0, (long) t->signal);
      t->stop = LP_RUNNING;
      t->signal = 0;
    }
  target->holding = false;
}

static void
changed (lp_target *target, int status)
{
  lp_thread *leader = lp_thread_find (target, target->first);
  if (!WIFSTOPPED (status) && !WIFCONTINUED (status))
    {
      lp_handle (target, target->first, status);
      return;
    }
  leader->group_stop = WIFSTOPPED (status);
  lp_signals_stopped (target, leader->group_stop ? WSTOPSIG (status) : 0);
}

void
lp_detached_run (lp_target *target, int64_t next)
{
  let_go (target);
  while (target->processes && !target->failed)
    {
      int status;
      pid_t pid = lp_wait (target->first, &status,
			   WNOHANG | WUNTRACED | WCONTINUED);
      if (pid > 0)
	changed (target, status);
      else if (pid < 0)
	break;
      else
	lp_signals_wait (target, next);
      lp_tick (target, &next);
    }
  while (target->processes)
    lp_process_free (target->processes);
}
