/* mention.c: a name's places in .debug_str, and who points there.

   Reading all DIEs of a big program takes many seconds, looking through its bytes
   for a few offsets takes a fraction of one.  A name is a string in .debug_info, or
   an offset in .debug_str, of which linkers may share the end with other strings.
   Strings that only have the name inside (a mangled one, another's ending) are as
   many as the units that use its class: they do not count.
   Where names or origins are referred to in another way (DW_FORM_strx, references
   to another unit as link-time optimisation makes them), nothing is left out.  */

#define _GNU_SOURCE

#include "debug/mention.h"

#include <stdlib.h>
#include <string.h>

#include "debug/abbrevs.h"
#include "debug/sections.h"

enum { LOWS = 1 << 16 };

struct search
{
  lp_bytes str;
  const char *key;
  size_t key_n, overlap;
  bool whole;			/* KEY is all of the name's last component */
  uint8_t *named;		/* a bit for each offset in STR: a name with KEY starts
				   there */
  uint8_t low[LOWS];		/* of each two bytes: may a mention begin with them?  Asked
				   first, it stays in the cache */
  size_t seen;			/* bytes of .debug_info */
};

/* A search and what it found, which may be before it is known what units there
   are.  */
struct lp_mentions
{
  struct search s;
  char *key;
  LP_VEC (uint64_t) places;	/* of the mentions, by offset */
  bool begun, bad;
};

static void
mark_offset (struct search *s, size_t offset)
{
  s->named[offset / 8] |= 1 << offset % 8;
  s->low[offset % LOWS] = 1;
}

/* Does the key at P, N bytes before the end, end a name or have arguments behind
   it?  */
static bool
ends_name (const struct search *s, const uint8_t *p, size_t n)
{
  return !s->whole
    || (n > s->key_n && (p[s->key_n] == '\0' || p[s->key_n] == '<'));
}

/* Are the bytes from START to AT only scopes?  Go and D separate them by a dot, Ada
   by two underscores.  */
static bool
is_scope (const struct search *s, size_t start, size_t at)
{
  const uint8_t *p = s->str.p + at;
  return !s->whole || p[-1] == '.' || p[-1] == ':'
    || (at - start > 1 && p[-1] == '_' && p[-2] == '_');
}

/* The key stands AT.  */
static void
mark_string (struct search *s, size_t at)
{
  size_t start = at;
  if (!ends_name (s, s->str.p + at, s->str.n - at))
    return;
  mark_offset (s, at);
  while (start > 0 && s->str.p[start - 1])
    start--;
  if (start < at && is_scope (s, start, at))
    for (; start < at; start++)
      mark_offset (s, start);
}

static int
find_strings (struct search *s)
{
  s->named = calloc (1, s->str.n / 8 + 1);
  if (!s->named)
    return -1;
  const uint8_t *p = s->str.p, *end = p + s->str.n;
  while (p < end && (p = memmem (p, end - p, s->key, s->key_n)))
    {
      mark_string (s, p - s->str.p);
      p++;
    }
  return 0;
}

/* Is the key at P, or what may be the offset of a string with it?  */
static inline bool
is_mention (const struct search *s, const uint8_t *p, size_t n)
{
  uint32_t offset;
  if (*p == (uint8_t) *s->key && n >= s->key_n
      && memcmp (p, s->key, s->key_n) == 0 && ends_name (s, p, n))
    return true;
  if (n < sizeof offset)
    return false;
  memcpy (&offset, p, sizeof offset);
  return s->low[offset % LOWS] && offset < s->str.n
    && s->named[offset / 8] >> offset % 8 & 1;
}

/* May a mention begin in the eight bytes from P on?  The two behind them are read,
   too.  */
static inline bool
may_mention (const uint8_t low[LOWS], const uint8_t *p)
{
  uint64_t even, odd;
  memcpy (&even, p, 8);
  memcpy (&odd, p + 1, 8);
  return low[even % LOWS] | low[odd % LOWS]
	 | low[(even >> 16) % LOWS] | low[(odd >> 16) % LOWS]
	 | low[(even >> 32) % LOWS] | low[(odd >> 32) % LOWS]
	 | low[even >> 48] | low[odd >> 48];
}

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

static void
set_key (struct search *s, const char *key, bool whole, lp_bytes str)
{
  s->str = str;
  s->key = key;
  s->key_n = strlen (key);
  s->whole = whole;
  s->overlap = s->key_n + 1 > sizeof (uint32_t) ? s->key_n + 1
    : sizeof (uint32_t);
  for (unsigned second = 0; second < 256; second++)
    if (s->key_n == 1 || second == (uint8_t) key[1])
      s->low[(uint8_t) *key | second << 8] = 1;
}

void
lp_mentions_expect (lp_dwarf *dw, const char *key)
{
  if (dw->dbg || dw->mentions)
    return;
  lp_mentions *m = calloc (1, sizeof *m);
  if (m && !(m->key = strdup (key)))
    {
      free (m);
      m = NULL;
    }
  dw->mentions = m;
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
  free (mentions->s.named);
  free (mentions->key);
  free (mentions);
}

/* Note a mention at OFFSET, once where windows overlap.  */
static void
note_place (lp_mentions *m, uint64_t offset)
{
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
  size_t at = m->s.seen ? m->s.seen - m->s.overlap : 0;
  for (size_t i = 0; i < n;)
    {
      size_t some = i + 10 <= n ? 8 : 1;
      bool may = some == 1 || may_mention (m->s.low, p + i);
      for (size_t k = i; may && k < i + some; k++)
	if (is_mention (&m->s, p + k, n - k))
	  note_place (m, at + k);
      i += some;
    }
  m->s.seen = at + n;
  return false;
}

void
lp_mentions_begin (lp_dwarf *dw)
{
  lp_mentions *m = dw->mentions;
  if (!m || m->begun)
    return;
  set_key (&m->s, m->key, true, lp_section_loaded (dw, ".debug_str"));
  m->begun = true;
  m->bad = find_strings (&m->s) < 0;
  if (m->bad)
    return;
  dw->unpack.look = note;
  dw->unpack.look_arg = m;
  dw->unpack.overlap = m->s.overlap;
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
is_noted (const lp_dwarf *dw, const char *key, bool whole)
{
  const lp_mentions *m = dw->mentions;
  return m && whole && m->begun && !m->bad && m->s.seen == dw->unpack.nout
    && strcmp (m->key, key) == 0;
}

/* Look for KEY now.  */
static int
search (lp_dwarf *dw, const char *key, bool whole, bool *may, lp_error *err)
{
  lp_mentions m = { .begun = true };
  set_key (&m.s, key, whole, dw->sections.str);
  int result = find_strings (&m.s) ? lp_nomem (err)
	       : lp_section_look (dw, ".debug_info", m.s.overlap, note, &m, err);
  if (result >= 0 && m.bad)
    result = lp_nomem (err);
  if (result >= 0)
    look_up (dw, &m, may);
  lp_vec_free (&m.places);
  free (m.s.named);
  return result < 0 ? -1 : 0;
}

int
lp_units_mentioning (lp_dwarf *dw, const char *key, bool whole, bool *may,
		     lp_error *err)
{
  if (!*key || !is_searchable (dw))
    memset (may, true, dw->units.n);
  else if (is_noted (dw, key, whole))
    look_up (dw, dw->mentions, may);
  else
    return search (dw, key, whole, may, err);
  return 0;
}
