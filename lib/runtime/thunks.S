/* thunks.S: what happens at a profiled function's entry, at its exit, and where
   control comes back without one.  runtime.h says how they are called, layout.h
   what they write.  The bytes are copied next to the profiled code and called
   there: no address of anything outside is in them.

   Time.  An event charges the ticks since the last one to the current line, and
   moves LAST ahead by these ticks plus its own cost.  So everything charged,
   plus all costs, is always LAST minus its first value.  Where the clock has not
   reached LAST (the cost was put too high, or two processors' clocks differ)
   nothing is charged, and the debt stays in LAST for the next event.

   Frames.  Each of the three events ends the calls whose CFA is not above a
   limit: at an entry and at an exit the event's own CFA (at an entry that is a
   call that left by a way nobody saw; at an exit its own frame, with what a
   throw or longjmp left above it); at a resync the stack pointer, below which
   every callee's CFA is.  All frames are of one stack: where the limit is not
   between `floor' and `ceiling', C (settle.c) sees to it first.  The root stays: it is
   above the ceiling.

   Signals.  A handler may run profiled code between any two instructions here,
   on the same block, and may leave by longjmp.  What it pushes it pops; so it
   finds and leaves LINE, FUNC and TOP as they were, except that it may drop
   frames that are stale, and leave stale ones of its own.  Hence:

   - LAST, CLOCK and the cells are changed by one read-modify-write instruction
     each and by differences, so a handler's changes in between add up with
     ours.  LAST moves before anything is charged: at worst a handler in the
     three instructions before that has the ticks up to here twice, and the
     next line that much less; the sum is always right.
   - FUNC and TOP are neighbours: one load reads both, one store changes both.
     TOP is computed from what was read, never added to in memory, so it can not
     leave its bounds.
   - A frame's FUNC is 0 until the frame is complete.  Whoever closes a frame reads
     all of it and then takes FUNC by one cmpxchg (which needs no lock here); it
     fails where a handler was faster, and the place may be another frame's by
     now.  So a frame is counted once, and never from mixed contents.  What a
     handler that leaves by longjmp interrupted is dropped uncounted.
   - A frame is written in two parts.  Before TOP moves: what popping it needs
     (its CFA, the caller's cells).  A handler may overwrite the place then, by a
     frame with the same caller's cells, since LINE and FUNC are still the
     caller's, and with a FUNC of 0, since it was popped.  After TOP moved the place
     is ours: its CFA once more, then the rest.  If two handlers come in, one
     just before TOP moves and one just after, the frame may be dropped: the
     call runs without, as if the stack of frames were full.
   - The number of calls is one increment.

   So a handler can never spoil where the thread is, nor a number of calls.  What
   it can spoil, when it comes between two instructions that belong together,
   is the time of the call being opened or closed there: by its own duration,
   or by the call's, once.  */

#include "wire/layout.h"
#include "runtime/macros.h"

	.text
	.balign	64
	.globl	lp_thunks_begin
	.hidden	lp_thunks_begin
lp_thunks_begin:

/* Free seven registers, move the argument in rax to KEEP, and save the flags.  */
#define SAVED 64
	.macro	save keep
	push_seven
	.ifnb	\keep
	mov	%rax, \keep
	.endif
	save_flags
	.endm

/* Charge the current line up to now.  COST: offset of the event's own cost.  */
	.macro	charge cost
	take_ticks \cost
	mov	LP_BLOCK_LINE(%rcx), %edx
	add	%rax, LP_LINE_SELF(%rcx,%rdx)
	add	%rax, LP_BLOCK_CLOCK(%rcx)
	.endm

/* Close the top frame, whose address is in r8, and go to NEXT.  */
	.macro	close_top next
	mov	LP_FRAME_FUNC(%r8), %eax
	mov	LP_FRAME_CALLER_LINE(%r8), %r9d
	mov	LP_FRAME_CALLER_FUNC(%r8), %r10d
	test	%eax, %eax
	jz	8f
	mov	LP_FRAME_SELF_BEFORE(%r8), %rdx
	mov	LP_FRAME_CALLER_BEFORE(%r8), %r11
	sub	%rdx, %r11
	sub	LP_FRAME_ENTRY(%r8), %rdx
	xor	%ebx, %ebx
	cmpxchg	%ebx, LP_FRAME_FUNC(%r8)
	jne	\next
	/* The function's total: as it was before, plus this call.  */
	add	LP_BLOCK_CLOCK(%rcx), %rdx
	mov	%rdx, LP_FUNC_TOTAL(%rcx,%rax)
	/* To the caller's line: this call, without what the caller's own total grew
	   by in it, which is on lines of the caller already.  */
	add	%r11, %rdx
	sub	LP_FUNC_TOTAL(%rcx,%r10), %rdx
	add	%rdx, LP_LINE_CALLEES(%rcx,%r9)
