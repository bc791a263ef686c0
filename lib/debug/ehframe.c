/* ehframe.c: landing pads, the places where an exception resumes a function.

   .eh_frame (LSB 3.0 "Exception Frames") has a CIE for each way to describe
   functions and an FDE for each function, which points to its LSDA; that has a
   table of call sites with their landing pads (Itanium C++ ABI, "Exception
   Handling Tables").  A landing pad that is overlooked would be overwritten, so
   whatever is not understood here is an error.  */

#include "debug/cursor.h"
#include "debug/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* The cursor's data with the address where they are mapped.  */
struct reader
{
  lp_cursor c;
  const uint8_t *start;
  uint64_t addr;
};

/* What of a CIE matters to its FDEs.  */
struct cie
{
  const uint8_t *at;		/* its first byte; NULL: none was read */
  uint8_t code_encoding, lsda_encoding;
  bool has_size;		/* FDEs tell the size of their augmentation */
};

static uint64_t
address (const struct reader *r)
{
  return r->addr + (r->c.p - r->start);
}

static int
fail_entry (const lp_module *mod, const char *what, uint64_t addr,
	    lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "'%s': %s at 0x%lx is corrupt or of an"
		  " unknown kind, so its exception handlers are not known;"
		  " link the file again", mod->path, what, (unsigned long) addr);
}

/* A number in the format of a DW_EH_PE_ encoding, not yet based on anything.  */
static uint64_t
read_format (lp_cursor *c, uint8_t encoding)
{
  switch (encoding & 0x0f)
    {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
    case DW_EH_PE_signed:
      return lp_fixed (c, 8);
    case DW_EH_PE_udata2:
      return lp_fixed (c, 2);
    case DW_EH_PE_udata4:
      return lp_fixed (c, 4);
    case DW_EH_PE_sdata2:
      return lp_sfixed (c, 2);
    case DW_EH_PE_sdata4:
      return lp_sfixed (c, 4);
    case DW_EH_PE_uleb128:
      return lp_uleb128 (c);
    case DW_EH_PE_sleb128:
      return lp_sleb128 (c);
    default:
      c->bad = true;
      return 0;
    }
}

/* The word at ADDR; a null one would be filled in at run time, and is bad.  */
static uint64_t
indirect (const lp_module *mod, lp_cursor *c, uint64_t addr)
{
  uint64_t avail, word = 0;
  const uint8_t *p = lp_module_bytes (mod, addr, &avail);
  if (p && avail >= sizeof word)
    memcpy (&word, p, sizeof word);
  if (word == 0)
    c->bad = true;
  return word;
}

/* A pointer in ENCODING; FUNCTION is the base of function-relative ones.  A
   null pointer is null before its base is added.  Relative to text or data: the
   unwinder of x86-64 has no such bases.  */
static uint64_t
read_pointer (const lp_module *mod, struct reader *r, uint8_t encoding,
	      uint64_t function)
{
  if (encoding == DW_EH_PE_aligned)
    {
      lp_take (&r->c, -address (r) & 7);
      return lp_fixed (&r->c, 8);
    }
  uint64_t base = 0, here = address (r);
  switch (encoding & 0x70)
    {
    case DW_EH_PE_absptr:
      break;
    case DW_EH_PE_pcrel:
      base = here;
      break;
    case DW_EH_PE_funcrel:
      base = function;
      break;
    default:
      r->c.bad = true;
      break;
    }
  uint64_t value = read_format (&r->c, encoding);
  if (value == 0 || r->c.bad)
    return 0;
  value += base;
  return encoding & DW_EH_PE_indirect ? indirect (mod, &r->c, value) : value;
}

/* The letters of AUGMENTATION, whose data are at R.  */
static void
read_augmentation (struct reader *r, const char *augmentation, struct cie *cie)
{
  for (const char *p = augmentation; *p; p++)
    switch (*p)
      {
      case 'z':
	cie->has_size = true;
	lp_uleb128 (&r->c);
	break;
      case 'R':
	cie->code_encoding = lp_fixed (&r->c, 1);
	break;
      case 'L':
	cie->lsda_encoding = lp_fixed (&r->c, 1);
	break;
      case 'P':
	{
	  uint8_t encoding = lp_fixed (&r->c, 1);
	  if (encoding == DW_EH_PE_aligned)
	    lp_take (&r->c, -address (r) & 7);
	  read_format (&r->c, encoding);
	  break;
	}
      case 'S':			/* a signal handler's frame */
      case 'B':			/* these two: other machines' signed or */
      case 'G':			/* tagged pointers */
	break;
      default:
	r->c.bad = true;
      }
}

/* The size of the entry at the cursor, without that field itself.  */
static uint64_t
read_size (lp_cursor *c)
{
  uint64_t size = lp_fixed (c, 4);
  return size == 0xffffffff ? lp_fixed (c, 8) : size;
}

