/* stacks.c: code whose stacks have no room for probes.

   A goroutine starts on 2 KiB that Go's runtime moves when they are used up, and
   code that checks for that leaves less free below the stack pointer than a probe
   at every line may take, while what the linker counts for functions without the
   check knows nothing of probes.  The runtime also looks up the program counter
   to unwind, to scan the stack and to tell whether a goroutine can be interrupted,
   and clones are not in its tables.  With -fsplit-stack a function that needs more
   stack is entered a second time behind the call that got it, one byte past the
   return address.  */

#include "debug/internal.h"

static bool
is_go (const lp_module *mod)
{
  return lp_section_find (&mod->image, SHT_PROGBITS, ".go.buildinfo")
	 || lp_section_find (&mod->image, SHT_PROGBITS, ".gopclntab")
	 || lp_section_find (&mod->image, SHT_PROGBITS,
			     ".data.rel.ro.gopclntab");
}

/* What cgo compiles is C, and runs on a thread's stack.  The linker puts Go's code
   between two symbols.  */
bool
lp_module_is_go (const lp_module *mod, uint64_t addr)
{
  uint64_t lo, hi;
  if (!is_go (mod))
    return false;
  return lp_module_symbol (mod, "runtime.text", &lo)
	 || lp_module_symbol (mod, "runtime.etext", &hi)
	 || (addr >= lo && addr < hi);
}

int
lp_module_check_stacks (const lp_module *mod, lp_error *err)
{
  uint64_t value;
  if (lp_module_symbol (mod, "__morestack", &value) == 0)
    return lp_fail (err, LP_EUNSUPPORTED, "'%s' is built with -fsplit-stack,"
		    " whose functions are entered twice; rebuild it without",
		    mod->path);
  return 0;
}
