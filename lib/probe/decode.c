/* decode.c: one instruction through capstone, reduced to an lp_insn.

   What capstone 4 says of registers and flags is wrong for a number of
   instructions (rcl, cmc, enter, xlat, shifts by cl, inc, bt, sahf and more),
   so it is believed for the operands' registers only, and only of the
   instructions listed in `shape_of`.  Everything else reads all and kills
   nothing, which costs a save and is never wrong.  */

#include "probe/insn.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/vex.h"

struct lp_decoder
{
  csh handle;
  cs_insn *insn;
};

enum { REG_SP = 4, ALL_REGS = 0xffff };

struct lp_decoder *
lp_decoder_new (lp_error *err)
{
  struct lp_decoder *d = calloc (1, sizeof *d);
  if (!d)
    return lp_fail_null (err, LP_ENOMEM, "out of memory");
  if (cs_open (CS_ARCH_X86, CS_MODE_64, &d->handle) != CS_ERR_OK)
    {
      free (d);
      return lp_fail_null (err, LP_EUNSUPPORTED,
			   "capstone has no x86-64 decoder");
    }
  cs_option (d->handle, CS_OPT_DETAIL, CS_OPT_ON);
  d->insn = cs_malloc (d->handle);
  return d;
}

void
lp_decoder_free (struct lp_decoder *d)
{
  if (!d)
    return;
  cs_free (d->insn, 1);
  cs_close (&d->handle);
  free (d);
}

/* The general register that a capstone register is or is a part of: its number
   plus 1, and the part's size in bits.  */
