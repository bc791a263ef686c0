/* unpack.h: a compressed .debug_info, of which each unit is inflated when it is
   read: one function's unit may be a thousandth of it.  */

#ifndef LP_DEBUG_UNPACK_H
#define LP_DEBUG_UNPACK_H

#include "base/vec.h"
#include "debug/stream.h"

/* How much of the start of each unit is always there.  */
#define LP_UNIT_HEAD 512

typedef struct lp_packed_unit
{
  uint64_t offset, size;	/* with its header */
  bool whole;			/* all of it is there ... */
  bool stays;			/* ... for ever */
} lp_packed_unit;

/* Told of the unit of N bytes at P, which is at OFFSET; may it be needed soon?  */
typedef bool lp_unit_look (void *arg, uint64_t offset, const uint8_t *p, size_t n);

/* All zero: there is nothing to inflate, all is there.  */
typedef struct lp_unpack
{
  const uint8_t *in;		/* the compressed section */
  uint8_t *out;			/* its place, of zeros, inflated */
  size_t nin, nout;
  LP_VEC (lp_packed_unit) units; /* by offset */
  lp_inflater_list marks;	/* the stream at equal distances */
  lp_stream *stream;		/* until the heads are there, or NULL */
  lp_inflater *last;		/* behind the unit that was inflated last, or NULL */
  lp_unit_look *look;		/* shown all units with the heads, or NULL */
  void *look_arg;
  size_t kept;			/* bytes of units that it wanted */
} lp_unpack;

/* Set UNPACK up for the NIN bytes of a zlib stream at IN, inside the mapping of a
   file, that become the NOUT bytes at OUT.  */
void lp_unpack_init (lp_unpack *unpack, const uint8_t *in, size_t nin,
		     uint8_t *out, size_t nout);
/* Inflate all of it.  0, or -1 where it is damaged or memory is out.  */
int lp_unpack_all (lp_unpack *unpack);
/* Heads will be asked for: a thread begins with them.  UNPACK stays where it is.  0, or -1 when out
   of memory.  */
int lp_unpack_begin (lp_unpack *unpack);
/* Inflate the first LP_UNIT_HEAD bytes of each unit, all of those that other units
   refer to by a signature, and of a few that are needed soon.  Where the units are not one
   behind the other, all.  The result as that of lp_unpack_all.  */
int lp_unpack_heads (lp_unpack *unpack);
/* Inflate the unit that OFFSET is in.  0, or -1 when out of memory.  */
int lp_unpack_unit (lp_unpack *unpack, uint64_t offset);
/* The unit that OFFSET is in is not needed for now: its memory is given back, but for its
   first LP_UNIT_HEAD bytes.  */
void lp_unpack_release (lp_unpack *unpack, uint64_t offset);
void lp_unpack_free (lp_unpack *unpack);

#endif
