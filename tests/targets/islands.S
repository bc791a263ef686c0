/* islands.S: data in the midst of code, which looks like code.  */

	.text
	.globl	over, choose, text_at
	.hidden	text_at

/* unsigned over (unsigned n): constants behind a jump over them.  */
	.type	over, @function
over:
	mov	%edi, %eax
	jmp	2f
1:	.byte	0x48, 0x89, 0xc0, 0x90	/* a move, and others that do nothing */
	.byte	0x90, 0x90, 0x90, 0x90
2:	add	1b(%rip), %eax
	add	1b+4(%rip), %eax
	ret
	.size	over, . - over

/* Between functions: the beginnings of jumps, calls and long instructions.  */
text_at:
	.asciz	"\351\350\017\204\307\005in text"

/* unsigned choose (unsigned n): a table of distances between the jump and its targets.  */
	.type	choose, @function
choose:
	and	$3, %edi		/* HITS 300 */
	lea	3f(%rip), %rdx		/* HITS 300 */
	movslq	(%rdx,%rdi,4), %rax	/* HITS 300 */
	add	%rdx, %rax		/* HITS 300 */
	jmp	*%rax			/* HITS 300 */
3:	.long	4f-3b, 5f-3b, 6f-3b, 5f-3b
4:	mov	$7, %eax		/* HITS 75 */
	ret				/* HITS 75 */
	.byte	0x90, 0x90, 0x90
5:	mov	$11, %eax		/* HITS 150 */
	ret				/* HITS 150 */
	.byte	0x89, 0xc0
6:	mov	$13, %eax		/* HITS 75 */
	ret				/* HITS 75 */
	.size	choose, . - choose

	.section .note.GNU-stack, "", @progbits
