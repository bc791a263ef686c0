/* unpack.c: the units of a compressed .debug_info.  */

#include "debug/unpack.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "debug/dies.h"

enum
{
  MARK = 1 << 22,		/* between two marks: what a unit costs at most */
  SHOWN = 64 << 20,		/* the largest unit that is shown */
  KEPT = 48 << 20		/* what is kept at most of the units that are needed soon */
};

void
lp_unpack_init (lp_unpack *unpack, const uint8_t *in, size_t nin,
		uint8_t *out, size_t nout)
{
  *unpack = (lp_unpack) { .in = in, .nin = nin, .out = out, .nout = nout };
}

void
lp_unpack_free (lp_unpack *unpack)
{
  lp_stream_close (unpack->stream);
  unpack->stream = NULL;
  for (size_t i = 0; i < unpack->marks.n; i++)
    lp_inflater_free (unpack->marks.v[i]);
  lp_vec_free (&unpack->marks);
  lp_vec_free (&unpack->units);
  lp_inflater_free (unpack->last);
  unpack->last = NULL;
}

int
lp_unpack_all (lp_unpack *unpack)
{
  lp_inflater *inflater = lp_inflater_new (unpack->in, unpack->nin, true);
  int result = !inflater || lp_inflate (inflater, unpack->out, unpack->nout)
    || !lp_inflate_ends (inflater) ? -1 : 0;
  lp_inflater_free (inflater);
  lp_unpack_free (unpack);
  return result;
}

/* Is the unit at P one that is found by its signature (DWARF 5, 7.5.1)?  */
static bool
has_signature (const uint8_t *p)
{
  uint16_t version;
  size_t at = p[0] == 0xff && p[1] == 0xff && p[2] == 0xff && p[3] == 0xff
    ? 12 : 4;
  memcpy (&version, p + at, sizeof version);
  return version >= 5 && (p[at + 2] == DW_UT_type
			  || p[at + 2] == DW_UT_split_type);
}

/* A walk over the inflated bytes, which come in pieces.  */
struct walk
{
  lp_unpack *unpack;
  uint64_t at;			/* of the next byte */
  uint64_t start, size;		/* of the unit there; 0: not known yet */
  LP_VEC (uint8_t) unit;	/* what was seen of it: for who looks, all */
};

/* The unit's first LP_UNIT_LEAST bytes are there.  False where it can not be one.  */
static bool
begin_unit (struct walk *w)
{
  w->size = lp_unit_size (w->unit.v);
  if (w->size < LP_UNIT_LEAST || w->size > w->unpack->nout - w->start)
    return false;
  bool whole = w->size <= LP_UNIT_HEAD;
  lp_packed_unit unit = { w->start, w->size, whole, whole };
  return lp_vec_push (&w->unpack->units, unit) == 0;
}

static lp_packed_unit *
unit_of (const struct walk *w)
{
  return &w->unpack->units.v[w->unpack->units.n - 1];
}

static bool
is_shown (const struct walk *w)
{
  return w->unpack->look && w->size <= SHOWN;
}

/* How much of the unit is to be there before it is looked at again.  */
static uint64_t
needed (const struct walk *w)
{
  if (!w->size)
    return LP_UNIT_LEAST;
  uint64_t head = w->size < LP_UNIT_HEAD ? w->size : LP_UNIT_HEAD;
  return w->unit.n >= head && (is_shown (w) || unit_of (w)->whole) ? w->size : head;
}

/* Another part of the unit is there.  False where it can not be one.  */
static bool
go_on (struct walk *w)
{
  if (!w->size && w->unit.n == LP_UNIT_LEAST)
    return begin_unit (w);
  if (w->unit.n == LP_UNIT_HEAD && has_signature (w->unit.v))
    unit_of (w)->whole = unit_of (w)->stays = true;
  return true;
}

/* The unit is there, as far as it is needed.  */
static void
end_unit (struct walk *w)
{
  lp_unpack *unpack = w->unpack;
  lp_packed_unit *unit = unit_of (w);
  if (is_shown (w)
      && unpack->look (unpack->look_arg, w->start, w->unit.v, w->size)
      && !unit->whole && unpack->kept + w->size <= KEPT)
    {
      unit->whole = true;
      unpack->kept += w->size;
    }
  memcpy (unpack->out + w->start, w->unit.v,
	  unit->whole ? w->size : LP_UNIT_HEAD);
  w->start += w->size;
  w->size = 0;
  w->unit.n = 0;
}

