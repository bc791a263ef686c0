/* module.h: open an ELF file and ask it about functions and lines.

   Cheap things first: opening maps the file and reads headers and symbols;
   DWARF is opened by the first call that needs it.  All results belong to the
   module and live until lp_module_close.  */

#ifndef LP_DEBUG_MODULE_H
#define LP_DEBUG_MODULE_H

#include "base/error.h"
#include "debug/model.h"

/* Open the ELF file PATH, a program or a shared object; whether it may be
   executed is not asked.  NULL with LP_ENOTFOUND, LP_ENOEXEC (no permission to
   read; a directory; not ELF; a script, naming its interpreter and how to
   profile it; 32-bit; another machine; not linked; a core dump), LP_EFORMAT
   (truncated or corrupt headers), LP_EIO, LP_ENOMEM.  */
lp_module *lp_module_open (const char *path, lp_error *err);
void lp_module_close (lp_module *mod);

const char *lp_module_path (const lp_module *mod);
/* Lower-case hexadecimal build-id, or "" without one.  */
const char *lp_module_build_id (const lp_module *mod);
/* Is the file position independent (ET_DYN)?  Then its load bias is not 0.  */
bool lp_module_is_pie (const lp_module *mod);
/* PT_INTERP's path, or NULL: a static program.  */
const char *lp_module_interp (const lp_module *mod);
/* PT_LOAD segments in address order; *N their number.  */
const lp_segment *lp_module_segments (const lp_module *mod, size_t *n);
/* Bytes at ADDR; *AVAIL is set to how many follow in the same segment's file
   part.  NULL where there are none.  */
const uint8_t *lp_module_bytes (const lp_module *mod, uint64_t addr,
				uint64_t *avail);

/* Is ADDR inside an executable segment?  */
bool lp_module_is_code (const lp_module *mod, uint64_t addr);
const lp_file *lp_module_files (const lp_module *mod, size_t *n);

/* The symbols that name code, by value, at one value the most telling first
   (function before label, global before weak before local); *N their number.
   From .symtab, else .dynsym and .gnu_debugdata.  */
const lp_symbol *lp_module_symbols (const lp_module *mod, size_t *n);

/* Value of the symbol NAME of .symtab or .dynsym (default version).  0, or -1
   when there is none.  */
int lp_module_symbol (const lp_module *mod, const char *name, uint64_t *value);
/* Does loading the file change its code (relocations in text)?  Then what is
   mapped is not what the file holds.  */
bool lp_module_text_changes (const lp_module *mod);
/* Does the file need the symbol NAME of a shared object?  */
bool lp_module_imports (const lp_module *mod, const char *name);

/* Sanitizers stop their program when it is traced or has objects preloaded, but
   for options in its environment, which is ours.  0, or -1 with LP_EUNSUPPORTED
   and the options to set.  */
int lp_module_check_sanitizer (const lp_module *mod, lp_error *err);

/* Split stacks have no room for probes.  0, or -1 with LP_EUNSUPPORTED and what the
   file is.  */
int lp_module_check_stacks (const lp_module *mod, lp_error *err);
/* Is there a restartable sequence (rseq(2)) within the N RANGES of code?  It can be
   neither cloned nor stopped in.  */
bool lp_module_restarts (const lp_module *mod, const lp_range *ranges,
			 size_t n);
/* Is the code at ADDR Go's, which runs on goroutines' stacks?  */
bool lp_module_is_go (const lp_module *mod, uint64_t addr);

enum lp_go_part
{
  LP_GO_NONE,			/* is not in Go's code */
  LP_GO_CODE,
  LP_GO_RUNTIME,		/* may run with SIGTRAP blocked, which Go handles */
  LP_GO_STARTS			/* C of Go's, that threads begin with: below whatever goroutines
				   they run, whose caller it is not */
};
enum lp_go_part lp_module_go_part (const lp_module *mod, const lp_function *fn);

/* Sorted, deduplicated addresses inside executable segments that some datum of
   the file holds as a pointer: addends of relative relocations (RELA, RELR),
   symbol relocations that resolve inside the file, and, in a file that is not
   position independent, every aligned 8-byte word of the allocated sections
   that are not executable.  Computed once, kept.  NULL on error.  */
const uint64_t *lp_module_code_pointers (lp_module *mod, size_t *n,
					 lp_error *err);

/* Sorted addresses of all landing pads of the exception tables (LSDA of
   .eh_frame's FDEs; LSB 3.0 and the Itanium C++ ABI).  Computed once.  */
const uint64_t *lp_module_landing_pads (lp_module *mod, size_t *n,
					lp_error *err);

/* Code whose exceptions have a landing pad.  */
typedef struct lp_call_site
{
  uint64_t lo, hi;		/* the last byte of the call is in [lo, hi) */
  uint64_t pad;
} lp_call_site;

/* The same tables' call sites that have a pad, by lo.  NULL on error.  */
const lp_call_site *lp_module_call_sites (lp_module *mod, size_t *n,
					  lp_error *err);

/* All functions of the file that have a DWARF subprogram with code, sorted by
   entry, parts (.cold, .part...) merged into their function.  Rows are not
   filled.  -1 with LP_ENOSYMBOLS / LP_ENOLINES (what is missing and how to get
   it), LP_EFORMAT.  */
int lp_module_functions (lp_module *mod, lp_function ***functions, size_t *n,
			 lp_error *err);

/* Fill FN's rows and inlines.  Units are decoded once and kept.  */
int lp_module_rows (lp_module *mod, lp_function *fn, lp_error *err);

#endif
