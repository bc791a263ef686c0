/* originals.c: the program's own addresses of what runs in clones.  */

#include "follow.h"

#include "probe/places.h"
#include "probe/trap.h"

uint64_t
lp_originals_home (void *arg, lp_process *proc, uint64_t pc)
{
  lp_member *member = lp_process_data (proc);
  (void) arg;
  return member ? lp_grafts_original (&member->grafts, pc) : 0;
}

uint64_t
lp_originals_copy (void *arg, lp_process *proc, uint64_t pc)
{
  lp_member *member = lp_process_data (proc);
  (void) arg;
  return member ? lp_grafts_copy_of (&member->grafts, pc) : 0;
}

bool
lp_originals_counted (void *arg, lp_process *proc, uint64_t pc)
{
  lp_member *member = lp_process_data (proc);
  const lp_text *text = member ? lp_grafts_text (&member->grafts, pc) : NULL;
  uint64_t home = text ? lp_places_home (text, pc) : 0;
  const lp_trap *trap = home ? lp_trap_find (text, home) : NULL;
  (void) arg;
  return trap && trap->probe && trap->resume == pc && !lp_trap_calls_kernel (trap);
}
