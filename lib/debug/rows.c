/* rows.c: the rows of the line table that belong to a function.  */

#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"

typedef LP_VEC (lp_row) row_list;

static int
compare_sequences (const void *a, const void *b)
{
  const lp_sequence *x = a, *y = b;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Drop the sequences of discarded code: linkers leave them at address 0 or 1,
   or outside of all code.  */
static void
drop_dead (lp_dwarf *dw, lp_line_rows *rows)
{
  size_t n = 0;
  for (size_t i = 0; i < rows->sequences.n; i++)
    if (rows->sequences.v[i].lo > 1
	&& lp_module_is_code (dw->mod, rows->sequences.v[i].lo))
      rows->sequences.v[n++] = rows->sequences.v[i];
  rows->sequences.n = n;
}

int
lp_unit_rows (lp_dwarf *dw, lp_unit *unit, lp_error *err)
{
  if (unit->has_rows)
    return 0;
  if (lp_unit_header (dw, unit, err))
    return -1;
  if (unit->has_lines
      && lp_line_rows_read (&dw->sections, &unit->header, &unit->rows, err))
    {
      lp_line_rows_free (&unit->rows);
      return -1;
    }
  drop_dead (dw, &unit->rows);
  if (unit->rows.sequences.n)
    qsort (unit->rows.sequences.v, unit->rows.sequences.n,
	   sizeof *unit->rows.sequences.v, compare_sequences);
  unit->has_rows = true;
  return 0;
}

void
lp_unit_drop_rows (lp_unit *unit)
{
  lp_line_rows_free (&unit->rows);
  unit->has_rows = false;
}

/* The first row of SEQ at or behind ADDR.  */
static size_t
first_row (const lp_line_rows *rows, const lp_sequence *seq, uint64_t addr)
{
  size_t lo = seq->first, hi = (size_t) seq->first + seq->n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (rows->rows.v[mid].addr < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

/* Append the rows of SEQ inside RANGE to LIST.  */
static int
add_rows (lp_dwarf *dw, lp_unit *unit, const lp_sequence *seq,
	  const lp_range *range, row_list *list, lp_error *err)
{
  size_t start = list->n, end = (size_t) seq->first + seq->n;
  for (size_t i = first_row (&unit->rows, seq, range->lo); i < end; i++)
    {
      const lp_line_row *r = &unit->rows.rows.v[i];
      if (r->addr >= range->hi)
	break;
      if (r->line == 0)
	{
	  if (list->n > start && !list->v[list->n - 1].end)
	    list->v[list->n - 1].end = r->addr;
	  continue;
	}
      lp_row row = { .addr = r->addr, .line = r->line, .is_stmt = r->is_stmt,
	.file = lp_unit_file (dw, unit, r->file) };
      if (row.file == LP_NO_FILE || lp_vec_push (list, row))
	return lp_nomem (err);
    }
  return 0;
}

/* The first of the unit's sequences that may reach beyond ADDR: they do not
   overlap, but for damaged ones.  */
static size_t
first_sequence (const lp_line_rows *rows, uint64_t addr)
{
  size_t lo = 0, hi = rows->sequences.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (rows->sequences.v[mid].hi <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

bool
lp_unit_row_in (lp_dwarf *dw, lp_unit *unit, const lp_range *range,
		lp_line_row *row)
{
  if (lp_unit_rows (dw, unit, NULL))
    return false;
  const lp_line_rows *rows = &unit->rows;
  size_t s = first_sequence (rows, range->lo);
  if (s == rows->sequences.n)
    return false;
  const lp_sequence *seq = &rows->sequences.v[s];
  for (size_t i = first_row (rows, seq, range->lo);
       i < (size_t) seq->first + seq->n && rows->rows.v[i].addr < range->hi; i++)
    if (rows->rows.v[i].line)
      {
	*row = rows->rows.v[i];
	return true;
      }
  return false;
}

/* How far below FN's line SEQ begins; more than any file has: above it.  */
static uint32_t
distance (const lp_line_rows *rows, const lp_sequence *seq,
	  const lp_function *fn)
{
  return seq->n ? rows->rows.v[seq->first].line - fn->line : UINT32_MAX;
}

/* Linkers that fold functions with the same code (--icf) leave the sequences of all of
   them: of those that begin where number S does, FN's own, by line.  *NEXT: the one behind
   them.  */
static size_t
own_sequence (const lp_line_rows *rows, size_t s, const lp_function *fn,
	      size_t *next)
{
  const lp_sequence *v = rows->sequences.v;
  size_t best = s;
  for (*next = s + 1; *next < rows->sequences.n && v[*next].lo == v[s].lo;
       ++*next)
    if (distance (rows, &v[*next], fn) < distance (rows, &v[best], fn))
      best = *next;
  return best;
}

static int
collect_rows (lp_dwarf *dw, lp_unit *unit, const lp_function *fn,
	      row_list *list, lp_error *err)
{
  for (size_t r = 0; r < fn->nranges; r++)
    for (size_t next, s = first_sequence (&unit->rows, fn->ranges[r].lo);
	 s < unit->rows.sequences.n; s = next)
      {
	const lp_sequence *seq
	  = &unit->rows.sequences.v[own_sequence (&unit->rows, s, fn, &next)];
	if (seq->lo >= fn->ranges[r].hi)
	  break;
	if (add_rows (dw, unit, seq, &fn->ranges[r], list, err))
	  return -1;
      }
  return 0;
}

/* Sort by address, keeping the order at one address.  ROWS is a few ascending
   runs, one per range: they are merged from the last one on.  SPARE has room for
   N rows.  */
static void
merge_runs (lp_row *rows, size_t n, lp_row *spare)
{
  for (size_t end = n, at = n; at > 0; end = at)
    {
      at = end;
      do
	at--;
      while (at > 0 && rows[at - 1].addr <= rows[at].addr);
      memcpy (spare, rows + at, (end - at) * sizeof *rows);
      size_t i = 0, j = end, out = at;
      while (i < end - at)
	rows[out++] = j < n && rows[j].addr < spare[i].addr ? rows[j++]
	  : spare[i++];
    }
}

static bool
same_row (const lp_row *a, const lp_row *b)
{
  return a->line == b->line && a->file == b->file;
}

/* Drop repetitions at one address.  The last one stays, for it is the line that
   the instruction belongs to; it begins a statement when one of them does.
   Returns how many rows are left.  */
static size_t
drop_repeated (lp_row *rows, size_t n)
{
  size_t out = 0;
  for (size_t i = 0; i < n; i++)
    {
      size_t start = out;
      while (start > 0 && rows[start - 1].addr == rows[i].addr)
	start--;
      for (size_t k = start; k < out; k++)
	if (same_row (&rows[k], &rows[i]))
	  {
	    /* A statement that begins ahead of others has its place there.  */
	    if (rows[k].is_stmt && !rows[i].is_stmt && k + 1 < out)
	      continue;
	    rows[i].is_stmt |= rows[k].is_stmt;
	    memmove (&rows[k], &rows[k + 1], (out - k - 1) * sizeof *rows);
	    out--;
	    break;
	  }
      rows[out++] = rows[i];
    }
  return out;
}

/* Move LIST to FN, in its final form.  */
static int
keep_rows (lp_dwarf *dw, lp_function *fn, row_list *list, lp_error *err)
{
  lp_row *rows = lp_arena_alloc (dw->mod->arena, list->n * sizeof *rows);
  lp_row *spare = malloc ((list->n + 1) * sizeof *spare);
  if (!rows || !spare)
    {
      free (spare);
      return lp_nomem (err);
    }
  if (list->n)
    memcpy (rows, list->v, list->n * sizeof *rows);
  merge_runs (rows, list->n, spare);
  free (spare);
  fn->nrows = drop_repeated (rows, list->n);
  fn->rows = rows;
  return 0;
}

/* Drop the rows of the units but UNIT, where they are many: functions that are asked for
   one after the other are of one unit as a rule.  */
static void
drop_others (lp_dwarf *dw, const lp_unit *unit)
{
  enum { MANY = 1 << 20 };
  if (unit->has_rows || dw->nrows < MANY)
    return;
  for (size_t u = 0; u < dw->units.n; u++)
    if (&dw->units.v[u] != unit && dw->units.v[u].has_rows)
      lp_unit_drop_rows (&dw->units.v[u]);
  dw->nrows = 0;
}

static int
load_rows (lp_dwarf *dw, lp_unit *unit, lp_error *err)
{
  bool had = unit->has_rows;
  drop_others (dw, unit);
  if (lp_unit_rows (dw, unit, err))
    return -1;
  dw->nrows += had ? 0 : unit->rows.rows.n;
  return 0;
}

int
lp_module_rows (lp_module *mod, lp_function *fn, lp_error *err)
{
  lp_dwarf *dw = mod->dwarf;
  lp_unit *unit = &dw->units.v[fn->unit];
  row_list list = { 0 };
  if (fn->rows)
    return 0;
  int result = load_rows (dw, unit, err)
    || collect_rows (dw, unit, fn, &list, err)
    || lp_fill_inlines (dw, fn, err)
    || keep_rows (dw, fn, &list, err)
    || lp_assign_inlines (fn, err) ? -1 : 0;
  lp_vec_free (&list);
  return result;
}
