/* sane.h: can a block's frames be believed?  The program can write there, and a wild write
   of its must not lead us out of the block.  */

#ifndef LP_COLLECT_SANE_H
#define LP_COLLECT_SANE_H

#include "collect/pool.h"

bool lp_is_sane (const lp_pool *pool, lp_block *block);
/* The same for the frames of a call tree, and the paths that they name.  */
bool lp_is_sane_tree (const lp_pool *pool, lp_block *block);

#endif
