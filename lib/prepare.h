/* prepare.h: everything that is known before the program runs: which functions,
   their rows, and a plan for each.  */

#ifndef LP_PREPARE_H
#define LP_PREPARE_H

#include "collect/watch.h"
#include "debug/select.h"
#include "probe/plan.h"

typedef struct lp_prepared
{
  lp_module *mod;
  lp_function_list functions;
  lp_census census;
  LP_VEC (lp_plan) plans;	/* parallel to functions */
  lp_import_list imports;	/* whose calls are counted where they are made */
  uint32_t first_import;	/* the number of the first one */
  uint64_t *stops;		/* parallel to plans: see lp_plan */
  uint32_t end;			/* first offset in a block behind all cells; with CALLS
				   the number of the next function */
  bool by_default;		/* no pattern was given, and nothing is marked */
  LP_VEC (char *) vanished;	/* for the reader: why a marked function is missing */
  lp_error none;		/* why there is no function; the libraries may have some */
  bool strict, calls, detached;	/* as in the options */
} lp_prepared;

typedef struct lp_prepare_options
{
  const char *const *patterns;
  size_t npatterns;
  const uint64_t *entries;	/* of the executable's functions that are meant as well */
  size_t nentries;
  enum lp_engine engine;	/* CLONE, BREAKPOINT or STEP */
  bool strict;			/* no fallback to another engine */
  bool detached;		/* nobody will handle an int3 */
  bool calls;			/* the call tree is wanted, and no lines */
  bool libs;			/* with CALLS: those of other objects' functions, too */
  bool marked;			/* without patterns: what is marked, and nothing else */
  bool lenient;			/* an executable without the functions is no error */
  bool defer;			/* nor is it, without patterns, when libraries can have marked
				   ones: then it is the result's `none' */
} lp_prepare_options;

/* What became of a pattern that names a shared object (debug/library.h).  */
typedef struct lp_pattern_result
{
  bool seen;			/* an object of that name was loaded */
  bool matched;			/* and it had such functions */
  lp_error why;			/* why the first one had none */
} lp_pattern_result;

/* Does a plan need int3s or steps?  */
bool lp_prepared_stops (const lp_prepared *prepared);
/* The pun at the site of number SITE of PLAN, one of PREPARED's, leads nowhere.  */
void lp_prepared_unplaced (lp_prepared *prepared, const lp_plan *plan, size_t site);
/* Some of PREPARED's plans turned out not to fit: change those that relied on them, and
   return whether there were any.  */
bool lp_prepared_forsake (lp_prepared *prepared);

/* Do OPTIONS say which functions are meant?  */
bool lp_prepare_chooses (const lp_prepare_options *options);
/* Does some pattern of OPTIONS name a shared object?  */
bool lp_prepare_names_libraries (const lp_prepare_options *options);
/* Does one, or could, without patterns, a shared object have marked functions?  */
bool lp_prepare_wants_libraries (const lp_prepare_options *options);
/* Is the object at PATH one of those?  */
bool lp_prepare_wants_library (const lp_prepare_options *options,
			       const char *path);

/* Open the executable PATH and plan what OPTIONS select, cells from offset FIRST_CELL
   on (with CALLS: numbers).  -1
   with the error that product.md names: no such function with the nearest names,
   no line information, and so on.  */
int lp_prepare (lp_prepared *prepared, const char *path,
		const lp_prepare_options *options, uint32_t first_cell,
		lp_error *err);
/* The same for the shared object PATH and the patterns that name it, or its marks.
   RESULTS, an array parallel to the patterns, is brought up to date.  An object
   without such functions is no error: PREPARED's module is NULL then.  */
int lp_prepare_library (lp_prepared *prepared, const char *path,
			const lp_prepare_options *options, uint32_t first_cell,
			lp_pattern_result *results, lp_error *err);
/* Only open and select: for --explain=functions.  */
int lp_prepare_select (lp_prepared *prepared, const char *path,
		       const lp_prepare_options *options, lp_error *err);
void lp_prepared_free (lp_prepared *prepared);
/* Forget the functions: others were meant.  */
void lp_prepared_drop (lp_prepared *prepared);

/* Describe PREPARED's cells to the collector (watches.c): a watch for each function
   and for each instance of what was inlined.  */
int lp_prepare_watches (const lp_prepared *prepared, lp_watch_list *watches,
			lp_error *err);

#endif
