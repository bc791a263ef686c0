/* asm.c: x86-64 encodings (Intel SDM volume 2, chapter 2).  */

#include "probe/asm.h"

#include <string.h>

uint64_t
lp_asm_here (const lp_asm *a)
{
  return a->base + a->n;
}

void
lp_asm_bytes (lp_asm *a, const void *bytes, size_t n)
{
  if (a->full || a->cap - a->n < n)
    {
      a->full = true;
      return;
    }
  memcpy (a->buf + a->n, bytes, n);
  a->n += n;
}

void
lp_asm_byte (lp_asm *a, uint8_t byte)
{
  lp_asm_bytes (a, &byte, 1);
}

void
lp_asm_u32 (lp_asm *a, uint32_t value)
{
  lp_asm_bytes (a, &value, 4);
}

static void
rel32 (lp_asm *a, uint64_t target)
{
  int64_t disp = target - (lp_asm_here (a) + 4);
  a->far |= disp != (int32_t) disp;
  lp_asm_u32 (a, disp);
}

void
lp_asm_jmp (lp_asm *a, uint64_t target)
{
  lp_asm_byte (a, 0xe9);
  rel32 (a, target);
}

void
lp_asm_call (lp_asm *a, uint64_t target)
{
  lp_asm_byte (a, 0xe8);
  rel32 (a, target);
}

void
lp_asm_jcc (lp_asm *a, unsigned cc, uint64_t target)
{
  lp_asm_byte (a, 0x0f);
  lp_asm_byte (a, 0x80 | cc);
  rel32 (a, target);
}

void
lp_asm_fix (lp_asm *a, uint64_t end, uint64_t target)
{
  int64_t disp = target - end;
  int32_t value = disp;
  a->far |= disp != value;
  if (!a->full)
    memcpy (a->buf + (end - 4 - a->base), &value, 4);
}

/* REX.W, REX.R and REX.B as the operands need; nothing when none is.  */
static void
rex (lp_asm *a, bool wide, unsigned reg, unsigned base)
{
  uint8_t prefix = 0x40 | wide << 3 | (reg >> 3) << 2 | base >> 3;
  if (prefix != 0x40)
    lp_asm_byte (a, prefix);
}

void
lp_asm_mem (lp_asm *a, bool wide, uint8_t opcode, unsigned reg,
	    enum lp_reg base, int32_t disp)
{
  bool narrow = disp == (int8_t) disp;
  rex (a, wide, reg, base);
  lp_asm_byte (a, opcode);
  lp_asm_byte (a, (narrow ? 0x40 : 0x80) | (reg & 7) << 3 | (base & 7));
  if (narrow)
    lp_asm_byte (a, disp);
  else
    lp_asm_u32 (a, disp);
}

/* OPCODE reg, disp32(%rsp): modrm mod=2 rm=4, sib 24.  */
static void
mem_sp (lp_asm *a, uint8_t opcode, enum lp_reg reg, int32_t disp)
{
  rex (a, true, reg, 0);
  lp_asm_byte (a, opcode);
  lp_asm_byte (a, 0x80 | (reg & 7) << 3 | 4);
  lp_asm_byte (a, 0x24);
  lp_asm_u32 (a, disp);
}

void
lp_asm_load_sp (lp_asm *a, enum lp_reg reg, int32_t disp)
{
  mem_sp (a, 0x8b, reg, disp);
}

void
lp_asm_store_sp (lp_asm *a, enum lp_reg reg, int32_t disp)
{
  mem_sp (a, 0x89, reg, disp);
}

void
lp_asm_lea_sp (lp_asm *a, enum lp_reg reg, int32_t disp)
{
  mem_sp (a, 0x8d, reg, disp);
}

void
lp_asm_load_fs (lp_asm *a, enum lp_reg reg, int32_t offset)
{
  lp_asm_byte (a, 0x64);
  rex (a, true, reg, 0);
  lp_asm_byte (a, 0x8b);
  lp_asm_byte (a, (reg & 7) << 3 | 4);	/* mod=0 rm=4, sib 25: disp32 alone */
  lp_asm_byte (a, 0x25);
  lp_asm_u32 (a, offset);
}

void
lp_asm_reg (lp_asm *a, uint8_t opcode, enum lp_reg src, enum lp_reg dst)
{
  rex (a, true, src, dst);
  lp_asm_byte (a, opcode);
  lp_asm_byte (a, 0xc0 | (src & 7) << 3 | (dst & 7));
}
