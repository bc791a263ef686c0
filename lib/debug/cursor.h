/* cursor.h: reads binary data piece by piece and never past its end.

   A read that would pass the end sets `bad`, moves to the end and gives 0;
   callers may read on and look at `bad` once.  */

#ifndef LP_DEBUG_CURSOR_H
#define LP_DEBUG_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct lp_cursor
{
  const uint8_t *p, *end;
  bool bad;
} lp_cursor;

static inline size_t
lp_left (const lp_cursor *c)
{
  return c->end - c->p;
}

/* The next N bytes, or NULL when there are fewer.  */
static inline const uint8_t *
lp_take (lp_cursor *c, uint64_t n)
{
  if (n > lp_left (c))
    {
      c->bad = true;
      c->p = c->end;
      return NULL;
    }
  const uint8_t *p = c->p;
  c->p += n;
  return p;
}

/* A little-endian number of SIZE bytes, 8 at the most.  */
static inline uint64_t
lp_fixed (lp_cursor *c, size_t size)
{
  uint64_t value = 0;
  const uint8_t *p = lp_take (c, size);
  if (p)
    memcpy (&value, p, size);
  return value;
}

/* The same as a signed number.  */
static inline int64_t
lp_sfixed (lp_cursor *c, size_t size)
{
  unsigned unused = 64 - 8 * size;
  return (int64_t) (lp_fixed (c, size) << unused) >> unused;
}

static inline uint64_t
lp_uleb128 (lp_cursor *c)
{
  uint64_t value = 0, byte;
  unsigned shift = 0;
  do
    {
      byte = lp_fixed (c, 1);
      if (shift < 64)
	value |= (byte & 0x7f) << shift;
      shift += 7;
    }
  while (byte & 0x80);
  return value;
}

static inline int64_t
lp_sleb128 (lp_cursor *c)
{
  uint64_t value = 0, byte;
  unsigned shift = 0;
  do
    {
      byte = lp_fixed (c, 1);
      if (shift < 64)
	value |= (byte & 0x7f) << shift;
      shift += 7;
    }
  while (byte & 0x80);
  if (shift < 64 && byte & 0x40)
    value |= -(uint64_t) 1 << shift;
  return value;
}

/* A string that ends with a NUL before the end, or "" and bad.  */
static inline const char *
lp_string (lp_cursor *c)
{
  const uint8_t *nul = lp_left (c) ? memchr (c->p, 0, lp_left (c)) : NULL;
  size_t n = nul ? (size_t) (nul - c->p) : lp_left (c);
  const uint8_t *s = lp_take (c, n + 1);
  return s ? (const char *) s : "";
}

#endif
