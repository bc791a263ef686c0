/* awkward.S: hand-written control flow that no compiler makes; awkward.c calls
   it.  Every instruction is a line of its own, and what it counts is said.  */

	.text

	.macro	function name
	.globl	\name
	.type	\name, @function
	.p2align 4
	.endm

	.macro	end name
	.size	\name, . - \name
	.endm

/* loop, loope, loopne and jrcxz: 8-bit displacements only.  */
	function counts
counts:
	xor	%eax, %eax		/* HITS 10 */
	mov	%rdi, %rcx		/* HITS 10 */
	jrcxz	3f			/* HITS 10 */
1:	add	$3, %eax		/* HITS 45 */
	loop	1b			/* HITS 45 */
	mov	%rdi, %rcx		/* HITS 9 */
2:	inc	%eax			/* HITS 27 */
	cmp	$7, %ecx		/* HITS 27 */
	loopne	2b			/* HITS 27 */
	mov	$5, %ecx		/* HITS 9 */
4:	test	%ecx, %ecx		/* HITS 9 */
	loope	4b			/* HITS 9 */
	add	%ecx, %eax		/* HITS 9 */
	movabs	$0x100000000, %rcx	/* HITS 9 */
	jecxz	5f			/* HITS 9 */
	ud2
5:	inc	%eax			/* HITS 9 */
3:	ret				/* HITS 10 */
	end	counts

/* A jump into the middle of an instruction: the immediate of mov holds `inc %eax;
   jmp .+6'.  */
	function overlaps
overlaps:
	mov	%edi, %eax
	test	%edi, %edi
	jz	1f + 1
1:	mov	$0x04ebc0ff, %ecx
	nop
	add	$100, %eax
	ret
	end	overlaps

/* ret as a jump: to a label that was pushed, and to a table's entry.  */
	function returns_to
returns_to:
	lea	1f(%rip), %rax		/* HITS 10 */
	push	%rax			/* HITS 10 */
	mov	%edi, %eax		/* HITS 10 */
	ret				/* HITS 10 */
	ud2
1:	add	$5, %eax		/* HITS 10 */
	lea	2f(%rip), %rcx		/* HITS 10 */
	test	$1, %edi		/* HITS 10 */
	jz	4f			/* HITS 10 */
	lea	3f(%rip), %rcx		/* HITS 5 */
4:	push	%rcx			/* HITS 10 */
	ret				/* HITS 10 */
2:	add	$1000, %eax		/* HITS 5 */
3:	ret				/* HITS 10 */
	end	returns_to

/* A computed goto through a table of addresses in memory, and in a register.  */
	.section .data.rel.ro, "aw"
	.balign	8
table:	.quad	t0, t1, t2, t3
	.text
	function by_table
by_table:
	xor	%eax, %eax		/* HITS 40 */
	and	$3, %edi		/* HITS 40 */
	lea	table(%rip), %rdx	/* HITS 40 */
	jmp	*(%rdx,%rdi,8)		/* HITS 40 */
t0:	inc	%eax			/* HITS 10 */
	mov	24(%rdx), %rcx		/* HITS 10 */
	jmp	*%rcx			/* HITS 10 */
t1:	add	$20, %eax		/* HITS 20 */
	ret				/* HITS 20 */
t2:	add	$300, %eax		/* HITS 10 */
	jmp	t1			/* HITS 10 */
t3:	add	$4000, %eax		/* HITS 20 */
	ret				/* HITS 20 */
	end	by_table

/* A switch that has no default and no case 0: the compiler sends both to where the
   code would be, behind the end of the function.  */
	.section .rodata
	.balign	4
cases:	.long	8f - cases, 1f - cases, 2f - cases, 3f - cases
	.text
	function cannot_be
cannot_be:
	cmp	$3, %edi		/* HITS 30 */
	ja	8f			/* HITS 30 */
	mov	%edi, %eax		/* HITS 30 */
	lea	cases(%rip), %rdx	/* HITS 30 */
	movslq	(%rdx,%rax,4), %rax	/* HITS 30 */
	add	%rdx, %rax		/* HITS 30 */
	jmp	*%rax			/* HITS 30 */
1:	mov	$5, %eax		/* HITS 10 */
	ret				/* HITS 10 */
2:	mov	$60, %eax		/* HITS 10 */
	ret				/* HITS 10 */
3:	mov	$700, %eax		/* HITS 10 */
	ret				/* HITS 10 */
	end	cannot_be
8:	ud2

/* A tail call through a pointer of an object, behind an array that is no table.  */
	.section .rodata
	.balign	4
numbers: .long	7, 11, 13
	.section .data.rel.ro
	.balign	8
object:	.quad	0, adds_one
	.text
	function by_object
by_object:
	lea	numbers(%rip), %rax	/* HITS 10 */
	and	$1, %edi		/* HITS 10 */
	mov	(%rax,%rdi,4), %edi	/* HITS 10 */
	jz	1f			/* HITS 10 */
	inc	%edi			/* HITS 5 */
1:	lea	object(%rip), %r9	/* HITS 10 */
	mov	8(%r9), %r10		/* HITS 10 */
	push	%r9			/* HITS 10 */
	pop	%r9			/* HITS 10 */
	jmp	*%r10			/* HITS 10 */
	end	by_object

