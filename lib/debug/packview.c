/* packview.c: one unit of a package as an ELF file of its own.

   The file is made up: a head with the section headers and what had to be changed, and
   behind it the package, mapped once more, so that a view takes addresses and hardly
   memory.  The names are those of ordinary sections, so that .debug_addr, of which the
   unit's share begins at its base, can be among them.

   Ranges are relative to the skeleton's low_pc, which libdw does not know here.  Before
   DWARF 5 they are the program's: in the copy it is added.  In DWARF 5 the unit gets
   a DW_AT_low_pc: its header has eight bytes for the name of the .dwo, which are not
   needed any more, and as many as an address has.  */

#include "debug/package.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debug/cursor.h"
#include "debug/shortage.h"

enum
{
  MAX_SECTIONS = 9,
  UNIT_HEADER = 12,		/* of a DWARF 5 unit, up to the .dwo's name, ... */
  NAME_SIZE = 8,		/* ... which has as many bytes as an address */
  ATTRIBUTE = 2			/* bytes of an attribute in an abbreviation */
};

static const char section_names[]
  = "\0.shstrtab\0.debug_info\0.debug_abbrev\0.debug_str\0.debug_str_offsets\0"
    ".debug_addr\0.debug_ranges\0.debug_rnglists";

/* A view in the making.  */
struct making
{
  const lp_pack_parts *parts;
  uint8_t *map;
  size_t head;			/* bytes before the package */
  size_t used;			/* of them */
  Elf64_Shdr sections[MAX_SECTIONS];
  size_t nsections;
};

static uint32_t
name_offset (const char *name)
{
  uint32_t at = 0;
  while (at < sizeof section_names && strcmp (section_names + at, name))
    at += strlen (section_names + at) + 1;
  return at;
}

static void
add_section (struct making *m, const char *name, uint64_t offset, uint64_t size)
{
  m->sections[m->nsections++] = (Elf64_Shdr) {
    .sh_name = name_offset (name), .sh_type = SHT_PROGBITS,
    .sh_offset = offset, .sh_size = size, .sh_addralign = 1 };
}

/* A section that is as it is in the package.  */
static void
add_shared (struct making *m, const char *name, lp_bytes bytes)
{
  if (bytes.n)
    add_section (m, name, m->head + (bytes.p - m->parts->file), bytes.n);
}

/* Room for a section of SIZE bytes in the head.  */
static uint8_t *
add_own (struct making *m, const char *name, size_t size)
{
  uint8_t *p = m->map + m->used;
  add_section (m, name, m->used, size);
  m->used += size;
  return p;
}

static void
add_copy (struct making *m, const char *name, lp_bytes bytes)
{
  if (bytes.n)
    memcpy (add_own (m, name, bytes.n), bytes.p, bytes.n);
}

/* Add BASE to the addresses of the lists (DWARF 4, 2.17.3) in the N bytes at P.  */
static void
relocate_ranges (uint8_t *p, size_t n, uint64_t base)
{
  bool absolute = false;
  for (uint64_t pair[2]; n >= sizeof pair; p += sizeof pair, n -= sizeof pair)
    {
      memcpy (pair, p, sizeof pair);
      bool ends = !pair[0] && !pair[1];
      if (pair[0] == UINT64_MAX || ends)
	absolute = !ends;
      else if (!absolute)
	{
	  pair[0] += base;
	  pair[1] += base;
	  memcpy (p, pair, sizeof pair);
	}
    }
}

/* Where the attributes of abbreviation CODE begin in ABBREVS; 0: nowhere.  */
static size_t
find_attributes (lp_bytes abbrevs, uint64_t code)
{
  lp_cursor c = { abbrevs.p, abbrevs.p + abbrevs.n, false };
  for (uint64_t found; !c.bad && (found = lp_uleb128 (&c));)
    {
      lp_uleb128 (&c);		/* its tag */
      lp_fixed (&c, 1);		/* has it children? */
      if (found == code)
	return c.bad ? 0 : c.p - abbrevs.p;
      for (uint64_t attribute = 1, form = 1; !c.bad && (attribute || form);)
	{
	  attribute = lp_uleb128 (&c);
	  form = lp_uleb128 (&c);
	  if (form == DW_FORM_implicit_const)
	    lp_sleb128 (&c);
	}
    }
  return 0;
}

/* Is INFO a DWARF 5 split unit in 32-bit DWARF, the only one that there is?  *CODE is
   where the number of its DIE's abbreviation stands, which is *N bytes long.  */
static bool
begins_split_unit (lp_bytes info, uint64_t *code, size_t *n)
{
  lp_cursor c = { info.p, info.p + info.n, false };
  bool is = lp_fixed (&c, 4) != UINT32_MAX && lp_fixed (&c, 2) == 5
    && lp_fixed (&c, 1) == DW_UT_split_compile && lp_fixed (&c, 1) == 8
    && lp_take (&c, UNIT_HEADER - 8 + NAME_SIZE);
  const uint8_t *at = c.p;
  *code = lp_uleb128 (&c);
  *n = c.p - at;
  return is && !c.bad;
}

