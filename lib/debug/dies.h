/* dies.h: the DIEs of one unit in their order, read without libdw: most of a big
   program's are only passed, and it takes ten times as long for each.  What is damaged
   reads as the end.  */

#ifndef LP_DEBUG_DIES_H
#define LP_DEBUG_DIES_H

#include "base/vec.h"
#include "debug/linetable.h"

/* An attribute as it stands there; P is NULL where the DIE has it not.  */
typedef struct lp_die_value
{
  const uint8_t *p;
  uint16_t form;		/* DW_FORM_* */
} lp_die_value;

/* The attributes that are kept.  */
enum lp_die_part
{
  LP_DIE_NAME, LP_DIE_ORIGIN, LP_DIE_SPECIFICATION, LP_DIE_SIBLING, LP_DIE_PARTS
};

typedef struct lp_die
{
  uint64_t offset;		/* from the start of the unit */
  unsigned depth;		/* 0: the unit's own */
  uint16_t tag;
  bool children;
  bool has_code;		/* it has DW_AT_low_pc or DW_AT_ranges */
  lp_die_value part[LP_DIE_PARTS];
} lp_die;

/* A reader; all zero is one of nothing.  Its members are its own.  */
typedef struct lp_dies
{
  const uint8_t *unit, *p, *end;
  unsigned depth;
  uint8_t address, reference;	/* their sizes */
  uint16_t version;
  LP_VEC (struct lp_die_kind) kinds; /* the abbreviations, as they stand there */
  LP_VEC (struct lp_die_step) steps;
} lp_dies;

/* What a unit says at its first LP_UNIT_LEAST bytes, P, of its own size.  */
enum { LP_UNIT_LEAST = 12 };
uint64_t lp_unit_size (const uint8_t *p);

/* Read UNIT from its header on, with the section ABBREVS; both outlive the reading.  D
   may have been used before.  0, or -1 when out of memory.  */
int lp_dies_open (lp_dies *d, lp_bytes unit, lp_bytes abbrevs);
/* The next DIE, in *DIE; false at the end.  */
bool lp_dies_next (lp_dies *d, lp_die *die);
/* Pass what is below DIE, which was read last.  */
void lp_dies_pass (lp_dies *d, const lp_die *die);
void lp_dies_free (lp_dies *d);

/* What VALUE, a reference inside of D's unit, refers to: an offset from the start of the
   unit, or 0, which is none.  */
uint64_t lp_die_reference (const lp_dies *d, lp_die_value value);

#endif
