/* hits_drop.c: which rows of the line table do not count (the rules are in hits.h).  */

#include "probe/hits_raw.h"

#include <stdlib.h>

/* Find which of the lines have rows that pass TEST.  */
static bool *
lines_with (const lp_raw_rows *rows, const lp_hits *hits, const lp_flow *flow,
	    bool (*test) (const struct lp_raw *, const lp_flow *))
{
  bool *has = calloc (hits->lines.n + 1, sizeof *has);
  for (size_t i = 0; has && i < rows->n; i++)
    if (test (&rows->v[i], flow))
      has[lp_raw_line (hits, rows->v[i].file, rows->v[i].line)] = true;
  return has;
}

static bool
begins_statement (const struct lp_raw *row, const lp_flow *flow)
{
  (void) flow;
  return row->is_stmt;
}

static bool
is_plain (const struct lp_raw *row, const lp_flow *flow)
{
  return !lp_is_jump (&flow->insns.v[row->insn]);
}

/* What is not in the graph's node.  */
static bool
is_outside (const struct lp_raw *row)
{
  return row->file == 0 && row->line == 0;
}

/* Remove the rows that fail TEST, but not those of a line that has no
   others.  */
static int
drop_rows (lp_raw_rows *rows, const lp_hits *hits, const lp_flow *flow,
	   bool (*test) (const struct lp_raw *, const lp_flow *))
{
  bool *has = lines_with (rows, hits, flow, test);
  if (!has)
    return -1;
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (test (&rows->v[i], flow)
	|| (!is_outside (&rows->v[i])
	    && !has[lp_raw_line (hits, rows->v[i].file, rows->v[i].line)]))
      rows->v[n++] = rows->v[i];
  rows->n = n;
  free (has);
  return 0;
}

/* A line where no statement begins is a part of others, which the compiler mixes: in one
   block it is executed once.  */
static void
drop_mixed (lp_raw_rows *rows, bool all)
{
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    {
      const struct lp_raw *row = &rows->v[i];
      bool again = false;
      for (size_t k = n; k-- > 0 && !again && (all || !row->is_stmt)
			 && rows->v[k].block == row->block;)
	again = rows->v[k].line == row->line && rows->v[k].file == row->file;
      if (!again || is_outside (row))
	rows->v[n++] = *row;
    }
  rows->n = n;
}

/* Does ROW stand where the ways through a condition meet that `&&' or `||' made?  LLVM
   loads its value for no line, and tests it for the branch behind.  */
static bool
tests_met (const struct lp_raw *row, const lp_flow *flow)
{
  const lp_insn *in = &flow->insns.v[row->insn];
  const lp_basic_block *block
    = &flow->blocks.v[lp_flow_block_of (flow, row->insn)];
  return row->behind_none && block->first + 1 == row->insn && in[-1].loads
	 && in->writes_flags && !in->writes && !in->loads
	 && block->count == 3 && in[1].kind == LP_INSN_JCC;
}

void
lp_raw_join_operands (lp_raw_rows *rows, const lp_flow *flow)
{
  for (size_t i = 1; i < rows->n; i++)
    {
      const struct lp_raw *operand = &rows->v[i - 1];
      if (is_outside (operand) || !tests_met (&rows->v[i], flow))
	continue;
      rows->v[i].file = operand->file;
      rows->v[i].line = operand->line;
      rows->v[i].node = operand->node;
    }
}

/* clang gives a branch a row of its own, often of a line that has better ones.
   Such a row goes, but it is also the row of the code behind the branch, where
   that has none.  */
static int
drop_branch_rows (lp_raw_rows *rows, const lp_hits *hits, const lp_flow *flow)
{
  bool *has = lines_with (rows, hits, flow, is_plain);
  if (!has)
    return -1;
  for (size_t i = 0; i < rows->n; i++)
    {
      struct lp_raw *row = &rows->v[i];
      uint32_t next = row->insn + 1;
      bool alone = (i + 1 == rows->n || row[1].insn > next)
		   && (!row->end || row->end > flow->insns.v[row->insn].addr
					       + flow->insns.v[row->insn].len);
      if (alone && next < flow->insns.n && !is_plain (row, flow)
	  && !lp_is_jump (&flow->insns.v[next])
	  && has[lp_raw_line (hits, row->file, row->line)])
	row->insn = next;
    }
  free (has);
  return drop_rows (rows, hits, flow, is_plain);
}

