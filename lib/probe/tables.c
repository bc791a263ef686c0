/* tables.c: jump tables, read from the file's bytes.  */

#include "probe/tables.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MAX_ENTRIES = 65536,
  LOOK_BACK = 24		/* instructions before a jump that may belong to it */
};

static const uint8_t *
bytes_of (const lp_module *mod, const lp_insn *insn)
{
  uint64_t avail;
  return lp_module_bytes (mod, insn->addr, &avail);
}

/* `lea disp(%rip),%reg`: 8d with a rip-relative operand.  */
static bool
is_lea_rip (const lp_module *mod, const lp_insn *insn)
{
  return insn->rip_off && insn->kind == LP_INSN_PLAIN
	 && bytes_of (mod, insn)[insn->opcode_off] == 0x8d;
}

static int
read_target (const lp_module *mod, const lp_table *table, uint32_t i,
	     uint64_t *target)
{
  int32_t narrow;
  int64_t wide;
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (mod, table->base
				      + table->size * (uint64_t) i, &avail);
  if (!p || avail < table->size)
    return -1;
  memcpy (&narrow, p, sizeof narrow);
  if (table->size == sizeof wide)
    memcpy (&wide, p, sizeof wide);
  else
    wide = narrow;
  *target = table->base + wide;
  return 0;
}

uint64_t
lp_table_target (const lp_module *mod, const lp_table *table, uint32_t i)
{
  uint64_t target = 0;
  read_target (mod, table, i, &target);
  return target;
}

static bool
is_base (const lp_tables *tables, uint64_t addr)
{
  for (size_t i = 0; i < tables->n; i++)
    if (tables->v[i].base == addr)
      return true;
  return false;
}

/* Does a direct branch of the function leave it for ADDR?  The case of a switch
   that cannot be is one with the branch of its bound: both go to where code would
   be if there was any, in a part of the function that has no bytes.  */
static bool
is_way_out (const lp_flow *flow, uint64_t addr)
{
  for (size_t i = 0; i < flow->insns.n; i++)
    if (flow->insns.v[i].target == addr
	&& (flow->insns.v[i].kind == LP_INSN_JCC
	    || flow->insns.v[i].kind == LP_INSN_JMP))
      return true;
  return false;
}

/* May an entry of a table be TARGET: an instruction of the function, or where its
   branches leave it for?  */
static bool
is_target (const lp_module *mod, const lp_flow *flow, uint64_t target)
{
  return lp_flow_find (flow, target) >= 0
	 || (lp_module_is_code (mod, target) && is_way_out (flow, target));
}

/* How many entries TABLE has.  */
static uint32_t
measure (const lp_module *mod, const lp_flow *flow, const lp_tables *tables,
	 const lp_table *table)
{
  uint32_t n = 0;
  uint64_t target;
  while (n < MAX_ENTRIES && read_target (mod, table, n, &target) == 0
	 && is_target (mod, flow, target)
	 && (n == 0
	     || !is_base (tables, table->base + table->size * (uint64_t) n)))
    n++;
  return n;
}

/* Is there a table at BASE?  The high halves of wide offsets are no offsets to
   instructions, so one width at most fits.  */
static bool
is_table (const lp_module *mod, const lp_flow *flow, const lp_tables *tables,
	  uint64_t base, lp_table *table)
{
  for (uint8_t size = 4; size <= 8; size += 4)
    {
      *table = (lp_table) { .base = base, .size = size };
      if (measure (mod, flow, tables, table) >= 2)
	return true;
    }
  return false;
}

int
lp_tables_find (const lp_module *mod, const lp_function *fn,
		const lp_flow *flow, lp_tables *tables)
{
  lp_table table;
  for (size_t i = 0; i < flow->insns.n; i++)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (!is_lea_rip (mod, in) || in->target % 4 || is_base (tables, in->target)
	  || lp_function_holds (fn, in->target)
	  || !is_table (mod, flow, tables, in->target, &table))
	continue;
      if (lp_vec_push (tables, table))
	return -1;
    }
  for (size_t i = 0; i < tables->n; i++)
    tables->v[i].n = measure (mod, flow, tables, &tables->v[i]);
  return 0;
}

/* The REX prefix in front of the opcode, or 0.  */
static uint8_t
rex_of (const lp_module *mod, const lp_insn *insn)
{
  uint8_t last = insn->opcode_off ? bytes_of (mod, insn)[insn->opcode_off - 1] : 0;
  return (last & 0xf0) == 0x40 ? last : 0;
}

enum { REX_W = 8, REX_X = 2, REX_B = 1 };

/* A memory operand with an index: scale 8 or 4, `disp32(,%index,scale)` when
   ABSOLUTE (its displacement then in *DISP).  */
