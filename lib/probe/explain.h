/* explain.h: the stages of a plan, for people.  */

#ifndef LP_PROBE_EXPLAIN_H
#define LP_PROBE_EXPLAIN_H

#include <stdio.h>

#include "probe/clone.h"

/* Lines, each with the sum of counters that are its hits.  */
void lp_explain_lines (FILE *out, const lp_module *mod, const lp_plan *plan);
/* Engine, blocks, entries from outside, marks, cells.  */
void lp_explain_plan (FILE *out, const lp_plan *plan);
/* Places where control comes into the clone, with their tactics.  */
void lp_explain_sites (FILE *out, const lp_plan *plan);
/* The clone's code from offset FROM of TEXT on, and the patches from number
   PATCH on, disassembled.  */
void lp_explain_code (FILE *out, struct lp_decoder *decoder,
		      const lp_text *text, size_t from, size_t patch);

/* "hot.c:12" for line LINE of FILE.  */
const char *lp_explain_file (const lp_module *mod, uint32_t file);

#endif
