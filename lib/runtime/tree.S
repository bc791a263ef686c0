/* tree.S: what happens at an entry, at an exit, and where control comes back
   without one, where a call tree is kept.  wire/tree.h says what that is, calls.h does
   the same in C; runtime.h says how these are called.

   Time is charged as in thunks.S, to the current node.  Frames are ended by the
   same rule: those whose CFA is not above the event's, on the stack that this is on.

   Signals.  A handler may run profiled code between any two instructions, on the
   same block.  What it pushes it pops, so it finds and leaves the current node
   and TOP as they were, except that it may drop frames that are stale.

   - LAST and OWN change by one read-modify-write instruction each, by
     differences; a call is counted by one increment.
   - FUNC, the current node, and TOP are neighbours: one load reads both, one store
     changes both, to what was computed from what was read.
   - A frame is written above the top, before TOP moves.  A handler may overwrite
     the place, with a frame that goes back to the same node, since that is still
     the current one; only its CFA and its own node are others.  So these are written
     once more when TOP has moved.
   - A node is added by one store (tree.h).  */

#include "wire/tree.h"
#include "runtime/macros.h"

	.text
	.balign	64
	.globl	lp_tree_begin_code
	.hidden	lp_tree_begin_code
lp_tree_begin_code:

/* Charge the current node up to now, and move LAST past the event's own cost, at
   offset COST.  */
	.macro	charge cost
	take_ticks \cost
	mov	LP_BLOCK_FUNC(%rcx), %edx
	add	%rax, LP_NODE_OWN(%rcx,%rdx)
	add	%rax, LP_BLOCK_CLOCK(%rcx)
	.endm

/* Take the top frame, at r8, off.  */
	.macro	drop_top
	mov	LP_FRAME_CALLER_FUNC(%r8), %edx
	pop_frame %rdx
	.endm

/* Above the stack pointer of an entry's body: nine words, the return address, rcx,
   rax.  */
#define ENTRY_CFA (9 * 8 + 32)

	.macro	entry name, timed
function \name
	push	%rsi
	push_seven
	mov	%eax, %esi
	save_flags
	.if	\timed
	charge	LP_BLOCK_ENTRY_COST
	.endif
	lea	ENTRY_CFA(%rsp), %rdi
1:	look_at_top
	jbe	10f
	cmp	LP_BLOCK_FLOOR(%rcx), %rdi
	jb	11f
	/* The child: ebx has the bits of the function's number that are left.  */
2:	mov	LP_NODE_KIDS(%rcx,%rdx), %eax
	mov	%esi, %ebx
3:	test	%eax, %eax
	jz	7f
	lea	(%rcx,%rax), %r10
	cmp	%esi, LP_NODE_FUNC(%r10)
	jne	6f
	mov	LP_NODE_TARGET(%r10), %eax
4:	incq	LP_NODE_CALLS(%rcx,%rax)
	/* Its frame, if there is room.  */
5:	mov	LP_BLOCK_LIMIT(%rcx), %r9d
	add	%rcx, %r9
	cmp	%r9, %r8
	jae	9f
	add	$LP_FRAME_SIZE, %r8
	mov	%rdi, LP_FRAME_CFA(%r8)
	mov	%edx, LP_FRAME_CALLER_FUNC(%r8)
	mov	%eax, LP_FRAME_FUNC(%r8)
	mov	%r8, %r9
	sub	%rcx, %r9
	shl	$32, %r9
	or	%rax, %r9
	mov	%r9, LP_BLOCK_FUNC(%rcx)
	mov	%rdi, LP_FRAME_CFA(%r8)
	mov	%eax, LP_FRAME_FUNC(%r8)
9:	restore
	pop	%rsi
	ret
6:	mov	%ebx, %r9d
	and	$3, %r9d
	shr	$2, %ebx
	mov	LP_NODE_NEXT(%r10,%r9,4), %eax
	jmp	3b
	/* No such child yet.  */
7:	push	%rcx
	push	%rdx
	mov	%rcx, %rdi
	xchg	%edx, %esi
	call	lp_tree_add
	pop	%rdx
	pop	%rcx
	lea	ENTRY_CFA(%rsp), %rdi
	mov	LP_BLOCK_TOP(%rcx), %r8d
	add	%rcx, %r8
	test	%eax, %eax
	jnz	4b
	incq	LP_BLOCK_OVERFLOW(%rcx)
	mov	%edx, %eax
	jmp	5b
10:	cmp	LP_BLOCK_CEILING(%rcx), %rdi
	ja	11f
	is_root
	je	2b
	drop_top
	jmp	1b
11:	push	%rsi
	ask	lp_nodes_settle, LP_AT_ENTRY
	pop	%rsi
	top_and_func
	jmp	2b
	.size	\name, . - \name
	.endm

/* The words that an exit and a resync save, the return address, rcx, rax, and the
   function's return address.  */
#define EXIT_CFA (5 * 8 + 32)

	.macro	begin_leave timed
	push	%rdi
	push	%rdx
	push	%r8
	push	%r9
	mov	%rax, %rdi
	save_flags
	.if	\timed
	charge	LP_BLOCK_EXIT_COST
	.endif
	.endm

	.macro	end_leave
	restore_flags
	pop	%r9
	pop	%r8
	pop	%rdx
	pop	%rdi
	ret
	.endm

	.macro	ask_more name, kind=0
	push	%rsi
	push	%r10
	push	%r11
	ask	\name, \kind
	pop	%r11
	pop	%r10
	pop	%rsi
	.endm

	.macro	exit name, timed
