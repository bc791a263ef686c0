/* depot.h: what is known of stacks that no thread runs on (stacks.h), of all threads of all
   processes that share the blocks.  It is in block 0, where frames would be.

   A parked stack is a chain of pieces; ORDER has the first ones, by the process and
   the CFA of the innermost call.  Stacks do not overlap: where what is parked does, the older
   one is dead.  When all pieces are taken, the stack that has been parked longest gives
   way.

   Who holds the lock may be stopped, or killed: nobody waits for it long, and who finds it
   with the same holder for a second or two begins anew, with no stack.  The program
   can write here: no number that is read leads out of the depot.  */

#ifndef LP_WIRE_DEPOT_H
#define LP_WIRE_DEPOT_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/layout.h"

#define LP_DEPOT 4096		/* its offset in block 0 */

enum
{
  LP_PIECES = 2950,
  LP_PIECE_CALLS = 13,
  LP_PARKED_CALLS = 512,	/* of one stack, the innermost ones */
  LP_DEPOT_TRIES = 2000,	/* to get the lock */
  LP_DEPOT_NONE = 0xffff,	/* no piece, no position */
  LP_DEPOT_TICK = 20,		/* the lock's unit of time is that power of two of the clock's */
  LP_DEPOT_LONG = 4096		/* so long nobody holds it and lives */
};

/* A call of a parked stack.  */
typedef struct lp_parked_call
{
  uint64_t cfa;
  uint32_t func;		/* its function's cell, or number (tree.h); 0: not known */
  uint32_t caller;		/* the line cell that was charged before; or the number of the
				   instance that called it, 0 where the function itself did */
} lp_parked_call;

typedef struct lp_piece
{
  uint64_t inner, outer;	/* CFAs of the innermost and the outermost call */
  uint64_t deep, high;		/* as in the block */
  uint32_t process;
  uint32_t line;		/* the line cell that it goes on with; 0: not known */
  uint32_t ncalls;		/* of the whole chain */
  uint32_t next;		/* piece, or LP_DEPOT_NONE */
  lp_parked_call calls[LP_PIECE_CALLS]; /* innermost first */
} lp_piece;

typedef struct lp_depot
{
  uint64_t lock;		/* 0: free; else its holder's stamp, and the time, 32 bits each */
  uint32_t n;			/* parked stacks */
  uint32_t used;		/* pieces from this one on were never used */
  uint32_t free;		/* chain of others, or 0: that number + 1 */
  uint32_t time;		/* how often a stack was parked */
  uint64_t main;		/* the upper end of the stack that the process began on; 0: not
				   known */
  uint16_t order[LP_PIECES];
  uint32_t since[LP_PIECES];	/* by first piece: the time when it was parked */
  lp_piece pieces[LP_PIECES];
} lp_depot;

_Static_assert (LP_DEPOT + sizeof (lp_depot)
		<= LP_FRAMES + LP_MAX_FRAMES * LP_FRAME_SIZE,
		"the depot is larger than the frames of block 0");

static inline lp_depot *
lp_depot_of (lp_block *block)
{
  return (lp_depot *) ((char *) block - block->depot + LP_DEPOT);
}

/* Whose lock it is, in all processes; not 0.  */
static inline uint32_t
lp_depot_stamp (const lp_block *block)
{
  return block->depot >> 12;
}

static inline void
lp_depot_empty (lp_depot *depot)
{
  depot->n = depot->used = depot->free = 0;
}

