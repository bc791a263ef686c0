/* thunk_call.S: see thunk_call.h.  */

#include "thunk_call.h"

	.text
	.globl	thunk_call
	.type	thunk_call, @function
thunk_call:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, CALL_SP(%rdi)
	mov	%rdi, thunk_current(%rip)
	mov	CALL_THUNK(%rdi), %rax
	mov	%rax, target(%rip)
	mov	CALL_RCX(%rdi), %rax
	mov	%rax, argument_rcx(%rip)
	mov	CALL_RAX(%rdi), %rax
	mov	%rax, argument_rax(%rip)
	push	CALL_IN_FLAGS(%rdi)
	popf
	mov	CALL_IN+0*8(%rdi), %rax
	mov	CALL_IN+1*8(%rdi), %rcx
	mov	CALL_IN+2*8(%rdi), %rdx
	mov	CALL_IN+3*8(%rdi), %rbx
	mov	CALL_IN+4*8(%rdi), %rsp
	mov	CALL_IN+5*8(%rdi), %rbp
	mov	CALL_IN+6*8(%rdi), %rsi
	mov	CALL_IN+8*8(%rdi), %r8
	mov	CALL_IN+9*8(%rdi), %r9
	mov	CALL_IN+10*8(%rdi), %r10
	mov	CALL_IN+11*8(%rdi), %r11
	mov	CALL_IN+12*8(%rdi), %r12
	mov	CALL_IN+13*8(%rdi), %r13
	mov	CALL_IN+14*8(%rdi), %r14
	mov	CALL_IN+15*8(%rdi), %r15
	mov	CALL_IN+7*8(%rdi), %rdi
	push	%rax
	push	%rcx
	mov	argument_rcx(%rip), %rcx
	mov	argument_rax(%rip), %rax
	call	*target(%rip)
	pop	%rcx
	pop	%rax
	mov	%rdi, kept_rdi(%rip)
	mov	thunk_current(%rip), %rdi
	mov	%rax, CALL_OUT+0*8(%rdi)
	mov	%rcx, CALL_OUT+1*8(%rdi)
	mov	%rdx, CALL_OUT+2*8(%rdi)
	mov	%rbx, CALL_OUT+3*8(%rdi)
	mov	%rsp, CALL_OUT+4*8(%rdi)
	mov	%rbp, CALL_OUT+5*8(%rdi)
	mov	%rsi, CALL_OUT+6*8(%rdi)
	mov	%r8, CALL_OUT+8*8(%rdi)
	mov	%r9, CALL_OUT+9*8(%rdi)
	mov	%r10, CALL_OUT+10*8(%rdi)
	mov	%r11, CALL_OUT+11*8(%rdi)
	mov	%r12, CALL_OUT+12*8(%rdi)
	mov	%r13, CALL_OUT+13*8(%rdi)
	mov	%r14, CALL_OUT+14*8(%rdi)
	mov	%r15, CALL_OUT+15*8(%rdi)
	mov	CALL_SP(%rdi), %rsp
	pushf
	pop	CALL_OUT_FLAGS(%rdi)
	mov	kept_rdi(%rip), %rax
	mov	%rax, CALL_OUT+7*8(%rdi)
leave:
	push	$0x202			/* no direction, no single steps */
	popf
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.globl	thunk_abandon
thunk_abandon:
	mov	thunk_current(%rip), %rdi
	mov	CALL_SP(%rdi), %rsp
	jmp	leave
	.size	thunk_call, . - thunk_call

	.globl	thunk_current
	.local	target, argument_rcx, argument_rax, kept_rdi
	.comm	thunk_current, 8, 8
	.comm	target, 8, 8
	.comm	argument_rcx, 8, 8
	.comm	argument_rax, 8, 8
	.comm	kept_rdi, 8, 8

	.section .note.GNU-stack, "", @progbits
