/* hits_again.c: calls from one copy of a function to another.

   Compilers make copies of a function: instances where they inline it, parts, copies
   for constants.  The time of a call from one to another, as where the first call of
   a recursive function is inlined, is on the function's lines already: on those of
   the copy that is called.  So such a call is charged to a line of its own, whose
   callees count for the lines that call the copy it is in, and not for its own.  Calls
   of a copy by itself need that not: its frames tell (wire/events.h).  */

#include "probe/hits.h"

#include <stdlib.h>

struct split
{
  const lp_census *census;
  const lp_function *fn;
  lp_hits *hits;
  LP_VEC (lp_mark) marks;	/* the new ones, by address */
};

/* Is CALLEE what instance INL of FN (0: FN itself) is a copy of?  */
static bool
is_copy (const lp_function *fn, uint32_t inl, const lp_function *callee)
{
  uint32_t file = inl ? fn->inlines[inl - 1].decl_file : fn->file;
  uint32_t line = inl ? fn->inlines[inl - 1].decl_line : fn->line;
  return callee && callee != fn && !callee->only_inlined && line
	 && callee->file == file && callee->line == line;
}

/* Does the instruction IN, of line LINE, call another copy of LINE's function?  */
static bool
calls_again (const struct split *s, const lp_insn *in, uint32_t line)
{
  uint32_t inl = s->hits->lines.v[line].inl;
  return in->kind == LP_INSN_CALL && inl < LP_HIT_REST
	 && is_copy (s->fn, inl, lp_census_chosen (s->census, in->target));
}

/* The line of what LINE calls again, a new one at first; LP_HIT_AGAIN: out of memory.
   They stand behind the others, in any order.  */
static uint32_t
again_line (lp_hits *hits, uint32_t line)
{
  lp_hit_line new = { .inl = LP_HIT_AGAIN, .line = line + 1, .exact = true };
  size_t i = hits->lines.n;
  while (i > 0 && hits->lines.v[i - 1].inl == LP_HIT_AGAIN)
    if (hits->lines.v[--i].line == new.line)
      return i;
  return lp_vec_push (&hits->lines, new) ? LP_HIT_AGAIN : hits->lines.n - 1;
}

/* Add MARK, or put it in the place of that at its address.  */
static int
put_mark (struct split *s, lp_mark mark)
{
  if (s->marks.n && s->marks.v[s->marks.n - 1].addr == mark.addr)
    s->marks.n--;
  return lp_vec_push (&s->marks, mark);
}

/* Look at instruction IN, where line *LINE (LP_HIT_AGAIN: none) is current.  BEHIND: it
   stands behind a call that was split.  */
static int
look_at (struct split *s, const lp_insn *in, const lp_mark *mark,
	 uint32_t *line, bool *behind)
{
  if (mark)
    *line = mark->line;
  if (mark || *behind)
    {
      lp_mark new = { in->addr, *line, *behind || mark->timed };
      if (put_mark (s, new))
	return -1;
    }
  *behind = *line != LP_HIT_AGAIN && calls_again (s, in, *line);
  if (!*behind)
    return 0;
  uint32_t again = again_line (s->hits, *line);
  return again == LP_HIT_AGAIN
	 || put_mark (s, (lp_mark) { in->addr, again, true }) ? -1 : 0;
}

static int
split (struct split *s, const lp_flow *flow)
{
  const lp_mark *mark = s->hits->marks.v, *end = mark + s->hits->marks.n;
  uint32_t line = LP_HIT_AGAIN;
  bool behind = false;
  for (size_t i = 0; i < flow->insns.n; i++)
    {
      const lp_insn *in = &flow->insns.v[i];
      bool here = mark < end && mark->addr == in->addr;
      if (look_at (s, in, here ? mark : NULL, &line, &behind))
	return -1;
      mark += here;
    }
  return 0;
}

int
lp_hits_split_again (const lp_census *census, const lp_function *fn,
		     const lp_flow *flow, lp_hits *hits, lp_error *err)
{
  struct split s = { .census = census, .fn = fn, .hits = hits };
  if (!hits->marks.n)
    return 0;
  if (split (&s, flow))
    {
      lp_vec_free (&s.marks);
      return lp_nomem (err);
    }
  lp_vec_free (&hits->marks);
  hits->marks.v = s.marks.v;
  hits->marks.n = s.marks.n;
  hits->marks.cap = s.marks.cap;
  return 0;
}
