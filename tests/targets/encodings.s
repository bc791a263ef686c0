# encodings.s: exception tables in encodings that no compiler here uses.  Every
# landing pad has a label lpad_*.

	.text
	.globl	_start, personality
personality:
	ret

	# FUNCTION name, encoding of the pointer to its LSDA, that pointer
	.macro	FUNCTION name, encoding, lsda
\name:
	.cfi_startproc
	.cfi_personality 0, personality
	.cfi_lsda \encoding, \lsda
begin_\name:
	nop
	nop
end_\name:
	nop
lpad_\name:
	ret
	.cfi_endproc
	.endm

	FUNCTION absolute, 0x00, lsda_absolute
	FUNCTION udata4, 0x03, lsda_udata4
	FUNCTION pcrel, 0x1b, lsda_pcrel
	FUNCTION pcrel8, 0x1c, lsda_pcrel8
	FUNCTION indirect, 0x9b, pointer_to_lsda
	FUNCTION aligned, 0x1b, lsda_aligned

	# A signal frame, and one without any LSDA.
_start:
	.cfi_startproc
	.cfi_signal_frame
	ret
	.cfi_endproc
plain:
	.cfi_startproc
	ret
	.cfi_endproc

	.section .gcc_except_table, "a"
	# No base, no types, call sites in uleb128.
lsda_absolute:
	.byte	0xff, 0xff, 0x01
	.uleb128 1f - 0f
0:	.uleb128 begin_absolute - absolute
	.uleb128 end_absolute - begin_absolute
	.uleb128 0
	.uleb128 0
	.uleb128 begin_absolute - absolute
	.uleb128 end_absolute - begin_absolute
	.uleb128 lpad_absolute - absolute
	.uleb128 0
1:
	# An absolute base of 8 bytes, call sites in udata4, a table of types.
lsda_udata4:
	.byte	0x00
	.quad	begin_udata4
	.byte	0x03
	.uleb128 1f - 2f
2:	.byte	0x03
	.uleb128 1f - 0f
0:	.long	0, 1, lpad_udata4 - begin_udata4
	.uleb128 1
1:
	# A base relative to itself in sdata4, call sites in udata2.
lsda_pcrel:
	.byte	0x1b
	.long	absolute - .
	.byte	0xff, 0x02
	.uleb128 1f - 0f
0:	.word	0, 1, lpad_pcrel - absolute
	.uleb128 200
1:
	# A base relative to the function in sdata2, call sites in udata8, negative
	# numbers among them.
lsda_pcrel8:
	.byte	0x4a
	.word	end_pcrel8 - pcrel8
	.byte	0xff, 0x0c
	.uleb128 1f - 0f
0:	.quad	-1, 1, lpad_pcrel8 - end_pcrel8
	.byte	0
1:
	# An indirect base in udata4, call sites in sleb128.
lsda_indirect:
	.byte	0x83
	.long	pointer_to_base
	.byte	0xff, 0x09
	.uleb128 1f - 0f
0:	.sleb128 0
	.sleb128 1
	.sleb128 lpad_indirect - absolute
	.uleb128 0
1:
	# An aligned base; call sites in sdata4.
	.balign	8
	.byte	0
lsda_aligned:
	.byte	0x50
	.balign	8
	.quad	aligned
	.byte	0xff, 0x0b
	.uleb128 1f - 0f
0:	.long	0, 1, lpad_aligned - aligned
	.uleb128 0
1:

	.data
pointer_to_lsda:
	.quad	lsda_indirect
pointer_to_base:
	.quad	absolute
	.section .note.GNU-stack, "", @progbits
