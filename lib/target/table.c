/* table.c: the processes and threads of a target.  */

#include "target/internal.h"

#include <stdlib.h>
#include <unistd.h>

lp_process *
lp_process_new (lp_target *target, pid_t pid)
{
  lp_process *proc = calloc (1, sizeof *proc);
  if (!proc)
    return NULL;
  proc->target = target;
  proc->pid = pid;
  proc->mem = -1;
  proc->next = target->processes;
  target->processes = proc;
  return proc;
}

lp_process *
lp_process_find (lp_target *target, pid_t pid)
{
  lp_process *proc = target->processes;
  while (proc && proc->pid != pid)
    proc = proc->next;
  return proc;
}

void
lp_process_free (lp_process *proc)
{
  lp_process **link = &proc->target->processes;
  while (*link != proc)
    link = &(*link)->next;
  *link = proc->next;
  while (proc->threads)
    lp_thread_free (proc->target, proc->threads);
  if (proc->mem >= 0)
    close (proc->mem);
  lp_vec_free (&proc->modules);
  lp_arena_free (proc->paths);
  free (proc);
}

static lp_thread **
bucket (lp_target *target, pid_t tid)
{
  return &target->threads[(unsigned) tid % LP_HASH];
}

lp_thread *
lp_thread_new (lp_target *target, lp_process *proc, pid_t tid)
{
  lp_thread *thread = calloc (1, sizeof *thread);
  if (!thread)
    return NULL;
  thread->tid = tid;
  thread->stop = LP_AT_STOP;
  thread->chain = *bucket (target, tid);
  *bucket (target, tid) = thread;
  if (proc)
    lp_thread_adopt (thread, proc);
  return thread;
}

lp_thread *
lp_thread_find (lp_target *target, pid_t tid)
{
  lp_thread *thread = *bucket (target, tid);
  while (thread && thread->tid != tid)
    thread = thread->chain;
  return thread;
}

void
lp_thread_adopt (lp_thread *thread, lp_process *proc)
{
  thread->proc = proc;
  thread->next = proc->threads;
  proc->threads = thread;
}

void
lp_thread_free (lp_target *target, lp_thread *thread)
{
  lp_thread **link = bucket (target, thread->tid);
  while (*link != thread)
    link = &(*link)->chain;
  *link = thread->chain;
  if (thread->proc)
    {
      link = &thread->proc->threads;
      while (*link != thread)
	link = &(*link)->next;
      *link = thread->next;
    }
  free (thread);
}

lp_thread *
lp_process_stopped (lp_process *proc)
{
  lp_thread *thread = proc->threads;
  while (thread && thread->stop == LP_RUNNING)
    thread = thread->next;
  return thread;
}

pid_t
lp_process_pid (const lp_process *proc)
{
  return proc->pid;
}

void *
lp_process_data (const lp_process *proc)
{
  return proc->data;
}

void
lp_process_set_data (lp_process *proc, void *data)
{
  proc->data = data;
}

bool
lp_process_has_preload (const lp_process *proc)
{
  return proc->image.preloaded;
}

uint64_t
lp_process_stack_end (const lp_process *proc)
{
  return proc->image.stack_end;
}
