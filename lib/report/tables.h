/* tables.h: a profile as the tables that a report shows: one for each source
   function, in the order and with the choice that the options ask for.  */

#ifndef LP_REPORT_TABLES_H
#define LP_REPORT_TABLES_H

#include "report/report.h"

/* A line with code.  */
typedef struct lp_table_line
{
  uint32_t source, line;
  const char *note;		/* or NULL */
  lp_line_stat stat;
  uint32_t digest;		/* of its text, or 0 */
} lp_table_line;

/* A source function in one object: the sum of the subjects that were compiled from it (copies
   for constants, parts, instances of a template).  */
typedef struct lp_table
{
  const char *name;
  uint32_t object;		/* index into lp_profile.objects; 0: the program */
  uint32_t source, line;	/* where it is declared */
  uint32_t first, last;		/* its lines in SOURCE, [first, last] */
  const uint32_t *subjects;	/* ascending */
  size_t nsubjects;
  int64_t calls, total, self;
  bool ran;
  lp_table_line *lines;		/* by source and line, those in SOURCE first */
  size_t nlines;
} lp_table;

typedef struct lp_tables
{
  lp_profile *profile;
  const lp_report_options *options;
  const lp_part *part;		/* whose numbers these are; NULL: everybody's */
  bool later;			/* another part's tables were written before */
  double unit;			/* options->unit, or its default */
  uint32_t *same_source;	/* for each source the first of the same path */
  LP_VEC (lp_table) tables;	/* to show, in order */
  size_t left_out;		/* tables that ran and `top' left out */
  size_t left_out_zero;		/* the same, and they never ran */
  LP_VEC (uint32_t) refused;	/* subjects without numbers */
  LP_VEC (uint32_t) slower;	/* subjects that an engine other than the default had
				   to measure, with a reason */
} lp_tables;

/* The tables of PROFILE; they live in its arena, the vectors until
   lp_tables_free.  TOP is the number to show where the options and the profile
   leave it open (0 is all).  -1 when out of memory.  */
int lp_tables_make (lp_tables *tables, lp_profile *profile,
		    const lp_report_options *options, int top, lp_error *err);
void lp_tables_free (lp_tables *tables);

/* Copy to OUT (room for strlen (NAME) + 1 bytes and two more) the name that
   NAME shares with the other instances of its template.  Returns false and
   copies all of NAME where it is no instance.  */
bool lp_name_stem (const char *name, char *out);

#endif
