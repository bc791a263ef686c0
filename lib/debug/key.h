/* key.h: a name that is looked for in all of .debug_info.  */

#ifndef LP_DEBUG_KEY_H
#define LP_DEBUG_KEY_H

#include "debug/dies.h"

enum { LP_KEY_LOWS = 1 << 16 };

typedef struct lp_key
{
  lp_bytes str;			/* .debug_str */
  const char *key;		/* the caller's */
  size_t key_n;
  size_t overlap;		/* bytes that a mention has at most */
  bool whole;			/* KEY is all of the name's last component, but for
				   arguments */
  uint8_t *named;		/* a bit for each offset in STR: a name with KEY starts
				   there */
  uint8_t low[LP_KEY_LOWS];	/* of each two bytes: may a mention begin with them?  Asked
				   first, it stays in the cache */
} lp_key;

/* Find KEY's names in STR.  0, or -1 when out of memory; S is to be freed in any
   case.  */
int lp_key_begin (lp_key *s, const char *key, bool whole, lp_bytes str);
void lp_key_free (lp_key *s);

/* Tell FOUND (ARG) where in the N bytes of .debug_info at P there may be KEY, or a
   reference to a name with it.  */
void lp_key_scan (const lp_key *s, const uint8_t *p, size_t n,
		     void (*found) (void *arg, size_t at), void *arg);

/* Is VALUE, a name in D's unit, one with KEY?  True where that cannot be told.  */
bool lp_key_is (const lp_key *s, const lp_dies *d, lp_die_value value);

#endif
