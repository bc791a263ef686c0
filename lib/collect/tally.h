/* tally.h: what the processes (or threads) of one program have counted so far,
   packed: most of a program's cells stay 0.  */

#ifndef LP_COLLECT_TALLY_H
#define LP_COLLECT_TALLY_H

#include "collect/fill.h"

typedef struct lp_tally_cell
{
  uint64_t value;
  uint32_t word;		/* as in lp_sums */
  uint8_t open;
} lp_tally_cell;

typedef struct lp_tally
{
  pid_t pid, tid;
  char name[16];
  LP_VEC (lp_tally_cell) cells;
} lp_tally;

typedef struct lp_tallies
{
  LP_VEC (lp_tally) list;
  size_t ncells;
  /* Dense arrays to count in, all 0 between two calls.  */
  uint64_t *cells;
  uint8_t *open;
} lp_tallies;

/* Empty tallies of NCELLS words.  -1 when out of memory.  */
int lp_tallies_init (lp_tallies *tallies, size_t ncells, lp_error *err);
void lp_tallies_free (lp_tallies *tallies);
/* Make room for NCELLS words, which may be more than before.  -1 when out of
   memory, nothing changed then.  */
int lp_tallies_grow (lp_tallies *tallies, size_t ncells, lp_error *err);

/* Move what stands in the dense arrays to the tally of thread TID (0: all
   threads) of PID with that NAME; nothing is kept of who counted nothing.  -1
   when out of memory: then it is lost.  */
int lp_tallies_keep (lp_tallies *tallies, pid_t pid, pid_t tid,
		     const char *name);
/* Add tally I to the dense arrays.  */
void lp_tallies_load (lp_tallies *tallies, size_t i);
/* Make the dense arrays 0 again.  */
void lp_tallies_clear (lp_tallies *tallies);
/* A copy of FROM's tallies.  -1 when out of memory, TO empty then.  */
int lp_tallies_copy (lp_tallies *to, const lp_tallies *from, lp_error *err);

#endif
