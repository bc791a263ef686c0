/* prepare.c: open, select, read rows, plan.  */

#include "prepare.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/inlined.h"
#include "debug/library.h"
#include "debug/marks.h"
#include "debug/unlined.h"
#include "marked.h"

/* Selecting by line information failed because there is none: calls need
   none.  */
static int
select_unlined (lp_prepared *p, const char *pattern, lp_error *err)
{
  if (!p->calls || err->code != LP_ENOLINES)
    return -1;
  lp_error why = *err;
  *err = (lp_error) { 0 };
  int n = lp_select_unlined (p->mod, pattern, &p->functions, err);
  if (n == 0 && !pattern)
    *err = why;
  return n > 0 ? 0 : n < 0 || !pattern ? -1
	 : lp_fail (err, LP_ENOMATCH, "no function of '%s' matches '%s'; it has "
		    "no line information", lp_module_path (p->mod), pattern);
}

bool
lp_prepare_chooses (const lp_prepare_options *options)
{
  return options->npatterns > 0 || options->nentries > 0;
}

static int
fail_unmarked (const lp_prepared *p, lp_error *err)
{
  return lp_fail (err, LP_ENOMATCH, "'%s' has no function that is marked with "
		  "PROFILE_FN; mark some (lineprof.h), or use kernprof",
		  lp_module_path (p->mod));
}

static int
select_lined (lp_prepared *p, lp_error *err)
{
  int n = lp_select_default (p->mod, &p->functions, err);
  return n == 0 ? lp_fail (err, LP_ENOLINES, "'%s' has no function with line "
			   "information for a source of its own; rebuild it "
			   "with -g, or choose functions with -f",
			   lp_module_path (p->mod))
	 : n < 0 ? -1 : 0;
}

static int
select_default (lp_prepared *p, lp_error *err)
{
  if (select_lined (p, err))
    return select_unlined (p, NULL, err);
  return lp_select_inlined (p->mod, NULL, &p->functions, err) < 0 ? -1 : 0;
}

/* Add what PATTERN selects, "" being everything.  -1 also when that is
   nothing.  */
static int
select_pattern (lp_prepared *p, const char *pattern, lp_error *err)
{
  lp_function_list again = { 0 };
  if (!*pattern)
    return select_default (p, err);
  int n = lp_select_expect (p->mod, pattern, err) ? -1
    : lp_select (p->mod, pattern, &p->functions, err);
  /* Another pattern may have selected the same functions.  */
  if (n == 0 && p->functions.n)
    n = lp_select (p->mod, pattern, &again, err);
  lp_vec_free (&again);
  if (n < 0)
    return select_unlined (p, pattern, err);
  int inlined = lp_select_inlined (p->mod, pattern, &p->functions, err);
  return inlined < 0 ? -1
	 : n + inlined == 0 ? lp_select_nearest (p->mod, pattern, err) : 0;
}

/* The executable can be meant by LIB:FUNC, too.  */
static const char *
part_for_executable (const lp_prepared *p, const char *pattern)
{
  size_t n;
  const char *part = lp_library_part (pattern, &n);
  if (!part)
    return pattern;
  return lp_library_is (pattern, lp_module_path (p->mod)) ? part : NULL;
}

static bool
no_such_functions (const lp_error *err)
{
  return err->code == LP_ENOMATCH || err->code == LP_ENOLINES
	 || err->code == LP_ENOSYMBOLS;
}

/* Without patterns: what is marked, else everything.  */
static int
select_without_pattern (lp_prepared *p, const lp_prepare_options *options,
			lp_error *err)
{
  bool marked = false;
  if (!options->calls && lp_marked_select (p, &marked, err))
    return -1;
  p->by_default = !marked;
  lp_error *why = options->defer && lp_module_interp (p->mod) ? &p->none : err;
  if (marked ? p->functions.n > 0 || lp_marked_none (p, why) == 0
      : (options->marked ? fail_unmarked (p, why)
	 : select_default (p, why)) == 0)
    return 0;
  return why == &p->none && no_such_functions (why) ? 0 : (*err = *why, -1);
}

