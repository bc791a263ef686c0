/* put.h: small things that several writers write.  */

#ifndef LP_REPORT_PUT_H
#define LP_REPORT_PUT_H

#include <stdio.h>

#include "profile/profile.h"

/* S with nothing in it that moves the cursor.  */
void lp_put (FILE *out, const char *s);

/* TIME, in units, in CELL, shorter where it would not fit into WIDTH.  */
void lp_format_time (char *cell, size_t size, double time, int width);

/* S as a field of a CSV row, in quotes where it must be, and AFTER.  */
void lp_put_field (FILE *out, const char *s, char after);

/* Whose numbers follow, as text.  */
void lp_put_part (const lp_part *part, FILE *out);

#endif
