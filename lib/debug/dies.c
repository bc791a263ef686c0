/* dies.c: a walk through .debug_info (DWARF 5, 7.5).

   An abbreviation is taken apart once, into steps: so many bytes to pass, and then one
   attribute that is wanted or whose size must be read.  */

#include "debug/dies.h"

#include <dwarf.h>

#include "debug/cursor.h"

enum how
{
  UNKNOWN, FIXED,		/* so many bytes */
  NUMBER,			/* a LEB128 */
  STRING, BLOCK,		/* its length first, of so many bytes */
  LONG_BLOCK,			/* the same, a LEB128 */
  INDIRECT			/* its form first */
};

/* Sizes that the unit's header tells.  */
enum { REFERENCE = 100, ADDRESS };

/* Of a step that no attribute is kept of, and of the last.  */
enum { PASSED = LP_DIE_PARTS, LAST };

/* How the attribute of some form stands there.  */
struct shape
{
  uint8_t how, size;
};

struct lp_die_step
{
  uint32_t before;		/* bytes to pass first */
  struct shape shape;
  uint8_t part;			/* enum lp_die_part, or the two above */
  uint16_t form;
};

struct lp_die_kind
{
  uint64_t code;
  uint16_t tag;
  bool children, has_code;
  uint32_t first;		/* of its steps */
};

static const struct shape shapes[] = {
  [DW_FORM_flag_present] = { FIXED, 0 }, [DW_FORM_implicit_const] = { FIXED, 0 },
  [DW_FORM_flag] = { FIXED, 1 }, [DW_FORM_data1] = { FIXED, 1 },
  [DW_FORM_ref1] = { FIXED, 1 }, [DW_FORM_strx1] = { FIXED, 1 },
  [DW_FORM_addrx1] = { FIXED, 1 }, [DW_FORM_data2] = { FIXED, 2 },
  [DW_FORM_ref2] = { FIXED, 2 }, [DW_FORM_strx2] = { FIXED, 2 },
  [DW_FORM_addrx2] = { FIXED, 2 }, [DW_FORM_strx3] = { FIXED, 3 },
  [DW_FORM_addrx3] = { FIXED, 3 }, [DW_FORM_data4] = { FIXED, 4 },
  [DW_FORM_ref4] = { FIXED, 4 }, [DW_FORM_strx4] = { FIXED, 4 },
  [DW_FORM_addrx4] = { FIXED, 4 }, [DW_FORM_ref_sup4] = { FIXED, 4 },
  [DW_FORM_data8] = { FIXED, 8 }, [DW_FORM_ref8] = { FIXED, 8 },
  [DW_FORM_ref_sig8] = { FIXED, 8 }, [DW_FORM_ref_sup8] = { FIXED, 8 },
  [DW_FORM_data16] = { FIXED, 16 }, [DW_FORM_addr] = { FIXED, ADDRESS },
  [DW_FORM_ref_addr] = { FIXED, REFERENCE }, [DW_FORM_strp] = { FIXED, REFERENCE },
  [DW_FORM_line_strp] = { FIXED, REFERENCE },
  [DW_FORM_strp_sup] = { FIXED, REFERENCE },
  [DW_FORM_sec_offset] = { FIXED, REFERENCE },
  [DW_FORM_udata] = { NUMBER, 0 }, [DW_FORM_sdata] = { NUMBER, 0 },
  [DW_FORM_ref_udata] = { NUMBER, 0 }, [DW_FORM_strx] = { NUMBER, 0 },
  [DW_FORM_addrx] = { NUMBER, 0 }, [DW_FORM_loclistx] = { NUMBER, 0 },
  [DW_FORM_rnglistx] = { NUMBER, 0 }, [DW_FORM_string] = { STRING, 0 },
  [DW_FORM_block1] = { BLOCK, 1 }, [DW_FORM_block2] = { BLOCK, 2 },
  [DW_FORM_block4] = { BLOCK, 4 }, [DW_FORM_block] = { LONG_BLOCK, 0 },
  [DW_FORM_exprloc] = { LONG_BLOCK, 0 }, [DW_FORM_indirect] = { INDIRECT, 0 }
};

