/* sanitizer.c: which sanitizer a file is built with.  */

#include "base/sanitizer.h"
#include "debug/internal.h"

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
  bool shared = address && lp_module_imports (mod, "__asan_init");
  return lp_sanitizer_leaks (mod->path, false, address, shared, err);
}