struct indexed
{
  unsigned scale;
  bool absolute;
  int32_t disp;
};

static bool
indexed_operand (const lp_module *mod, const lp_insn *insn, struct indexed *op)
{
  const uint8_t *p = bytes_of (mod, insn) + insn->opcode_off;
  unsigned mode = p[1] >> 6, rm = p[1] & 7;
  bool no_index = ((p[2] >> 3) & 7) == 4 && !(rex_of (mod, insn) & REX_X);
  if (mode == 3 || rm != 4 || no_index)
    return false;
  op->scale = 1u << (p[2] >> 6);
  op->absolute = mode == 0 && (p[2] & 7) == 5;
  if (op->absolute)
    memcpy (&op->disp, p + 3, 4);
  return true;
}

/* `mov mem,%reg` (8b) or `movslq mem,%reg` (63) with an index.  */
static bool
indexed_load (const lp_module *mod, const lp_insn *insn, struct indexed *op)
{
  uint8_t opcode = bytes_of (mod, insn)[insn->opcode_off];
  return (opcode == 0x8b || opcode == 0x63) && indexed_operand (mod, insn, op);
}

/* Is IN `mov disp(%base),%reg' of 64 bits, not from the stack frame, where what was
   computed may have been put away?  */
static bool
is_pointer_load (const lp_module *mod, const lp_insn *in)
{
  enum { FRAME = 1 << 4 | 1 << 5 };	/* rsp, rbp */
  struct indexed op;
  return in->loads && (rex_of (mod, in) & REX_W) && !(in->reads & FRAME)
	 && !indexed_operand (mod, in, &op);
}

/* The register that JUMP goes through.  */
static unsigned
jump_register (const lp_module *mod, const lp_insn *jump)
{
  unsigned number = bytes_of (mod, jump)[jump->opcode_off + 1] & 7;
  return rex_of (mod, jump) & REX_B ? number + 8 : number;
}

/* Does IN take what it writes as it was: from memory, the stack, another register, or
   out of itself?  */
static bool
is_taken (const lp_module *mod, const lp_insn *in)
{
  const uint8_t *p = bytes_of (mod, in) + in->opcode_off;
  bool constant = p[0] >> 3 == 0xb8 >> 3 || p[0] == 0xc7;
  bool chosen = p[0] == 0x0f && p[1] >> 4 == 4; /* cmov */
  return in->loads || constant || chosen || p[0] >> 3 == 0x58 >> 3
	 || is_lea_rip (mod, in);
}

/* Was what instruction I jumps to reckoned out in its block?  It may be anything then,
   also an address that is written nowhere.  */
static bool
is_computed (const lp_module *mod, const lp_flow *flow, uint32_t i)
{
  unsigned number = jump_register (mod, &flow->insns.v[i]);
  uint32_t first = flow->blocks.v[lp_flow_block_of (flow, i)].first;
  while (i-- > first)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (!(in->writes >> number & 1))
	continue;
      if (!in->copies)
	return in->kind == LP_INSN_PLAIN && !is_taken (mod, in);
      number = (unsigned) __builtin_ctz (in->reads | 1u << 16);
    }
  return false;
}

/* Does the register that instruction I jumps through hold a pointer as it was in
   memory?  An offset from a table has something added to it.  */
static bool
holds_pointer (const lp_module *mod, const lp_flow *flow, uint32_t i)
{
  unsigned number = jump_register (mod, &flow->insns.v[i]);
  uint32_t first = flow->blocks.v[lp_flow_block_of (flow, i)].first;
  while (i-- > first)
    {
      const lp_insn *in = &flow->insns.v[i];
      if (in->writes == 1u << number)
	return is_pointer_load (mod, in);
      if ((in->reads | in->writes) >> number & 1)
	break;
    }
  return false;
}

/* Is ADDR a table found before?  */
static const lp_table *
table_at (const lp_tables *tables, uint64_t addr)
{
  for (size_t i = 0; i < tables->n; i++)
    if (tables->v[i].base == addr)
      return &tables->v[i];
  return NULL;
}

/* The bound that a comparison before the jump sets: `cmp $N,x` and then
   `ja`.  0: none seen.  */