static struct shape
general_shape (uint64_t form)
{
  switch (form)
    {
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
      return (struct shape) { FIXED, REFERENCE };
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
      return (struct shape) { NUMBER, 0 };
    default:
      return form < sizeof shapes / sizeof *shapes ? shapes[form]
	: (struct shape) { UNKNOWN, 0 };
    }
}

/* The same in D's unit.  */
static struct shape
shape_of (const lp_dies *d, uint64_t form)
{
  struct shape shape = general_shape (form);
  if (shape.size == ADDRESS || (form == DW_FORM_ref_addr && d->version < 3))
    shape.size = d->address;
  else if (shape.size == REFERENCE)
    shape.size = d->reference;
  return shape;
}

static unsigned
part_of (uint64_t attribute)
{
  switch (attribute)
    {
    case DW_AT_name:
      return LP_DIE_NAME;
    case DW_AT_abstract_origin:
      return LP_DIE_ORIGIN;
    case DW_AT_specification:
      return LP_DIE_SPECIFICATION;
    case DW_AT_sibling:
      return LP_DIE_SIBLING;
    default:
      return PASSED;
    }
}

/* Take the attributes of KIND apart.  */
static int
add_steps (lp_dies *d, lp_cursor *c, struct lp_die_kind *kind)
{
  struct lp_die_step step = { 0 };
  kind->first = d->steps.n;
  for (;;)
    {
      uint64_t attribute = lp_uleb128 (c), form = lp_uleb128 (c);
      if (form == DW_FORM_implicit_const)
	lp_sleb128 (c);
      if (!attribute && !form)
	break;
      kind->has_code |= attribute == DW_AT_low_pc || attribute == DW_AT_ranges;
      step.shape = shape_of (d, form);
      step.part = part_of (attribute);
      step.form = form;
      if (step.part == PASSED && step.shape.how == FIXED)
	step.before += step.shape.size;
      else if (lp_vec_push (&d->steps, step))
	return -1;
      else
	step.before = 0;
    }
  step = (struct lp_die_step) { .before = step.before, .part = LAST };
  return lp_vec_push (&d->steps, step);
}

/* Read the table of abbreviations at C.  */
static int
read_kinds (lp_dies *d, lp_cursor *c)
{
  d->kinds.n = d->steps.n = 0;
  for (;;)
    {
      struct lp_die_kind kind = { .code = lp_uleb128 (c) };
      if (!kind.code || c->bad)
	return 0;
      kind.tag = lp_uleb128 (c);
      kind.children = lp_fixed (c, 1);
      if (add_steps (d, c, &kind) || lp_vec_push (&d->kinds, kind))
	return -1;
    }
}

uint64_t
lp_unit_size (const uint8_t *p)
{
  uint32_t length;
  uint64_t length64;
  memcpy (&length, p, sizeof length);
  if (length != 0xffffffff)
    return (uint64_t) length + sizeof length;
  memcpy (&length64, p + sizeof length, sizeof length64);
  return length64 + sizeof length + sizeof length64;
}

/* Read the unit's header at C.  Returns the offset of its abbreviations.  */
static uint64_t
read_header (lp_dies *d, lp_cursor *c)
{
  uint64_t length = lp_fixed (c, 4), abbrevs, type = DW_UT_compile;
  d->reference = length == 0xffffffff ? 8 : 4;
  if (d->reference == 8)
    length = lp_fixed (c, 8);
  if (length < lp_left (c))
    c->end = c->p + length;
  d->version = lp_fixed (c, 2);
  if (d->version >= 5)
    type = lp_fixed (c, 1);
  if (d->version >= 5)
    d->address = lp_fixed (c, 1);
  abbrevs = lp_fixed (c, d->reference);
  if (d->version < 5)
    d->address = lp_fixed (c, 1);
  if (type == DW_UT_skeleton || type == DW_UT_split_compile)
    lp_fixed (c, 8);
  if (type == DW_UT_type || type == DW_UT_split_type)
    lp_take (c, 8 + d->reference);
  if (d->version < 2 || d->version > 5)
    c->p = c->end;
  return abbrevs;
}

int
lp_dies_open (lp_dies *d, lp_bytes unit, lp_bytes abbrevs)
{
  lp_cursor c = { unit.p, unit.p + unit.n, false };
  uint64_t at = read_header (d, &c);
  d->unit = unit.p;
  d->p = c.p;
  d->end = c.end;
  d->depth = 0;
  lp_cursor table = { abbrevs.p + at, abbrevs.p + abbrevs.n, false };
  if (at > abbrevs.n)
    table.p = table.end;
  return read_kinds (d, &table);
}

