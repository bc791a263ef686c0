/* nodes.h: the call tree in a file: one string for each column.

   A million nodes as JSON numbers would be a tree of 200 MB in memory; five
   strings are not.  format.h says what they hold.  */

#ifndef LP_PROFILE_NODES_H
#define LP_PROFILE_NODES_H

#include <jansson.h>

#include "profile/profile.h"

/* PROFILE's nodes as a JSON object, or NULL when out of memory.  */
json_t *lp_nodes_encode (const lp_profile *profile);

/* Append to PROFILE, whose subjects and parts are complete, the nodes that VALUE
   holds.  0; -1: memory ran out when *WHAT is NULL, else *WHAT (static) says what
   is wrong with VALUE.  */
int lp_nodes_decode (lp_profile *profile, const json_t *value,
		     const char **what);

#endif
