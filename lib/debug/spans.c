/* spans.c: which of a function's rows belong to what was inlined into it.  */

#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"

/* A range of an instance; DEPTH is how many instances it is in.  It covers
   [lo, hi).  An empty one only touches its address: no instruction there is the
   instance's own, but rows may be.  */
struct span
{
  uint64_t lo, hi;
  uint32_t inl, depth;
};

typedef LP_VEC (struct span) span_list;

static int
compare_spans (const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static int
collect_spans (const lp_function *fn, span_list *spans)
{
  uint32_t *depth = calloc (fn->ninlines + 1, sizeof *depth);
  int result = depth ? 0 : -1;
  for (size_t i = 0; i < fn->ninlines && !result; i++)
    {
      const lp_inline *inl = &fn->inlines[i];
      depth[i + 1] = depth[inl->parent] + 1;
      for (size_t r = 0; r < inl->nranges && !result; r++)
	{
	  struct span span = { inl->ranges[r].lo, inl->ranges[r].hi, i + 1,
	    depth[i + 1] };
	  result = lp_vec_push (spans, span);
	}
    }
  free (depth);
  if (!result && spans->n)
    qsort (spans->v, spans->n, sizeof *spans->v, compare_spans);
  return result;
}

/* The last line of FN that is surely its own: of the rows that no span covers or
   touches.  */
static uint32_t
last_own_line (const lp_function *fn, const span_list *spans)
{
  uint32_t last = fn->line;
  uint64_t reach = 0;
  size_t next = 0;
  for (size_t i = 0; i < fn->nrows; i++)
    {
      const lp_row *row = &fn->rows[i];
      for (; next < spans->n && spans->v[next].lo <= row->addr; next++)
	if (spans->v[next].hi >= reach)
	  reach = spans->v[next].hi + (spans->v[next].hi == spans->v[next].lo);
      if (row->addr >= reach && row->file == fn->file && row->line > last)
	last = row->line;
    }
  return last;
}

/* Has SPAN ended where ROW is?  It had instructions.  */
static bool
has_ended (const struct span *span, const lp_row *row)
{
  return span->hi == row->addr && span->lo < span->hi;
}

/* Of what may own ROW, the N spans in AT and FN itself (0), the one whose
   source begins nearest above the row's line, the inner of equals; -1 when all
   begin elsewhere.  What has ended there comes last.  LAST_OWN is FN's last line.  */
static int64_t
lexical_owner (const lp_function *fn, const lp_row *row, uint32_t last_own,
	       const struct span *at, size_t n)
{
  int64_t best = row->file == fn->file && row->line >= fn->line ? 0 : -1;
  uint32_t best_line = best < 0 ? 0 : fn->line, best_depth = 0;
  for (size_t k = 0; k < 2 * n; k++)
    {
      size_t i = k % n;
      bool ended = k >= n;
      const lp_inline *inl = &fn->inlines[at[i].inl - 1];
      if (has_ended (&at[i], row) != ended)
	continue;
      /* A lambda stands inside its function: the lines behind it are not its
	 own, so where it covers nothing it does not count.  */
      bool nested = inl->decl_file == fn->file && inl->decl_line >= fn->line
	&& inl->decl_line <= last_own;
      if (inl->decl_line == 0 || inl->decl_file != row->file
	  || inl->decl_line > row->line
	  || (nested && (ended || at[i].lo == at[i].hi)))
	continue;
      if (best < 0 || inl->decl_line > best_line
	  || (!ended && inl->decl_line == best_line
	      && at[i].depth > best_depth))
	{
	  best = at[i].inl;
	  best_line = inl->decl_line;
	  best_depth = at[i].depth;
	}
    }
  return best;
}

/* The instance that ROW belongs to, 0 for none; the N spans in AT cover or touch
   its address.  The innermost that covers it is not enough: where the compiler
   moved instructions, rows of the caller stand at addresses of the instance,
   and rows of instances that have no instruction left at the caller's.  */
static uint32_t
owner (const lp_function *fn, const lp_row *row, uint32_t last_own,
       const struct span *at, size_t n)
{
  const struct span *innermost = NULL;
  for (size_t i = 0; i < n; i++)
    if (at[i].lo < at[i].hi && !has_ended (&at[i], row)
	&& (!innermost || at[i].depth >= innermost->depth))
      innermost = &at[i];
  uint32_t covering = innermost ? innermost->inl : 0, inl = covering;
  /* The line of the call is the caller's: arguments are set up there.  */
  while (inl && fn->inlines[inl - 1].call_line == row->line
	 && fn->inlines[inl - 1].call_file == row->file)
    inl = fn->inlines[inl - 1].parent;
  if (inl != covering || n == 0
      || (covering && fn->inlines[covering - 1].decl_line == 0))
    return inl;
  int64_t lexical = lexical_owner (fn, row, last_own, at, n);
  return lexical < 0 ? covering : lexical;
}

/* How far ADDR is from INL's code.  */
static uint64_t
distance (const lp_inline *inl, uint64_t addr)
{
  uint64_t best = UINT64_MAX;
  for (size_t r = 0; r < inl->nranges; r++)
    {
      uint64_t lo = inl->ranges[r].lo, hi = inl->ranges[r].hi;
      uint64_t d = addr < lo ? lo - addr : addr > hi ? addr - hi : 0;
      if (d < best)
	best = d;
    }
  return best;
}

/* The instance that ROW, which is hardly its owner's, has strayed from: the compiler lets the
   last statements of inlined code go on where the instance has no code any more.  Of
   those whose source begins nearest above the line, the one with code nearest to the
   row; 0 without any.  */
static uint32_t
stray_owner (const lp_function *fn, const lp_row *row)
{
  uint32_t best = 0, best_line = 0;
  uint64_t best_distance = UINT64_MAX;
  for (uint32_t i = 1; i <= fn->ninlines; i++)
    {
      const lp_inline *inl = &fn->inlines[i - 1];
      if (inl->decl_line == 0 || inl->decl_file != row->file
	  || inl->decl_line > row->line || inl->decl_line < best_line)
	continue;
      uint64_t d = distance (inl, row->addr);
      if (inl->decl_line == best_line && d >= best_distance)
	continue;
      best = i;
      best_line = inl->decl_line;
      best_distance = d;
    }
  return best;
}

/* Is ROW, of instance INL, before what that is an instance of?  Of FN itself (0): or
   in another file?  */
static bool
hardly_owns (const lp_function *fn, uint32_t inl, const lp_row *row)
{
  if (!inl)
    return row->file != fn->file || row->line < fn->line;
  return row->file == fn->inlines[inl - 1].decl_file
	 && row->line < fn->inlines[inl - 1].decl_line;
}

/* The owner of ROW, or what it strayed from when that can hardly be.  */
static uint32_t
likely_owner (const lp_function *fn, const lp_row *row, uint32_t last_own,
	      const struct span *at, size_t n)
{
  uint32_t inl = owner (fn, row, last_own, at, n);
  uint32_t from = hardly_owns (fn, inl, row) ? stray_owner (fn, row) : 0;
  return from ? from : inl;
}

/* Sweep over rows and spans, both by address.  ACTIVE, of SPANS' size, holds the
   spans that cover or touch the row.  */
static void
sweep (lp_function *fn, const span_list *spans, struct span *active)
{
  uint32_t last_own = last_own_line (fn, spans);
  size_t next = 0, n = 0;
  for (size_t i = 0; i < fn->nrows; i++)
    {
      uint64_t addr = fn->rows[i].addr;
      while (next < spans->n && spans->v[next].lo <= addr)
	active[n++] = spans->v[next++];
      size_t kept = 0;
      for (size_t k = 0; k < n; k++)
	if (active[k].hi >= addr)
	  active[kept++] = active[k];
      n = kept;
      fn->rows[i].inl = likely_owner (fn, &fn->rows[i], last_own, active, n);
    }
}

static bool
begins_at (const lp_inline *inl, uint64_t addr)
{
  for (size_t r = 0; r < inl->nranges; r++)
    if (inl->ranges[r].lo == addr)
      return true;
  return false;
}

/* Is ADDR, where code of instance I begins, not where I is entered, or what holds it
   and has code from there on, too?  */
static bool
is_entered_elsewhere (const lp_function *fn, uint32_t i, uint64_t addr)
{
  for (; i && begins_at (&fn->inlines[i - 1], addr);
       i = fn->inlines[i - 1].parent)
    if (fn->inlines[i - 1].entry && fn->inlines[i - 1].entry != addr)
      return true;
  return false;
}

/* Another instance of the same function as instance I, whose code ends at ADDR,
   where that of I begins; 0 without one.  */
static uint32_t
ended_at (const lp_function *fn, uint32_t i, uint64_t addr)
{
  const lp_inline *inl = &fn->inlines[i - 1];
  for (uint32_t k = 1; begins_at (inl, addr) && k <= fn->ninlines; k++)
    {
      const lp_inline *other = &fn->inlines[k - 1];
      if (k == i || other->origin != inl->origin)
	continue;
      for (size_t r = 0; r < other->nranges; r++)
	if (other->ranges[r].lo < addr && other->ranges[r].hi == addr)
	  return k;
    }
  return 0;
}

/* Of the rows from number I on that have one address and one owner, the first that
   may be where that begins, seen from the line table: behind the caller's, or the
   opening line's, or none where it begins elsewhere; else I.  */
static size_t
first_begun (const lp_function *fn, size_t i, size_t end)
{
  const lp_inline *inl = &fn->inlines[fn->rows[i].inl - 1];
  if (is_entered_elsewhere (fn, fn->rows[i].inl, fn->rows[i].addr))
    return end;
  if (end < fn->nrows && fn->rows[end].addr == fn->rows[i].addr)
    return end;
  for (size_t k = i; k < end; k++)
    if (fn->rows[k].line == inl->decl_line)
      return k;
  return i;
}

/* Two calls in a row, as f (1) + f (2): at the second's first address stand the
   first's last statements, too.  */
static void
end_before_others (lp_function *fn)
{
  for (size_t i = 0, end; i < fn->nrows; i = end)
    {
      uint32_t inl = fn->rows[i].inl, ended;
      uint64_t addr = fn->rows[i].addr;
      for (end = i + 1; end < fn->nrows && fn->rows[end].addr == addr
			&& fn->rows[end].inl == inl; end++)
	;
      if (!inl || (i && fn->rows[i - 1].addr == addr)
	  || !(ended = ended_at (fn, inl, addr)))
	continue;
      for (size_t k = i, n = first_begun (fn, i, end); k < n; k++)
	if (fn->rows[k].is_stmt)
	  fn->rows[k].inl = ended;
    }
}

int
lp_assign_inlines (lp_function *fn, lp_error *err)
{
  span_list spans = { 0 };
  struct span *active = NULL;
  int result = collect_spans (fn, &spans);
  if (!result)
    {
      active = malloc ((spans.n + 1) * sizeof *active);
      result = active ? 0 : -1;
    }
  if (!result)
    {
      sweep (fn, &spans, active);
      end_before_others (fn);
    }
  free (active);
  lp_vec_free (&spans);
  return result ? lp_nomem (err) : 0;
}
