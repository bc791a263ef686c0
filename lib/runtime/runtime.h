/* runtime.h: what the library carries into the profiled process.  */

#ifndef LP_RUNTIME_RUNTIME_H
#define LP_RUNTIME_RUNTIME_H

#pragma GCC visibility push(hidden)

/* The preloaded object (slot.c), an ELF file of lp_slot_image_end -
   lp_slot_image bytes.  Its one dynamic symbol LP_SLOT_OFFSET_SYMBOL is an
   int64_t: after relocation, the distance from fs:0 to the thread's slot, which
   is a uint64_t.  The slot's initial value in new threads is the 8 bytes at the
   object's PT_TLS address; they are in writable memory.  */
#define LP_SLOT_OFFSET_SYMBOL "lp_slot_offset"
#define LP_SLOT_SONAME "lineprof-slot.so"
extern const unsigned char lp_slot_image[], lp_slot_image_end[];

/* The thunks (thunks.S): position-independent code, to be copied as a whole,
   from lp_thunks_begin to lp_thunks_end, to an address that is a multiple of
   LP_THUNKS_ALIGN.  The others are entry points in it: call the copy's address
   plus their distance from lp_thunks_begin.

   All take rcx = the thread's block, clobber rax and rcx, and preserve every
   other register and the arithmetic flags.  They use at most LP_THUNKS_STACK
   bytes below the caller's stack pointer, the return address included, and
   LP_SETTLE_STACK where the stack is not known to be the one that the thread ran on
   last, and for a resync.

   entry   before a function's first instruction, behind `push %rax; push %rcx';
	   rax = (offset of the line's cell << 32) | offset of the function's cell
   exit    before a function's ret or tail jump, where the stack pointer is at the
	   return address, behind `push %rax; push %rcx'
   resync  at a landing pad or behind the return of setjmp; rax = the stack
	   pointer there, without what the caller pushed or skipped since  */
#define LP_THUNKS_ALIGN 64
#define LP_THUNKS_STACK 80
#define LP_SETTLE_STACK 480
extern const unsigned char lp_thunks_begin[], lp_thunks_end[];
extern const unsigned char lp_thunk_entry[], lp_thunk_exit[], lp_thunk_resync[];

/* The same for call trees (tree.S), where nothing but calls is profiled: the rules
   above hold, with these differences.  entry takes the function's number in eax;
   it may need LP_TREE_STACK bytes.  The second of each pair reads no clock.

   inlined, uninlined, switch: anywhere in a function, behind the two pushes; rax =
   (the function's number << 32) | the number of an instance inlined into it.  It is
   entered; once less than was counted; it runs from here on, or the function itself
   where both numbers are its.  */
#define LP_TREE_STACK 480
extern const unsigned char lp_tree_begin_code[], lp_tree_end_code[];
extern const unsigned char lp_tree_thunk_entry[], lp_tree_count_entry[];
extern const unsigned char lp_tree_thunk_exit[], lp_tree_count_exit[];
extern const unsigned char lp_tree_thunk_resync[], lp_tree_count_resync[];
extern const unsigned char lp_tree_thunk_switch[], lp_tree_count_switch[];
extern const unsigned char lp_tree_count_inlined[], lp_tree_count_uninlined[];

/* The thunk of a program that nobody traces (claim.S), by the same rules: before any
   other at a function's entry, it puts the block that is the thread's from now on
   into rcx, and changes nothing else but rax.  The copy's two words get the
   run-time addresses of block 0, which holds an lp_claim, and of a word that is
   not 0 and becomes 0 in a forked child.  */
extern const unsigned char lp_claim_begin[], lp_claim_end[];
extern const unsigned char lp_thunk_claim[];
extern const unsigned char lp_claim_block0[], lp_claim_mark[];

/* The same where a process profiles itself (own.S).  rcx: the slot's value, 0 or a
   block's address; a block of which LP_BLOCK_UNOWNED is not 0 is not the
   thread's.  Then the function whose address is at lp_own_function of the copy is
   called, as C, for the thread's block.  Its result is in rcx; rax is lost.  It uses
   the program's stack as C does.  */
extern const unsigned char lp_own_begin[], lp_own_end[];
extern const unsigned char lp_thunk_own_claim[], lp_own_function[];

#pragma GCC visibility pop

#endif