#define GPR(n, q, d, w, b)						\
  [X86_REG_##q] = { n + 1, 64 }, [X86_REG_##d] = { n + 1, 32 },		\
  [X86_REG_##w] = { n + 1, 16 }, [X86_REG_##b] = { n + 1, 8 }

static const struct
{
  uint8_t number, bits;
} gprs[X86_REG_ENDING] = {
  GPR (0, RAX, EAX, AX, AL),
  GPR (1, RCX, ECX, CX, CL),
  GPR (2, RDX, EDX, DX, DL),
  GPR (3, RBX, EBX, BX, BL),
  GPR (4, RSP, ESP, SP, SPL),
  GPR (5, RBP, EBP, BP, BPL),
  GPR (6, RSI, ESI, SI, SIL),
  GPR (7, RDI, EDI, DI, DIL),
  GPR (8, R8, R8D, R8W, R8B),
  GPR (9, R9, R9D, R9W, R9B),
  GPR (10, R10, R10D, R10W, R10B),
  GPR (11, R11, R11D, R11W, R11B),
  GPR (12, R12, R12D, R12W, R12B),
  GPR (13, R13, R13D, R13W, R13B),
  GPR (14, R14, R14D, R14W, R14B),
  GPR (15, R15, R15D, R15W, R15B),
  [X86_REG_AH] = { 1, 8 }, [X86_REG_CH] = { 2, 8 }, [X86_REG_DH] = { 3, 8 },
  [X86_REG_BH] = { 4, 8 }
};

/* Number (0 to 15) of the general register that REG is or is a part of, and
   its size in *BITS; -1 for any other register.  */
static int
gpr (x86_reg reg, int *bits)
{
  if (reg <= X86_REG_INVALID || reg >= X86_REG_ENDING || !gprs[reg].number)
    return -1;
  *bits = gprs[reg].bits;
  return gprs[reg].number - 1;
}

/* How an instruction uses its first operand and the flags.  */
enum shape
{
  UNKNOWN,			/* reads all, kills nothing */
  LOAD,				/* first operand written, the others read */
  UPDATE,			/* first operand read and written */
  LOOK,				/* all operands read */
  KILLS = 16,			/* or-ed: overwrites all arithmetic flags */
  NEEDS = 32			/* or-ed: reads flags */
};

static int
shape_of (unsigned id)
{
  switch (id)
    {
    case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_MOVZX:
    case X86_INS_MOVSX: case X86_INS_MOVSXD: case X86_INS_LEA:
    case X86_INS_MOVD: case X86_INS_MOVQ:
    case X86_INS_CVTTSD2SI: case X86_INS_CVTTSS2SI:
    case X86_INS_CVTSD2SI: case X86_INS_CVTSS2SI: case X86_INS_MOVMSKPD:
    case X86_INS_PMOVMSKB:
      return LOAD;
    case X86_INS_ADD: case X86_INS_SUB: case X86_INS_AND: case X86_INS_OR:
    case X86_INS_XOR: case X86_INS_NEG:
      return UPDATE | KILLS;
    case X86_INS_ADC: case X86_INS_SBB:
      return UPDATE | NEEDS;
    case X86_INS_NOT:
      return UPDATE;
    case X86_INS_CMP: case X86_INS_TEST:
    case X86_INS_UCOMISD: case X86_INS_UCOMISS:
    case X86_INS_COMISD: case X86_INS_COMISS:
      return LOOK | KILLS;
    case X86_INS_NOP: case X86_INS_ENDBR64:
    case X86_INS_MOVSS: case X86_INS_MOVAPS: case X86_INS_MOVUPS:
    case X86_INS_MOVAPD: case X86_INS_MOVUPD: case X86_INS_MOVDQA:
    case X86_INS_MOVDQU: case X86_INS_ADDSD: case X86_INS_SUBSD:
    case X86_INS_MULSD: case X86_INS_DIVSD: case X86_INS_ADDSS:
    case X86_INS_SUBSS: case X86_INS_MULSS: case X86_INS_DIVSS:
    case X86_INS_CVTSI2SD: case X86_INS_CVTSI2SS: case X86_INS_CVTSS2SD:
    case X86_INS_CVTSD2SS: case X86_INS_PXOR: case X86_INS_XORPS:
    case X86_INS_XORPD: case X86_INS_ANDPS: case X86_INS_ANDPD:
    case X86_INS_UNPCKLPS: case X86_INS_UNPCKLPD: case X86_INS_SQRTSD:
      return LOOK;
    case X86_INS_SETA: case X86_INS_SETAE: case X86_INS_SETB:
    case X86_INS_SETBE: case X86_INS_SETE: case X86_INS_SETG:
    case X86_INS_SETGE: case X86_INS_SETL: case X86_INS_SETLE:
    case X86_INS_SETNE: case X86_INS_SETNO: case X86_INS_SETNP:
    case X86_INS_SETNS: case X86_INS_SETO: case X86_INS_SETP:
    case X86_INS_SETS:
      return UPDATE | NEEDS;
    case X86_INS_CMOVA: case X86_INS_CMOVAE: case X86_INS_CMOVB:
    case X86_INS_CMOVBE: case X86_INS_CMOVE: case X86_INS_CMOVG:
    case X86_INS_CMOVGE: case X86_INS_CMOVL: case X86_INS_CMOVLE:
    case X86_INS_CMOVNE: case X86_INS_CMOVNO: case X86_INS_CMOVNP:
    case X86_INS_CMOVNS: case X86_INS_CMOVO: case X86_INS_CMOVP:
    case X86_INS_CMOVS:
      return UPDATE | NEEDS;
    default:
      return UNKNOWN;
    }
}

/* Registers that forming the address of OP reads.  */
static uint16_t
address_registers (const cs_x86_op *op)
{
  int bits;
  uint16_t mask = 0;
  int base = gpr (op->mem.base, &bits);
  if (base >= 0)
    mask |= 1u << base;
  int index = gpr (op->mem.index, &bits);
  if (index >= 0)
    mask |= 1u << index;
  return mask;
}

/* Add operand I of an instruction of SHAPE to INSN's masks.  */
static void
note_operand (lp_insn *insn, const cs_x86_op *op, int i, int shape)
{
  if (op->type == X86_OP_MEM)
    insn->reads |= address_registers (op);
  if (op->type != X86_OP_REG)
    return;
  int bits, number = gpr (op->reg, &bits);
  if (number < 0)
    return;
  int use = shape & 15;
  bool whole = bits >= 32;
  if (i > 0 || use != LOAD || !whole)
    insn->reads |= 1u << number;
  if (i == 0 && use == LOAD && whole)
    insn->writes |= 1u << number;
}

/* push and pop of a register, which shape_of leaves out: they move the stack
   pointer.  */
static bool
note_stack (lp_insn *insn, const cs_insn *cs)
{
  const cs_x86_op *op = &cs->detail->x86.operands[0];
  int bits, number;
  if ((cs->id != X86_INS_PUSH && cs->id != X86_INS_POP)
      || op->type != X86_OP_REG || (number = gpr (op->reg, &bits)) < 0)
    return false;
  insn->reads = 1u << REG_SP;
  if (cs->id == X86_INS_PUSH)
    insn->reads |= 1u << number;
  else if (bits == 64)
    insn->writes = 1u << number;
  else
    insn->reads |= 1u << number;
  insn->uses_sp = true;
  return true;
}

/* Branches.  At a call and a return all registers count as read (a caller may
   rely on any register of a callee that it knows, and the callee's arguments
   are in some); the arithmetic flags are dead there (psABI 3.2.1).  */
static bool
note_branch (lp_insn *insn)
{
  switch (insn->kind)
    {
    case LP_INSN_JMP:
      return true;
    case LP_INSN_JCC:
      insn->reads_flags = true;
      return true;
    case LP_INSN_CALL: case LP_INSN_CALL_IND: case LP_INSN_RET:
      insn->reads = ALL_REGS;
      insn->writes_flags = insn->uses_sp = true;
      return true;
    default:
      return false;
    }
}

static void
note_registers (lp_insn *insn, const cs_insn *cs)
{
  const cs_x86 *x = &cs->detail->x86;
  int shape = shape_of (cs->id);
  if (note_branch (insn) || note_stack (insn, cs))
    return;
  if (shape == UNKNOWN || x->prefix[0])
    {
      insn->reads = ALL_REGS;
      insn->reads_flags = insn->uses_sp = true;
      return;
    }
  for (int i = 0; i < x->op_count; i++)
    note_operand (insn, &x->operands[i], i, shape);
  insn->reads_flags = shape & NEEDS;
  insn->writes_flags = shape & KILLS;
  insn->uses_sp = (insn->reads | insn->writes) & (1u << REG_SP);
}

/* Is it a mov to a register from an operand of the type FROM?  */
static bool
is_mov (const cs_insn *cs, x86_op_type from)
{
  const cs_x86 *x = &cs->detail->x86;
  return cs->id == X86_INS_MOV && x->op_count == 2
	 && x->operands[0].type == X86_OP_REG && x->operands[1].type == from;
}

/* Is it, at its opcode's N bytes, a nop?  */
static bool
is_idle (const uint8_t *opcode, size_t n)
{
  return opcode[0] == 0x90 || (n > 1 && opcode[0] == 0x0f && opcode[1] == 0x1f);
}

static enum lp_insn_kind
kind_of (const cs_insn *cs)
{
  bool direct = cs->detail->x86.op_count == 1
		&& cs->detail->x86.operands[0].type == X86_OP_IMM;
  switch (cs->id)
    {
    case X86_INS_JMP:
      return direct ? LP_INSN_JMP : LP_INSN_JMP_IND;
    case X86_INS_CALL:
      return direct ? LP_INSN_CALL : LP_INSN_CALL_IND;
    case X86_INS_JA: case X86_INS_JAE: case X86_INS_JB: case X86_INS_JBE:
    case X86_INS_JE: case X86_INS_JG: case X86_INS_JGE: case X86_INS_JL:
    case X86_INS_JLE: case X86_INS_JNE: case X86_INS_JNO: case X86_INS_JNP:
    case X86_INS_JNS: case X86_INS_JO: case X86_INS_JP: case X86_INS_JS:
      return LP_INSN_JCC;
    case X86_INS_LOOP: case X86_INS_LOOPE: case X86_INS_LOOPNE:
    case X86_INS_JRCXZ: case X86_INS_JECXZ:
      return LP_INSN_LOOP;
    case X86_INS_XBEGIN:
      return LP_INSN_XBEGIN;
    case X86_INS_RET:
      return LP_INSN_RET;
    case X86_INS_UD2: case X86_INS_UD2B: case X86_INS_HLT:
      return LP_INSN_STOP;
    default:
      return LP_INSN_PLAIN;
    }
}

/* Instructions whose meaning in another place we do not know how to keep.  */
static bool
is_refused (const cs_insn *cs)
{
  switch (cs->id)
    {
    case X86_INS_LCALL: case X86_INS_LJMP: case X86_INS_RETF:
    case X86_INS_RETFQ: case X86_INS_IRET: case X86_INS_IRETD:
    case X86_INS_IRETQ: case X86_INS_SYSRET: case X86_INS_SYSEXIT:
    case X86_INS_JCXZ:
      return true;
    default:
      return false;
    }
}

/* A memory operand on the instruction pointer: where its displacement is and
   what it names.  False when there is one that cannot be moved (eip).  */
static bool
note_rip (lp_insn *insn, const cs_insn *cs)
{
  const cs_x86 *x = &cs->detail->x86;
  for (int i = 0; i < x->op_count; i++)
    {
      const cs_x86_op *op = &x->operands[i];
      if (op->type != X86_OP_MEM)
	continue;
      if (op->mem.base == X86_REG_EIP)
	return false;
      if (op->mem.base == X86_REG_RIP)
	{
	  insn->rip_off = x->encoding.disp_offset;
	  insn->target = insn->addr + insn->len + (int64_t) op->mem.disp;
	}
    }
  return true;
}

/* Offset of the first byte that is no prefix.  */
static uint8_t
skip_prefixes (const uint8_t *bytes, unsigned len)
{
  static const uint8_t legacy[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
				    0x66, 0x67, 0xf0, 0xf2, 0xf3 };
  unsigned i = 0;
  while (i < len && (memchr (legacy, bytes[i], sizeof legacy)
		     || (bytes[i] & 0xf0) == 0x40))
    i++;
  return i;
}

static int
undecodable (uint64_t addr, const uint8_t *bytes, uint64_t avail,
	     lp_error *err)
{
  char hex[3 * 8 + 1] = "";
  for (unsigned i = 0; i < 8 && i < avail; i++)
    sprintf (hex + 3 * i, " %02x", bytes[i]);
  return lp_fail (err, LP_EUNSUPPORTED,
		  "undecodable instruction at %#lx:%s", (unsigned long) addr,
		  hex);
}

/* The displacement that capstone says is at rip_off must be the one it
   printed: a check of the one encoding detail that cloning relies on.  */
static bool
rip_agrees (const lp_insn *insn, const uint8_t *bytes)
{
  int32_t disp;
  if (!insn->rip_off)
    return true;
  if (insn->rip_off + 4 > insn->len)
    return false;
  memcpy (&disp, bytes + insn->rip_off, 4);
  return insn->target == insn->addr + insn->len + disp;
}

int
lp_decode (struct lp_decoder *d, const uint8_t *bytes, uint64_t avail,
	   uint64_t addr, lp_insn *insn, lp_error *err)
{
  const uint8_t *p = bytes;
  size_t left = avail < 16 ? avail : 16;
  uint64_t next = addr;
  *insn = (lp_insn) { .addr = addr };
  if (!cs_disasm_iter (d->handle, &p, &left, &next, d->insn))
    {
      if (lp_decode_vex (bytes, avail, insn) == 0)
	return 0;
      return undecodable (addr, bytes, avail, err);
    }
  insn->len = d->insn->size;
  insn->opcode_off = skip_prefixes (bytes, insn->len);
  insn->kind = kind_of (d->insn);
  if (insn->kind != LP_INSN_PLAIN && insn->kind != LP_INSN_JMP_IND
      && insn->kind != LP_INSN_CALL_IND && insn->kind != LP_INSN_RET
      && insn->kind != LP_INSN_STOP)
    insn->target = d->insn->detail->x86.operands[0].imm;
  if (is_refused (d->insn) || !note_rip (insn, d->insn)
      || !rip_agrees (insn, bytes))
    return undecodable (addr, bytes, avail, err);
  insn->idle = insn->kind == LP_INSN_PLAIN
	       && is_idle (bytes + insn->opcode_off,
			   insn->len - insn->opcode_off);
  insn->copies = is_mov (d->insn, X86_OP_REG);
  insn->loads = is_mov (d->insn, X86_OP_MEM);
  note_registers (insn, d->insn);
  return 0;
}

unsigned
lp_disassemble (struct lp_decoder *d, const uint8_t *bytes, uint64_t avail,
		uint64_t addr, char *text, size_t size)
{
  const uint8_t *p = bytes;
  size_t left = avail;
  uint64_t next = addr;
  cs_option (d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
  if (!cs_disasm_iter (d->handle, &p, &left, &next, d->insn))
    return 0;
  snprintf (text, size, "%-8s %s", d->insn->mnemonic, d->insn->op_str);
  return d->insn->size;
}
