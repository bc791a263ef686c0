/* hits_fixture.h: small functions written by hand, one instruction a word, and
   the counters that are planned for them, as text.  */

#ifndef LP_TESTS_HITS_FIXTURE_H
#define LP_TESTS_HITS_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "probe/hits.h"

/* A function under test: instruction I stands at 0x1000 + 4 I.  */
#define AT(i) (0x1000u + 4 * (i))

enum { NEXT = -1, COPIED = -2, SAFE = -3, IDLE = -4, SELECTS = -5, FETCHES = -6,
       TESTS = -7 };

/* In place of a line: a row of line 0.  */
#define NO_LINE UINT32_MAX

struct code
{
  enum lp_insn_kind kind;
  int target;			/* of a branch: an instruction; COPIED: copies r12 to r13; IDLE: a
				   nop; SAFE: lets no exception through */
};

struct function
{
  lp_function fn;
  lp_flow flow;
  lp_hits hits;
  lp_row rows[64];
};

/* What lp_function.optimised is for the functions that are planned next.  */
static bool code_is_optimised;

static bool
branches (enum lp_insn_kind kind)
{
  return kind == LP_INSN_JMP || kind == LP_INSN_JCC;
}

static bool
ends_block (enum lp_insn_kind kind)
{
  return branches (kind) || kind == LP_INSN_RET || kind == LP_INSN_STOP;
}

static uint32_t
block_at (const lp_flow *flow, uint32_t insn)
{
  for (uint32_t b = 0; b < flow->blocks.n; b++)
    if (flow->blocks.v[b].first == insn)
      return b;
  ck_abort_msg ("no block at %u", insn);
}

/* The flow graph of the N instructions CODE; PAD is the landing pad of all calls,
   or NEXT.  */
static void
build_flow (lp_flow *flow, const struct code *code, uint32_t n, int pad)
{
  bool leader[64] = { true };
  for (uint32_t i = 0; i < n; i++)
    {
      lp_insn in = { .addr = AT (i), .len = 4, .kind = code[i].kind,
		     .reads = 0xffff, .uses_sp = true };
      if (code[i].target == IDLE)
	in.len = 1, in.reads = 0, in.uses_sp = false;
      if (code[i].target == SELECTS)
	in.copies = true, in.reads = 1 << 2, in.writes = 1 << 0;
      if (code[i].target == FETCHES)
	in.loads = true, in.reads = 1 << 5, in.writes = 1 << 7;
      if (code[i].target == TESTS)
	in.reads = 1 << 0, in.writes_flags = true;
      if (code[i].target == COPIED)
	in.copies = true, in.reads = 1 << 12, in.writes = 1 << 13;
      if (branches (code[i].kind))
	in.target = AT (code[i].target), leader[code[i].target] = true;
      if (ends_block (code[i].kind))
	leader[i + 1] = true;
      if (code[i].kind == LP_INSN_CALL && code[i].target != SAFE && pad >= 0)
	ck_assert_int_eq (lp_vec_push (&flow->throws,
				       ((lp_throw) { i, pad })), 0);
      ck_assert_int_eq (lp_vec_push (&flow->insns, in), 0);
    }
  if (pad >= 0)
    leader[pad] = true;
  for (uint32_t i = 0; i < n; i++)
    {
      if (leader[i])
	ck_assert_int_eq (lp_vec_push (&flow->blocks,
				       (lp_basic_block) { .first = i }), 0);
      flow->blocks.v[flow->blocks.n - 1].count++;
    }
  flow->blocks.v[0].entry = LP_ENTRY_FUNCTION;
  if (pad >= 0)
    flow->blocks.v[block_at (flow, pad)].entry = LP_ENTRY_LANDING;
  for (uint32_t b = 0; b < flow->blocks.n; b++)
    {
      lp_basic_block *block = &flow->blocks.v[b];
      uint32_t last = block->first + block->count - 1;
      block->succ = flow->edges.n;
      block->leaves = code[last].kind == LP_INSN_RET;
      if (branches (code[last].kind))
	ck_assert_int_eq (lp_vec_push (&flow->edges,
				       block_at (flow, code[last].target)), 0);
      if (code[last].kind != LP_INSN_JMP && code[last].kind != LP_INSN_RET
	  && code[last].kind != LP_INSN_STOP)
	ck_assert_int_eq (lp_vec_push (&flow->edges, b + 1), 0);
      block->nsucc = flow->edges.n - block->succ;
    }
}

