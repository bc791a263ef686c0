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
  WINDOW = 1 << 17,		/* what is inflated at a time */
  MARK = 32 * WINDOW		/* between two marks: what a unit costs at most */
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

/* A walk over the inflated bytes, which come in windows.  */
struct walk
{
  lp_unpack *unpack;
  uint64_t at;			/* of the next byte that is looked at */
  uint64_t start, size;		/* of the unit there; 0: not known yet */
  uint64_t keep;		/* bytes of the unit that stay */
};

/* The unit's first LP_UNIT_LEAST bytes are there.  False where it can not be one.  */
static bool
begin_unit (struct walk *w)
{
  const uint8_t *p = w->unpack->out + w->start;
  w->size = lp_unit_size (p);
  if (w->size < LP_UNIT_LEAST || w->size > w->unpack->nout - w->start)
    return false;
  bool whole = w->size <= LP_UNIT_HEAD || has_signature (p);
  w->keep = whole ? w->size : LP_UNIT_HEAD;
  lp_packed_unit unit = { w->start, w->size, whole, whole };
  return lp_vec_push (&w->unpack->units, unit) == 0;
}

/* Keep of the N bytes at P, which come next, what is to be kept.  False where they
   are no units.  */
static bool
keep_window (struct walk *w, const uint8_t *p, size_t n)
{
  uint64_t end = w->at + n;
  while (w->at < end)
    {
      uint64_t done = w->at - w->start;
      uint64_t stop = w->size ? w->keep : LP_UNIT_LEAST;
      if (done < stop)
	{
	  uint64_t k = stop - done < end - w->at ? stop - done : end - w->at;
	  memcpy (w->unpack->out + w->at, p, k);
	  p += k;
	  w->at += k;
	  if (!w->size && done + k == LP_UNIT_LEAST && !begin_unit (w))
	    return false;
	  continue;
	}
      uint64_t next = w->start + w->size;
      uint64_t skip = (next < end ? next : end) - w->at;
      p += skip;
      w->at += skip;
      if (w->at == next)
	{
	  w->start = next;
	  w->size = 0;
	}
    }
  return true;
}

static int
mark (lp_unpack *unpack, const lp_inflater *inflater)
{
  if (lp_inflater_at (inflater) < unpack->marks.n * (uint64_t) MARK)
    return 0;
  lp_inflater *copy = lp_inflater_copy (inflater);
  if (copy && lp_vec_push (&unpack->marks, copy) == 0)
    return 0;
  lp_inflater_free (copy);
  return -1;
}

/* Show what is there: KEPT bytes that were shown before, and N more.  Returns how
   many are shown again.  */
static size_t
show (const lp_unpack *unpack, uint8_t *window, size_t kept, size_t n)
{
  size_t all = kept + n;
  if (!unpack->look)
    return 0;
  unpack->look (unpack->look_arg, window, all);
  kept = all < unpack->overlap ? all : unpack->overlap;
  memmove (window, window + all - kept, kept);
  return kept;
}

/* Walk through the stream.  1: these are no units.  */
static int
walk_heads (lp_unpack *unpack, lp_inflater *inflater)
{
  uint8_t *window = malloc (WINDOW + unpack->overlap);
  struct walk w = { .unpack = unpack };
  int result = window ? 0 : lp_nomem (NULL);
  size_t kept = 0;
  while (!result && w.at < unpack->nout)
    {
      uint64_t left = unpack->nout - w.at;
      size_t n = left < WINDOW ? left : WINDOW;
      result = mark (unpack, inflater) || lp_inflate (inflater, window + kept, n)
	? -1 : !keep_window (&w, window + kept, n);
      kept = show (unpack, window, kept, n);
    }
  free (window);
  if (result)
    return result;
  return !lp_inflate_ends (inflater) ? -1 : w.size || w.at != w.start;
}

int
lp_unpack_heads (lp_unpack *unpack)
{
  /* A huge page for each head would be all of it.  */
  madvise (unpack->out, unpack->nout, MADV_NOHUGEPAGE);
  lp_inflater *inflater = lp_inflater_new (unpack->in, unpack->nin, true);
  int result = inflater ? walk_heads (unpack, inflater) : -1;
  lp_inflater_free (inflater);
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
