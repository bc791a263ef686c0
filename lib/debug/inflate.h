/* inflate.h: a zlib stream in memory, inflated piece by piece.  */

#ifndef LP_DEBUG_INFLATE_H
#define LP_DEBUG_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lp_inflater lp_inflater;

/* At the start of the N bytes at IN, which outlive the result; they may be in a
   private mapping of a file, FILE: those that were read are given back to the
   kernel then.  NULL when out of memory.  */
lp_inflater *lp_inflater_new (const uint8_t *in, size_t n, bool file);
/* Another one at the same place, some 90 KB large.  NULL when out of memory.  */
lp_inflater *lp_inflater_copy (const lp_inflater *inflater);
void lp_inflater_free (lp_inflater *inflater);

/* How many bytes were taken out so far.  */
uint64_t lp_inflater_at (const lp_inflater *inflater);
/* Take the next N bytes out, to OUT.  0, or -1 where the stream ends before or is
   damaged.  */
int lp_inflate (lp_inflater *inflater, uint8_t *out, size_t n);
/* The same, thrown away.  */
int lp_inflate_skip (lp_inflater *inflater, uint64_t n);
/* Is this the end of the stream, and its checksum right?  */
bool lp_inflate_ends (lp_inflater *inflater);

/* Told of N bytes at P; has it seen enough?  */
typedef bool lp_look (void *arg, const uint8_t *p, size_t n);
/* Show LOOK the SIZE bytes that INFLATER has, a window at a time and each with the
   last OVERLAP bytes of the one before, until it has seen enough.  1 then, 0 at the
   end, -1 where the stream is damaged or memory is out.  */
int lp_inflate_look (lp_inflater *inflater, uint64_t size, size_t overlap,
		     lp_look *look, void *arg);

#endif