/* Add up to N bytes at P to the unit.  Their number.  */
static uint64_t
add_bytes (struct walk *w, const uint8_t *p, uint64_t n)
{
  uint64_t missing = needed (w) - w->unit.n;
  n = n < missing ? n : missing;
  if (lp_vec_reserve (&w->unit, n))
    return 0;
  memcpy (w->unit.v + w->unit.n, p, n);
  w->unit.n += n;
  return n;
}

/* The N bytes at P come next.  False where they are no units.  */
static bool
take_piece (struct walk *w, const uint8_t *p, uint64_t n)
{
  const uint8_t *end = p + n;
  while (p < end)
    {
      uint64_t left = end - p, taken;
      if (!w->size || w->unit.n < needed (w))
	taken = add_bytes (w, p, left);
      else
	taken = left < w->start + w->size - w->at ? left : w->start + w->size - w->at;
      if (!taken)
	return false;
      p += taken;
      w->at += taken;
      if (!go_on (w))
	return false;
      if (w->size && w->at == w->start + w->size)
	end_unit (w);
    }
  return true;
}

/* Walk through the stream.  1: these are no units.  */
static int
walk_heads (lp_unpack *unpack)
{
  struct walk w = { .unpack = unpack };
  unsigned long before = lp_nomems ();
  const uint8_t *p;
  int64_t n;
  bool ok = true;
  while (ok && (n = lp_stream_next (unpack->stream, &p)) > 0)
    ok = take_piece (&w, p, n);
  lp_vec_free (&w.unit);
  if (lp_nomems () != before || (ok && n < 0))
    return -1;
  return !ok || w.at != w.start;
}

int
lp_unpack_begin (lp_unpack *unpack)
{
  unpack->stream = lp_stream_new (unpack->in, unpack->nin, unpack->nout,
				  &unpack->marks, MARK);
  return unpack->stream ? 0 : -1;
}

int
lp_unpack_heads (lp_unpack *unpack)
{
  /* A huge page for each head would be all of it.  */
  madvise (unpack->out, unpack->nout, MADV_NOHUGEPAGE);
  if (!unpack->stream && lp_unpack_begin (unpack))
    return -1;
  int result = walk_heads (unpack);
  lp_stream_close (unpack->stream);
  unpack->stream = NULL;
  return result > 0 ? lp_unpack_all (unpack) : result;
}

static lp_packed_unit *
find_unit (const lp_unpack *unpack, uint64_t offset)
{
  size_t lo = 0, hi = unpack->units.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (unpack->units.v[mid].offset <= offset)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo ? &unpack->units.v[lo - 1] : NULL;
}

/* Make LAST stand where it takes least to come to OFFSET.  */
static int
approach (lp_unpack *unpack, uint64_t offset)
{
  size_t i = offset / MARK;
  if (i >= unpack->marks.n)
    i = unpack->marks.n - 1;
  const lp_inflater *mark = unpack->marks.v[i];
  if (unpack->last && lp_inflater_at (unpack->last) <= offset
      && lp_inflater_at (unpack->last) >= lp_inflater_at (mark))
    return 0;
  lp_inflater_free (unpack->last);
  unpack->last = lp_inflater_copy (mark);
  return unpack->last ? 0 : -1;
}

int
lp_unpack_unit (lp_unpack *unpack, uint64_t offset)
{
  lp_packed_unit *unit = find_unit (unpack, offset);
  if (!unit || unit->whole)
    return 0;
  if (approach (unpack, unit->offset)
      || lp_inflate_skip (unpack->last,
			  unit->offset - lp_inflater_at (unpack->last))
      || lp_inflate (unpack->last, unpack->out + unit->offset, unit->size))
    return -1;
  unit->whole = true;
  return 0;
}

void
lp_unpack_release (lp_unpack *unpack, uint64_t offset)
{
  lp_packed_unit *unit = find_unit (unpack, offset);
  if (!unit || !unit->whole || unit->stays)
    return;
  uintptr_t page = sysconf (_SC_PAGESIZE);
  uintptr_t start = (uintptr_t) unpack->out + unit->offset;
  uintptr_t lo = (start + LP_UNIT_HEAD + page - 1) & ~(page - 1);
  uintptr_t hi = (start + unit->size) & ~(page - 1);
  if (lo >= hi || madvise ((void *) lo, hi - lo, MADV_DONTNEED) == 0)
    unit->whole = false;
}
