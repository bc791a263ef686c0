/* guess.h: which of many names somebody may have meant.  */

#ifndef LP_DEBUG_GUESS_H
#define LP_DEBUG_GUESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/intmap.h"

enum { LP_GUESSES = 3 };

/* The nearest names so far, nearest first.  */
typedef struct lp_guess
{
  const char *word;		/* what was asked for */
  char *names[LP_GUESSES];
  unsigned distance[LP_GUESSES];
  size_t n;
  lp_intmap spelled;		/* hash of a word that symbols spell -> is it near? */
} lp_guess;

/* How far NAME is from WORD; ~0u when nobody can have meant it.  */
unsigned lp_guess_distance (const char *word, const char *name);
/* Remember SHOWN, whose name proper is NAME, if it is among the nearest.  FARTHER is added
   to its distance.  */
void lp_guess_offer (lp_guess *guess, const char *name, unsigned farther,
		     const char *shown);
/* Does the mangled SYMBOL spell a word out that is near?  When not, none of its
   components is worth an offer.  Costs much less than demangling it.  */
bool lp_guess_may_be (lp_guess *guess, const char *symbol);
/* "; did you mean 'a', 'b' or 'c'?" in TEXT, "" without a name; returns TEXT.  */
const char *lp_guess_question (const lp_guess *guess, char *text,
			       size_t size);
void lp_guess_free (lp_guess *guess);

#endif
