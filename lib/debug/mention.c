/* mention.c: which units can tell of a name, and which of their functions hold what was
   inlined of it.

   Reading all DIEs of a big program takes many seconds, looking through its bytes
   for a few offsets takes a fraction of one.  A name is a string in .debug_info, or
   an offset in .debug_str.
   Where names or origins are referred to in another way (DW_FORM_strx, references
   to another unit as link-time optimisation makes them), nothing is left out.  */

#define _GNU_SOURCE

#include "debug/mention.h"

#include <stdlib.h>
#include <string.h>

#include "debug/abbrevs.h"
#include "debug/holders.h"
#include "debug/sections.h"

/* The holders in the unit at OFFSET: N from number FIRST on.  */
struct held
{
  uint64_t offset;
  size_t first, n;
};

/* A search and what it found, which may be before it is known what units there
   are.  */
struct lp_mentions
{
  lp_key sought;
  char *key;
  LP_VEC (uint64_t) places;	/* of the mentions, by offset */
  size_t at;			/* where in .debug_info the bytes are that are looked at */
  size_t seen;			/* bytes of .debug_info */
  bool begun, bad;
  bool done;			/* in all units */
  lp_bytes abbrevs;
  lp_holders holders;
  LP_VEC (struct held) held;	/* units that were seen already, by offset */
  LP_VEC (uint64_t) dies;	/* what holds instances in them */
};

/* Can a unit's names and origins be told from its own bytes?  */
static bool
is_searchable (lp_dwarf *dw)
{
  lp_abbrevs abbrevs
    = lp_abbrevs_read (lp_section_loaded (dw, ".debug_abbrev"));
  return !abbrevs.damaged && !abbrevs.across_units && !dw->alt
    && !lp_section_find (&dw->image, SHT_PROGBITS, ".debug_str_offsets")
    && !lp_section_find (&dw->image, SHT_PROGBITS, ".debug_addr")
    && !lp_section_find (&dw->image, SHT_PROGBITS, ".zdebug_info");
}

static lp_mentions *
new_mentions (const char *key)
{
  lp_mentions *m = calloc (1, sizeof *m);
  if (m && !(m->key = strdup (key)))
    {
      free (m);
      m = NULL;
    }
  return m;
}

void
lp_mentions_expect (lp_dwarf *dw, const char *key)
{
  if (!dw->dbg && !dw->mentions)
    dw->mentions = new_mentions (key);
}

const char *
lp_mentions_expected (const lp_dwarf *dw)
{
  return dw->mentions ? dw->mentions->key : NULL;
}

void
lp_mentions_free (lp_mentions *mentions)
{
  if (!mentions)
    return;
  lp_vec_free (&mentions->places);
  lp_vec_free (&mentions->held);
  lp_vec_free (&mentions->dies);
  lp_key_free (&mentions->sought);
  lp_holders_free (&mentions->holders);
  free (mentions->key);
  free (mentions);
}

/* Note a mention AT in the window, once where windows overlap.  */
static void
note_place (void *arg, size_t at)
{
  lp_mentions *m = arg;
  uint64_t offset = m->at + at;
  if (m->places.n && m->places.v[m->places.n - 1] >= offset)
    return;
  if (lp_vec_push (&m->places, offset))
    m->bad = true;
}

/* Note the mentions in a window.  */
static bool
note (void *arg, const uint8_t *p, size_t n)
{
  lp_mentions *m = arg;
  m->at = m->seen ? m->seen - m->sought.overlap : 0;
  lp_key_scan (&m->sought, p, n, note_place, m);
  m->seen = m->at + n;
  return false;
}

/* Remember what holds instances in the unit at OFFSET.  */
static int
keep_held (lp_mentions *m, uint64_t offset)
{
  const lp_holders *h = &m->holders;
  struct held held = { offset, m->dies.n, h->found.n };
  for (size_t i = 0; i < h->found.n; i++)
    if (lp_vec_push (&m->dies, offset + h->found.v[i]))
      return -1;
  return lp_vec_push (&m->held, held);
}

/* Note the mentions in a unit, and what holds instances in it.  */
static bool
look_at_unit (void *arg, uint64_t offset, const uint8_t *p, size_t n)
{
  lp_mentions *m = arg;
  size_t before = m->places.n;
  lp_bytes unit = { p, n };
  m->at = offset;
  lp_key_scan (&m->sought, p, n, note_place, m);
  m->seen += n;
  if (m->places.n == before || m->bad)
    return false;
  m->bad = lp_holders_find (&m->holders, unit, m->abbrevs, &m->sought)
    || keep_held (m, offset);
  return m->holders.found.n;
}