8:	mov	%r9d, LP_BLOCK_LINE(%rcx)
	pop_frame %r10
	jmp	\next
	.endm

/* The CFA of the function that called a thunk, above the SAVED registers, the
   thunk's return address, rcx, rax, and the function's return address.  */
#define CFA (SAVED + 32)

function lp_thunk_entry
	push	%rsi
	save	%rsi
	charge	LP_BLOCK_ENTRY_COST
	lea	CFA+8(%rsp), %rdi
4:	look_at_top
	jbe	7f
	cmp	LP_BLOCK_FLOOR(%rcx), %rdi
	jb	10f
9:	mov	%esi, %r9d
	incq	LP_FUNC_CALLS(%rcx,%r9)
	shr	$32, %rsi
	mov	LP_BLOCK_LIMIT(%rcx), %eax
	add	%rcx, %rax
	cmp	%rax, %r8
	jae	6f
	add	$LP_FRAME_SIZE, %r8
	/* Part one, above the top.  */
	movl	$0, LP_FRAME_FUNC(%r8)
	mov	%rdi, LP_FRAME_CFA(%r8)
	mov	%edx, LP_FRAME_CALLER_FUNC(%r8)
	mov	LP_BLOCK_LINE(%rcx), %eax
	mov	%eax, LP_FRAME_CALLER_LINE(%r8)
	mov	%r8, %rax
	sub	%rcx, %rax
	shl	$32, %rax
	or	%r9, %rax
	mov	%rax, LP_BLOCK_FUNC(%rcx)
	/* Part two, the top frame.  */
	mov	%rdi, LP_FRAME_CFA(%r8)
	mov	LP_FUNC_TOTAL(%rcx,%rdx), %rax
	mov	%rax, LP_FRAME_CALLER_BEFORE(%r8)
	mov	LP_FUNC_TOTAL(%rcx,%r9), %rax
	mov	%rax, LP_FRAME_SELF_BEFORE(%r8)
	mov	LP_BLOCK_CLOCK(%rcx), %rax
	mov	%rax, LP_FRAME_ENTRY(%r8)
	mov	%r9d, LP_FRAME_FUNC(%r8)
5:	mov	%esi, LP_BLOCK_LINE(%rcx)
	restore
	pop	%rsi
	ret
6:	incq	LP_BLOCK_OVERFLOW(%rcx)
	jmp	5b
7:	cmp	LP_BLOCK_CEILING(%rcx), %rdi
	ja	10f
	is_root
	je	9b
	close_top 4b
10:	push	%rsi
	ask	lp_lines_settle, LP_AT_ENTRY
	pop	%rsi
	top_and_func
	jmp	9b
	.size	lp_thunk_entry, . - lp_thunk_entry

function lp_thunk_exit
	save
	charge	LP_BLOCK_EXIT_COST
	lea	CFA(%rsp), %rdi
	look_at_top
	jne	3f
1:	close_top 2f
2:	mov	LP_BLOCK_TOP(%rcx), %eax
	cmp	LP_BLOCK_GUEST(%rcx), %eax
	je	5f
	restore
	ret
	/* Not the top frame's own exit.  */
3:	cmp	LP_BLOCK_FLOOR(%rcx), %rdi
	jb	4f
	cmp	LP_BLOCK_CEILING(%rcx), %rdi
	ja	4f
	look_at_top
	ja	2b
	is_root
	je	2b
	close_top 3b
4:	push	%rsi
	ask	lp_lines_settle, LP_AT_EXIT
	pop	%rsi
	look_at_top
	je	1b
	jmp	2b
5:	push	%rsi
	ask	lp_lines_left
	pop	%rsi
	restore
	ret
	.size	lp_thunk_exit, . - lp_thunk_exit

/* Rare, and slow anyhow: all of it is C's.  */
function lp_thunk_resync
	save	%rdi
	charge	LP_BLOCK_EXIT_COST
	push	%rsi
	ask	lp_lines_settle, LP_AT_RESYNC
	pop	%rsi
	restore
	ret
	.size	lp_thunk_resync, . - lp_thunk_resync

#include <runtime/settle.s>
	.text

	.globl	lp_thunks_end
	.hidden	lp_thunks_end
lp_thunks_end:

	.section .note.GNU-stack, "", @progbits
