/* abbrevs.c: a walk through .debug_abbrev (DWARF 5, 7.5.3).  */

#include "debug/abbrevs.h"

#include <dwarf.h>

#include "debug/cursor.h"

/* One table of abbreviations: a unit's, or that of several from one compiler.  */
struct table
{
  bool compiler_inside;		/* the compiler's name is in .debug_info, or missing */
  bool names_inside;
};

/* lp_uleb128 for what is one byte as a rule.  */
static inline uint64_t
number (lp_cursor *c)
{
  return c->p < c->end && *c->p < 0x80 ? *c->p++ : lp_uleb128 (c);
}

static bool
is_name (uint64_t attribute)
{
  return attribute == DW_AT_name || attribute == DW_AT_linkage_name
    || attribute == DW_AT_MIPS_linkage_name;
}

/* Read one abbreviation of TAG behind its tag.  */
static void
read_abbrev (lp_cursor *c, uint64_t tag, lp_abbrevs *abbrevs,
	     struct table *table)
{
  bool unit = tag == DW_TAG_compile_unit, compiler = false;
  lp_fixed (c, 1);		/* has it children? */
  for (;;)
    {
      uint64_t attribute = number (c), form = number (c);
      if (form == DW_FORM_implicit_const)
	lp_sleb128 (c);
      if (!attribute && !form)
	break;
      if (form == DW_FORM_ref_addr)
	abbrevs->across_units = true;
      if (unit && attribute == DW_AT_producer && form != DW_FORM_string)
	compiler = true;
      if (tag == DW_TAG_subprogram && is_name (attribute)
	  && form == DW_FORM_string)
	table->names_inside = true;
    }
  if (unit && !compiler)
    table->compiler_inside = true;
}

static void
end_table (lp_abbrevs *abbrevs, struct table *table)
{
  abbrevs->names_inside |= table->names_inside;
  abbrevs->foreign_inside |= table->names_inside && table->compiler_inside;
  *table = (struct table) { 0 };
}

lp_abbrevs
lp_abbrevs_read (lp_bytes bytes)
{
  lp_abbrevs abbrevs = { 0 };
  struct table table = { 0 };
  lp_cursor c = { bytes.p, bytes.p + bytes.n, false };
  while (c.p < c.end && !c.bad)
    if (number (&c) == 0)
      end_table (&abbrevs, &table);
    else
      {
	uint64_t tag = number (&c);
	read_abbrev (&c, tag, &abbrevs, &table);
      }
  end_table (&abbrevs, &table);
  abbrevs.damaged = c.bad;
  return abbrevs;
}
