/* macros.h: assembly that thunks.S and tree.S share.  rcx is the block.  */

#ifndef LP_RUNTIME_MACROS_H
#define LP_RUNTIME_MACROS_H

	.macro	function name
	.balign	64
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
	.endm

/* The flags: CF PF AF ZF SF in bits 8 to 15, OF in bit 0.  (pushf and popf would
   cost 5 ns.)  */
	.macro	save_flags
	lahf
	seto	%al
	push	%rax
	.endm

/* Adding 127 to OF's bit makes OF again.  */
	.macro	restore_flags
	pop	%rax
	add	$0x7f, %al
	sahf
	.endm

/* Seven registers, which a thunk may use, and behind them the flags: these are saved
   apart.  */
	.macro	push_seven
	push	%rbx
	push	%rdx
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	.endm

	.macro	restore
	restore_flags
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rdx
	pop	%rbx
	.endm

/* rax = the ticks since LAST, 0 where the clock has not reached it; LAST moves past
   them and the event's own cost, at offset COST.  Changes rdx, r8, r9.  */
	.macro	take_ticks cost
	xor	%r8d, %r8d
	mov	\cost(%rcx), %r9d
	rdtsc
	shl	$32, %rdx
	or	%rdx, %rax
	sub	LP_BLOCK_LAST(%rcx), %rax
	cmovb	%r8, %rax
	add	%rax, %r9
	add	%r9, LP_BLOCK_LAST(%rcx)
	.endm

/* r8 = the top frame's address, edx = what FUNC says runs now.  */
	.macro	top_and_func
	mov	LP_BLOCK_FUNC(%rcx), %r8
	mov	%r8d, %edx
	shr	$32, %r8
	add	%rcx, %r8
	.endm

/* The same; then compare the frame's CFA with rdi: "above" means that it stays.  */
	.macro	look_at_top
	top_and_func
	cmp	%rdi, LP_FRAME_CFA(%r8)
	.endm

/* "Equal" where the frame at r8 is the root.  It is above all that is below the ceiling; but
   two threads may be in one block (on one thread pointer), and one changes stacks.  */
	.macro	is_root
	lea	LP_FRAMES(%rcx), %rax
	cmp	%rax, %r8
	.endm

/* Call the C function NAME for the block, the CFA in rdi, and KIND, of enum lp_settle.  What C
   may change is lost but rcx and rdi; it wants the direction flag clear.  */
#define LP_AT_EXIT 0
#define LP_AT_ENTRY 1
#define LP_AT_RESYNC 2
	.macro	ask name, kind=0
	push	%rcx
	push	%rdi
	mov	%rdi, %rsi
	mov	%rcx, %rdi
	mov	$\kind, %edx
	pushf
	cld
	call	\name
	popf
	pop	%rdi
	pop	%rcx
	.endm

/* Take the top frame, at r8, off; FUNC becomes FUNC, a register whose upper half is
   0.  */
	.macro	pop_frame func
	sub	%rcx, %r8
	sub	$LP_FRAME_SIZE, %r8
	shl	$32, %r8
	or	\func, %r8
	mov	%r8, LP_BLOCK_FUNC(%rcx)
	.endm

#endif
