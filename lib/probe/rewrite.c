/* rewrite.c: one instruction, written down at another address.  */

#include <string.h>

#include "probe/clone.h"

void
lp_clone_copy (lp_text *text, const lp_insn *in, const uint8_t *p)
{
  lp_asm *a = &text->code;
  lp_asm_bytes (a, p, in->rip_off ? in->rip_off : in->len);
  if (!in->rip_off)
    return;
  lp_asm_u32 (a, 0);
  lp_asm_bytes (a, p + in->rip_off + 4, in->len - in->rip_off - 4);
  /* The displacement counts from the instruction's end, which may lie behind an
     immediate.  */
  unsigned behind = in->len - in->rip_off - 4;
  lp_asm_fix (a, lp_asm_here (a) - behind, in->target + text->bias - behind);
}

/* Is the memory operand at MODRM based on the stack pointer?  */
static bool
on_stack (const uint8_t *modrm)
{
  return modrm[0] >> 6 != 3 && (modrm[0] & 7) == 4 && (modrm[1] & 7) == 4;
}

/* jmp through a memory operand on the stack pointer, SHIFT deeper: always with
   a 32-bit displacement.  */
static void
jump_through_stack (lp_asm *a, const lp_insn *in, const uint8_t *p,
		    int32_t shift)
{
  const uint8_t *modrm = p + in->opcode_off + 1;
  int32_t disp = 0;
  if (modrm[0] >> 6 == 1)
    disp = (int8_t) modrm[2];
  else if (modrm[0] >> 6 == 2)
    memcpy (&disp, modrm + 2, 4);
  lp_asm_bytes (a, p, in->opcode_off + 1);
  lp_asm_byte (a, 0x80 | 4 << 3 | 4);
  lp_asm_byte (a, modrm[1]);
  lp_asm_u32 (a, disp + shift);
}

void
lp_clone_jump_through (lp_text *text, const lp_insn *in, const uint8_t *p,
		       int32_t shift)
{
  uint8_t bytes[16];
  unsigned modrm = in->opcode_off + 1;
  memcpy (bytes, p, in->len);
  bool rex_b = in->opcode_off && (p[in->opcode_off - 1] & 0xf1) == 0x41;
  if (shift && on_stack (p + modrm) && !rex_b)
    {
      jump_through_stack (&text->code, in, p, shift);
      return;
    }
  bytes[modrm] = (bytes[modrm] & 0xc7) | 4 << 3;	/* ff /2 to ff /4 */
  lp_clone_copy (text, in, bytes);
}

void
lp_clone_push (lp_text *text, uint64_t return_to)
{
  lp_asm *a = &text->code;
  lp_asm_lea_sp (a, LP_RSP, -8);
  lp_asm_bytes (a, "\xc7\x04\x24", 3);		/* movl $lo,(%rsp) */
  lp_asm_u32 (a, return_to);
  lp_asm_bytes (a, "\xc7\x44\x24\x04", 4);	/* movl $hi,4(%rsp) */
  lp_asm_u32 (a, return_to >> 32);
}

/*	loop  1f; jmp 2f; 1: jmp target; 2:
   the prefixes and the opcode are the original's.  */
uint64_t
lp_clone_loop (lp_text *text, const lp_insn *in, const uint8_t *p)
{
  lp_asm *a = &text->code;
  lp_asm_bytes (a, p, in->len - 1);
  lp_asm_bytes (a, "\x02\xeb\x05\xe9\0\0\0\0", 8);
  return lp_asm_here (a);
}

int
lp_clone_patch (lp_text *text, const lp_module *mod, uint64_t addr,
		const uint8_t *bytes, unsigned n)
{
  uint64_t avail;
  lp_patch patch = { .addr = addr + text->bias, .len = n };
  const uint8_t *old = lp_module_bytes (mod, addr, &avail);
  if (!old || avail < n)
    return -1;
  memcpy (patch.old, old, n);
  memcpy (patch.new, bytes, n);
  return lp_vec_push (&text->patches, patch);
}
