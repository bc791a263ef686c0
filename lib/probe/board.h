/* board.h: the bytes of a function's ranges, and of the padding behind them, while
   its sites are planned.  */

#ifndef LP_PROBE_BOARD_H
#define LP_PROBE_BOARD_H

#include "probe/plan.h"

enum byte_state
{
  DEAD = 0,
  HOME,				/* runs in place: a call, or code before one */
  TAKEN				/* a site's jump, or an island */
};

/* Lengths of e9 rel32 and eb rel8.  */
enum { JUMP = 5, SHORT = 2 };

/* A strip of some function, where those of a whole module are known.  */
struct plot
{
  uint64_t lo, hi;
  lp_plan *plan;
  lp_strip *strip;
};

/* All of them, by address; none overlaps with the next.  */
struct land
{
  LP_VEC (struct plot) plots;
};

struct board
{
  const lp_census *census;
  lp_plan *plan;
  const struct land *land;	/* or NULL: PLAN's strips are all there is */
};

/* Forget PLAN's strips.  */
void lp_board_clear (lp_plan *plan);
/* Fill the strips of BOARD's plan anew, all bytes dead.  0, or -1: out of memory.  */
int lp_board_lay_out (struct board *board);

/* The plot that holds ADDR, or NULL.  */
const struct plot *lp_land_plot (const struct land *land, uint64_t addr);

/* The strip that holds ADDR, or NULL: the plan's, or that of another one that is
   cloned, and needs no int3.  */
lp_strip *lp_board_strip (struct board *board, uint64_t addr);
void lp_board_set (struct board *board, uint64_t addr, unsigned n,
		   enum byte_state state);

/* Is the byte at ADDR part of a site that still waits for its jump?  */
bool lp_board_waits (const struct board *board, uint64_t addr);
/* Is there room for a JUMP at ADDR, in dead bytes that no site waits for?  */
bool lp_board_is_free (struct board *board, uint64_t addr);

/* What sites.c and room.c share.  S is the number of a site.  */

/* Dead bytes from site S to whatever comes next; JUMP is enough.  */
unsigned lp_site_room (struct board *board, size_t s);
/* Address of the site behind S; UINT64_MAX: none.  */
uint64_t lp_site_next (const lp_plan *plan, size_t s);
/* Index of the call that ends the straight code from site S on, or -1 where a branch
   or another site comes first.  */
long lp_site_call (const lp_plan *plan, size_t s);
bool lp_is_call (const lp_insn *in);
/* Can the call IN be made from the clone?  */
bool lp_call_can_leave (const struct board *board, const lp_insn *in);

/* Tactics of S.  False, and nothing has changed: it does not fit.  */
bool lp_site_springboard (struct board *board, size_t s);
bool lp_site_island (struct board *board, size_t s);
bool lp_site_pun (struct board *board, size_t s);
/* The same where the next site is N of OTHER, a board with another plan.  */
bool lp_site_pun_on (struct board *board, size_t s, struct board *other,
		     size_t n);
/* One of those, in room that is taken from what runs at home.  */
bool lp_site_make_room (struct board *board, size_t s);

#endif
