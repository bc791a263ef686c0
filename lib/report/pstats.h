/* pstats.h: the calls of functions as Python's pstats has them, and what it
   prints of them, byte for byte.

   The numbers are those of cProfile: `cumulative' accrues at the outermost exit of
   a function only, `own' at every one; an edge (caller, callee) keeps track of its
   own recursion.  Times are nanoseconds.  */

#ifndef LP_REPORT_PSTATS_H
#define LP_REPORT_PSTATS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "profile/profile.h"

typedef struct lp_call_numbers
{
  int64_t calls;
  int64_t primitive;		/* calls that were not recursive */
  int64_t own;			/* pstats' tottime */
  int64_t cumulative;		/* cumtime */
  int64_t untimed;		/* calls whose time is their callers' (profile/calls.h), ... */
  int64_t untimed_primitive;	/* ... and those of them that were not recursive */
} lp_call_numbers;

/* A function.  Two with equal file, line and name are one.  */
typedef struct lp_stat_row
{
  const char *file, *name;	/* interned; file "~" with line 0: name is `<what>' */
  uint32_t line;
  const char *label;		/* file:line(name), or {what} */
  lp_call_numbers n;
} lp_stat_row;

/* What CALLER calls of CALLEE, both indices of rows.  */
typedef struct lp_stat_edge
{
  uint32_t caller, callee;
  lp_call_numbers n;
} lp_stat_edge;

/* A function that was not profiled, or slowly, and why.  */
typedef struct lp_stat_reason
{
  const char *file, *name, *reason; /* interned */
  uint32_t line;
  bool refused;
} lp_stat_reason;

typedef struct lp_stats
{
  LP_VEC (lp_stat_row) rows;	/* in the order of their arrival */
  LP_VEC (lp_stat_edge) edges;
  LP_VEC (const char *) headings; /* a line for each profile, printed first */
  LP_VEC (lp_stat_reason) reasons; /* of each function once */
  bool selected;		/* those of some profile were asked for */
  lp_call_numbers total;	/* over all rows; no `cumulative' */
  size_t label_width;		/* characters of the longest label */
  LP_VEC (uint32_t) order;	/* rows as sorted; empty: in no order */
  const char *ordered_by;	/* the titles of the sort keys */
  bool base_names;		/* new rows have file names without folders */
  lp_intmap row_of_key;		/* pstats.c's */
  lp_intmap edge_of_pair;
  lp_intmap reason_of_key;
  lp_arena *arena;		/* of all strings */
  lp_profile *ranges;		/* that has the named ranges and nothing else */
} lp_stats;

/* Empty statistics, or NULL when out of memory.  */
lp_stats *lp_stats_new (lp_error *err);
void lp_stats_free (lp_stats *stats);

/* Add PROFILE's calls, or those of its part PART only (negative: of all).  HEADING
   may be NULL.  What was sorted is so no more.  -1 when out of memory.  */
int lp_stats_add (lp_stats *stats, const lp_profile *profile, long part,
		  const char *heading, lp_error *err);

/* Drop the folders of all file names; rows that are equal then are summed.
   What was sorted is so no more.  -1 when out of memory.  */
int lp_stats_strip_dirs (lp_stats *stats, lp_error *err);

/* The row of FILE, LINE and NAME, made where there is none; -1 when out of
   memory.  */
int64_t lp_stats_row (lp_stats *stats, const char *file, uint32_t line,
		      const char *name);
/* The row of PROFILE's SUBJECT; that of a function of no known source is
   {OBJECT NAME}.  */
int64_t lp_stats_subject_row (lp_stats *stats, const lp_profile *profile,
			      uint32_t subject);
/* Add REASON, whose strings are anybody's, if there is none of that function yet.  */
int lp_stats_reason (lp_stats *stats, const lp_stat_reason *reason);
/* Add NUMBERS to ROW and to the total.  */
void lp_stats_count (lp_stats *stats, uint32_t row,
		     const lp_call_numbers *numbers);
/* The edge of CALLER and CALLEE, made where there is none; -1 when out of
   memory.  */
int64_t lp_stats_edge (lp_stats *stats, uint32_t caller, uint32_t callee);
/* How many characters S shows.  */
size_t lp_stats_width (const char *s);
/* Are there calls, and no times of them?  */
static inline bool
lp_call_numbers_are_bare (const lp_call_numbers *n)
{
  return n->calls && n->untimed == n->calls && !n->cumulative;
}

void lp_call_numbers_add (lp_call_numbers *to, const lp_call_numbers *from);

/* Order and choice.  */

/* pstats' sort keys, in its order: name and title; NULLs behind the last.  */
typedef struct lp_sort_key
{
  const char *name, *title;
} lp_sort_key;
extern const lp_sort_key lp_sort_keys[];

/* Is WORD a key, or a prefix that can only mean one?  */
bool lp_stats_is_key (const char *word);

/* Sort by the N KEYS, the first first.  -1 with LP_EUSAGE naming a word that is no
   key, LP_ENOMEM.  */
int lp_stats_sort (lp_stats *stats, const char *const *keys, size_t n,
		   lp_error *err);
void lp_stats_reverse (lp_stats *stats);

/* A list of rows to print, and what is said about it first.  */
typedef struct lp_stat_list
{
  LP_VEC (uint32_t) rows;
  char *message;
  size_t label_width;
} lp_stat_list;

/* The rows that pass all N RESTRICTIONS in turn: a whole number keeps so many, a
   fraction that share of them, anything else is an extended regular expression
   that the label matches.  Release it with lp_stats_list_free.  -1 when out of
   memory.  */
int lp_stats_select (const lp_stats *stats, const char *const *restrictions,
		     size_t n, lp_stat_list *list, lp_error *err);
void lp_stats_list_free (lp_stat_list *list);

/* What a restriction is.  */
enum lp_restriction { LP_RESTRICT_COUNT, LP_RESTRICT_SHARE, LP_RESTRICT_MATCH,
		      LP_RESTRICT_BAD_SHARE /* outside of 0 to 1 */ };
enum lp_restriction lp_stats_restriction (const char *word, double *value);

/* Writers.  */

enum lp_stats_what { LP_STATS_TABLE, LP_STATS_CALLERS, LP_STATS_CALLEES };

/* Write what pstats prints of the rows that pass the N RESTRICTIONS.  */
int lp_stats_write (const lp_stats *stats, enum lp_stats_what what,
		    const char *const *restrictions, size_t n, FILE *out,
		    lp_error *err);
/* The same as JSON (with callers and callees) and as CSV; times in ns.  */
int lp_stats_write_json (const lp_stats *stats,
			 const char *const *restrictions, size_t n, FILE *out,
			 lp_error *err);
int lp_stats_write_csv (const lp_stats *stats, const char *const *restrictions,
			size_t n, FILE *out, lp_error *err);

#endif
