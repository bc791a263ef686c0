/* buildid.h: the build-id of a file, as it stands in its notes.  */

#ifndef LP_DEBUG_BUILDID_H
#define LP_DEBUG_BUILDID_H

#include <stddef.h>
#include <stdint.h>

#include "debug/image.h"

/* Lower-case hexadecimal; "" is none.  */
typedef char lp_build_id[129];

/* Take the build-id from the N bytes of notes at P, which are padded to ALIGN, unless ID
   has one already.  */
void lp_build_id_take (lp_build_id id, const uint8_t *p, size_t n, size_t align);

/* The build-id of IMAGE by its sections: the segments of a debug file are not there.  */
void lp_build_id_find (lp_build_id id, const lp_image *image);

#endif
