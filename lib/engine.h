/* engine.h: what the shared library loads when it is first wanted.

   liblineprof.so has little more than the names of <lineprof.h>; all that they stand for
   is the engine, an object of its own, which brings libdw, capstone and others along.
   This list is all that there is between the two; the compiler compares it with the
   header, and a test with lineprof.map.  */

#ifndef LP_ENGINE_H
#define LP_ENGINE_H

#include <lineprof.h>

#include "host.h"

/* The functions that are the engine's.

     LOADS (RESULT, NAME, PARAMETERS, ARGUMENTS, FAILURE)
       loads it; FAILURE is what it returns when that fails, with ERR filled.
     STARTS (RESULT, NAME, PARAMETERS, ARGUMENTS, FAILURE)
       the same, but fails before where the process cannot profile itself.
     FREES (RESULT, NAME, PARAMETERS, ARGUMENTS, NOTHING)
       has nothing to do before: then it returns NOTHING.  */
#define LP_ENGINE_FUNCTIONS(STARTS, LOADS, FREES)			\
  STARTS (lp_profiler *, lp_profiler_new, (lp_error * err), (err), NULL)	\
  STARTS (int, lp_profiler_add,						\
	 (lp_profiler * p, const char *pattern, lp_error *err),		\
	 (p, pattern, err), -1)						\
  STARTS (int, lp_profiler_add_function,					\
	 (lp_profiler * p, void (*function) (void), lp_error *err),	\
	 (p, function, err), -1)					\
  STARTS (int, lp_enable, (lp_profiler * p, lp_error *err), (p, err), -1) \
  STARTS (int, lp_disable, (lp_profiler * p, lp_error *err), (p, err), -1) \
  STARTS (int, lp_run,							\
	 (lp_profiler * p, void (*function) (void *arg), void *arg,	\
	  lp_error *err), (p, function, arg, err), -1)			\
  STARTS (lp_profile *, lp_snapshot,					\
	 (const lp_profiler *p, lp_error *err), (p, err), NULL)		\
  STARTS (int, lp_reset, (lp_profiler * p, lp_error *err), (p, err), -1)	\
  FREES (int, lp_profiler_free, (lp_profiler * p, lp_error *err),	\
	 (p, err), 0)							\
  LOADS (int, lp_profile_print,						\
	 (lp_profile * profile, FILE *out, lp_error *err),		\
	 (profile, out, err), -1)					\
  LOADS (int, lp_profile_save,						\
	 (const lp_profile *profile, const char *path, lp_error *err),	\
	 (profile, path, err), -1)					\
  LOADS (lp_profile *, lp_profile_load,					\
	 (const char *path, lp_error *err), (path, err), NULL)		\
  LOADS (int, lp_profile_merge,						\
	 (lp_profile * into, const lp_profile *other, lp_error *err),	\
	 (into, other, err), -1)					\
  FREES (void, lp_profile_free, (lp_profile * profile), (profile),	\
	 (void) 0)							\
  LOADS (int, lp_profile_functions,					\
	 (lp_profile * profile, const lp_function_count **functions,	\
	  size_t *n, lp_error *err), (profile, functions, n, err), -1)	\
  LOADS (int, lp_profile_ranges,					\
	 (lp_profile * profile, const lp_range_count **ranges,		\
	  size_t *n, lp_error *err), (profile, ranges, n, err), -1)

#define LP_ENGINE_POINTER_(result, name, parameters, arguments, other)	\
  result (*name) parameters;

/* The one symbol that the engine exports, LP_ENGINE_SYMBOL.  The first two members are
   the same for ever.  */
typedef struct lp_engine
{
  const char *version;		/* lp_version's */
  uint64_t layout;		/* LP_ENGINE_LAYOUT */
  /* Comes first; may be called again, by several threads at once.  OBJECT is what dlopen
     gave.  -1 with LP_ENOENGINE.  */
  int (*begin) (const lp_host *host, void *object, lp_error *err);
  void (*auto_begin) (void);
  LP_ENGINE_FUNCTIONS (LP_ENGINE_POINTER_, LP_ENGINE_POINTER_, LP_ENGINE_POINTER_)
} lp_engine;

#define LP_ENGINE_SYMBOL "lp_the_engine"
/* Where builds of one version differ.  */
#define LP_ENGINE_LAYOUT						\
  ((uint64_t) sizeof (lp_engine) << 32 | sizeof (lp_host) << 16		\
   | sizeof (lp_host_thread) << 8 | LP_RANGES_VERSION)

#endif
