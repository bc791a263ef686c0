/* insn.h: one decoded machine instruction, reduced to what planning and
   cloning ask.  decode.c is the only user of capstone.  */

#ifndef LP_PROBE_INSN_H
#define LP_PROBE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum lp_insn_kind
{
  LP_INSN_PLAIN,		/* falls through, nothing else */
  LP_INSN_JMP,			/* direct jump: `target` */
  LP_INSN_JCC,			/* conditional direct jump: `target` or the next one */
  LP_INSN_LOOP,			/* loop, loope, loopne, jrcxz: as JCC, with an 8-bit form only */
  LP_INSN_XBEGIN,		/* falls through or aborts to `target` */
  LP_INSN_JMP_IND,		/* jump through a register or memory */
  LP_INSN_CALL,			/* direct call: `target` */
  LP_INSN_CALL_IND,		/* call through a register or memory */
  LP_INSN_RET,
  LP_INSN_STOP			/* ud2, hlt, int3: does not fall through */
};

typedef struct lp_insn
{
  uint64_t addr;
  uint64_t target;		/* of a direct branch; of a rip-relative operand: the address
				   it names (`rip_off` is not 0 then) */
  uint8_t len;
  uint8_t kind;			/* enum lp_insn_kind */
  uint8_t rip_off;		/* offset of a rip-relative 32-bit displacement, or 0 */
  uint8_t opcode_off;		/* offset of the first opcode byte, behind the prefixes */
  uint16_t reads, writes;	/* general registers, bit n = register number n; `reads` has
				   all bits where unsure, `writes` only full (32- or
				   64-bit) writes that are certain */
  bool reads_flags;		/* may read an arithmetic flag */
  bool writes_flags;		/* certainly overwrites all of CF PF AF ZF SF OF */
  bool copies;			/* a mov from one general register to another ... */
  bool loads;			/* ... or from memory */
  bool idle;			/* does nothing: nop in its forms (90, 0f 1f) */
  bool uses_sp;			/* names or moves the stack pointer, explicitly or not */
} lp_insn;

/* Decode the instruction at BYTES (AVAIL of them), which stands at ADDR.
   0, or -1 with LP_EUNSUPPORTED naming the address: undecodable.  */
struct lp_decoder;
struct lp_decoder *lp_decoder_new (lp_error *err);
void lp_decoder_free (struct lp_decoder *d);
int lp_decode (struct lp_decoder *d, const uint8_t *bytes, uint64_t avail,
	       uint64_t addr, lp_insn *insn, lp_error *err);

/* Write the instruction at BYTES in AT&T syntax into TEXT (SIZE bytes); returns
   its length, or 0 when it is undecodable.  */
unsigned lp_disassemble (struct lp_decoder *d, const uint8_t *bytes,
			 uint64_t avail, uint64_t addr, char *text,
			 size_t size);

#endif
