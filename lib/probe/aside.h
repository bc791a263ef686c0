/* aside.h: code that nobody asked for, in pages where no code may be executed
   because the step engine watches others in them.  It runs in copies, without
   probes, at full speed; its calls push the original return addresses.  */

#ifndef LP_PROBE_ASIDE_H
#define LP_PROBE_ASIDE_H

#include "base/intmap.h"
#include "probe/clone.h"

/* Run-time addresses of whole pages.  */
typedef struct lp_pages
{
  uint64_t lo, hi;
} lp_pages;

typedef struct lp_aside
{
  const lp_module *mod;
  struct lp_decoder *decoder;
  LP_VEC (lp_pages) pages;	/* that are closed, by address */
  lp_intmap copies;		/* of run-time addresses: their copy's offset in the code */
} lp_aside;

/* Is ADDR in the closed pages?  */
bool lp_aside_is_closed (const lp_aside *aside, uint64_t addr);

/* The run-time address of a copy of the code at ADDR, written now where there is
   none: all that direct jumps lead to, up to what is traced (TEXT's traps) or
   stands in other pages.  0 with LP_EUNSUPPORTED (undecodable, no room) or
   LP_ENOMEM.  */
uint64_t lp_aside_copy (lp_aside *aside, lp_text *text, uint64_t addr,
			lp_error *err);

void lp_aside_free (lp_aside *aside);

#endif
