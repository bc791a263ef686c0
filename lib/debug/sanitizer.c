/* sanitizer.c: programs that do not run under a tracer.

   LeakSanitizer, which is part of AddressSanitizer, attaches to the program's
   threads with ptrace(2) when it ends, and ends it with an error where somebody
   else has; a shared AddressSanitizer ends the program when another object was
   preloaded before it.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/internal.h"

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

static bool
has (const lp_module *mod, const char *name)
{
  uint64_t value;
  return lp_module_symbol (mod, name, &value) == 0
	 || lp_module_imports (mod, name);
}

int
lp_module_check_sanitizer (const lp_module *mod, lp_error *err)
{
  bool address = has (mod, "__asan_init");
  if (!address && !has (mod, "__lsan_init"))
    return 0;
  const char *variable = address ? "ASAN_OPTIONS" : "LSAN_OPTIONS";
  bool shared = address && lp_module_imports (mod, "__asan_init");
  if ((is_off (variable, "detect_leaks")
       || is_off ("LSAN_OPTIONS", "detect_leaks"))
      && (!shared || is_off (variable, "verify_asan_link_order")))
    return 0;
  return lp_fail (err, LP_EUNSUPPORTED,
		  "'%s' is built with -fsanitize=%s, which ends a program that is"
		  " traced; set %s=detect_leaks=0%s in the environment", mod->path,
		  address ? "address" : "leak", variable,
		  shared ? ":verify_asan_link_order=0" : "");
}
