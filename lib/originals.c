/* originals.c: the program's own addresses of what runs in clones.  */

#include "follow.h"

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
