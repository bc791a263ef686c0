/* model.h: what the debug floor knows of one ELF file, as plain data.

   Everything hangs on its lp_module and lives as long as it.  Addresses are
   the file's own (link-time virtual addresses); a process adds its bias.  */

#ifndef LP_DEBUG_MODEL_H
#define LP_DEBUG_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct lp_range
{
  uint64_t lo, hi;		/* [lo, hi) */
} lp_range;

/* One row of the line table that counts for its function: rows of line 0,
   end_sequence rows and rows outside the function's ranges are gone; rows that
   repeat an (address, file, line) of the same address are gone (the last one
   stays, a statement start if one of them was).  Order: by address, and at one
   address in table order.  */
typedef struct lp_row
{
  uint64_t addr;
  uint32_t file;		/* index into lp_module.files */
  uint32_t line;
  uint32_t inl;			/* 0: the function's own code; else 1 + index into
				   lp_function.inlines of the innermost instance */
  bool is_stmt;
  uint64_t end;			/* where code of no line (line 0) begins behind it; 0: not before
				   the next row */
} lp_row;

/* One inlined instance inside a function, DW_TAG_inlined_subroutine.  */
typedef struct lp_inline
{
  const char *name;		/* display name of the inlined function */
  uint32_t call_file;		/* index into lp_module.files */
  uint32_t call_line;
  uint32_t parent;		/* 0, or 1 + index of the enclosing instance */
  uint32_t decl_file, decl_line; /* of the inlined function */
  uint64_t entry;		/* where it begins (DW_AT_entry_pc), or 0: not known */
  uint32_t origin;		/* debug floor's own use: index of what it is an instance of */
  bool wanted;			/* selected: has lines of its own (debug/inlined.h) */
  lp_range *ranges;		/* an empty one (lo = hi): rows without an instruction */
  size_t nranges;
} lp_inline;

/* Who made the code; decides the rule of hits (see probe/hits.h).  */
enum lp_producer
{
  LP_PRODUCER_OTHER,
  LP_PRODUCER_GCC_O0,		/* gcc, g++, GNAT at -O0 */
  LP_PRODUCER_GCC_OPT,		/* the same at -O1 and above, and -Og; Go */
  LP_PRODUCER_GCC_MIXED,	/* gfortran, GNAT at the same: their line tables do not say
				   where statements begin */
  LP_PRODUCER_GFORTRAN_O0,
  LP_PRODUCER_LLVM		/* clang, rustc at any level */
};

typedef struct lp_function
{
  const char *name;		/* display name: demangled, scopes and parameters, without
				   clone suffixes such as .cold or .constprop.0 */
  const char *linkage;		/* the symbol's name as in the symbol table, or NULL */
  const char *aliases;		/* other names of the same address, comma-separated, or NULL */
  uint32_t file;		/* declared in: index into lp_module.files */
  uint32_t line;		/* declared at (its opening line) */
  enum lp_producer producer;
  uint64_t entry;
  lp_range *ranges;		/* ranges[0] holds the entry, then .cold and other parts */
  size_t nranges;
  lp_row *rows;			/* NULL until lp_module_rows filled them */
  size_t nrows;
  lp_inline *inlines;
  size_t ninlines;
  bool made;			/* the compiler made it: it is declared nowhere */
  bool optimised;		/* LLVM's: the debug information says so; set with inlines */
  bool only_inlined;		/* selected for what is inlined into it, not for its own lines */
  uint32_t unit;		/* debug floor's own use: index of the unit */
  uint64_t die;			/* debug floor's own use: offset of its DIE, 0: none */
} lp_function;

/* A source file of the line tables.  */
typedef struct lp_file
{
  const char *path;		/* absolute where the compilation directory is known; normalised */
  bool system;			/* in a system header directory (/usr/include, /usr/lib/gcc, ...) */
  bool has_md5;
  uint8_t md5[16];
} lp_file;

/* A piece of the file that gets mapped, with its bytes.  */
typedef struct lp_segment
{
  uint64_t lo, hi;		/* addresses; bytes past the file's size read as 0 and are
				   not in BYTES */
  const uint8_t *bytes;		/* hi - lo bytes at most NBYTES of them in the file */
  uint64_t nbytes;
  bool exec, write;
} lp_segment;

/* A symbol that names code: a function, an IFUNC, or an untyped label in an
   executable section (hand-written assembly).  */
typedef struct lp_symbol
{
  const char *name;		/* without "@VERSION" */
  uint64_t value, size;		/* size 0: not known */
  uint8_t type, bind;		/* STT_*, STB_* of <elf.h> */
} lp_symbol;

typedef struct lp_module lp_module; /* accessors in debug/module.h */

#endif
