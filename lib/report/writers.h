/* writers.h: the forms of a report.  */

#ifndef LP_REPORT_WRITERS_H
#define LP_REPORT_WRITERS_H

#include "report/tables.h"

/* Write TABLES to OUT.  0, or -1 with ERR; errors of OUT itself are left to the
   caller.  */
typedef struct lp_writer
{
  const char *name;
  int top;			/* how many tables where nobody asked for a number */
  /* What stands before, between and behind the reports of several parts.  */
  const char *open, *between, *close;
  int (*write) (const lp_tables *tables, FILE *out, lp_error *err);
  /* Write the named ranges behind the tables of all parts, PROFILE being one of
     these parts; NULL: `write' does.  */
  int (*ranges) (lp_profile *profile, const lp_part *part, bool *later,
		 FILE *out, lp_error *err);
} lp_writer;

int lp_write_text (const lp_tables *tables, FILE *out, lp_error *err);
int lp_write_json (const lp_tables *tables, FILE *out, lp_error *err);
int lp_write_csv (const lp_tables *tables, FILE *out, lp_error *err);

#endif
