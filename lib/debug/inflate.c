/* inflate.c: ISA-L's inflater: three times as fast as zlib's, and, other than
   libdeflate's, able to stop and to go on.  */

#include "debug/inflate.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

enum
{
  PIECE = 1 << 20,		/* of the input, fed at once */
  WINDOW = 1 << 17		/* of what is looked at and thrown away */
};

struct lp_inflater
{
  struct inflate_state state;
  const uint8_t *fed;		/* the piece that the state reads */
  const uint8_t *next, *end;	/* of the input that is not fed yet */
  uint64_t at;
  bool file;
};

lp_inflater *
lp_inflater_new (const uint8_t *in, size_t n, bool file)
{
  lp_inflater *inflater = malloc (sizeof *inflater);
  if (!inflater)
    {
      lp_nomem (NULL);
      return NULL;
    }
  isal_inflate_init (&inflater->state);
  inflater->state.crc_flag = ISAL_ZLIB;
  inflater->state.avail_in = 0;
  inflater->fed = inflater->next = in;
  inflater->end = in + n;
  inflater->at = 0;
  inflater->file = file;
  return inflater;
}

lp_inflater *
lp_inflater_copy (const lp_inflater *inflater)
{
  lp_inflater *copy = malloc (sizeof *copy);
  if (copy)
    memcpy (copy, inflater, sizeof *copy);
  else
    lp_nomem (NULL);
  return copy;
}

void
lp_inflater_free (lp_inflater *inflater)
{
  free (inflater);
}

uint64_t
lp_inflater_at (const lp_inflater *inflater)
{
  return inflater->at;
}

/* Give the pages of the N bytes at P back, but for those at its ends.  */
static void
drop (const uint8_t *p, size_t n)
{
  uintptr_t page = sysconf (_SC_PAGESIZE);
  uintptr_t lo = ((uintptr_t) p + page - 1) & ~(page - 1);
  uintptr_t hi = ((uintptr_t) p + n) & ~(page - 1);
  if (lo < hi)
    madvise ((void *) lo, hi - lo, MADV_DONTNEED);
}

static void
feed (lp_inflater *inflater)
{
  size_t left = inflater->end - inflater->next;
  size_t n = left < PIECE ? left : PIECE;
  if (inflater->file)
    drop (inflater->fed, inflater->next - inflater->fed);
  inflater->fed = inflater->next;
  inflater->state.next_in = (uint8_t *) inflater->next;
  inflater->state.avail_in = n;
  inflater->next += n;
}

/* Take out up to N bytes, all that is left when fewer; -1 where the stream is
   damaged.  */
static int64_t
take (lp_inflater *inflater, uint8_t *out, size_t n)
{
  struct inflate_state *state = &inflater->state;
  state->next_out = out;
  state->avail_out = n;
  while (state->block_state != ISAL_BLOCK_FINISH)
    {
      if (state->avail_in == 0)
	feed (inflater);
      bool last = inflater->next == inflater->end;
      uint32_t before_out = state->avail_out, before_in = state->avail_in;
      if (isal_inflate (state) != ISAL_DECOMP_OK)
	return -1;
      if (state->avail_out == 0 && n > 0)
	break;
      if (last && state->avail_out == before_out
	  && state->avail_in == before_in
	  && state->block_state != ISAL_BLOCK_FINISH)
	return -1;		/* it is cut off */
    }
  inflater->at += n - state->avail_out;
  return n - state->avail_out;
}

int
lp_inflate (lp_inflater *inflater, uint8_t *out, size_t n)
{
  while (n)
    {
      size_t piece = n < PIECE ? n : PIECE;
      if (take (inflater, out, piece) != (int64_t) piece)
	return -1;
      out += piece;
      n -= piece;
    }
  return 0;
}

int
lp_inflate_skip (lp_inflater *inflater, uint64_t n)
{
  uint8_t waste[1 << 16];
  while (n)
    {
      size_t piece = n < sizeof waste ? n : sizeof waste;
      if (lp_inflate (inflater, waste, piece))
	return -1;
      n -= piece;
    }
  return 0;
}

bool
lp_inflate_ends (lp_inflater *inflater)
{
  uint8_t more;
  return take (inflater, &more, 1) == 0;
}

int
lp_inflate_look (lp_inflater *inflater, uint64_t size, size_t overlap,
		 lp_look *look, void *arg)
{
  uint8_t *window = malloc (WINDOW + overlap);
  size_t kept = 0;
  int result = window ? 0 : lp_nomem (NULL);
  while (!result && inflater->at < size)
    {
      uint64_t left = size - inflater->at;
      size_t n = left < WINDOW ? left : WINDOW;
      result = lp_inflate (inflater, window + kept, n);
      if (!result)
	result = look (arg, window, kept + n);
      size_t all = kept + n;
      kept = all < overlap ? all : overlap;
      memmove (window, window + all - kept, kept);
    }
  free (window);
  return result;
}
