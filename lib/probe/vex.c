/* vex.c: a length walker for VEX and EVEX instructions.

     [legacy 64/65/67]  C5 rvvvvLpp                     opcode modrm [sib] [disp] [imm8]
     [legacy 64/65/67]  C4 RXBmmmmm WvvvvLpp            opcode modrm [sib] [disp] [imm8]
     [legacy 64/65/67]  62 RXBR0mmm Wvvvv1pp zLLbVaaa   opcode modrm [sib] [disp] [imm8]

   The displacement of a mod=1 EVEX operand is one byte all the same (its value
   is scaled, which does not change the length).  */

#include "probe/vex.h"

#include <string.h>

/* Has opcode OP of map MAP an immediate byte?  */
static bool
has_imm8 (unsigned map, uint8_t op)
{
  if (map == 3)
    return true;
  if (map != 1)
    return false;
  return (op >= 0x70 && op <= 0x73) || op == 0xc2 || op == 0xc4
	 || op == 0xc5 || op == 0xc6;
}

/* Length of the prefix at P, its map in *MAP; 0: none that is understood.  */
static unsigned
prefix_length (const uint8_t *p, uint64_t avail, unsigned *map)
{
  if (avail < 6)
    return 0;
  if (p[0] == 0xc5)
    return *map = 1, 2;
  if (p[0] == 0xc4)
    *map = p[1] & 0x1f;
  else if (p[0] == 0x62 && (p[1] & 0x08) == 0 && (p[2] & 0x04))
    *map = p[1] & 0x07;
  else
    return 0;
  bool known = (*map >= 1 && *map <= 3)
	       || (p[0] == 0x62 && (*map == 5 || *map == 6));
  if (!known)
    return 0;
  return p[0] == 0xc4 ? 3 : 4;
}

/* Length of modrm, sib and displacement at P; *RIP: the operand is
   rip-relative, its displacement one byte behind P.  */
static unsigned
operand_length (const uint8_t *p, bool *rip)
{
  unsigned mod = p[0] >> 6, rm = p[0] & 7, n = 1;
  *rip = mod == 0 && rm == 5;
  if (mod == 3)
    return n;
  if (rm == 4)
    {
      n++;
      if (mod == 0 && (p[1] & 7) == 5)
	return n + 4;
    }
  return n + (*rip ? 4 : mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

int
lp_decode_vex (const uint8_t *bytes, uint64_t avail, lp_insn *insn)
{
  uint8_t p[24] = { 0 };
  unsigned at = 0, map = 0;
  bool rip;
  memcpy (p, bytes, avail < 15 ? avail : 15);
  while (at < 3 && (p[at] == 0x64 || p[at] == 0x65))
    at++;
  unsigned prefix = prefix_length (p + at, 15 - at, &map);
  if (!prefix)
    return -1;
  at += prefix;
  uint8_t opcode = p[at++];
  unsigned modrm = at;
  if (map == 1 && opcode == 0x77)	/* vzeroupper, vzeroall: no modrm */
    return -1;
  at += operand_length (p + at, &rip);
  at += has_imm8 (map, opcode);
  if (at > 15 || at > avail)
    return -1;
  insn->len = at;
  insn->opcode_off = modrm - 1;
  insn->kind = LP_INSN_PLAIN;
  insn->reads = 0xffff;
  insn->reads_flags = insn->uses_sp = true;
  if (rip)
    {
      int32_t disp;
      memcpy (&disp, p + modrm + 1, 4);
      insn->rip_off = modrm + 1;
      insn->target = insn->addr + at + disp;
    }
  return 0;
}
