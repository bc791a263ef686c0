/* signals.c: this process's own signals while it has a target.

   A terminal sends its signals to the whole foreground group, the program and
   us: then the program decides what comes of it.  Somebody who knows only our
   pid means the program: such a signal is sent on.  Somebody who sends to the
   group reaches both, too, but one by one; so sending on waits a moment, and is
   dropped when the program is seen to get the same signal from the same sender.

   Stops (^Z) are taken, not suffered: we must be awake to let the program stop.
   When it did, we stop as well, and the shell sees the whole job stopped.

   Who hands signals on to us, as kernprof's other process does, may be late: what
   came to both before the program's end must not kill us after it.  */

#include "target/internal.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MOMENT INT64_C (20000000)	/* ns: between the signals of one sender */
#define PATIENCE 200		/* times 1 ms */
#define BOTH INT64_C (200000000)	/* ns: two signals are the same within */

static const int taken[] = {
  SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN,
  SIGTTOU
};

/* From now on a program depends on us.  */
static void
outlive_parent (const lp_target *target)
{
  int signal = 0;
  prctl (PR_GET_PDEATHSIG, &signal);
  if (signal)
    prctl (PR_SET_PDEATHSIG, target->attached ? SIGTERM : 0);
}

void
lp_signals_take (lp_target *target)
{
  lp_signals *s = &target->signals;
  struct sigaction chld = { .sa_handler = SIG_DFL };
  sigemptyset (&s->set);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    sigaddset (&s->set, taken[i]);
  /* Where it is ignored, no report would wake us.  */
  sigaction (SIGCHLD, &chld, &s->old_chld);
  pthread_sigmask (SIG_BLOCK, &s->set, &s->old_mask);
  outlive_parent (target);
  s->taken = true;
}

/* Throw away what came for both.  */
static void
discard (lp_signals *s)
{
  static const struct timespec now;
  while (sigtimedwait (&s->set, NULL, &now) > 0)
    continue;
}

/* Let our parent hand on what it has.  A parent that does not is not waited for
   long.  */
static void
await_parent (void)
{
  static const struct timespec moment = { .tv_nsec = MOMENT / 20 };
  uint64_t signals = 0;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (taken[i] != SIGCHLD)
      signals |= UINT64_C (1) << (taken[i] - 1);
  for (int i = 0; i < PATIENCE && lp_procfs_busy (getppid (), signals); i++)
    nanosleep (&moment, NULL);
}

void
lp_signals_give_back (lp_target *target)
{
  lp_signals *s = &target->signals;
  if (!s->taken)
    return;
  prctl (PR_SET_PDEATHSIG, 0);
  await_parent ();
  discard (s);
  sigaction (SIGCHLD, &s->old_chld, NULL);
  pthread_sigmask (SIG_SETMASK, &s->old_mask, NULL);
  s->taken = false;
}

void
lp_signals_forget (lp_target *target)
{
  discard (&target->signals);
  target->signals.forward.signal = 0;
}

static bool
first_is_stopped (lp_target *target)
{
  lp_thread *leader = target->first
    ? lp_thread_find (target, target->first) : NULL;
  return leader && leader->group_stop;
}

/* Send the waiting signal on, if the program did not get it.  */
static void
forward_now (lp_target *target)
{
  lp_signals *s = &target->signals;
  lp_forward f = s->forward;
  s->forward.signal = 0;
  if (!f.signal || !target->first)
    return;
  bool has_it = f.signal == SIGCONT ? !first_is_stopped (target)
    : s->seen.signal == f.signal && s->seen.sender == f.sender
      && f.due - s->seen.due < BOTH;
  if (!has_it)
    kill (target->first, f.signal);
}

static void
forward_soon (lp_target *target, int signal, pid_t sender)
{
  forward_now (target);
  target->signals.forward = (lp_forward) { signal, sender, lp_now () + MOMENT };
}

void
lp_stop_by (int signal)
{
  struct sigaction standard = { .sa_handler = SIG_DFL }, old;
  sigset_t set, was;
  sigemptyset (&set);
  sigaddset (&set, signal);
  sigaction (signal, &standard, &old);
  kill (getpid (), signal);
  pthread_sigmask (SIG_UNBLOCK, &set, &was);
  pthread_sigmask (SIG_SETMASK, &was, NULL);
  sigaction (signal, &old, NULL);
}

/* Stop by SIGNAL, which a shell is told; whoever continues us alone means the
   program, too.  */
static void
stop_here (lp_target *target, int signal)
{
  target->signals.stopping = false;
  if (signal == SIGSTOP)
    kill (getpid (), SIGSTOP);
  else
    lp_stop_by (signal);
  forward_soon (target, SIGCONT, 0);
}

void
lp_signals_stopped (lp_target *target, int signal)
{
  if (signal && target->signals.stopping && !target->holding)
    {
      /* The thread is not listening yet: let it, before we sleep.  */
      lp_thread_resume (lp_thread_find (target, target->first));
      stop_here (target, signal);
    }
}

void
lp_signals_seen (lp_target *target, const siginfo_t *info)
{
  if (info->si_code <= 0)
    target->signals.seen = (lp_forward) { info->si_signo, info->si_pid,
					  lp_now () };
}

/* What is sent to the group comes to both sides.  */
static void
summon (lp_target *target, pid_t sender, bool here)
{
  lp_signals *s = &target->signals;
  int64_t now = lp_now ();
  if (s->summons.signal && s->summons.sender == sender
      && s->summons_here != here && now - s->summons.due < BOTH)
    {
      s->summons.signal = 0;
      return;
    }
  s->summons = (lp_forward) { target->hooks->summons, sender, now };
  s->summons_here = here;
  if (target->hooks->summoned (target->hooks->arg, &target->error))
    target->failed = true;
}

bool
lp_signals_summons (lp_thread *thread, const siginfo_t *info)
{
  lp_target *target = thread->proc->target;
  if (!target->hooks || !target->hooks->summons
      || info->si_signo != target->hooks->summons)
    return false;
  if (thread->proc->pid == target->first)
    summon (target, info->si_pid, false);
  return true;
}

static void
take (lp_target *target, const siginfo_t *info)
{
  int signal = info->si_signo;
  if (signal == SIGCHLD)
    return;
  if (target->hooks && target->hooks->summons == signal)
    {
      summon (target, info->si_pid, true);
      return;
    }
  bool stop = signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
  if (stop)
    target->signals.stopping = true;
  else if (!target->first || target->attached)
    {
      target->enough = true;
      return;
    }
  if (info->si_code <= 0 && info->si_pid != getpid ())
    forward_soon (target, signal, info->si_pid);
  if (stop && first_is_stopped (target))
    stop_here (target, signal);
}

void
lp_signals_wait (lp_target *target, int64_t until)
{
  lp_signals *s = &target->signals;
  siginfo_t info;
  if (s->forward.signal && (!until || s->forward.due < until))
    until = s->forward.due;
  int64_t left = until ? until - lp_now () : 0;
  left = left > 0 ? left : 0;
  struct timespec timeout = { left / 1000000000, left % 1000000000 };
  int signal = until ? sigtimedwait (&s->set, &info, &timeout)
    : sigwaitinfo (&s->set, &info);
  if (signal > 0)
    take (target, &info);
  if (s->forward.signal && lp_now () >= s->forward.due)
    forward_now (target);
}
