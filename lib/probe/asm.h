/* asm.h: a buffer of machine code at a known run-time address, and the few
   x86-64 encodings that clones need.  Writing past the end is remembered, not
   done.  */

#ifndef LP_PROBE_ASM_H
#define LP_PROBE_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lp_reg
{
  LP_RAX, LP_RCX, LP_RDX, LP_RBX, LP_RSP, LP_RBP, LP_RSI, LP_RDI,
  LP_R8, LP_R9, LP_R10, LP_R11, LP_R12, LP_R13, LP_R14, LP_R15
};

typedef struct lp_asm
{
  uint8_t *buf;
  size_t n, cap;
  uint64_t base;		/* run-time address of buf[0] */
  bool full;			/* something did not fit */
  bool far;			/* a displacement did not fit into 32 bits */
} lp_asm;

/* Run-time address of the next byte.  */
uint64_t lp_asm_here (const lp_asm *a);

void lp_asm_bytes (lp_asm *a, const void *bytes, size_t n);
void lp_asm_byte (lp_asm *a, uint8_t byte);
void lp_asm_u32 (lp_asm *a, uint32_t value);

/* e9 rel32, e8 rel32, 0f 8x rel32 (CC: low nibble of the opcode) to the
   run-time address TARGET.  */
void lp_asm_jmp (lp_asm *a, uint64_t target);
void lp_asm_call (lp_asm *a, uint64_t target);
void lp_asm_jcc (lp_asm *a, unsigned cc, uint64_t target);
/* Set the rel32 that ends at run-time address END to reach TARGET.  */
void lp_asm_fix (lp_asm *a, uint64_t end, uint64_t target);

/* OPCODE reg, disp(base) with 64-bit operands (32-bit without WIDE); BASE is not
   rsp or r12.  */
void lp_asm_mem (lp_asm *a, bool wide, uint8_t opcode, unsigned reg,
		 enum lp_reg base, int32_t disp);
/* mov disp(%rsp),%reg and back.  */
void lp_asm_load_sp (lp_asm *a, enum lp_reg reg, int32_t disp);
void lp_asm_store_sp (lp_asm *a, enum lp_reg reg, int32_t disp);
/* lea disp(%rsp),%reg: leaves the flags alone.  */
void lp_asm_lea_sp (lp_asm *a, enum lp_reg reg, int32_t disp);
/* mov %fs:offset,%reg.  */
void lp_asm_load_fs (lp_asm *a, enum lp_reg reg, int32_t offset);
/* OPCODE %src,%dst with 64-bit operands, src in modrm's reg field.  */
void lp_asm_reg (lp_asm *a, uint8_t opcode, enum lp_reg src, enum lp_reg dst);

#endif