static int
select_functions (lp_prepared *p, const lp_prepare_options *options,
		  lp_error *err)
{
  if (!lp_prepare_chooses (options))
    return select_without_pattern (p, options, err);
  for (size_t i = 0; i < options->nentries; i++)
    if (lp_select_entry (p->mod, options->entries[i], &p->functions, err))
      return -1;
  for (size_t i = 0; i < options->npatterns; i++)
    {
      const char *part = part_for_executable (p, options->patterns[i]);
      if (part && select_pattern (p, part, err)
	  && !(options->lenient && no_such_functions (err)))
	return -1;
    }
  return 0;
}

bool
lp_prepare_names_libraries (const lp_prepare_options *options)
{
  size_t n;
  for (size_t i = 0; i < options->npatterns; i++)
    if (lp_library_part (options->patterns[i], &n))
      return true;
  return false;
}

bool
lp_prepare_wants_libraries (const lp_prepare_options *options)
{
  return !lp_prepare_chooses (options) ? !options->calls
	 : lp_prepare_names_libraries (options);
}

bool
lp_prepare_wants_library (const lp_prepare_options *options, const char *path)
{
  if (!lp_prepare_chooses (options))
    return !options->calls && lp_file_has_marks (path);
  for (size_t i = 0; i < options->npatterns; i++)
    if (lp_library_is (options->patterns[i], path))
      return true;
  return false;
}

/* RESULT of what began when there had been BEFORE lacks of memory: after another one it
   is not to be trusted, for much of what was asked only says yes or no.  */
static int
trust (int result, unsigned long before, lp_error *err)
{
  return lp_nomems () == before ? result : lp_nomem (err);
}

int
lp_prepare_select (lp_prepared *p, const char *path,
		   const lp_prepare_options *options, lp_error *err)
{
  lp_error unread;
  unsigned long before = lp_nomems ();
  /* Why one way failed decides about the next.  */
  err = err ? err : &unread;
  *p = (lp_prepared) { .calls = options->calls };
  p->mod = lp_module_open (path, err);
  int bad = p->mod ? select_functions (p, options, err) : -1;
  if (trust (bad, before, err) == 0)
    return 0;
  lp_prepared_free (p);
  return -1;
}

static bool
may_trap (const lp_plan *plan)
{
  for (size_t i = 0; i < plan->sites.n; i++)
    if (plan->sites.v[i].tactic == LP_TACTIC_TRAP
	|| plan->sites.v[i].tactic == LP_TACTIC_PUN)
      return true;
  return false;
}

bool
lp_prepared_stops (const lp_prepared *p)
{
  for (size_t i = 0; i < p->plans.n; i++)
    if (p->plans.v[i].engine == LP_PLAN_BREAKPOINT
	|| p->plans.v[i].engine == LP_PLAN_STEP || may_trap (&p->plans.v[i]))
      return true;
  return false;
}

static void
refuse_int3 (lp_plan *plan)
{
  plan->engine = LP_PLAN_NONE;
  snprintf (plan->reason, sizeof plan->reason, "%s",
	    "it needs a breakpoint, which nobody handles without a tracer");
}

void
lp_prepared_unplaced (lp_prepared *p, const lp_plan *plan, size_t site)
{
  lp_plan *changes = &p->plans.v[plan - p->plans.v];
  changes->sites.v[site].tactic = LP_TACTIC_TRAP;
  if (p->detached)
    refuse_int3 (changes);
}

bool
lp_prepared_forsake (lp_prepared *p)
{
  bool any = lp_plan_forsake (p->plans.v, p->plans.n);
  for (size_t i = 0; any && p->detached && i < p->plans.n; i++)
    if (p->plans.v[i].engine == LP_PLAN_CLONE
	&& lp_plan_needs_int3 (&p->plans.v[i]))
      refuse_int3 (&p->plans.v[i]);
  return any;
}

/* A plan's engine as the options want it.  */
static void
choose_engine (lp_plan *plan, const lp_prepare_options *options)
{
  if (plan->engine == LP_PLAN_NONE)
    return;
  if (options->engine != LP_ENGINE_CLONE)
    {
      plan->engine = options->engine == LP_ENGINE_STEP ? LP_PLAN_STEP
		     : LP_PLAN_BREAKPOINT;
      snprintf (plan->reason, sizeof plan->reason, "%s", "asked for");
    }
  else if ((options->strict || options->detached)
	   && plan->engine == LP_PLAN_BREAKPOINT)
    plan->engine = LP_PLAN_NONE;
  else if (options->detached && lp_plan_needs_int3 (plan))
    refuse_int3 (plan);
}

