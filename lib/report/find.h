/* find.h: which file holds a source now, by its path when it was compiled.  */

#ifndef LP_REPORT_FIND_H
#define LP_REPORT_FIND_H

#include "report/report.h"

/* The regular files below the current directory, listed on first use.  All
   zero is the state before that.  */
typedef struct lp_file_list
{
  LP_VEC (char *) paths;	/* by last component */
  bool made;
} lp_file_list;

void lp_file_list_free (lp_file_list *list);

enum lp_found
{
  LP_FOUND_MAPPED,		/* by a source map */
  LP_FOUND_THERE,		/* at its own path */
  LP_FOUND_ELSEWHERE		/* guessed from the path's tail */
};

/* A copy of the path where source PATH is now (free it), and *HOW it was found;
   NULL when it was not.  */
char *lp_find_source (const lp_profile *profile,
		      const lp_report_options *options, lp_file_list *list,
		      const char *path, enum lp_found *how);

#endif
