/* stats.h: the parts of kernprof stats.  */

#ifndef KERNPROF_STATS_H
#define KERNPROF_STATS_H

#include "tool.h"

/* The profile of functions in PATH, or NULL.  */
lp_profile *stats_load (const char *path, lp_error *err);

/* What pstats prints of a file's name: when it was written, and the name.  Free
   it; NULL when out of memory.  */
char *stats_heading (const char *path);

/* Add the profile in PATH, with its heading.  */
int stats_add_file (lp_stats *stats, const char *path, lp_error *err);

/* Read commands from standard input: pstats' browser, on the sum of FILES (NULL
   behind the last; there may be none).  Returns kernprof's exit status.  */
int stats_browse (char **files);

#endif
