/* watch.h: what the cells of a block mean: the link between a plan, which places
   them, and a profile, which reads them.  */

#ifndef LP_COLLECT_WATCH_H
#define LP_COLLECT_WATCH_H

#include "base/vec.h"
#include "debug/module.h"
#include "profile/profile.h"

/* Inlined code that a line calls: its time is in the line's, too.  */
typedef struct lp_watch_part
{
  uint32_t line;		/* index into lp_watch.lines */
  uint32_t cell;		/* offset of a lp_line_cell there */
  const lp_inline *inl;		/* whose line that is; NULL: the line's own code, where it calls
				   another copy of its function, whose time is on the lines
				   of that */
} lp_watch_part;

typedef struct lp_watch_line
{
  uint32_t file, line;
  uint32_t cell;		/* offset of its lp_line_cell */
  uint32_t first_term, nterms;	/* its hits: the sum of the counters at lp_watch.terms, ... */
  uint32_t nminus;		/* ... where the last so many are taken away */
  bool exact;
  uint32_t first_part, nparts;	/* lp_watch.parts[first_part ...] */
} lp_watch_line;

typedef struct lp_watch
{
  const lp_module *mod;
  const lp_function *fn;
  const lp_inline *inl;		/* NULL: FN itself; else this instance in it */
  lp_watch_line entered;	/* INL's: how often it was entered; no line */
  uint32_t func_cell;		/* offset of its lp_func_cell; 0: not measured.  Where only
				   calls are counted: its number in the call tree */
  uint32_t above;		/* of such an instance: the number of that around it, or 0 */
  bool untimed;			/* the same: its time is that of what is around it */
  bool split;			/* where only calls are counted: the compiler has split FN off the
				   rest of its function, which alone calls it */
  enum lp_engine engine;
  const char *reason;		/* why not LP_ENGINE_CLONE, or NULL */
  uint64_t stops;		/* how often threads were stopped in it */
  LP_VEC (lp_watch_line) lines;	/* by (file, line) */
  LP_VEC (uint32_t) terms;	/* offsets of counters */
  LP_VEC (lp_watch_part) parts;	/* by line */
} lp_watch;

typedef LP_VEC (lp_watch) lp_watch_list;

/* What is to be made of the numbers that were counted.  */
typedef struct lp_measure
{
  double trap, step;		/* ns that a stop cost, by engine; they have been
				   subtracted */
  double scale;			/* to multiply by; not 1: they are estimates */
} lp_measure;

void lp_watch_list_free (lp_watch_list *list);

#endif
