/* tables.h: where indirect jumps go.

   Compilers make jump tables of two kinds: offsets from the table's own start
   (position independent code; 32 bits, 64 in the large code model) and absolute
   64-bit addresses.  The latter are pointers in data, which the census knows
   already.  For the former, every `lea` of the function that names read-only
   data is taken for a possible table, and read as long as its entries are
   instructions of the function, or where its branches leave it for: at least all
   true targets are found, and sometimes more.  */

#ifndef LP_PROBE_TABLES_H
#define LP_PROBE_TABLES_H

#include "probe/flow.h"

/* A table of offsets found in a function.  */
typedef struct lp_table
{
  uint64_t base;
  uint32_t n;			/* entries */
  uint8_t size;			/* bytes of an entry: 4 or 8 */
} lp_table;

typedef LP_VEC (lp_table) lp_tables;

/* Find FLOW's tables (insns filled).  0 or -1: out of memory.  */
int lp_tables_find (const lp_module *mod, const lp_function *fn,
		    const lp_flow *flow, lp_tables *tables);

/* Target of entry I of TABLE.  */
uint64_t lp_table_target (const lp_module *mod, const lp_table *table,
			  uint32_t i);

enum lp_jump_kind
{
  LP_JUMP_TAIL,			/* leaves the function */
  LP_JUMP_TABLE,		/* to `n` entries of `table` */
  LP_JUMP_TABLES,		/* to some entry of any of the function's tables */
  LP_JUMP_ABSOLUTE,		/* to `n` absolute addresses at table.base */
  LP_JUMP_POINTERS,		/* to any instruction whose address is in data or code */
  LP_JUMP_UNKNOWN
};

typedef struct lp_jump
{
  enum lp_jump_kind kind;
  lp_table table;
} lp_jump;

/* Where the indirect jump, instruction I of FLOW (blocks cut), goes.
   HAVE_POINTERS: some instruction of the function other than its entry has its
   address taken.  */
lp_jump lp_jump_resolve (const lp_module *mod, const lp_flow *flow,
			 const lp_tables *tables, uint32_t i,
			 bool have_pointers);

#endif