/* Read the CIE at AT in the section that SECTION reads.  */
static int
read_cie (const lp_module *mod, const struct reader *section, const uint8_t *at,
	  struct cie *cie, lp_error *err)
{
  struct reader r = *section;
  r.c.p = at;
  r.c.bad = false;
  *cie = (struct cie) { at, DW_EH_PE_absptr, DW_EH_PE_omit, false };
  uint64_t size = read_size (&r.c);
  if (size < lp_left (&r.c))
    r.c.end = r.c.p + size;
  uint32_t id = lp_fixed (&r.c, 4);
  uint8_t version = lp_fixed (&r.c, 1);
  const char *augmentation = lp_string (&r.c);
  if (version == 4)
    lp_take (&r.c, 2);		/* sizes of an address and of a selector */
  lp_uleb128 (&r.c);		/* alignment of code, of data */
  lp_sleb128 (&r.c);
  if (version == 1)
    lp_fixed (&r.c, 1);		/* the return address's register */
  else
    lp_uleb128 (&r.c);
  read_augmentation (&r, augmentation, cie);
  if (id != 0 || (version != 1 && version != 3 && version != 4) || r.c.bad)
    {
      cie->at = NULL;
      return fail_entry (mod, "the frame description",
			 section->addr + (at - section->start), err);
    }
  return 0;
}

/* The call site at the cursor of a table in ENCODING, of the code at FUNCTION;
   pads are relative to BASE.  */
static int
read_call_site (lp_module *mod, lp_cursor *c, uint8_t encoding,
		uint64_t function, uint64_t base, lp_error *err)
{
  uint64_t lo = function + read_format (c, encoding);
  uint64_t hi = lo + read_format (c, encoding);
  uint64_t pad = read_format (c, encoding);
  lp_uleb128 (c);		/* action */
  if (pad == 0)
    return 0;
  if (!lp_module_is_code (mod, base + pad))
    c->bad = true;
  else if (lp_vec_push (&mod->landing_pads, base + pad)
	   || lp_vec_push (&mod->call_sites,
			   (lp_call_site) { lo, hi, base + pad }))
    return lp_nomem (err);
  return 0;
}

/* The call sites of the function at FUNCTION, whose LSDA is at LSDA.  */
static int
read_lsda (lp_module *mod, uint64_t lsda, uint64_t function, lp_error *err)
{
  uint64_t avail;
  const uint8_t *p = lp_module_bytes (mod, lsda, &avail);
  if (!p)
    return fail_entry (mod, "the exception table", lsda, err);
  struct reader r = { .c = { p, p + avail, false }, .start = p, .addr = lsda };

  uint64_t base = function;
  uint8_t encoding = lp_fixed (&r.c, 1);
  if (encoding != DW_EH_PE_omit)
    base = read_pointer (mod, &r, encoding, function);
  if (lp_fixed (&r.c, 1) != DW_EH_PE_omit)
    lp_uleb128 (&r.c);		/* where the table of types is */
  encoding = lp_fixed (&r.c, 1);
  uint64_t size = lp_uleb128 (&r.c);
  const uint8_t *sites = lp_take (&r.c, size);
  if (!sites)
    return fail_entry (mod, "the exception table", lsda, err);

  lp_cursor c = { sites, sites + size, false };
  while (lp_left (&c) && !c.bad)
    if (read_call_site (mod, &c, encoding, function, base, err))
      return -1;
  return c.bad ? fail_entry (mod, "the exception table", lsda, err) : 0;
}

/* The FDE whose CIE pointer is behind R's cursor, which ends with the FDE.  */
static int
read_fde (lp_module *mod, struct reader *r, const struct cie *cie,
	  lp_error *err)
{
  uint64_t at = address (r), lsda = 0;
  uint64_t function = read_pointer (mod, r, cie->code_encoding, 0);
  read_format (&r->c, cie->code_encoding);
  if (cie->has_size)
    {
      uint64_t size = lp_uleb128 (&r->c);
      const uint8_t *p = lp_take (&r->c, size);
      if (p && cie->lsda_encoding != DW_EH_PE_omit)
	{
	  r->c.p = p;
	  r->c.end = p + size;
	  lsda = read_pointer (mod, r, cie->lsda_encoding, function);
	}
    }
  if (r->c.bad)
    return fail_entry (mod, "the frame description", at, err);
  /* The linker may leave the FDE of a function that it dropped.  */
  if (lsda == 0 || !lp_module_is_code (mod, function))
    return 0;
  return read_lsda (mod, lsda, function, err);
}

