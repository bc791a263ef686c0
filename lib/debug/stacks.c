/* stacks.c: code whose stacks have no room for probes.

   A goroutine starts on 2 KiB that Go's runtime moves when they are used up, and
   code that checks for that leaves less free below the stack pointer than a probe
   at every line may take, while what the linker counts for functions without the
   check knows nothing of probes.  The runtime also looks up the program counter
   to unwind, to scan the stack and to tell whether a goroutine can be interrupted,
   and clones are not in its tables.

   Go handles SIGTRAP.  Its signal handlers run with all signals blocked, and so does
   what starts and ends threads, takes threads of C's and forks (sigblock and what
   newosproc does, src/runtime/proc.go): whatever they call, which is a good part of
   the runtime.  A breakpoint or a step there costs the program its handler
   (target/breakpoint.c); given back, it was away for a while, in which a SIGTRAP for
   another thread kills.

   With -fsplit-stack a function that needs more
   stack is entered a second time behind the call that got it, one byte past the
   return address.  */

#include "debug/internal.h"

#include <string.h>

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

static bool
begins_with (const char *s, const char *start)
{
  return strncmp (s, start, strlen (start)) == 0;
}

/* Of the package syscall, what is between the runtime's BeforeFork and AfterFork.  */
static bool
forks (const char *name)
{
  return begins_with (name, "syscall.fork") || begins_with (name, "syscall.raw")
	 || begins_with (name, "syscall.Raw");
}

/* A name is PATH/PACKAGE.REST; of what assembly keeps to itself, there is no package.  What
   the runtime imports is in internal/.  */
enum lp_go_part
lp_module_go_part (const lp_module *mod, const lp_function *fn)
{
  const char *name = fn->name;
  if (!is_go (mod))
    return LP_GO_NONE;
  if (!lp_module_is_go (mod, fn->entry))
    return strstr (mod->files.v[fn->file].path, "/runtime/cgo/") ? LP_GO_STARTS
	   : LP_GO_NONE;
  return begins_with (name, "runtime.") || begins_with (name, "runtime/")
	 || begins_with (name, "internal/") || !strchr (name, '.') || forks (name)
	 ? LP_GO_RUNTIME : LP_GO_CODE;
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