/* Planning is pure, and most of the work is decoding: several threads take
   functions from a common list.  */
struct work
{
  lp_prepared *p;
  size_t next;			/* taken atomically */
  bool failed;
};

enum { MOST_WORKERS = 8, WORTH_IT = 64 };

static void *
plan_some (void *arg)
{
  struct work *w = arg;
  size_t i;
  struct lp_decoder *decoder = lp_decoder_new (NULL);
  while (decoder && (i = __atomic_fetch_add (&w->next, 1, __ATOMIC_RELAXED))
		    < w->p->functions.n)
    if (lp_plan_function (&w->p->census, w->p->functions.v[i], decoder,
			  w->p->calls, &w->p->plans.v[i], NULL))
      break;
  if (!decoder || i < w->p->functions.n)
    __atomic_store_n (&w->failed, true, __ATOMIC_RELAXED);
  lp_decoder_free (decoder);
  return NULL;
}

/* The only way to fail is to be out of memory.  */
static int
plan_together (lp_prepared *p, lp_error *err)
{
  pthread_t threads[MOST_WORKERS];
  struct work w = { .p = p };
  long cpus = sysconf (_SC_NPROCESSORS_ONLN);
  long n = 0, more = p->functions.n < WORTH_IT ? 0 : cpus - 1;
  while (n < more && n < MOST_WORKERS
	 && pthread_create (&threads[n], NULL, plan_some, &w) == 0)
    n++;
  plan_some (&w);
  while (n > 0)
    pthread_join (threads[--n], NULL);
  return w.failed ? lp_nomem (err) : 0;
}

/* Of calls, only inlined ones need rows.  */
static bool
needs_rows (const lp_prepared *p, const lp_function *fn)
{
  for (size_t i = 0; p->calls && i < fn->ninlines; i++)
    if (fn->inlines[i].wanted)
      return true;
  return !p->calls;
}

/* A unit whose line table is damaged costs its functions, not the run.  */
static int
read_rows (lp_prepared *p, lp_error *err)
{
  for (size_t i = 0; i < p->functions.n; i++)
    {
      lp_error why = { 0 };
      if (needs_rows (p, p->functions.v[i])
	  && lp_module_rows (p->mod, p->functions.v[i], &why)
	  && why.code != LP_EFORMAT)
	{
	  *err = why;
	  return -1;
	}
    }
  return 0;
}

static int
plan_all (lp_prepared *p, const lp_prepare_options *options, lp_error *err)
{
  size_t n = p->functions.n;
  if (read_rows (p, err)
      || lp_census_take (p->mod, p->functions.v, n, &p->census, err)
      || (options->libs && lp_module_list_imports (p->mod, &p->imports, err)))
    return -1;
  p->census.imports = p->imports.v;
  p->census.nimports = p->imports.n;
  if (lp_vec_reserve (&p->plans, n))
    return lp_nomem (err);
  memset (p->plans.v, 0, n * sizeof *p->plans.v);
  p->plans.n = n;
  p->stops = calloc (n + 1, sizeof *p->stops);
  if (!p->stops)
    return lp_nomem (err);
  if (plan_together (p, err)
      || (options->engine == LP_ENGINE_CLONE
	  && lp_plan_neighbours (&p->census, p->plans.v, n, err)))
    return -1;
  for (size_t i = 0; i < n; i++)
    {
      choose_engine (&p->plans.v[i], options);
      p->plans.v[i].stops = &p->stops[i];
      if (p->plans.v[i].engine != LP_PLAN_NONE)
	lp_plan_place (&p->plans.v[i], &p->end);
    }
  p->detached = options->detached;
  p->first_import = p->end;
  p->end += p->imports.n;
  return 0;
}

