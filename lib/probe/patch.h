/* patch.h: the only writer of program text.  */

#ifndef LP_PROBE_PATCH_H
#define LP_PROBE_PATCH_H

#include "probe/clone.h"
#include "target/target.h"

/* Order TEXT's patches, which are complete: before the others, which allocate
   nothing.  */
void lp_patch_sort (lp_text *text);

/* Replace the bytes of all of TEXT's patches in PROC, whose threads are all
   stopped outside of them.  Checks first that the process's bytes are the
   file's.  -1 with LP_ETARGET naming the address, nothing changed then.  */
int lp_patch_apply (lp_process *proc, const lp_text *text, lp_error *err);

/* Put the original bytes back, in a process of the same mappings.  */
int lp_patch_undo (lp_process *proc, const lp_text *text, lp_error *err);

#endif
