# vliw.s: a line table of a machine that executes 4 operations an instruction, 2 bytes
# long at least (DWARF 4, 6.2.5.1): no compiler for x86-64 writes one.

	.text
	.globl	main
	.type	main, @function
main:
	xorl	%eax, %eax
	.fill	400, 1, 0x90
	ret
	.size	main, .-main
end:
	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11
	.byte	0
	.uleb128 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0x03, 0x08, 0, 0
	.uleb128 0

	.section .debug_info,"",@progbits
	.long	unit_end - unit
unit:
	.value	4
	.long	.debug_abbrev
	.byte	8
	.uleb128 1
	.long	.debug_line
	.quad	main
	.quad	end - main
	.asciz	"vliw.s"
unit_end:
	.section .debug_line,"",@progbits
	.long	table_end - table
table:
	.value	4
	.long	program - header
header:
	.byte	2, 4, 1, -3, 12, 13	# min_inst, max_ops, is_stmt, base, range, opcodes
	.byte	0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.byte	0
	.asciz	"vliw.s"
	.uleb128 0, 0, 0
	.byte	0
program:
	.byte	0, 9, 2			# set_address
	.quad	main
	.byte	3, 9			# advance_line: 10
	.byte	1			# copy
	.byte	13 + 3 + 1 + 12 * 1	# 1 operation, line 11: the same address
	.byte	13 + 3 + 2 + 12 * 2	# 3 operations, line 13: not the next one
	.byte	13 + 3 + 1 + 12 * 1	# 4 operations: 2 bytes on
	.byte	2			# advance_pc
	.uleb128 27			# 31 operations, 7 instructions and 3
	.byte	1
	.byte	13 + 3 - 2 + 12 * 3	# 34
	.byte	8			# const_add_pc: 20 operations
	.byte	1
	.byte	9			# fixed_advance_pc: operation 0 again
	.value	6
	.byte	13 + 3 + 1 + 12 * 5
	.byte	6			# negate_stmt
	.byte	13 + 3 + 1 + 12 * 3	# 8
	.byte	2
	.uleb128 200
	.byte	0, 1, 1			# end_sequence
table_end:
	.section .note.GNU-stack,"",@progbits
