/* stream.h: a zlib stream that a thread of its own inflates, ahead of who reads it.  */

#ifndef LP_DEBUG_STREAM_H
#define LP_DEBUG_STREAM_H

#include <stdint.h>

#include "base/vec.h"
#include "debug/inflate.h"

typedef struct lp_stream lp_stream;
typedef LP_VEC (lp_inflater *) lp_inflater_list;

/* Begin with the NIN bytes at IN, as lp_inflater_new has them, that become SIZE bytes.
   MARKS, if not NULL, gets a copy of the inflater for each multiple of DISTANCE, at or
   soon behind it; it is the thread's own until the end or lp_stream_close.  NULL when
   out of memory.  Where there can be no thread, lp_stream_next does its work.  */
lp_stream *lp_stream_new (const uint8_t *in, size_t nin, uint64_t size,
			  lp_inflater_list *marks, uint64_t distance);

/* The next bytes, in *P until the next call.  Their number; 0 at the end, -1 where the
   stream is damaged or does not end there, or memory is out.  */
int64_t lp_stream_next (lp_stream *stream, const uint8_t **p);

/* Ends the thread.  STREAM may be NULL.  */
void lp_stream_close (lp_stream *stream);

#endif
