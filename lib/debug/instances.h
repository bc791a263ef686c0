/* instances.h: the places where functions were inlined.  */

#ifndef LP_DEBUG_INSTANCES_H
#define LP_DEBUG_INSTANCES_H

#include "debug/dwarf.h"

typedef struct lp_instances
{
  /* Is the function whose DIE is ORIGIN, and which was inlined in UNIT, meant?  Asked
     once for each.  */
  bool (*wanted) (void *arg, lp_dwarf *dw, lp_unit *unit, Dwarf_Die *origin);
  void *arg;
  size_t n;			/* how often those were inlined */
  const char *file;		/* the first place; lives as long as the module */
  uint32_t line;
} lp_instances;

/* Count C's instances in all units.  */
int lp_instances_count (lp_instances *c, lp_dwarf *dw, lp_error *err);

#endif
