/* linetable.h: the .debug_line section, decoded without libdw: a table's
   header with its files, and its rows by sequence (DWARF 2 to 5, section 6.2 of
   each).  dwarf_getsrclines cannot serve: it sorts all sequences of a unit
   together, so the rows of discarded functions get mixed with live ones.

   Trusts nothing: every offset, count and length is checked.  */

#ifndef LP_DEBUG_LINETABLE_H
#define LP_DEBUG_LINETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

typedef struct lp_bytes
{
  const uint8_t *p;
  size_t n;
} lp_bytes;

/* The sections a line table needs, decompressed; absent ones have size 0.  */
typedef struct lp_line_sections
{
  lp_bytes line, line_str, str;
  const char *path;		/* of the file they are from, for errors */
} lp_line_sections;

typedef struct lp_line_file
{
  const char *name;		/* in the sections */
  uint64_t dir;			/* index into dirs */
  const uint8_t *md5;		/* 16 bytes, or NULL */
} lp_line_file;

typedef struct lp_line_header
{
  uint64_t offset, next;	/* of this table and of the one behind it */
  uint16_t version;
  uint8_t min_inst, max_ops, line_range, opcode_base;
  int8_t line_base;
  bool default_is_stmt, dwarf64;
  const uint8_t *lengths;	/* operands of opcode I: lengths[I - 1] */
  lp_bytes program;
  /* Numbered as the table numbers them: before version 5, dirs[0] is "" (the
     compilation directory) and files[0] is the unit's own, named "".  */
  LP_VEC (const char *) dirs;
  LP_VEC (lp_line_file) files;
} lp_line_header;

typedef struct lp_line_row
{
  uint64_t addr;
  uint32_t file, line;		/* file: index into lp_line_header.files */
  uint32_t order;		/* place in the table */
  bool is_stmt;
} lp_line_row;

/* Rows [first, first + n) cover the addresses [lo, hi).  */
typedef struct lp_sequence
{
  uint64_t lo, hi;
  uint32_t first, n;
} lp_sequence;

/* All rows but the end_sequence ones, by sequence in table order; within a
   sequence by address, at one address in table order.  A sequence that the
   table does not end is not there.  */
typedef struct lp_line_rows
{
  LP_VEC (lp_line_row) rows;
  LP_VEC (lp_sequence) sequences;
} lp_line_rows;

/* Read the header at OFFSET of .debug_line.  0, or -1 with LP_EFORMAT naming
   the offset, LP_ENOMEM.  Needs lp_line_header_free either way.  */
int lp_line_header_read (const lp_line_sections *sections, uint64_t offset,
			 lp_line_header *header, lp_error *err);
void lp_line_header_free (lp_line_header *header);

/* Run HEADER's program (which may define further files) and append to ROWS.
   0, or -1 as above.  */
int lp_line_rows_read (const lp_line_sections *sections,
		       lp_line_header *header, lp_line_rows *rows,
		       lp_error *err);
void lp_line_rows_free (lp_line_rows *rows);

#endif
