/* self.c: this process as one of its own targets.  Its one thread is whoever
   calls: no other is known.  */

#include "target/internal.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static lp_process *
fill (lp_process *proc, lp_error *err)
{
  proc->self = true;
  if (!lp_thread_new (proc->target, proc, proc->pid))
    lp_nomem (err);
  else if ((proc->image.entry = getauxval (AT_ENTRY)))
    return proc;
  else
    lp_fail (err, LP_ETARGET, "this process's entry is not known");
  lp_process_self_free (proc);
  return NULL;
}

lp_process *
lp_process_self (lp_error *err)
{
  lp_target *target = calloc (1, sizeof *target);
  lp_process *proc = target ? lp_process_new (target, getpid ()) : NULL;
  if (proc)
    return fill (proc, err);
  free (target);
  lp_nomem (err);
  return NULL;
}

void
lp_process_self_free (lp_process *proc)
{
  lp_target *target = proc->target;
  lp_process_free (proc);
  free (target);
}
