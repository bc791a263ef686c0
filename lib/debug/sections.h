/* sections.h: the sections of a debug file, inflated when they are needed.  */

#ifndef LP_DEBUG_SECTIONS_H
#define LP_DEBUG_SECTIONS_H

#include "debug/dwarf.h"
#include "debug/inflate.h"

/* DW's image is the file of SIZE bytes mapped at FILE; move it to where there is room
   behind it, if it needs any.  0 with dw->mapped and dw->packed set, or -1 and the
   mapping of FILE is as it was.  */
int lp_sections_map (lp_dwarf *dw, uint8_t *file, size_t size);

/* Inflate those sections of the list NAMES, which ends with NULL, that are
   compressed; each is inflated once.  0, -1 with LP_EUNSUPPORTED (zstd),
   LP_EFORMAT, LP_ENOMEM.  */
int lp_sections_load (lp_dwarf *dw, const char *const *names, lp_error *err);

/* The contents of the section NAME, which lp_sections_load was asked for; empty
   without one, and for one that is compressed in the old way (.zdebug_*).  */
lp_bytes lp_section_loaded (const lp_dwarf *dw, const char *name);

/* Show LOOK the contents of the section NAME, inflated on the way where it is
   compressed; OVERLAP and the result as those of lp_inflate_look, with LP_EFORMAT or
   LP_ENOMEM.  Nothing of it is kept.  */
int lp_section_look (lp_dwarf *dw, const char *name, size_t overlap,
		     lp_look *look, void *arg, lp_error *err);

/* Make the mapped file ready for libdw: inflate all that is read, but of the units
   only their heads where that will do, and hide the rest.  Errors as
   above.  */
int lp_sections_prepare (lp_dwarf *dw, lp_error *err);

#endif