/* Give the unit, of DWARF 5, the attribute DW_AT_low_pc.  False: it is none.  */
static bool
add_low_pc (struct making *m)
{
  static const uint8_t low_pc[ATTRIBUTE] = { DW_AT_low_pc, DW_FORM_addr };
  const lp_pack_parts *parts = m->parts;
  lp_bytes abbrevs = parts->own[LP_PACK_ABBREV], info = parts->own[LP_PACK_INFO];
  uint64_t code;
  size_t n;
  size_t at = begins_split_unit (info, &code, &n)
    ? find_attributes (abbrevs, code) : 0;
  if (!at)
    return false;
  uint8_t *p = add_own (m, ".debug_abbrev", abbrevs.n + ATTRIBUTE);
  memcpy (p, abbrevs.p, at);
  memcpy (p + at, low_pc, ATTRIBUTE);
  memcpy (p + at + ATTRIBUTE, abbrevs.p + at, abbrevs.n - at);
  uint8_t *unit = m->map + m->head + (info.p - parts->file);
  unit[6] = DW_UT_compile;
  memmove (unit + UNIT_HEADER, unit + UNIT_HEADER + NAME_SIZE, n);
  memcpy (unit + UNIT_HEADER + n, &parts->base, sizeof parts->base);
  return true;
}

/* The sections, in the order of their names.  */
static void
add_sections (struct making *m)
{
  const lp_pack_parts *parts = m->parts;
  add_section (m, "", 0, 0);
  m->sections[0].sh_type = SHT_NULL;
  memcpy (add_own (m, ".shstrtab", sizeof section_names), section_names,
	  sizeof section_names);
  m->sections[1].sh_type = SHT_STRTAB;
  add_shared (m, ".debug_info", parts->own[LP_PACK_INFO]);
  if (!parts->base || !add_low_pc (m))
    add_shared (m, ".debug_abbrev", parts->own[LP_PACK_ABBREV]);
  add_shared (m, ".debug_str", parts->str);
  add_shared (m, ".debug_str_offsets", parts->own[LP_PACK_STR_OFFSETS]);
  add_copy (m, ".debug_addr", parts->addr);
  add_copy (m, ".debug_ranges", parts->ranges);
  if (parts->ranges.n)
    relocate_ranges (m->map + m->used - parts->ranges.n, parts->ranges.n,
		     parts->base);
  add_shared (m, ".debug_rnglists", parts->own[LP_PACK_RNGLISTS]);
}

static void
add_header (struct making *m)
{
  Elf64_Ehdr ehdr = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				   ELFDATA2LSB, EV_CURRENT },
    .e_type = ET_REL, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
    .e_shoff = sizeof ehdr, .e_ehsize = sizeof ehdr,
    .e_shentsize = sizeof (Elf64_Shdr), .e_shnum = m->nsections,
    .e_shstrndx = 1 };
  memcpy (m->map, &ehdr, sizeof ehdr);
  memcpy (m->map + sizeof ehdr, m->sections, sizeof m->sections);
}

/* Addresses for the head and, behind it, the package.  */
static int
map (const lp_pack_parts *parts, struct making *m, lp_packview *view)
{
  size_t page = sysconf (_SC_PAGESIZE);
  m->used = sizeof (Elf64_Ehdr) + sizeof m->sections;
  m->head = m->used + sizeof section_names + parts->own[LP_PACK_ABBREV].n + ATTRIBUTE
    + parts->addr.n + parts->ranges.n;
  m->head = (m->head + page - 1) & ~(page - 1);
  view->size = m->head + parts->size;
  view->map = mmap (NULL, view->size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view->map == MAP_FAILED)
    {
      view->map = NULL;
      return -1;
    }
  m->map = view->map;
  return mmap (view->map + m->head, parts->size, PROT_READ | PROT_WRITE,
	       MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, parts->fd, 0)
	 == MAP_FAILED ? -1 : 0;
}

int
lp_packview_make (const lp_pack_parts *parts, const char *path,
		  lp_packview *view, Dwarf_Die *die, lp_error *err)
{
  struct making m = { .parts = parts };
  Dwarf_CU *cu = NULL;
  *view = (lp_packview) { .map = NULL };
  if (map (parts, &m, view))
    return lp_nomem (err);
  add_sections (&m);
  add_header (&m);
  errno = 0;
  view->elf = elf_memory ((char *) view->map, view->size);
  view->dbg = view->elf ? dwarf_begin_elf (view->elf, DWARF_C_READ, NULL) : NULL;
  if (view->dbg)
    lp_shortage_watch (view->dbg);
  if (!view->dbg
      || dwarf_get_units (view->dbg, NULL, &cu, NULL, NULL, die, NULL) != 0)
    return errno == ENOMEM ? lp_nomem (err)
      : lp_fail (err, LP_EFORMAT, "'%s' is damaged (%s); make it again with dwp"
		    " or llvm-dwp", path, dwarf_errmsg (-1));
  return 0;
}

void
lp_packview_free (lp_packview *view)
{
  dwarf_end (view->dbg);
  elf_end (view->elf);
  if (view->map)
    munmap (view->map, view->size);
}