void
lp_dies_free (lp_dies *d)
{
  lp_vec_free (&d->kinds);
  lp_vec_free (&d->steps);
}

/* Codes are numbered from 1 on as a rule.  */
static const struct lp_die_kind *
find_kind (const lp_dies *d, uint64_t code)
{
  if (code <= d->kinds.n && d->kinds.v[code - 1].code == code)
    return &d->kinds.v[code - 1];
  for (size_t i = 0; i < d->kinds.n; i++)
    if (d->kinds.v[i].code == code)
      return &d->kinds.v[i];
  return NULL;
}

/* Pass an attribute of SHAPE at C.  */
static void
pass (lp_cursor *c, struct shape shape)
{
  switch (shape.how)
    {
    case FIXED:
      lp_take (c, shape.size);
      break;
    case NUMBER:
      lp_uleb128 (c);
      break;
    case STRING:
      lp_string (c);
      break;
    case BLOCK:
      lp_take (c, lp_fixed (c, shape.size));
      break;
    case LONG_BLOCK:
      lp_take (c, lp_uleb128 (c));
      break;
    default:
      c->p = c->end;
      c->bad = true;
    }
}

/* Take what the attributes of KIND at C say of DIE.  */
static void
read_attributes (const lp_dies *d, lp_cursor *c, const struct lp_die_kind *kind,
		 lp_die *die)
{
  for (const struct lp_die_step *step = &d->steps.v[kind->first];; step++)
    {
      if (step->before)
	lp_take (c, step->before);
      if (step->part == LAST)
	return;
      uint16_t form = step->form;
      struct shape shape = step->shape;
      if (shape.how == INDIRECT)
	{
	  form = lp_uleb128 (c);
	  shape = shape_of (d, form);
	}
      if (step->part < LP_DIE_PARTS)
	die->part[step->part] = (lp_die_value) { c->p, form };
      pass (c, shape);
    }
}

/* Pass the ends of lists at C.  False where all DIEs were read.  */
static bool
pass_ends (lp_dies *d, lp_cursor *c)
{
  for (; c->p < c->end && *c->p == 0; c->p++)
    if (d->depth-- <= 1)
      return false;
  return c->p < c->end;
}

bool
lp_dies_next (lp_dies *d, lp_die *die)
{
  lp_cursor c = { d->p, d->end, false };
  if (pass_ends (d, &c))
    {
      uint64_t offset = c.p - d->unit;
      uint64_t code = *c.p < 0x80 ? *c.p++ : lp_uleb128 (&c);
      const struct lp_die_kind *kind = find_kind (d, code);
      if (kind)
	{
	  *die = (lp_die) { .offset = offset, .depth = d->depth, .tag = kind->tag,
	    .children = kind->children, .has_code = kind->has_code };
	  read_attributes (d, &c, kind, die);
	  d->depth += kind->children;
	  d->p = c.p;
	  if (!c.bad && d->depth)
	    return true;
	}
    }
  d->p = d->end;
  return false;
}

uint64_t
lp_die_reference (const lp_dies *d, lp_die_value value)
{
  lp_cursor c = { value.p, d->end, false };
  if (!value.p)
    return 0;
  struct shape shape = shape_of (d, value.form);
  switch (value.form)
    {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
      return lp_fixed (&c, shape.size);
    case DW_FORM_ref_udata:
      return lp_uleb128 (&c);
    default:
      return 0;
    }
}

void
lp_dies_pass (lp_dies *d, const lp_die *die)
{
  uint64_t next = lp_die_reference (d, die->part[LP_DIE_SIBLING]);
  lp_die below;
  if (!die->children)
    return;
  if (next > (uint64_t) (d->p - d->unit) && next < (uint64_t) (d->end - d->unit))
    {
      d->p = d->unit + next;
      d->depth = die->depth;
      return;
    }
  while (d->depth > die->depth)
    {
      const uint8_t *at = d->p;
      unsigned depth = d->depth;
      if (!lp_dies_next (d, &below))
	return;
      if (below.depth > die->depth)
	continue;
      d->p = at;		/* one too far */
      d->depth = depth;
      break;
    }
}
