/* source.h: the text of the source files, found wherever it is now.  */

#ifndef LP_REPORT_SOURCE_H
#define LP_REPORT_SOURCE_H

#include "report/report.h"

typedef struct lp_sources lp_sources;

/* A file's text, cut into lines.  */
typedef struct lp_text
{
  char *path;			/* where it was found */
  char *bytes;
  size_t size;
  LP_VEC (size_t) starts;	/* of each line */
} lp_text;

/* OPTIONS say where to look and who is told of moved and changed files.  Both
   arguments outlive the result.  NULL when out of memory.  */
lp_sources *lp_sources_new (const lp_profile *profile,
			    const lp_report_options *options, lp_error *err);
void lp_sources_free (lp_sources *sources);

/* The text of PROFILE's source of that index, or NULL when it was not found.
   Looked up once and kept.  Tried in this order: the source maps; the path
   itself; its tails, longest first, below the current directory and below the
   folders of the profiled objects; the one file below the current directory
   that shares most of the path's tail.  */
const lp_text *lp_sources_text (lp_sources *sources, uint32_t source);

/* Was SOURCE found, and is it still the text that was profiled, as far as that can
   be known?  */
bool lp_sources_unchanged (lp_sources *sources, uint32_t source);

/* Line LINE (from 1) without its end; *N its length.  "" past the end.  */
const char *lp_text_line (const lp_text *text, uint32_t line, size_t *n);

#endif
