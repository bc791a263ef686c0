/* bound.c: the functions that code of the engine means by these names: each goes on to
   the one that its libraries have.  A test sees to it that none is missing.  */

#define _GNU_SOURCE

#include "bound.h"

#include <dlfcn.h>

#include "base/error.h"

#define NAMES(F)							\
  F (crc32_gzip_refl) F (cs_close) F (cs_disasm_iter) F (cs_free)	\
  F (cs_malloc) F (cs_open) F (cs_option) F (isal_inflate)		\
  F (isal_inflate_init) F (json_array) F (json_array_append_new)	\
  F (json_array_get) F (json_array_size) F (json_delete)		\
  F (json_dumpf) F (json_false) F (json_integer)			\
  F (json_integer_value) F (json_load_callback) F (json_null)		\
  F (json_number_value) F (json_object) F (json_object_get)		\
  F (json_object_set_new_nocheck) F (json_real) F (json_string)		\
  F (json_string_nocheck) F (json_string_value)				\
  F (json_stringn_nocheck) F (json_true)

#define GO_ON(name)						\
  __attribute__ ((visibility ("hidden"), used))			\
  void *lp_bound_##name;					\
  __asm__ (".pushsection .text\n"				\
	   "\t.globl " #name "\n"				\
	   "\t.type " #name ", @function\n"			\
	   #name ":\tjmp *lp_bound_" #name "(%rip)\n"		\
	   "\t.size " #name ", . - " #name "\n"			\
	   "\t.popsection\n");
NAMES (GO_ON)

#define ENTRY(name) { #name, &lp_bound_##name },

int
lp_bound_begin (void *object, lp_error *err)
{
  static const struct
  {
    const char *name;
    void **to;
  } names[] = { NAMES (ENTRY) };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      void *to = dlsym (object, names[i].name);
      if (!to)
	return lp_fail (err, LP_ENOENGINE, "the profiler cannot be loaded: its "
			"libraries have no %s", names[i].name);
      __atomic_store_n (names[i].to, to, __ATOMIC_RELAXED);
    }
  return 0;
}
