/* diff.h: what changed between two profiles.  */

#ifndef LP_REPORT_DIFF_H
#define LP_REPORT_DIFF_H

#include <jansson.h>

#include "profile/match.h"
#include "report/pstats.h"
#include "report/source.h"
#include "report/tables.h"

enum lp_diff_key
{
  LP_DIFF_TIME,			/* of functions: own time */
  LP_DIFF_CUMULATIVE,		/* of functions only */
  LP_DIFF_HITS,			/* of functions: calls */
  LP_DIFF_PER_HIT,
  LP_DIFF_LINE			/* lines as in the source; functions by time */
};

typedef struct lp_diff_options
{
  enum lp_diff_key key;		/* the largest change of it comes first */
  double min;			/* a smaller change is left out: seconds, or hits */
  int top;			/* functions whose lines are shown; 0: all */
  const char *old_name, *new_name; /* of the files */
  const lp_report_options *report; /* unit, sources */
} lp_diff_options;

/* The numbers of a line or a function in one profile.  */
typedef struct lp_diff_numbers
{
  int64_t hits, time, cumulative;
} lp_diff_numbers;

/* How a line of the old profile and one of the new belong together.  */
enum lp_diff_how
{
  LP_DIFF_SAME = ' ',		/* by their text, or number */
  LP_DIFF_EDITED = '~',		/* by their place between others */
  LP_DIFF_ONLY_OLD = '-',
  LP_DIFF_ONLY_NEW = '+'
};

typedef struct lp_diff_line
{
  enum lp_diff_how how;
  const lp_table_line *was, *is; /* one of them may be NULL */
} lp_diff_line;

/* A function in both profiles, or in one.  */
typedef struct lp_diff_function
{
  const char *file, *name;
  uint32_t old_line, new_line;	/* where it is declared; 0: it is not */
  bool in_old, in_new;
  lp_diff_numbers was, is;
  LP_VEC (lp_diff_line) lines;	/* of a profile of lines: those that changed */
  bool by_number;		/* the text of its lines is not known */
  const lp_table *old_table, *new_table;
} lp_diff_function;

/* A named range.  */
typedef struct lp_diff_range
{
  const char *name;
  lp_diff_numbers was, is;
} lp_diff_range;

typedef struct lp_diff
{
  const lp_diff_options *options;
  bool of_lines;		/* else of functions */
  lp_profile *old_profile, *new_profile;
  LP_VEC (lp_diff_function) functions; /* that changed, in order */
  LP_VEC (lp_diff_range) ranges; /* the same, the largest change of time first */
  lp_diff_numbers was, is;	/* together */
  lp_tables old_tables, new_tables;
  lp_stats *old_stats, *new_stats;
  lp_arena *scratch;
} lp_diff;

/* Compare two profiles of one kind, which outlive the result.  Lines are matched by
   their text where both profiles know it (digest.h), else by their number;
   functions by file and name, then by the file's base name and name, then by
   name.  Release it with lp_diff_free.  -1 with LP_EUSAGE for two kinds,
   LP_ENOMEM.  */
int lp_diff_make (lp_diff *diff, lp_profile *old_profile,
		  lp_profile *new_profile, const lp_diff_options *options,
		  lp_error *err);
void lp_diff_free (lp_diff *diff);

/* By how much KEY changed, for sorting: ns, or hits.  */
double lp_diff_change (const lp_diff_numbers *was, const lp_diff_numbers *is,
		       enum lp_diff_key key);

/* The steps of lp_diff_make.  */

/* Something with a file and a name.  */
typedef struct lp_diff_named
{
  const char *file, *name;
} lp_diff_named;

/* For each of the N things at B the index of that of A (M of them) which is the
   same, or LP_NO_MATCH.  In SCRATCH; NULL when out of memory.  */
uint32_t *lp_diff_match (lp_arena *scratch, const lp_diff_named *a, size_t m,
			 const lp_diff_named *b, size_t n);

/* Match the M lines at A with the N at B, all of one file, into FUNCTION's lines,
   in the order of B with those of A between.  */
int lp_diff_align (lp_diff_function *function, const lp_table_line *a, size_t m,
		   const lp_table_line *b, size_t n);

/* Fill DIFF's functions from its profiles, all that there are.  */
int lp_diff_lines (lp_diff *diff);
int lp_diff_calls (lp_diff *diff);
/* Its ranges.  */
int lp_diff_ranges (lp_diff *diff);

/* Writers.  Times in JSON and CSV are ns.  */
int lp_diff_write (const lp_diff *diff, FILE *out, lp_error *err);
int lp_diff_write_json (const lp_diff *diff, FILE *out, lp_error *err);
void lp_diff_write_csv (const lp_diff *diff, FILE *out);
/* Their parts for the ranges; means in UNIT seconds.  */
void lp_diff_put_ranges (const lp_diff *diff, double unit, FILE *out);
json_t *lp_diff_ranges_json (const lp_diff *diff);
void lp_diff_put_ranges_csv (const lp_diff *diff, FILE *out);

#endif