static uint32_t
bound_before (const lp_module *mod, const lp_flow *flow, uint32_t i)
{
  bool above = false;
  for (uint32_t k = 1; k <= LOOK_BACK && k <= i; k++)
    {
      const lp_insn *in = &flow->insns.v[i - k];
      const uint8_t *p = bytes_of (mod, in) + in->opcode_off;
      int32_t wide;
      if (in->kind == LP_INSN_JCC)
	above |= p[0] == 0x77 || (p[0] == 0x0f && p[1] == 0x87);
      else if (in->kind != LP_INSN_PLAIN)
	return 0;
      else if (above && ((p[0] == 0x83 || p[0] == 0x80) && (p[1] & 0x38) == 0x38))
	return (uint8_t) p[in->len - in->opcode_off - 1] + 1u;
      else if (above && p[0] == 0x3c)
	return p[1] + 1u;
      else if (above && (p[0] == 0x3d || (p[0] == 0x81 && (p[1] & 0x38) == 0x38)))
	{
	  memcpy (&wide, p + in->len - in->opcode_off - 4, 4);
	  return wide >= 0 && wide < MAX_ENTRIES ? wide + 1u : 0;
	}
    }
  return 0;
}

static lp_jump
bounded (lp_jump jump, uint32_t bound)
{
  if (bound && bound < jump.table.n)
    jump.table.n = bound;
  return jump;
}

/* Absolute addresses at DISP, as many as may be targets.  */
static lp_jump
absolute_table (const lp_module *mod, const lp_flow *flow, int32_t disp,
		uint32_t bound)
{
  lp_jump jump = { LP_JUMP_ABSOLUTE, { (uint64_t) (int64_t) disp, 0, 8 } };
  uint64_t avail, target;
  for (;; jump.table.n++)
    {
      const uint8_t *p = lp_module_bytes (mod, jump.table.base
					  + 8 * (uint64_t) jump.table.n, &avail);
      if (!p || avail < 8 || jump.table.n == MAX_ENTRIES)
	break;
      memcpy (&target, p, 8);
      if (!is_target (mod, flow, target))
	break;
    }
  return bounded (jump, bound);
}

/* What the instructions before a jump through a register say.  */
struct evidence
{
  const lp_table *table;	/* nearest table that a lea names */
  struct indexed load;		/* nearest indexed load */
  bool loaded;
};

static struct evidence
look_back (const lp_module *mod, const lp_flow *flow,
	   const lp_tables *tables, uint32_t i)
{
  struct evidence e = { 0 };
  for (uint32_t k = 1; k <= LOOK_BACK && k <= i && !e.table; k++)
    {
      const lp_insn *in = &flow->insns.v[i - k];
      if (in->kind != LP_INSN_PLAIN && in->kind != LP_INSN_JCC)
	break;
      if (is_lea_rip (mod, in))
	e.table = table_at (tables, in->target);
      else if (!e.loaded)
	e.loaded = indexed_load (mod, in, &e.load);
    }
  return e;
}

/* A jump to what a pointer says.  */
static lp_jump
to_pointer (bool have_pointers)
{
  return (lp_jump) { .kind = have_pointers ? LP_JUMP_POINTERS : LP_JUMP_TAIL };
}

static lp_jump
through_memory (const lp_module *mod, const lp_flow *flow, uint32_t i,
		bool have_pointers)
{
  struct indexed op;
  if (indexed_operand (mod, &flow->insns.v[i], &op) && op.scale == 8 && op.absolute)
    {
      lp_jump jump = absolute_table (mod, flow, op.disp, bound_before (mod, flow, i));
      if (jump.table.n)
	return jump;
    }
  return to_pointer (have_pointers);
}

static lp_jump
through_register (const lp_module *mod, const lp_flow *flow,
		  const lp_tables *tables, uint32_t i, bool have_pointers)
{
  if (holds_pointer (mod, flow, i))
    return to_pointer (have_pointers);
  struct evidence e = look_back (mod, flow, tables, i);
  uint32_t bound = bound_before (mod, flow, i);
  if (e.table)
    return bounded ((lp_jump) { LP_JUMP_TABLE, *e.table }, bound);
  if (e.loaded && e.load.scale == 8 && e.load.absolute)
    {
      lp_jump jump = absolute_table (mod, flow, e.load.disp, bound);
      if (jump.table.n)
	return jump;
    }
  if (e.loaded && e.load.scale == 4)
    return (lp_jump) { .kind = tables->n ? LP_JUMP_TABLES : LP_JUMP_UNKNOWN };
  if (is_computed (mod, flow, i))
    return (lp_jump) { .kind = LP_JUMP_UNKNOWN };
  return to_pointer (have_pointers);
}

lp_jump
lp_jump_resolve (const lp_module *mod, const lp_flow *flow,
		 const lp_tables *tables, uint32_t i, bool have_pointers)
{
  const lp_insn *in = &flow->insns.v[i];
  const uint8_t *p = bytes_of (mod, in) + in->opcode_off;
  if (in->rip_off)
    return (lp_jump) { .kind = LP_JUMP_TAIL };
  if ((p[1] >> 6) == 3)
    return through_register (mod, flow, tables, i, have_pointers);
  return through_memory (mod, flow, i, have_pointers);
}
