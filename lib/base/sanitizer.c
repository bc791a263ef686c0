/* sanitizer.c: programs that are not profiled, or not from within.

   LeakSanitizer, which is part of AddressSanitizer, attaches to the program's
   threads with ptrace(2) when it ends, and ends it with an error where somebody
   else has, or where it cannot read what was loaded meanwhile; a shared
   AddressSanitizer ends the program when another object was preloaded before it.
   MemorySanitizer ends it when it sees what code that it has not compiled, as ours, has
   written into memory.  */

#define _GNU_SOURCE

#include "base/sanitizer.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The runtimes' own; NULL where the process has none.  dlsym would leave its error to the
   program's dlerror, and would not see what an executable does not export; this one makes
   the linker export it.  */
void __asan_init (void) __attribute__ ((weak));
void __lsan_init (void) __attribute__ ((weak));
void __msan_init (void) __attribute__ ((weak));

/* Do the colon-separated options in the environment's VARIABLE turn FLAG off?  */
static bool
is_off (const char *variable, const char *flag)
{
  const char *p = getenv (variable);
  size_t n = strlen (flag);
  bool off = false;
  for (; p && *p; p += strcspn (p, ": ,"), p += strspn (p, ": ,"))
    if (strncmp (p, flag, n) == 0 && p[n] == '=')
      off = p[n + 1] == '0' || p[n + 1] == 'n' || p[n + 1] == 'f';
  return off;
}

int
lp_sanitizer_leaks (const char *path, bool own, bool address, bool shared,
		    lp_error *err)
{
  const char *variable = address ? "ASAN_OPTIONS" : "LSAN_OPTIONS";
  if ((is_off (variable, "detect_leaks")
       || is_off ("LSAN_OPTIONS", "detect_leaks"))
      && (!shared || is_off (variable, "verify_asan_link_order")))
    return 0;
  return lp_fail (err, LP_EUNSUPPORTED,
		  "'%s' is built with -fsanitize=%s, which ends a program that %s;"
		  " set %s=detect_leaks=0%s in the environment", path,
		  address ? "address" : "leak",
		  own ? "profiles itself" : "is traced", variable,
		  shared ? ":verify_asan_link_order=0" : "");
}

/* Is FUNCTION in another object than the executable, whose headers the kernel names?  */
static bool
is_shared (void (*function) (void))
{
  Dl_info its, ours;
  return dladdr ((void *) function, &its)
	 && dladdr ((void *) getauxval (AT_PHDR), &ours)
	 && its.dli_fbase != ours.dli_fbase;
}

int
lp_sanitizer_check_own (lp_error *err)
{
  char path[PATH_MAX];
  if (!__asan_init && !__lsan_init && !__msan_init)
    return 0;
  ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);
  path[n < 0 ? 0 : n] = '\0';
  if (__msan_init)
    return lp_fail (err, LP_EUNSUPPORTED, "'%s' is built with -fsanitize=memory, which "
		    "ends a program that profiles itself; use kernprof", path);
  return lp_sanitizer_leaks (path, true, __asan_init, __asan_init && is_shared (__asan_init),
			     err);
}
