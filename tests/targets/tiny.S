/* tiny.S: functions of one to four bytes, without padding between them; tiny.c calls
   them.  Every instruction is a line of its own.  */

	.text

	.macro	function name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.macro	end name
	.size	\name, . - \name
	.endm

	.p2align 4
	function before
	mov	%edi, %eax		/* HITS 1000 */
	imul	$3, %eax, %eax		/* HITS 1000 */
	add	$17, %eax		/* HITS 1000 */
	xor	$5, %eax		/* HITS 1000 */
	ret				/* HITS 1000 */
	end	before

	function two
	cltd				/* HITS 3000 */
	ret				/* HITS 3000 */
	end	two

	function three
	xor	%eax, %eax		/* HITS 4000 */
	ret				/* HITS 4000 */
	end	three

	function four
	lea	(%rdi,%rdi), %eax	/* HITS 3000 */
	ret				/* HITS 3000 */
	end	four

	function one
	ret				/* HITS 3000 */
	end	one

	function behind
	push	%rbx			/* HITS 1000 */
	mov	%edi, %ebx		/* HITS 1000 */
	call	three			/* HITS 1000 */
	lea	7(%rax,%rbx), %eax	/* HITS 1000 */
	pop	%rbx			/* HITS 1000 */
	ret				/* HITS 1000 */
	end	behind

	function roomy
	mov	$0x11223344, %eax	/* HITS 1000 */
	add	$0x01020304, %eax	/* HITS 1000 */
	xor	$0x55aa55aa, %eax	/* HITS 1000 */
	add	$0x01020304, %eax	/* HITS 1000 */
	xor	$0x55aa55aa, %eax	/* HITS 1000 */
	add	$0x01020304, %eax	/* HITS 1000 */
	xor	$0x55aa55aa, %eax	/* HITS 1000 */
	sub	%edi, %eax		/* HITS 1000 */
	ret				/* HITS 1000 */
	end	roomy

	.globl	tiny_end
tiny_end:

	.section .note.GNU-stack, "", @progbits
