/* report.h: a profile for people and for other programs.

   Writers read a profile and the source files, nothing else.  Text is
   line_profiler's, byte for byte, where line_profiler has the same thing.  */

#ifndef LP_REPORT_REPORT_H
#define LP_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/profile.h"

/* Where sources went: a path that starts with FROM starts with TO now.  */
typedef struct lp_source_map
{
  const char *from, *to;
} lp_source_map;

enum
{
  LP_TOP_DEFAULT = -1,		/* text: 10, or all where the functions were selected;
				   other writers: all */
  LP_TOP_ALL = 0
};

/* What has tables of its own.  */
enum lp_by
{
  LP_BY_NOTHING,		/* all together */
  LP_BY_PROCESS,
  LP_BY_THREAD
};

typedef struct lp_report_options
{
  enum lp_by by;
  bool by_site;			/* a table for each place where a function was inlined */
  bool per_instance;		/* one for each instance of a template, each copy */
  double unit;			/* of Time and Per Hit, in seconds; 0 means 1e-6 */
  bool skip_zero;		/* hide functions that never ran */
  bool sort;			/* by total time, hottest last; else by file and line */
  bool summarize;		/* a line for each function behind the tables */
  bool brief;			/* text: without the tables */
  bool self;			/* a column of own time */
  bool color;			/* by heat */
  int top;			/* show the functions with the most time: how many */
  const lp_source_map *maps;	/* tried in this order */
  size_t nmaps;
  /* Told what the reader should know of the sources (moved, changed), a line
     each, once per file.  NULL: nobody is.  */
  void (*warn) (void *arg, const char *text);
  void *warn_arg;
} lp_report_options;

/* Write PROFILE, whose parts may change their order, to OUT with the writer of
   that NAME: "text", "json", "csv".  -1 with LP_EUSAGE (no such writer), LP_ENOMEM,
   LP_EIO (OUT took no more).  */
int lp_report_write (const char *name, lp_profile *profile,
		     const lp_report_options *options, FILE *out,
		     lp_error *err);

#endif