/* One CIE or FDE, of SIZE bytes behind R's cursor, which moves behind it.  */
static int
read_entry (lp_module *mod, struct reader *r, uint64_t size, struct cie *cie,
	    lp_error *err)
{
  struct reader entry = *r;
  entry.c.end = r->c.p + size;
  const uint8_t *at = r->c.p;
  uint32_t id = lp_fixed (&entry.c, 4);
  r->c.p += size;
  if (id == 0 && !entry.c.bad)
    return 0;			/* a CIE: read when an FDE refers to it */
  if (entry.c.bad || id > (size_t) (at - r->start))
    return fail_entry (mod, "the frame description", address (&entry), err);
  if (cie->at != at - id && read_cie (mod, r, at - id, cie, err))
    return -1;
  return read_fde (mod, &entry, cie, err);
}

/* All entries of the N bytes at P, mapped at ADDR.  An entry of size 0 ends
   them; in a section, where linkers have put together what several had ended,
   it ends nothing.  */
static int
read_entries (lp_module *mod, const uint8_t *p, size_t n, uint64_t addr,
	      bool section, lp_error *err)
{
  struct reader r = { .c = { p, p + n, false }, .start = p, .addr = addr };
  struct cie cie = { 0 };
  while (lp_left (&r.c) >= 4)
    {
      uint64_t at = address (&r), size = read_size (&r.c);
      if (size == 0 && !section)
	return 0;
      if (size == 0)
	continue;
      if (size > lp_left (&r.c))
	return fail_entry (mod, "the frame description", at, err);
      if (read_entry (mod, &r, size, &cie, err))
	return -1;
    }
  return 0;
}

/* Without section headers .eh_frame is found through .eh_frame_hdr: a version,
   three encodings, and the pointer.  */
static int
read_from_header (lp_module *mod, lp_error *err)
{
  Elf64_Phdr ph;
  if (!lp_find_phdr (mod, PT_GNU_EH_FRAME, &ph))
    return 0;
  const uint8_t *p = mod->image.bytes + ph.p_offset;
  struct reader r = { .c = { p, p + ph.p_filesz, false }, .start = p,
		      .addr = ph.p_vaddr };
  uint8_t version = lp_fixed (&r.c, 1), encoding = lp_fixed (&r.c, 1);
  lp_take (&r.c, 2);
  uint64_t addr = read_pointer (mod, &r, encoding, 0), avail;
  p = lp_module_bytes (mod, addr, &avail);
  if (version != 1 || r.c.bad || !p)
    return fail_entry (mod, "the header of the frame descriptions", ph.p_vaddr,
		       err);
  return read_entries (mod, p, avail, addr, false, err);
}

static int
read_frames (lp_module *mod, lp_error *err)
{
  bool found = false;
  for (size_t i = 0; i < mod->image.nsections; i++)
    {
      const Elf64_Shdr *section = &mod->image.sections[i];
      size_t n;
      const uint8_t *p;
      if (!(section->sh_flags & SHF_ALLOC)
	  || strcmp (lp_section_name (&mod->image, section), ".eh_frame") != 0)
	continue;
      found = true;
      p = lp_section_bytes (&mod->image, section, &n);
      if (!p && section->sh_size)
	return fail_entry (mod, "the section .eh_frame", section->sh_addr, err);
      if (read_entries (mod, p, n, section->sh_addr, true, err))
	return -1;
    }
  return found ? 0 : read_from_header (mod, err);
}

static int
order_call_sites (const void *a, const void *b)
{
  const lp_call_site *x = a, *y = b;
  return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Read the frames, once.  */
static int
find_landing_pads (lp_module *mod, lp_error *err)
{
  if (mod->have_landing_pads)
    return 0;
  mod->landing_pads.n = mod->call_sites.n = 0;
  /* Room for one, so that an empty list is no NULL.  */
  if (lp_vec_reserve (&mod->landing_pads, 1)
      || lp_vec_reserve (&mod->call_sites, 1))
    return lp_nomem (err);
  if (read_frames (mod, err))
    return -1;
  mod->landing_pads.n
    = lp_sort_addresses (mod->landing_pads.v, mod->landing_pads.n);
  qsort (mod->call_sites.v, mod->call_sites.n, sizeof *mod->call_sites.v,
	 order_call_sites);
  mod->have_landing_pads = true;
  return 0;
}

const uint64_t *
lp_module_landing_pads (lp_module *mod, size_t *n, lp_error *err)
{
  *n = 0;
  if (find_landing_pads (mod, err))
    return NULL;
  *n = mod->landing_pads.n;
  return mod->landing_pads.v;
}

const lp_call_site *
lp_module_call_sites (lp_module *mod, size_t *n, lp_error *err)
{
  *n = 0;
  if (find_landing_pads (mod, err))
    return NULL;
  *n = mod->call_sites.n;
  return mod->call_sites.v;
}
