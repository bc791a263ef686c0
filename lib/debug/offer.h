/* offer.h: the names of a program, as the user would write them, to choose the nearest
   from.  */

#ifndef LP_DEBUG_OFFER_H
#define LP_DEBUG_OFFER_H

#include "debug/dwarf.h"
#include "debug/guess.h"

/* What is sought, of NAME.  Free WORD and SCOPE.  */
typedef struct lp_sought
{
  char *word;			/* its last component; NULL when out of memory */
  char *scope;			/* the one before; "" for none, NULL when out of memory */
} lp_sought;

lp_sought lp_sought_of (const char *name);
void lp_sought_free (lp_sought *sought);

/* Offer GUESS, whose word is SOUGHT's, the function of that display name.  */
void lp_offer_display (lp_guess *guess, const lp_sought *sought, const char *display);
/* The same of all symbols of MOD.  Symbols of Fortran, Ada and Pascal that are near are
   looked up in its debug information.  */
void lp_offer_symbols (lp_module *mod, lp_guess *guess, const lp_sought *sought);

#endif