static inline bool
lp_depot_swap (lp_depot *depot, uint64_t from, uint64_t to)
{
  return __atomic_compare_exchange_n (&depot->lock, &from, to, false,
				      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Lock DEPOT, once, as the one with STAMP.  */
static inline bool
lp_depot_try (lp_depot *depot, uint32_t stamp)
{
  uint64_t held = __atomic_load_n (&depot->lock, __ATOMIC_RELAXED);
  uint32_t now = __builtin_ia32_rdtsc () >> LP_DEPOT_TICK;
  if (held && now - (uint32_t) held <= LP_DEPOT_LONG)
    return false;
  if (!lp_depot_swap (depot, held, (uint64_t) stamp << 32 | now))
    return false;
  if (held)
    lp_depot_empty (depot);
  return true;
}

static inline bool
lp_depot_lock (lp_depot *depot, uint32_t stamp)
{
  for (int i = 0; i < LP_DEPOT_TRIES; i++)
    {
      if (lp_depot_try (depot, stamp))
	return true;
      __builtin_ia32_pause ();
    }
  return false;
}

/* True: it was still that one's.  */
static inline bool
lp_depot_unlock (lp_depot *depot, uint32_t stamp)
{
  uint64_t held = __atomic_load_n (&depot->lock, __ATOMIC_RELAXED);
  return held >> 32 == stamp && lp_depot_swap (depot, held, 0);
}

/* The depot that BLOCK's stacks are parked in, locked; NULL: there is none, or somebody
   else has it.  */
static inline lp_depot *
lp_depot_open (lp_block *block)
{
  lp_depot *depot = lp_depot_of (block);
  return block->depot && lp_depot_lock (depot, lp_depot_stamp (block)) ? depot
	 : NULL;
}

static inline void
lp_depot_close (lp_depot *depot, const lp_block *block)
{
  if (depot)
    lp_depot_unlock (depot, lp_depot_stamp (block));
}

/* BLOCK's thread has ended, wherever it was: what it was changing is lost.  */
static inline void
lp_depot_abandon (lp_block *block)
{
  lp_depot *depot = lp_depot_of (block);
  uint64_t held = __atomic_load_n (&depot->lock, __ATOMIC_RELAXED);
  if (!block->depot || held >> 32 != lp_depot_stamp (block))
    return;
  lp_depot_empty (depot);
  lp_depot_unlock (depot, lp_depot_stamp (block));
}

static inline uint32_t
lp_depot_count (const lp_depot *depot)
{
  return depot->n < LP_PIECES ? depot->n : LP_PIECES;
}

static inline lp_piece *
lp_depot_piece (lp_depot *depot, uint32_t i)
{
  return &depot->pieces[i < LP_PIECES ? i : 0];
}

/* The stack at position AT.  */
static inline lp_piece *
lp_depot_at (lp_depot *depot, uint32_t at)
{
  return lp_depot_piece (depot, depot->order[at]);
}

/* The first position of a stack whose innermost call is above CFA, or of a later
   process's.  */
static inline uint32_t
lp_depot_above (lp_depot *depot, uint32_t process, uint64_t cfa)
{
  uint32_t lo = 0, hi = lp_depot_count (depot);
  while (lo < hi)
    {
      uint32_t mid = (lo + hi) / 2;
      const lp_piece *p = lp_depot_at (depot, mid);
      if (p->process < process || (p->process == process && p->inner <= cfa))
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

/* Take the stack at position AT out of the order; its first piece's number.  */
static inline uint32_t
lp_depot_take (lp_depot *depot, uint32_t at)
{
  uint32_t n = lp_depot_count (depot), piece = depot->order[at];
  for (uint32_t i = at; i + 1 < n; i++)
    depot->order[i] = depot->order[i + 1];
  depot->n = n - 1;
  return piece;
}

/* The pieces from number PIECE on are free.  */
static inline void
lp_depot_free (lp_depot *depot, uint32_t piece)
{
  for (int i = 0; i < LP_PIECES && piece < LP_PIECES; i++)
    {
      uint32_t next = depot->pieces[piece].next;
      depot->pieces[piece].next = depot->free;
      depot->free = piece + 1;
      piece = next;
    }
}

/* The position of the stack that has been parked longest, of N.  */
static inline uint32_t
lp_depot_oldest (const lp_depot *depot, uint32_t n)
{
  uint32_t oldest = 0, longest = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t piece = depot->order[i];
      uint32_t age = piece < LP_PIECES ? depot->time - depot->since[piece] : 0;
      if (age > longest)
	{
	  longest = age;
	  oldest = i;
	}
    }
  return oldest;
}

/* A free piece's number.  */
static inline uint32_t
lp_depot_new (lp_depot *depot)
{
  uint32_t n = lp_depot_count (depot);
  if (!depot->free && depot->used < LP_PIECES)
    return depot->used++;
  if (!depot->free && n)
    lp_depot_free (depot, lp_depot_take (depot, lp_depot_oldest (depot, n)));
  uint32_t piece = depot->free - 1;
  if (piece >= LP_PIECES)
    return LP_DEPOT_NONE;
  depot->free = depot->pieces[piece].next;
  return piece;
}

/* Put the stack whose first piece is number PIECE into the order.  */
static inline void
lp_depot_put (lp_depot *depot, uint32_t piece)
{
  const lp_piece *p = lp_depot_piece (depot, piece);
  uint32_t at = lp_depot_above (depot, p->process, p->outer);
  while (at > 0 && lp_depot_at (depot, at - 1)->process == p->process
	 && lp_depot_at (depot, at - 1)->outer >= p->inner)
    lp_depot_free (depot, lp_depot_take (depot, --at));
  uint32_t n = lp_depot_count (depot);
  if (n == LP_PIECES)
    return;
  for (uint32_t i = n; i > at; i--)
    depot->order[i] = depot->order[i - 1];
  depot->order[at] = piece;
  depot->since[piece < LP_PIECES ? piece : 0] = depot->time++;
  depot->n = n + 1;
}

/* A copy of the chain that begins with FIRST, in pieces that nobody needs, or
   LP_DEPOT_NONE.  */
static inline uint32_t
lp_depot_copy (lp_depot *depot, uint32_t first)
{
  uint32_t copy = LP_DEPOT_NONE, last = 0;
  for (int i = 0; i < LP_PIECES && first < LP_PIECES; i++)
    {
      bool room = depot->free || depot->used < LP_PIECES;
      uint32_t piece = room ? lp_depot_new (depot) : LP_DEPOT_NONE;
      if (piece == LP_DEPOT_NONE)
	{
	  lp_depot_free (depot, copy);
	  return LP_DEPOT_NONE;
	}
      depot->pieces[piece] = depot->pieces[first];
      depot->pieces[piece].next = LP_DEPOT_NONE;
      if (copy == LP_DEPOT_NONE)
	copy = piece;
      else
	depot->pieces[last].next = piece;
      last = piece;
      first = depot->pieces[first].next;
    }
  return copy;
}

/* The process TO is a copy of FROM: so are its stacks, as far as there is room.  */
static inline void
lp_depot_fork (lp_depot *depot, uint32_t from, uint32_t to)
{
  uint64_t inner = 0;
  for (int i = 0; i < LP_PIECES; i++)
    {
      uint32_t at = lp_depot_above (depot, from, inner);
      if (at >= lp_depot_count (depot)
	  || lp_depot_at (depot, at)->process != from)
	return;
      inner = lp_depot_at (depot, at)->inner;
      uint32_t copy = lp_depot_copy (depot, depot->order[at]);
      if (copy == LP_DEPOT_NONE)
	return;
      depot->pieces[copy].process = to;
      lp_depot_put (depot, copy);
    }
}

/* PROCESS is gone, with its stacks.  */
static inline void
lp_depot_drop (lp_depot *depot, uint32_t process)
{
  uint32_t at = lp_depot_above (depot, process, 0);
  while (at < lp_depot_count (depot)
	 && lp_depot_at (depot, at)->process == process)
    lp_depot_free (depot, lp_depot_take (depot, at));
}

#endif