static int
refuse_changing (const lp_prepared *p, lp_error *err)
{
  if (!lp_module_text_changes (p->mod))
    return 0;
  return lp_fail (err, LP_EUNSUPPORTED, "the code of '%s' is changed when it is "
		  "loaded (text relocations); rebuild it with -fPIC",
		  lp_module_path (p->mod));
}

/* The loader is at work whenever libraries come and go: we would change the code
   that is running.  */
static int
refuse_loader (const lp_prepared *p, lp_error *err)
{
  uint64_t value;
  if (lp_module_symbol (p->mod, "_dl_debug_state", &value)
      && lp_module_symbol (p->mod, "_dl_debug_addr", &value))
    return 0;
  return lp_fail (err, LP_EUNSUPPORTED, "'%s' is the dynamic loader, whose "
		  "functions cannot be profiled", lp_module_path (p->mod));
}

/* The library's marked functions.  */
static int
select_marked_in_library (lp_prepared *p, lp_error *err)
{
  bool any;
  return refuse_changing (p, err) || refuse_loader (p, err)
	 || lp_module_check_stacks (p->mod, err)
	 || lp_marked_select (p, &any, err);
}

/* What each pattern that names the library selects in it.  */
static int
select_in_library (lp_prepared *p, const lp_prepare_options *options,
		   lp_pattern_result *results, lp_error *err)
{
  size_t n;
  if (!lp_prepare_chooses (options))
    return select_marked_in_library (p, err);
  for (size_t i = 0; i < options->npatterns; i++)
    {
      lp_error why = { 0 };
      if (!lp_library_is (options->patterns[i], lp_module_path (p->mod)))
	continue;
      results[i].seen = true;
      if (refuse_changing (p, &why) == 0 && refuse_loader (p, &why) == 0
	  && lp_module_check_stacks (p->mod, &why) == 0
	  && select_pattern (p, lp_library_part (options->patterns[i], &n),
			     &why) == 0)
	results[i].matched = true;
      else if (why.code == LP_ENOMEM)
	return lp_nomem (err);
      else if (!results[i].why.code)
	results[i].why = why;
    }
  return 0;
}

int
lp_prepare_library (lp_prepared *p, const char *path,
		    const lp_prepare_options *options, uint32_t first_cell,
		    lp_pattern_result *results, lp_error *err)
{
  unsigned long before = lp_nomems ();
  *p = (lp_prepared) { .end = first_cell, .strict = options->strict,
		       .calls = options->calls };
  p->mod = lp_module_open (path, err);
  int bad = !p->mod || select_in_library (p, options, results, err)
	    || (p->functions.n && plan_all (p, options, err));
  if (trust (bad, before, err))
    {
      lp_prepared_free (p);
      return -1;
    }
  if (!p->functions.n && !p->vanished.n)
    lp_prepared_free (p);
  return 0;
}

int
lp_prepare (lp_prepared *p, const char *path,
	    const lp_prepare_options *options, uint32_t first_cell,
	    lp_error *err)
{
  unsigned long before = lp_nomems ();
  if (lp_prepare_select (p, path, options, err))
    return -1;
  p->end = first_cell;
  p->strict = options->strict;
  int bad = lp_module_check_sanitizer (p->mod, err)
	    || refuse_changing (p, err)
	    || (p->functions.n && (lp_module_check_stacks (p->mod, err)
				   || plan_all (p, options, err)));
  if (trust (bad, before, err) == 0)
    return 0;
  lp_prepared_free (p);
  return -1;
}

void
lp_prepared_drop (lp_prepared *p)
{
  for (size_t i = 0; i < p->plans.n; i++)
    lp_plan_free (&p->plans.v[i]);
  lp_vec_free (&p->plans);
  free (p->stops);
  p->stops = NULL;
  lp_vec_free (&p->functions);
  if (p->mod)
    lp_select_forget (p->mod);
  lp_census_free (&p->census);
  lp_vec_free (&p->imports);
  p->by_default = false;
}

void
lp_prepared_free (lp_prepared *p)
{
  lp_prepared_drop (p);
  while (p->vanished.n)
    free (p->vanished.v[--p->vanished.n]);
  lp_vec_free (&p->vanished);
  if (p->mod)
    lp_module_close (p->mod);
  p->mod = NULL;
}