/* LLVM's landing pads put the exception and its selector, which arrive in rax and
   rdx, away, with a row of the function's end or of whatever was compiled before:
   no line's.  */
static bool
puts_away (const lp_flow *flow, uint32_t insn)
{
  enum { PAD = 4 };		/* instructions up to that */
  const uint16_t selector = 1 << 2;
  const lp_insn *in = &flow->insns.v[insn];
  const lp_basic_block *block
    = &flow->blocks.v[lp_flow_block_of (flow, insn)];
  return block->entry & LP_ENTRY_LANDING && insn < block->first + PAD
	 && in->copies && in->reads == selector;
}

void
lp_raw_drop_pads (lp_raw_rows *rows, const lp_flow *flow)
{
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (!puts_away (flow, rows->v[i].insn))
      rows->v[n++] = rows->v[i];
  rows->n = n;
}

/* Where a handler catches, LLVM loads the exception that it has put away as the
   argument of a call, with a row of the end of some clause.  */
static bool
is_no_catch (const struct lp_raw *row, const lp_flow *flow)
{
  const uint16_t argument = 1 << 7, frame = 1 << 5;
  const lp_insn *in = &flow->insns.v[row->insn];
  return !row->handler || row->insn + 1 >= flow->insns.n || !in->loads
	 || in->writes != argument || in->reads != frame
	 || in[1].kind != LP_INSN_CALL;
}

/* gfortran names the last case where it chooses among them, by comparisons of what the
   statement before has loaded into a register.  */
static bool
is_no_choice (const struct lp_raw *row, const lp_flow *flow)
{
  const uint16_t frame = 1 << 4 | 1 << 5; /* rsp, rbp */
  const lp_insn *in = &flow->insns.v[row->insn];
  uint32_t first = flow->blocks.v[lp_flow_block_of (flow, row->insn)].first;
  return row->insn == first || lp_is_call (&in[-1]) || !in->writes_flags
	 || in->writes || in->loads || in->reads & frame
	 || row->insn + 1 >= flow->insns.n || in[1].kind != LP_INSN_JCC;
}

bool *
lp_raw_busy_lines (const lp_raw_rows *rows, const lp_hits *hits, const lp_flow *flow)
{
  bool *busy = calloc (hits->lines.n + 1, sizeof *busy);
  size_t next = 0;
  for (size_t i = 0; busy && i < rows->n; i++)
    {
      const struct lp_raw *row = &rows->v[i];
      while (next < rows->n && rows->v[next].insn <= row->insn)
	next++;
      uint32_t end = next < rows->n ? rows->v[next].insn : flow->insns.n;
      if (is_plain (row, flow)
	  && (row->insn + 1 < end || !lp_is_filler (&flow->insns.v[row->insn])))
	busy[lp_raw_line (hits, row->file, row->line)] = true;
    }
  return busy;
}

int
lp_raw_drop (const lp_graph *graph, const lp_hits *hits, lp_raw_rows *raw)
{
  enum lp_producer producer = graph->fn->producer;
  if (producer == LP_PRODUCER_GCC_OPT)
    {
      int bad = drop_rows (raw, hits, graph->flow, begins_statement);
      drop_mixed (raw, false);
      return bad;
    }
  if (producer == LP_PRODUCER_GCC_MIXED)
    {
      drop_mixed (raw, true);
      return 0;
    }
  if (producer == LP_PRODUCER_GFORTRAN_O0)
    return drop_rows (raw, hits, graph->flow, is_no_choice);
  if (producer == LP_PRODUCER_LLVM)
    return drop_branch_rows (raw, hits, graph->flow)
	   || drop_rows (raw, hits, graph->flow, is_no_catch) ? -1 : 0;
  return 0;
}

