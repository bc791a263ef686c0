/* key.c: a name's places in .debug_str, and who points there.

   Strings that only have the name inside (a mangled one, another's ending) are as many as
   the units that use its class: they do not count.  Linkers may share the end of a string
   with others.  */

#define _GNU_SOURCE

#include "debug/key.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static void
mark_offset (lp_key *s, size_t offset)
{
  s->named[offset / 8] |= 1 << offset % 8;
  s->low[offset % LP_KEY_LOWS] = 1;
}

/* Does the key at P, N bytes before the end, end a name or have arguments behind
   it?  */
static bool
ends_name (const lp_key *s, const uint8_t *p, size_t n)
{
  return !s->whole
    || (n > s->key_n && (p[s->key_n] == '\0' || p[s->key_n] == '<'));
}

/* Are the AT bytes of TEXT before the key only scopes?  Go and D separate them by a dot,
   Ada by two underscores.  */
static bool
follows_scope (const lp_key *s, const char *text, size_t at)
{
  const char *p = text + at;
  return !s->whole || p[-1] == '.' || p[-1] == ':'
    || (at > 1 && p[-1] == '_' && p[-2] == '_');
}

/* The key stands AT.  */
static void
mark_string (lp_key *s, size_t at)
{
  size_t start = at;
  if (!ends_name (s, s->str.p + at, s->str.n - at))
    return;
  mark_offset (s, at);
  while (start > 0 && s->str.p[start - 1])
    start--;
  if (start < at
      && follows_scope (s, (const char *) s->str.p + start, at - start))
    for (; start < at; start++)
      mark_offset (s, start);
}

static int
find_strings (lp_key *s)
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
is_mention (const lp_key *s, const uint8_t *p, size_t n)
{
  uint32_t offset;
  if (*p == (uint8_t) *s->key && n >= s->key_n
      && memcmp (p, s->key, s->key_n) == 0 && ends_name (s, p, n))
    return true;
  if (n < sizeof offset)
    return false;
  memcpy (&offset, p, sizeof offset);
  return s->low[offset % LP_KEY_LOWS] && offset < s->str.n
    && s->named[offset / 8] >> offset % 8 & 1;
}

/* May a mention begin in the eight bytes from P on?  The two behind them are read,
   too.  */
static inline bool
may_mention (const uint8_t low[LP_KEY_LOWS], const uint8_t *p)
{
  uint64_t even, odd;
  memcpy (&even, p, 8);
  memcpy (&odd, p + 1, 8);
  return low[even % LP_KEY_LOWS] | low[odd % LP_KEY_LOWS]
	 | low[(even >> 16) % LP_KEY_LOWS] | low[(odd >> 16) % LP_KEY_LOWS]
	 | low[(even >> 32) % LP_KEY_LOWS] | low[(odd >> 32) % LP_KEY_LOWS]
	 | low[even >> 48] | low[odd >> 48];
}

static void
set_key (lp_key *s, const char *key, bool whole, lp_bytes str)
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

int
lp_key_begin (lp_key *s, const char *key, bool whole, lp_bytes str)
{
  memset (s->low, 0, sizeof s->low);
  set_key (s, key, whole, str);
  return find_strings (s);
}

void
lp_key_free (lp_key *s)
{
  free (s->named);
  s->named = NULL;
}

void
lp_key_scan (const lp_key *s, const uint8_t *p, size_t n,
		void (*found) (void *arg, size_t at), void *arg)
{
  for (size_t i = 0; i < n;)
    {
      size_t some = i + 10 <= n ? 8 : 1;
      bool may = some == 1 || may_mention (s->low, p + i);
      for (size_t k = i; may && k < i + some; k++)
	if (is_mention (s, p + k, n - k))
	  found (arg, k);
      i += some;
    }
}

/* Has the string TEXT the key where find_strings looks for it?  */
static bool
is_named (const lp_key *s, const char *text)
{
  size_t n = strlen (text) + 1;
  for (const char *p = text; (p = strstr (p, s->key)); p++)
    if (ends_name (s, (const uint8_t *) p, n - (p - text))
	&& (p == text || follows_scope (s, text, p - text)))
      return true;
  return false;
}

bool
lp_key_is (const lp_key *s, const lp_dies *d, lp_die_value value)
{
  uint64_t offset = 0;
  if (value.form == DW_FORM_string)
    return is_named (s, (const char *) value.p);
  if (value.form != DW_FORM_strp)
    return true;
  memcpy (&offset, value.p, d->reference);
  return offset < s->str.n && s->named[offset / 8] >> offset % 8 & 1;
}