function \name
	begin_leave \timed
	lea	EXIT_CFA(%rsp), %rdi
	look_at_top
	jne	3f
1:	drop_top
2:	mov	LP_BLOCK_TOP(%rcx), %eax
	cmp	LP_BLOCK_GUEST(%rcx), %eax
	je	5f
	end_leave
	/* Not the top frame's own exit.  */
3:	cmp	LP_BLOCK_FLOOR(%rcx), %rdi
	jb	4f
	cmp	LP_BLOCK_CEILING(%rcx), %rdi
	ja	4f
	look_at_top
	ja	2b
	is_root
	je	2b
	drop_top
	jmp	3b
4:	ask_more lp_nodes_settle, LP_AT_EXIT
	look_at_top
	je	1b
	jmp	2b
5:	ask_more lp_nodes_left
	end_leave
	.size	\name, . - \name
	.endm

	.macro	resync name, timed
function \name
	begin_leave \timed
	ask_more lp_nodes_settle, LP_AT_RESYNC
	end_leave
	.size	\name, . - \name
	.endm

	entry	lp_tree_thunk_entry, 1
	entry	lp_tree_count_entry, 0
	exit	lp_tree_thunk_exit, 1
	exit	lp_tree_count_exit, 0
	resync	lp_tree_thunk_resync, 1
	resync	lp_tree_count_resync, 0

/* Instances.  The top frame is that of the function around them, which has its node;
   it has not where the stack of frames was full, or a call was left unseen.  Behind
   the saved registers: esi is the instance's number, ebx the function's; edx
   becomes the node to look below, the current one where the frame is another's
   (then not "equal").  */
	.macro	find_holder
	mov	%eax, %esi
	shr	$32, %rax
	mov	%eax, %ebx
	mov	LP_BLOCK_TOP(%rcx), %r8d
	mov	LP_FRAME_FUNC(%rcx,%r8), %edx
	cmp	%ebx, LP_NODE_FUNC(%rcx,%rdx)
	.endm

/* eax = the child number esi of the node at edx, 0 where there is no room.  Changes
   what C may change but rcx.  */
	.type	tree_child, @function
tree_child:
	mov	LP_NODE_KIDS(%rcx,%rdx), %eax
	mov	%esi, %r8d
1:	test	%eax, %eax
	jz	2f
	lea	(%rcx,%rax), %r10
	mov	LP_NODE_TARGET(%r10), %eax
	cmp	%esi, LP_NODE_FUNC(%r10)
	je	3f
	mov	%r8d, %r9d
	and	$3, %r9d
	shr	$2, %r8d
	mov	LP_NODE_NEXT(%r10,%r9,4), %eax
	jmp	1b
2:	push	%rcx
	mov	%rcx, %rdi
	xchg	%edx, %esi
	call	lp_tree_add
	pop	%rcx
3:	ret
	.size	tree_child, . - tree_child

	.macro	save_all
	push	%rsi
	push_seven
	mov	%rax, %rdi
	save_flags
	mov	%rdi, %rax
	.endm

	.macro	restore_all
	restore
	pop	%rsi
	ret
	.endm

	.macro	inlined name, change
function \name
	save_all
	find_holder
	je	1f
	mov	LP_BLOCK_FUNC(%rcx), %edx
1:	call	tree_child
	test	%eax, %eax
	jz	2f
	\change	LP_NODE_CALLS(%rcx,%rax)
	jmp	3f
2:	incq	LP_BLOCK_OVERFLOW(%rcx)
3:	mov	LP_BLOCK_INLINED_COST(%rcx), %eax
	add	%rax, LP_BLOCK_LAST(%rcx)
	restore_all
	.size	\name, . - \name
	.endm

/* Mostly the instance runs already: that is seen without a change of flags.  */
	.macro	switch name, timed
function \name
	push	%rdx
	push	%rcx
	mov	LP_BLOCK_FUNC(%rcx), %edx
	mov	LP_NODE_FUNC(%rcx,%rdx), %ecx
	mov	%eax, %edx
	not	%edx
	lea	1(%rdx,%rcx), %ecx
	jrcxz	8f
	pop	%rcx
	pop	%rdx
	jmp	9f
8:	pop	%rcx
	pop	%rdx
	ret
9:	save_all
	.if	\timed
	mov	%rax, %rdi
	charge	LP_BLOCK_EXIT_COST
	mov	%rdi, %rax
	.endif
	find_holder
	jne	2f
	mov	%edx, %eax
	cmp	%ebx, %esi
	je	1f
	mov	%edx, %ebx
	call	tree_child
	test	%eax, %eax
	cmovz	%ebx, %eax
1:	mov	%eax, LP_BLOCK_FUNC(%rcx)
2:	restore_all
	.size	\name, . - \name
	.endm

	inlined	lp_tree_count_inlined, incq
	inlined	lp_tree_count_uninlined, decq
	switch	lp_tree_thunk_switch, 1
	switch	lp_tree_count_switch, 0

#include <runtime/grow.s>
	.text

	.globl	lp_tree_end_code
	.hidden	lp_tree_end_code
lp_tree_end_code:

	.section .note.GNU-stack, "", @progbits
