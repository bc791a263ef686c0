/* stream.c: a ring of buffers between the thread that fills them and the reader.  */

#include "debug/stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/error.h"

enum
{
  PIECE = 1 << 17,		/* bytes of a buffer: it stays in the cache */
  PIECES = 64			/* so far the thread may be ahead */
};

struct lp_stream
{
  lp_inflater *inflater;
  uint64_t size;
  lp_inflater_list *marks;
  uint64_t distance;
  uint8_t *ring;
  pthread_t thread;
  bool threaded;
  pthread_mutex_t lock;
  pthread_cond_t moved;		/* FILLED, TAKEN, BAD or CLOSED have changed */
  uint64_t filled, taken;	/* pieces, since the start */
  bool held;			/* the reader still has the last that was taken */
  bool bad, nomem, closed;
};

/* In huge pages: each small one is a fault.  */
static uint8_t *
new_ring (void)
{
  void *ring;
  if (posix_memalign (&ring, 1 << 21, (size_t) PIECES * PIECE))
    return NULL;
  madvise (ring, (size_t) PIECES * PIECE, MADV_HUGEPAGE);
  return ring;
}

static uint64_t
piece_size (const lp_stream *s, uint64_t number)
{
  uint64_t at = number * PIECE;
  uint64_t left = s->size > at ? s->size - at : 0;
  return left < PIECE ? left : PIECE;
}

static int
mark (lp_stream *s)
{
  if (!s->marks || lp_inflater_at (s->inflater) < s->marks->n * s->distance)
    return 0;
  lp_inflater *copy = lp_inflater_copy (s->inflater);
  if (copy && lp_vec_push (s->marks, copy) == 0)
    return 0;
  lp_inflater_free (copy);
  return -1;
}

/* Inflate piece NUMBER.  */
static int
fill (lp_stream *s, uint64_t number)
{
  uint64_t n = piece_size (s, number);
  return mark (s)
    || lp_inflate (s->inflater, s->ring + number % PIECES * PIECE, n)
    || (number * PIECE + n == s->size && !lp_inflate_ends (s->inflater)) ? -1 : 0;
}

/* Wait until there is room.  False when nobody reads any more.  */
static bool
wait_for_room (lp_stream *s)
{
  pthread_mutex_lock (&s->lock);
  while (!s->closed && s->filled - s->taken >= PIECES)
    pthread_cond_wait (&s->moved, &s->lock);
  bool closed = s->closed;
  pthread_mutex_unlock (&s->lock);
  return !closed;
}

static void *
fill_all (void *arg)
{
  lp_stream *s = arg;
  unsigned long before = lp_nomems ();
  bool bad = false;
  for (uint64_t i = 0; !bad && piece_size (s, i) && wait_for_room (s); i++)
    {
      bad = fill (s, i) < 0;
      pthread_mutex_lock (&s->lock);
      s->filled += !bad;
      s->bad = bad;
      s->nomem = lp_nomems () != before;
      pthread_cond_broadcast (&s->moved);
      pthread_mutex_unlock (&s->lock);
    }
  return NULL;
}

lp_stream *
lp_stream_new (const uint8_t *in, size_t nin, uint64_t size,
	       lp_inflater_list *marks, uint64_t distance)
{
  lp_stream *s = malloc (sizeof *s);
  if (s)
    *s = (lp_stream) { .size = size, .marks = marks, .distance = distance,
      .lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER,
      .ring = new_ring () };
  if (s && s->ring)
    s->inflater = lp_inflater_new (in, nin, true);
  if (!s || !s->inflater)
    {
      lp_nomem (NULL);
      lp_stream_close (s);
      return NULL;
    }
  s->threaded = pthread_create (&s->thread, NULL, fill_all, s) == 0;
  return s;
}

/* The reader is done with the piece that it had; wait for another.  */
static bool
wait_for_piece (lp_stream *s)
{
  pthread_mutex_lock (&s->lock);
  s->taken += s->held;
  s->held = false;
  pthread_cond_broadcast (&s->moved);
  while (s->threaded && !s->bad && s->filled == s->taken)
    pthread_cond_wait (&s->moved, &s->lock);
  bool there = s->filled > s->taken;
  if (!there && s->nomem)
    lp_nomem (NULL);
  pthread_mutex_unlock (&s->lock);
  return there;
}

int64_t
lp_stream_next (lp_stream *s, const uint8_t **p)
{
  uint64_t number = s->taken + s->held;
  uint64_t n = piece_size (s, number);
  if (!n)
    return 0;
  if (!s->threaded && fill (s, number) == 0)
    s->filled = number + 1;
  if (!wait_for_piece (s))
    return -1;
  s->held = true;
  *p = s->ring + number % PIECES * PIECE;
  return n;
}

void
lp_stream_close (lp_stream *s)
{
  if (!s)
    return;
  if (s->threaded)
    {
      pthread_mutex_lock (&s->lock);
      s->closed = true;
      pthread_cond_broadcast (&s->moved);
      pthread_mutex_unlock (&s->lock);
      pthread_join (s->thread, NULL);
    }
  pthread_mutex_destroy (&s->lock);
  pthread_cond_destroy (&s->moved);
  lp_inflater_free (s->inflater);
  free (s->ring);
  free (s);
}
