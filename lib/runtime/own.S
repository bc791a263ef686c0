/* own.S: how a thread gets its block in a process that profiles itself.  runtime.h
   says how this is called; lib/own_claim.c is what it calls.

   A thread begins with an empty slot, and whoever counts in everybody's block asks
   again at each entry.  What C changes is saved; of the vector registers the C
   library may use the lower halves.  */

#include "wire/layout.h"
#include "runtime/macros.h"

	.text
	.balign	64
	.globl	lp_own_begin
	.hidden	lp_own_begin
lp_own_begin:

/* The way through where there is nothing to do changes no flag.  */
function lp_thunk_own_claim
	jrcxz	2f
	mov	LP_BLOCK_UNOWNED(%rcx), %rax
	xchg	%rax, %rcx
	jrcxz	1f
	jmp	2f
1:	mov	%rax, %rcx
	ret
2:	save_flags
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%rbx
	mov	%rsp, %rbx
	sub	$256, %rsp
	and	$-16, %rsp
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	%xmm\n, 16*\n(%rsp)
	.endr
	call	*lp_own_function(%rip)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups	16*\n(%rsp), %xmm\n
	.endr
	mov	%rbx, %rsp
	mov	%rax, %rcx
	pop	%rbx
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	restore_flags
	ret
	.size	lp_thunk_own_claim, . - lp_thunk_own_claim

	.balign	8
	.globl	lp_own_function
	.hidden	lp_own_function
lp_own_function:
	.quad	0

	.globl	lp_own_end
	.hidden	lp_own_end
lp_own_end:

	.section .note.GNU-stack, "", @progbits
