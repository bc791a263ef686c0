/* slot_image.S: the preloaded object's file (slot.c), carried inside the library
   so that nothing has to be found on disk.  */

	.section .rodata
	.balign	16
	.globl	lp_slot_image
	.hidden	lp_slot_image
	.type	lp_slot_image, @object
lp_slot_image:
	.incbin	"runtime/slot.so"
	.size	lp_slot_image, . - lp_slot_image

	.globl	lp_slot_image_end
	.hidden	lp_slot_image_end
	.type	lp_slot_image_end, @object
lp_slot_image_end:
	.byte	0

	.section .note.GNU-stack, "", @progbits
