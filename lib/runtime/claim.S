/* claim.S: how a thread gets its block where nobody traces the program any more
   (--detach).  runtime.h says how this is called, layout.h what it reads.

   A thread begins with block 0, which is everybody's.  At the first entry into a
   profiled function it takes the next spare block, which is all zeros, and begins it.  A forked child begins with its
   parent's: the mark, a word in a page that the kernel empties in a child, says so;
   then it takes a block as well, whose number becomes the mark: it tells this process's
   blocks from others'.  No system call is made, nothing is ever given
   back.

   Signals.  A handler that runs profiled code in between takes a block of its own,
   which stays behind with what it counted.  */

#include "wire/layout.h"
#include "runtime/macros.h"

	.text
	.balign	64
	.globl	lp_claim_begin
	.hidden	lp_claim_begin
lp_claim_begin:

/* The way through where there is nothing to do changes no flag.  */
function lp_thunk_claim
	mov	LP_BLOCK_LIMIT(%rcx), %eax
	lea	-LP_FRAMES(%rax), %eax
	xchg	%rax, %rcx
	jrcxz	1f
	mov	lp_claim_mark(%rip), %rcx
	mov	(%rcx), %rcx
	jrcxz	1f
	mov	%rax, %rcx
	ret
1:	push	%rdx
	push	%rsi
	save_flags
	mov	lp_claim_block0(%rip), %rsi
	mov	%rsi, %rcx
	mov	LP_CLAIM_NEXT(%rsi), %rax
	cmp	LP_CLAIM_END(%rsi), %rax
	jae	2f
	mov	$1, %eax
	lock xadd %rax, LP_CLAIM_NEXT(%rsi)
	cmp	LP_CLAIM_END(%rsi), %rax
	jae	2f
	mov	lp_claim_mark(%rip), %rdx
	cmpq	$0, (%rdx)
	jne	3f
	mov	%rax, (%rdx)
3:	mov	(%rdx), %edx
	imul	LP_CLAIM_STRIDE(%rsi), %rax
	lea	(%rsi,%rax), %rcx
	mov	%rax, LP_BLOCK_DEPOT(%rcx)
	.irp	at, 8, 16, 24, 32, 40, 48, 56
	mov	LP_CLAIM_HEADER+\at(%rsi), %rax
	mov	%rax, \at(%rcx)
	.endr
	mov	%edx, LP_BLOCK_PROCESS(%rcx)
	rdtsc
	shl	$32, %rdx
	or	%rdx, %rax
	mov	%rax, LP_BLOCK_LAST(%rcx)
2:	mov	LP_CLAIM_SLOT(%rsi), %rax
	mov	%rcx, %fs:(%rax)
	restore_flags
	pop	%rsi
	pop	%rdx
	ret
	.size	lp_thunk_claim, . - lp_thunk_claim

	.balign	8
	.globl	lp_claim_block0, lp_claim_mark
	.hidden	lp_claim_block0, lp_claim_mark
lp_claim_block0:
	.quad	0
lp_claim_mark:
	.quad	0

	.globl	lp_claim_end
	.hidden	lp_claim_end
lp_claim_end:

	.section .note.GNU-stack, "", @progbits