/* Plan the function of CODE whose instruction I has a row of LINES[I] (0: none),
   declared at line DECL.  */
static struct function *
plan (const struct code *code, const uint32_t *lines, uint32_t n,
      uint32_t decl, enum lp_producer producer, int pad)
{
  struct function *f = calloc (1, sizeof *f);
  ck_assert_ptr_nonnull (f);
  for (uint32_t i = 0; i < n; i++)
    if (lines[i] == NO_LINE)
      f->rows[f->fn.nrows - 1].end = AT (i);
    else if (lines[i])
      f->rows[f->fn.nrows++] = (lp_row) { .addr = AT (i), .line = lines[i],
					  .is_stmt = true };
  f->fn.rows = f->rows;
  f->fn.line = decl;
  f->fn.entry = AT (0);
  f->fn.producer = producer;
  f->fn.optimised = code_is_optimised;
  build_flow (&f->flow, code, n, pad);
  lp_error error;
  ck_assert_int_eq (lp_hits_plan (&f->fn, &f->flow, &f->hits, &error), 0);
  return f;
}

static void
finish (struct function *f)
{
  lp_hits_free (&f->hits);
  lp_flow_free (&f->flow);
  free (f);
}

/* LINE's sum as text: "I" for the count of instruction I, "I<J" for the edge
   from J to I, "-" before what is taken away; in the order of instructions; "~" at
   the end where the sum is not exact; "none" where the line is unknown.  Valid
   until the next call.  */
static const char *
sum_of (const struct function *f, uint32_t line)
{
  static char text[256];
  const lp_hits *hits = &f->hits;
  const char *signs[64] = { NULL };
  size_t l = 0, at = 0;
  while (l < hits->lines.n && hits->lines.v[l].line != line)
    l++;
  if (l == hits->lines.n)
    return "none";
  text[0] = 0;
  for (uint32_t t = 0; t < hits->lines.v[l].nterms; t++)
    signs[hits->terms.v[hits->lines.v[l].first_term + t]]
      = t < hits->lines.v[l].nterms - hits->lines.v[l].nminus ? "" : "-";
  for (size_t c = 0; c < hits->counters.n; c++)
    if (signs[c])
      {
	lp_counter counter = hits->counters.v[c];
	at += sprintf (text + at, "%s%s%u", at ? " " : "", signs[c],
		       (unsigned) (counter.addr - AT (0)) / 4);
	if (counter.from)
	  at += sprintf (text + at, "<%u",
			 (unsigned) (counter.from - AT (0)) / 4);
      }
  strcpy (text + at, hits->lines.v[l].exact ? "" : "~");
  return text;
}

/* The marks as text: "I:LINE", with "!" where the probe is timed.  */
static const char *
marks_of (const struct function *f)
{
  static char text[256];
  size_t at = 0;
  text[0] = 0;
  for (size_t m = 0; m < f->hits.marks.n; m++)
    {
      lp_mark mark = f->hits.marks.v[m];
      at += sprintf (text + at, "%s%u:%u%s", at ? " " : "",
		     (unsigned) (mark.addr - AT (0)) / 4,
		     f->hits.lines.v[mark.line].line, mark.timed ? "!" : "");
    }
  return text;
}

#define SAFE_CALL { LP_INSN_CALL, SAFE }
#define NOP { LP_INSN_PLAIN, IDLE }
#define SELECTOR { LP_INSN_PLAIN, SELECTS } /* mov %edx,%eax */
#define FETCH { LP_INSN_PLAIN, FETCHES } /* mov -8(%rbp),%rdi */
#define COPY { LP_INSN_PLAIN, COPIED }
#define STOP { LP_INSN_STOP, NEXT }
#define PLAIN { LP_INSN_PLAIN, NEXT }
#define CALL { LP_INSN_CALL, NEXT }
#define JMP(to) { LP_INSN_JMP, to }
#define JCC(to) { LP_INSN_JCC, to }
#define RET { LP_INSN_RET, NEXT }

#define PLAN(code, lines, decl, producer, pad)				\
  plan (code, lines, sizeof code / sizeof *code, decl, producer, pad)

#endif