/* A jump into code at a distance that is reckoned out.  */
	function by_distance
by_distance:
	mov	%edi, %edi		/* HITS 10 */
	and	$3, %edi		/* HITS 10 */
	xor	%eax, %eax		/* HITS 10 */
	lea	1f(%rip), %rcx		/* HITS 10 */
	lea	(%rcx,%rdi,2), %rcx	/* HITS 10 */
	jmp	*%rcx			/* HITS 10 */
1:	inc	%eax			/* HITS 3 */
	inc	%eax			/* HITS 6 */
	inc	%eax			/* HITS 8 */
	ret				/* HITS 10 */
	end	by_distance

	function adds_one
adds_one:
	lea	1(%rdi), %eax		/* HITS 10 */
	ret				/* HITS 10 */
	end	adds_one

/* jmp *mem with an absolute address in writable data, changed on the way.  */
	.data
	.balign	8
target:	.quad	0
	.text
	function by_memory
by_memory:
	lea	1f(%rip), %rax		/* HITS 10 */
	mov	%rax, target(%rip)	/* HITS 10 */
	xor	%eax, %eax		/* HITS 10 */
	jmp	*target(%rip)		/* HITS 10 */
	ud2
1:	add	$7, %eax		/* HITS 20 */
	lea	2f(%rip), %rcx		/* HITS 20 */
	xchg	%rcx, target(%rip)	/* HITS 20 */
	dec	%edi			/* HITS 20 */
	jns	1b			/* HITS 20 */
	jmp	*target(%rip)		/* HITS 10 */
2:	ret				/* HITS 10 */
	end	by_memory

/* Branches from one function into another's middle, both ways.  */
	function over
over:
	mov	%edi, %eax		/* HITS 10 */
	test	$1, %edi		/* HITS 10 */
	jnz	middle			/* HITS 10 */
	add	$2, %eax		/* HITS 5 */
back:	add	$10, %eax		/* HITS 10 */
	ret				/* HITS 10 */
	end	over

	function under
under:
	mov	%edi, %eax		/* HITS 10 */
	test	$1, %edi		/* HITS 10 */
	jz	back			/* HITS 10 */
	add	$3, %eax		/* HITS 5 */
middle:	add	$500, %eax		/* HITS 10 */
	jmp	back2			/* HITS 10 */
	end	under

/* A function without an end of its own: it runs into the next.  */
	function runs_on
runs_on:
	mov	%edi, %eax		/* HITS 10 */
back2:	lea	1(%rax,%rax), %eax	/* HITS 20 */
	end	runs_on
	.globl	last
	.type	last, @function
last:
	xor	$0x55, %eax		/* HITS 20 */
	ret				/* HITS 20 */
	end	last

/* call to the next instruction, to learn where one is; and a call whose return
   address is thrown away.  */
	function here
here:
	call	1f			/* HITS 10 */
1:	pop	%rax			/* HITS 10 */
	sub	$1b, %rax		/* HITS 10 */
	call	2f			/* HITS 10 */
	ud2
2:	add	$8, %rsp		/* HITS 10 */
	add	%edi, %eax		/* HITS 10 */
	ret				/* HITS 10 */
	end	here

/* A transaction that is aborted, or that this processor does not know.  */
	function transaction
transaction:
	mov	%edi, %eax		/* HITS 10 */
	test	%esi, %esi		/* HITS 10 */
	jz	1f			/* HITS 10 */
	xbegin	1f
	xabort	$7
	ud2
1:	ret				/* HITS 10 */
	end	transaction

/* Short calls in a row, each with a line, and returns that pop.  */
	function crowded
crowded:
	call	last2			/* HITS 10 */
	call	last2			/* HITS 10 */
	jmp	1f			/* HITS 10 */
	.p2align 2
1:	call	last2			/* HITS 10 */
	call	*%rsi			/* HITS 10 */
	call	*%rsi			/* HITS 10 */
	ret				/* HITS 10 */
	end	crowded
	function last2
last2:	inc	%edi			/* HITS 50 */
	mov	%edi, %eax		/* HITS 50 */
	ret	$0			/* HITS 50 */
	end	last2

/* Stack switching by hand: the body runs on a stack of its own, yields there with
   `xchg %rsp'.  */
	.bss
	.balign	16
	.skip	4096
stack_end:
other:	.quad	0
	.text
	function on_its_own
on_its_own:
	lea	stack_end(%rip), %rcx	/* HITS 10 */
	lea	1f(%rip), %rax		/* HITS 10 */
	mov	%rax, -8(%rcx)		/* HITS 10 */
	sub	$8, %rcx		/* HITS 10 */
	mov	%rcx, other(%rip)	/* HITS 10 */
	mov	%edi, %eax		/* HITS 10 */
	call	switch			/* HITS 10 */
	add	$1, %eax		/* HITS 10 */
	call	switch			/* HITS 10 */
	ret				/* HITS 10 */
1:	add	$30, %eax		/* HITS 10 */
	call	switch			/* HITS 10 */
	add	$400, %eax		/* HITS 10 */
	call	switch			/* HITS 10 */
	ud2
	end	on_its_own
	function switch
switch:
	xchg	other(%rip), %rsp	/* HITS 40 */
	ret				/* HITS 40 */
	end	switch

	.section .note.GNU-stack, "", @progbits
