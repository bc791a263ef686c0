/* error.h: the one error convention: 0 or -1 (pointer or NULL) and a
   caller-owned lp_error that says what and where.  */

#ifndef LP_BASE_ERROR_H
#define LP_BASE_ERROR_H

#include <lineprof.h>

/* Fill ERR (may be NULL) with CODE and the formatted text, cut to one line
   that fits.  Returns -1, so that a caller can write `return lp_fail (...)`.  */
int lp_fail (lp_error *err, enum lp_code code, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* The same for functions that return a pointer: returns NULL.  */
void *lp_fail_null (lp_error *err, enum lp_code code, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* "out of memory": returns -1.  */
int lp_nomem (lp_error *err);

/* How often the calling thread failed with LP_ENOMEM, with an error to fill or without.
   A predicate that runs out of memory cannot tell; it calls lp_nomem (NULL), and who
   needs to know whether its answers are true compares this before and after.  */
unsigned long lp_nomems (void);

#endif
