/* sanitizer.h: sanitizers that keep a program from being profiled.  */

#ifndef LP_BASE_SANITIZER_H
#define LP_BASE_SANITIZER_H

#include <stdbool.h>

#include "base/error.h"

/* May the program PATH, which looks for leaks when it ends, be profiled, by itself (OWN)
   or traced?  It has AddressSanitizer (ADDRESS), maybe as a SHARED object, or
   LeakSanitizer alone.  0, or -1 with LP_EUNSUPPORTED and the options that are missing in
   the environment, which is the program's.  */
int lp_sanitizer_leaks (const char *path, bool own, bool address, bool shared,
			lp_error *err);

/* May this process profile itself, as to what it has been built with?  Needs nothing that
   the profiler brings.  0, or -1 with LP_EUNSUPPORTED and the remedy.  */
int lp_sanitizer_check_own (lp_error *err);

#endif