void
lp_mentions_begin (lp_dwarf *dw)
{
  lp_mentions *m = dw->mentions;
  if (!m || m->begun)
    return;
  m->begun = true;
  m->bad = lp_key_begin (&m->sought, m->key, true,
			    lp_section_loaded (dw, ".debug_str")) < 0;
  if (m->bad)
    return;
  m->abbrevs = lp_section_loaded (dw, ".debug_abbrev");
  dw->unpack.look = look_at_unit;
  dw->unpack.look_arg = m;
}

/* Set MAY of the units of the places that were noted.  */
static void
look_up (const lp_dwarf *dw, const lp_mentions *m, bool *may)
{
  uint32_t u = 0;
  for (size_t i = 0; i < m->places.n; i++)
    {
      while (u + 1 < dw->units.n && dw->units.v[u + 1].offset <= m->places.v[i])
	u++;
      may[u] = true;
    }
}

/* Was KEY sought already, in all units of DW?  */
static bool
is_noted (const lp_dwarf *dw, const char *key)
{
  const lp_mentions *m = dw->mentions;
  return m && m->begun && !m->bad
    && (m->done || m->seen == dw->unpack.nout) && strcmp (m->key, key) == 0;
}

/* What units hold is forgotten with the name that it was of.  */
static void
replace (lp_dwarf *dw, lp_mentions *m)
{
  lp_mentions_free (dw->mentions);
  dw->mentions = m;
  for (size_t i = 0; i < dw->units.n; i++)
    {
      dw->units.v[i].has_expected = dw->units.v[i].has_holders = false;
      dw->units.v[i].holders.n = 0;
    }
}

/* Look for KEY now, and remember it when WHOLE.  */
static int
search (lp_dwarf *dw, const char *key, bool whole, bool *may, lp_error *err)
{
  lp_mentions *m = new_mentions (key);
  if (!m || lp_key_begin (&m->sought, m->key, whole, dw->sections.str))
    {
      lp_mentions_free (m);
      return lp_nomem (err);
    }
  m->begun = true;
  int result = lp_section_look (dw, ".debug_info", m->sought.overlap, note, m, err);
  if (result >= 0 && m->bad)
    result = lp_nomem (err);
  m->done = result >= 0;
  if (m->done)
    look_up (dw, m, may);
  if (m->done && whole)
    replace (dw, m);
  else
    lp_mentions_free (m);
  return result < 0 ? -1 : 0;
}

int
lp_units_mentioning (lp_dwarf *dw, const char *key, bool whole, bool *may,
		     lp_error *err)
{
  if (!*key || !is_searchable (dw))
    memset (may, true, dw->units.n);
  else if (whole && is_noted (dw, key))
    look_up (dw, dw->mentions, may);
  else
    return search (dw, key, whole, may, err);
  return 0;
}

/* What was found in the unit at OFFSET, or NULL where it was not seen.  */
static const struct held *
find_held (const lp_mentions *m, uint64_t offset)
{
  size_t lo = 0, hi = m->held.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (m->held.v[mid].offset < offset)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < m->held.n && m->held.v[lo].offset == offset ? &m->held.v[lo] : NULL;
}

/* Look for them now in unit U.  The result as find_held's, or NULL on an error.  */
static const struct held *
find_holders (lp_dwarf *dw, uint32_t u, uint64_t offset, lp_error *err)
{
  lp_mentions *m = dw->mentions;
  lp_bytes bytes, abbrevs;
  if (lp_unit_bytes (dw, u, &bytes, &abbrevs, err))
    return NULL;
  if (lp_holders_find (&m->holders, bytes, abbrevs, &m->sought)
      || keep_held (m, offset))
    {
      lp_nomem (err);
      return NULL;
    }
  return &m->held.v[--m->held.n]; /* they are in the unit from now on */
}

int
lp_unit_holders (lp_dwarf *dw, uint32_t u, const char *key, bool *known,
		 lp_error *err)
{
  lp_unit *unit = &dw->units.v[u];
  *known = is_noted (dw, key) && is_searchable (dw);
  if (!*known || unit->has_holders)
    return 0;
  uint64_t offset = dwarf_dieoffset (&unit->top) - dwarf_cuoffset (&unit->top);
  const struct held *held = find_held (dw->mentions, offset);
  if (!held && !(held = find_holders (dw, u, offset, err)))
    return -1;
  for (size_t i = 0; i < held->n; i++)
    if (lp_vec_push (&unit->holders, dw->mentions->dies.v[held->first + i]))
      return lp_nomem (err);
  unit->has_holders = true;
  return 0;
}

bool
lp_is_holder (const lp_unit *unit, const lp_function *fn)
{
  size_t lo = 0, hi = unit->holders.n;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (unit->holders.v[mid] < fn->die)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < unit->holders.n && unit->holders.v[lo] == fn->die;
}
