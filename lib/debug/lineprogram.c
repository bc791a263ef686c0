/* lineprogram.c: the state machine of a line table (DWARF 5, 6.2.5).  */

#include "debug/linetable.h"

#include <dwarf.h>
#include <stdlib.h>

#include "debug/cursor.h"

struct machine
{
  lp_cursor c;
  lp_line_header *header;
  lp_line_rows *out;
  size_t first;			/* row that the open sequence starts at */
  bool sorted;			/* its rows ascend */
  bool nomem;
  /* The registers.  */
  uint64_t addr, file;
  uint32_t line, op_index;
  bool is_stmt;
};

static void
reset (struct machine *m)
{
  m->first = m->out->rows.n;
  m->sorted = true;
  m->addr = 0;
  m->op_index = 0;
  m->file = 1;
  m->line = 1;
  m->is_stmt = m->header->default_is_stmt;
}

static void
advance (struct machine *m, uint64_t operations)
{
  if (m->header->max_ops == 1)
    m->addr += operations * m->header->min_inst;
  else
    {
      operations += m->op_index;
      m->addr += operations / m->header->max_ops * m->header->min_inst;
      m->op_index = operations % m->header->max_ops;
    }
}

static void
add_row (struct machine *m)
{
  lp_line_row row = { m->addr, m->file < UINT32_MAX ? m->file : UINT32_MAX,
    m->line, m->out->rows.n, m->is_stmt };
  if (m->out->rows.n > m->first
      && m->out->rows.v[m->out->rows.n - 1].addr > m->addr)
    m->sorted = false;
  if (m->out->rows.n >= UINT32_MAX || lp_vec_push (&m->out->rows, row))
    m->nomem = true;
}

static int
compare_rows (const void *a, const void *b)
{
  const lp_line_row *x = a, *y = b;
  if (x->addr != y->addr)
    return x->addr < y->addr ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void
end_sequence (struct machine *m)
{
  size_t n = m->out->rows.n - m->first;
  if (!m->sorted)
    qsort (m->out->rows.v + m->first, n, sizeof *m->out->rows.v, compare_rows);
  if (n)
    {
      lp_sequence seq = { m->out->rows.v[m->first].addr, m->addr, m->first, n };
      if (lp_vec_push (&m->out->sequences, seq))
	m->nomem = true;
    }
  reset (m);
}

static void
define_file (struct machine *m, lp_cursor *c)
{
  lp_line_file file = { .name = lp_string (c) };
  file.dir = lp_uleb128 (c);
  if (!c->bad && lp_vec_push (&m->header->files, file))
    m->nomem = true;
}

/* An extended opcode: its length, the opcode, operands.  Unknown ones are
   skipped by their length.  */
static void
run_extended (struct machine *m)
{
  uint64_t length = lp_uleb128 (&m->c);
  const uint8_t *p = lp_take (&m->c, length);
  if (!p || length == 0)
    {
      m->c.bad = true;
      return;
    }
  lp_cursor c = { p + 1, p + length, false };
  switch (*p)
    {
    case DW_LNE_end_sequence:
      end_sequence (m);
      break;
    case DW_LNE_set_address:
      m->addr = lp_fixed (&c, length - 1 < 8 ? length - 1 : 8);
      m->op_index = 0;
      break;
    case DW_LNE_define_file:
      define_file (m, &c);
      break;
    }
  m->c.bad |= c.bad;
}

static void
run_standard (struct machine *m, uint8_t opcode)
{
  switch (opcode)
    {
    case DW_LNS_copy:
      add_row (m);
      break;
    case DW_LNS_advance_pc:
      advance (m, lp_uleb128 (&m->c));
      break;
    case DW_LNS_advance_line:
      m->line += (uint32_t) lp_sleb128 (&m->c);
      break;
    case DW_LNS_set_file:
      m->file = lp_uleb128 (&m->c);
      break;
    case DW_LNS_negate_stmt:
      m->is_stmt = !m->is_stmt;
      break;
    case DW_LNS_const_add_pc:
      advance (m, (255 - m->header->opcode_base) / m->header->line_range);
      break;
    case DW_LNS_fixed_advance_pc:
      m->addr += lp_fixed (&m->c, 2);
      m->op_index = 0;
      break;
    default:
      /* A column, an instruction set, or an opcode of the future.  */
      for (int i = m->header->lengths[opcode - 1]; i > 0; i--)
	lp_uleb128 (&m->c);
    }
}

static void
run_special (struct machine *m, uint8_t opcode)
{
  unsigned adjusted = opcode - m->header->opcode_base;
  advance (m, adjusted / m->header->line_range);
  m->line += m->header->line_base + (int) (adjusted % m->header->line_range);
  add_row (m);
}

int
lp_line_rows_read (const lp_line_sections *sections, lp_line_header *header,
		   lp_line_rows *rows, lp_error *err)
{
  struct machine m = { .header = header, .out = rows };
  m.c = (lp_cursor) { header->program.p,
    header->program.p + header->program.n, false };
  reset (&m);
  while (m.c.p < m.c.end && !m.c.bad && !m.nomem)
    {
      uint8_t opcode = *m.c.p++;
      if (opcode >= header->opcode_base)
	run_special (&m, opcode);
      else if (opcode == 0)
	run_extended (&m);
      else
	run_standard (&m, opcode);
    }
  rows->rows.n = m.first;	/* what no end_sequence ended */
  if (m.nomem)
    return lp_nomem (err);
  if (m.c.bad)
    return lp_fail (err, LP_EFORMAT, "the line table at offset 0x%llx of '%s'"
		    " is damaged (an opcode runs beyond its end); rebuild the"
		    " program with -g", (unsigned long long) header->offset,
		    sections->path);
  return 0;
}

void
lp_line_rows_free (lp_line_rows *rows)
{
  lp_vec_free (&rows->rows);
  lp_vec_free (&rows->sequences);
}
