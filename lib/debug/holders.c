/* holders.c: one walk through a unit's DIEs.

   An instance refers to a function, which has a name or refers to one that has: a
   definition to its declaration.  Either may come before the other.  */

#include "debug/holders.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* What is said of a DIE that may be an instance's origin.  */
enum verdict
{
  UNKNOWN, OTHER, MEANT
};

/* A function without a name of its own.  */
struct lp_derived
{
  uint64_t offset, from;
};

struct lp_instance
{
  uint64_t origin, holder;
};

static enum verdict
verdict_of (const lp_holders *h, uint64_t offset)
{
  return offset / 4 < h->nverdicts
    ? h->verdicts[offset / 4] >> offset % 4 * 2 & 3 : UNKNOWN;
}

/* OFFSET is of a DIE that was read.  */
static void
set_verdict (lp_holders *h, uint64_t offset, enum verdict verdict)
{
  h->verdicts[offset / 4] |= verdict << offset % 4 * 2;
}

static int
make_room (lp_holders *h, size_t n)
{
  free (h->verdicts);
  h->nverdicts = n / 4 + 1;
  h->verdicts = calloc (1, h->nverdicts);
  h->derived.n = h->instances.n = h->within.n = h->found.n = 0;
  return h->verdicts ? 0 : -1;
}

/* What DIE refers to, or 0.  */
static uint64_t
source_of (const lp_holders *h, const lp_die *die)
{
  uint64_t origin = lp_die_reference (&h->dies, die->part[LP_DIE_ORIGIN]);
  return origin ? origin
    : lp_die_reference (&h->dies, die->part[LP_DIE_SPECIFICATION]);
}

static int
take_function (lp_holders *h, const lp_die *die, const lp_key *sought)
{
  uint64_t from = source_of (h, die);
  struct lp_derived derived = { die->offset, from };
  if (!die->part[LP_DIE_NAME].p && from)
    return lp_vec_push (&h->derived, derived);
  set_verdict (h, die->offset, !die->part[LP_DIE_NAME].p
	       || lp_key_is (sought, &h->dies, die->part[LP_DIE_NAME])
	       ? MEANT : OTHER);
  return 0;
}

/* What gcc writes without an origin is an instance of nothing that has a place in the
   source.  */
static int
take_instance (lp_holders *h, const lp_die *die, uint64_t holder)
{
  if (!die->part[LP_DIE_ORIGIN].p && !die->part[LP_DIE_NAME].p)
    return 0;
  struct lp_instance instance = { source_of (h, die), holder };
  return verdict_of (h, instance.origin) == OTHER ? 0
    : lp_vec_push (&h->instances, instance);
}

/* The function that what is in DIE, which is in HOLDER, is part of; or 0.  */
static uint64_t
holder_in (const lp_die *die, uint64_t holder)
{
  switch (die->tag)
    {
    case DW_TAG_subprogram:
      return die->has_code ? die->offset : 0;
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
      return holder;
    default:
      return 0;
    }
}

static int
take (lp_holders *h, const lp_die *die, const lp_key *sought)
{
  uint64_t holder = die->depth ? h->within.v[die->depth - 1] : 0;
  h->within.n = die->depth;
  if (die->tag == DW_TAG_subprogram && take_function (h, die, sought))
    return -1;
  if (die->tag == DW_TAG_inlined_subroutine && holder
      && take_instance (h, die, holder))
    return -1;
  return lp_vec_push (&h->within, holder_in (die, holder));
}

/* What is said of a declaration holds for what is derived from it, and so on.  */
static void
derive (lp_holders *h)
{
  for (bool more = true; more;)
    {
      size_t left = 0;
      for (size_t i = 0; i < h->derived.n; i++)
	{
	  const struct lp_derived derived = h->derived.v[i];
	  enum verdict verdict = verdict_of (h, derived.from);
	  if (verdict)
	    set_verdict (h, derived.offset, verdict);
	  else
	    h->derived.v[left++] = derived;
	}
      more = left < h->derived.n;
      h->derived.n = left;
    }
}

static int
compare (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static int
list (lp_holders *h)
{
  size_t n = 0;
  for (size_t i = 0; i < h->instances.n; i++)
    if (verdict_of (h, h->instances.v[i].origin) != OTHER
	&& lp_vec_push (&h->found, h->instances.v[i].holder))
      return -1;
  if (h->found.n)
    qsort (h->found.v, h->found.n, sizeof *h->found.v, compare);
  for (size_t i = 0; i < h->found.n; i++)
    if (!i || h->found.v[i] != h->found.v[i - 1])
      h->found.v[n++] = h->found.v[i];
  h->found.n = n;
  return 0;
}

int
lp_holders_find (lp_holders *h, lp_bytes unit, lp_bytes abbrevs,
		 const lp_key *sought)
{
  lp_die die;
  if (make_room (h, unit.n) || lp_dies_open (&h->dies, unit, abbrevs))
    return -1;
  while (lp_dies_next (&h->dies, &die))
    if (take (h, &die, sought))
      return -1;
  derive (h);
  return list (h);
}

void
lp_holders_free (lp_holders *h)
{
  lp_dies_free (&h->dies);
  free (h->verdicts);
  lp_vec_free (&h->derived);
  lp_vec_free (&h->instances);
  lp_vec_free (&h->within);
  lp_vec_free (&h->found);
  *h = (lp_holders) { .verdicts = NULL };
}
