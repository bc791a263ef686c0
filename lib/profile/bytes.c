/* bytes.c: strings of any bytes as valid UTF-8 and back (see format.h).

   U+10F700 + byte is F4 8F 9E xx for the bytes 80 to BF and F4 8F 9F xx for C0
   to FF, with xx the byte's low six bits in a continuation byte.  */

#define _GNU_SOURCE

#include "profile/format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool
in (unsigned char c, unsigned char lo, unsigned char hi)
{
  return c >= lo && c <= hi;
}

/* Is U the start of one of our own escapes?  */
static bool
is_escape (const unsigned char *u)
{
  return u[0] == 0xf4 && u[1] == 0x8f && in (u[2], 0x9e, 0x9f)
	 && in (u[3], 0x80, 0xbf);
}

/* Length of the well-formed sequence at U, 0 where there is none (The Unicode
   Standard, table 3-7).  U ends with a NUL, which no sequence holds.  */
static size_t
sequence (const unsigned char *u)
{
  static const struct { unsigned char lo, hi, lo2, hi2, n; } forms[] = {
    { 0x01, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
    { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
    { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
    { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
    { 0xf4, 0xf4, 0x80, 0x8f, 4 },
  };
  size_t f = 0, nforms = sizeof forms / sizeof *forms;
  while (f < nforms && !in (*u, forms[f].lo, forms[f].hi))
    f++;
  if (f == nforms || !in (u[1], forms[f].lo2, forms[f].hi2))
    return 0;
  for (size_t i = 2; i < forms[f].n; i++)
    if (!in (u[i], 0x80, 0xbf))
      return 0;
  return forms[f].n;
}

char *
lp_bytes_encode (const char *s)
{
  size_t n = strlen (s);
  if (n > (size_t) -1 / 4 - 1)
    return NULL;
  char *out = malloc (4 * n + 1);
  if (!out)
    return NULL;
  char *to = out;
  for (const unsigned char *u = (const unsigned char *) s; *u;)
    {
      size_t len = sequence (u);
      if (len && !is_escape (u))
	{
	  to = mempcpy (to, u, len);
	  u += len;
	  continue;
	}
      *to++ = (char) 0xf4;
      *to++ = (char) 0x8f;
      *to++ = (char) (0x9e | (*u >= 0xc0));
      *to++ = (char) (0x80 | (*u++ & 0x3f));
    }
  *to = '\0';
  return out;
}

void
lp_bytes_decode (char *s)
{
  unsigned char *to = (unsigned char *) s, *u = to;
  while (*u)
    if (is_escape (u))
      {
	*to++ = (unsigned char) (0x80 | (u[2] & 1) << 6 | (u[3] & 0x3f));
	u += 4;
      }
    else
      *to++ = *u++;
  *to = '\0';
}
