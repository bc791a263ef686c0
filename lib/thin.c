/* thin.c: the shared library: the names of <lineprof.h>, and how it comes to the
   engine behind them.

   A program that does not profile itself gets this and the C library, and nothing
   else.  */

#include <config.h>

#include "engine.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "auto.h"
#include "base/error.h"
#include "base/sanitizer.h"

#define ENGINE "liblineprof-engine.so"

static const lp_engine *engine;	/* NULL: it is not loaded */
/* The library's folder, where the loader knows it only by way of the working folder that
   the process began in; or "".  */
static char begun_in[PATH_MAX];

/* Finding it.  */

/* The folder that this library's file is in, whatever links lead there; or "".  A program
   that has more rights than its caller trusts no working folder.  */
static void
find_folder (char folder[PATH_MAX], bool relative_only)
{
  Dl_info info;
  folder[0] = '\0';
  if (!dladdr (&engine, &info) || !info.dli_fname)
    return;
  bool relative = info.dli_fname[0] != '/';
  if (relative ? getauxval (AT_SECURE) != 0 : relative_only)
    return;
  if (!realpath (info.dli_fname, folder))
    folder[0] = '\0';
  *(folder[0] ? strrchr (folder, '/') : folder) = '\0';
}

__attribute__ ((constructor)) static void
note_folder (void)
{
  find_folder (begun_in, true);
}

/* The file of the engine: as it is installed, wherever that was moved to; as it is
   built; where it was to be installed.  */
static bool
find_file (char *path, size_t size)
{
  static const char *const below[] = { "/lineprof/" ENGINE, "/" ENGINE };
  char folder[PATH_MAX];
  if (begun_in[0])
    strcpy (folder, begun_in);
  else
    find_folder (folder, false);
  for (size_t i = 0; folder[0] && i < sizeof below / sizeof *below; i++)
    if (snprintf (path, size, "%s%s", folder, below[i]) < (int) size
	&& access (path, F_OK) == 0)
      return true;
  snprintf (path, size, "%s", PKGLIBDIR "/" ENGINE);
  return access (path, F_OK) == 0;
}

/* Loading it.  */

/* The two members at its start say what it was built for.  */
static int
check_version (const lp_engine *e, const char *path, lp_error *err)
{
  if (strcmp (e->version, PACKAGE_VERSION) == 0
      && e->layout == LP_ENGINE_LAYOUT)
    return 0;
  return lp_fail (err, LP_ENOENGINE, "%s is not of this liblineprof, which is version "
		  PACKAGE_VERSION ", but of version %s; install both again", path,
		  e->version);
}

/* With all it needs, and bound: later on a thread that stands still may have the loader's
   lock (target/standstill.c).  It is marked to stay: threads and handlers come back to it.  */
static const lp_engine *
load (lp_error *err)
{
  char path[PATH_MAX + sizeof ENGINE];
  if (!find_file (path, sizeof path))
    return lp_fail_null (err, LP_ENOENGINE, "%s, a part of liblineprof, is missing; "
			 "install lineprof again", path);
  void *object = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  const lp_engine *e = object ? dlsym (object, LP_ENGINE_SYMBOL) : NULL;
  if (!e)
    lp_fail (err, LP_ENOENGINE, "the profiler cannot be loaded: %s", dlerror ());
  else if (check_version (e, path, err) == 0
	   && e->begin (lp_the_host, object, err) == 0)
    {
      __atomic_store_n (&engine, e, __ATOMIC_RELEASE);
      return e;
    }
  if (object)
    dlclose (object);
  return NULL;
}

static const lp_engine *
loaded (void)
{
  return __atomic_load_n (&engine, __ATOMIC_ACQUIRE);
}

/* Whoever comes at the same time loads the same; a lock would be one more that a forked
   child could find taken.  */
static const lp_engine *
wanted (lp_error *err)
{
  const lp_engine *e = loaded ();
  return e ? e : load (err);
}

/* The same, to profile this process.  A sanitizer may not bear so much as the loading.  */
static const lp_engine *
wanted_here (lp_error *err)
{
  const lp_engine *e = loaded ();
  return e || lp_sanitizer_check_own (err) ? e : load (err);
}

/* Its functions.  */

#define CALLS(get, result, name, parameters, arguments, failure)	\
  result								\
  name parameters							\
  {									\
    const lp_engine *e = get (err);					\
    return e ? e->name arguments : (failure);				\
  }

#define STARTS(result, name, parameters, arguments, failure)	\
  CALLS (wanted_here, result, name, parameters, arguments, failure)

#define LOADS(result, name, parameters, arguments, failure)	\
  CALLS (wanted, result, name, parameters, arguments, failure)

#define FREES(result, name, parameters, arguments, nothing)	\
  result							\
  name parameters						\
  {								\
    const lp_engine *e = loaded ();				\
    return e ? e->name arguments : (nothing);			\
  }

LP_ENGINE_FUNCTIONS (STARTS, LOADS, FREES)

void
lp_auto_begin (void)
{
  lp_error err = { 0 };
  const lp_engine *e = wanted_here (&err);
  if (e)
    e->auto_begin ();
  else
    fprintf (stderr, "lineprof: %s\n", err.text);
}
