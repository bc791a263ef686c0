/* slot.c: the preloaded object.  It gives every thread of a launched program 8
   bytes at one fixed distance from fs:0, where a probe finds its thread's block
   in one instruction.  It is all but nothing but data: no constructor, no other
   library, so it loads under any C library and costs nothing.

   The slot's initial value is 0, yet it stands in .tdata and not in .tbss: so
   the object has a TLS image in memory, 8 bytes at PT_TLS's address.  kernprof
   stops the program when everything is relocated and nothing has run, maps the
   blocks, and writes the fallback block's address into that image, which the C
   library copies into each new thread, and into the slot of each thread that
   exists.  Nothing reads a slot before, since there are no probes before.  */

#include <stdint.h>

__attribute__ ((section (".tdata"), visibility ("hidden"), used))
__thread uint64_t lp_slot = 0;

/* Objects without code are files that somebody has mapped: whoever looks for what
   is loaded (target/modules.c, debuggers) passes them over.  */
__attribute__ ((visibility ("hidden"), used))
void
lp_slot_code (void)
{
}

/* The slot's offset from fs:0 is known to the dynamic loader alone.  It writes
   it into a GOT entry, which the linker makes with its R_X86_64_TPOFF64
   relocation; linkers make none for a plain word of data.  An empty .got section
   gives that entry, the only one, its name.  The reference is what asks for the
   entry; nobody reads it.  */
__asm__ (".pushsection .got, \"aw\", @progbits\n\t"
	 ".balign 8\n\t"
	 ".globl lp_slot_offset\n\t"
	 ".type lp_slot_offset, @object\n\t"
	 ".size lp_slot_offset, 8\n"
	 "lp_slot_offset:\n\t"
	 ".popsection\n\t"
	 ".pushsection .rodata, \"a\", @progbits\n\t"
	 ".long lp_slot@gottpoff\n\t"
	 ".popsection");
