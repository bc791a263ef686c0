/* shortage.c: when libdw is out of memory.  */

#include "debug/shortage.h"

#include <setjmp.h>

/* Of the innermost guard.  */
static __thread jmp_buf *way_out __attribute__ ((tls_model ("initial-exec")));
static Dwarf_OOM libdws;	/* its own, for who is in no guard */

static void __attribute__ ((noreturn))
leave (void)
{
  if (way_out)
    longjmp (*way_out, 1);
  libdws ();
}

void
lp_shortage_watch (Dwarf *dbg)
{
  libdws = dwarf_new_oom_handler (dbg, leave);
}

int
lp_shortage_guard (int (*f) (void *arg), void *arg, lp_error *err)
{
  jmp_buf here, *outer = way_out;
  way_out = &here;
  int result = setjmp (here) ? lp_nomem (err) : f (arg);
  way_out = outer;
  return result;
}
