/* package.c: find a package of .dwo files, and a unit in it.  */

#define _GNU_SOURCE

#include "debug/package.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debug/cursor.h"
#include "debug/sections.h"

/* .debug_cu_index: a hash table of names of units, and for each unit its share of each
   section.  */
struct index
{
  uint32_t version, ncolumns, nunits, nslots;
  const uint8_t *names;		/* of each slot, 8 bytes */
  const uint8_t *rows;		/* of each slot: 1 + a unit, 4 bytes; 0: none */
  const uint8_t *columns;	/* which section each is, 4 bytes */
  const uint8_t *offsets, *sizes; /* of each unit, by columns, 4 bytes each */
};

/* One unit that was asked for.  */
struct taken
{
  lp_packaged unit;
  lp_packview view;
};

struct lp_package
{
  char *path;
  int fd;
  const uint8_t *map;
  lp_image image;
  struct index index;
  LP_VEC (struct taken *) taken;
  /* Where the units' shares of the program's sections begin, sorted.  */
  LP_VEC (uint64_t) addr_bases;
  LP_VEC (uint64_t) ranges_bases;
};

static const char *
section_name (enum lp_pack_section section)
{
  static const char *const names[] = {
    [LP_PACK_INFO] = ".debug_info.dwo",
    [LP_PACK_ABBREV] = ".debug_abbrev.dwo",
    [LP_PACK_LINE] = ".debug_line.dwo",
    [LP_PACK_STR_OFFSETS] = ".debug_str_offsets.dwo",
    [LP_PACK_RNGLISTS] = ".debug_rnglists.dwo"
  };
  return names[section];
}

/* What the index calls SECTION (DW_SECT_*); 0: nothing in this version.  */
static uint32_t
section_number (const struct index *index, enum lp_pack_section section)
{
  static const uint8_t numbers[] = {
    [LP_PACK_INFO] = 1, [LP_PACK_ABBREV] = 3, [LP_PACK_LINE] = 4,
    [LP_PACK_STR_OFFSETS] = 6, [LP_PACK_RNGLISTS] = 8
  };
  /* Before DWARF 5, 8 was .debug_macro.  */
  return section == LP_PACK_RNGLISTS && index->version < 5 ? 0
    : numbers[section];
}

static uint32_t
number_at (const uint8_t *p, size_t i)
{
  uint32_t n;
  memcpy (&n, p + i * sizeof n, sizeof n);
  return n;
}

static lp_bytes
section_bytes (const lp_package *p, const char *name)
{
  lp_bytes bytes = { NULL, 0 };
  const Elf64_Shdr *section = lp_section_find (&p->image, SHT_PROGBITS, name);
  if (section)
    bytes.p = lp_section_bytes (&p->image, section, &bytes.n);
  return bytes;
}

/* Read the index.  False where it is damaged or not known.  */
static bool
read_index (lp_package *p)
{
  struct index *x = &p->index;
  lp_bytes bytes = section_bytes (p, ".debug_cu_index");
  lp_cursor c = { bytes.p, bytes.p + bytes.n, false };
  x->version = lp_fixed (&c, 4) & 0xffff; /* of DWARF 5: 2 bytes, and padding */
  x->ncolumns = lp_fixed (&c, 4);
  x->nunits = lp_fixed (&c, 4);
  x->nslots = lp_fixed (&c, 4);
  uint64_t shares = (uint64_t) x->nunits * x->ncolumns * 4;
  if ((x->version != 2 && x->version != 5) || x->ncolumns > 16
      || (x->nslots & (x->nslots - 1)))
    return false;
  x->names = lp_take (&c, (uint64_t) x->nslots * 8);
  x->rows = lp_take (&c, (uint64_t) x->nslots * 4);
  x->columns = lp_take (&c, x->ncolumns * 4);
  x->offsets = lp_take (&c, shares);
  x->sizes = lp_take (&c, shares);
  return !c.bad;
}

/* The number of the unit called NAME, or -1.  */
static long
find_unit (const struct index *x, uint64_t name)
{
  uint64_t mask = x->nslots - 1, step = ((name >> 32) & mask) | 1;
  uint64_t slot = name & mask;
  for (uint32_t i = 0; i < x->nslots; i++, slot = (slot + step) & mask)
    {
      uint64_t there;
      uint32_t row = number_at (x->rows, slot);
      memcpy (&there, x->names + slot * sizeof there, sizeof there);
      if (!row)
	return -1;
      if (there == name)
	return row <= x->nunits ? (long) row - 1 : -1;
    }
  return -1;
}

/* The share that unit U has of SECTION.  False where it lies outside.  */
static bool
find_share (const lp_package *p, uint32_t u, enum lp_pack_section section,
	    lp_bytes *share)
{
  const struct index *x = &p->index;
  uint32_t number = section_number (x, section);
  *share = (lp_bytes) { NULL, 0 };
  for (uint32_t k = 0; k < x->ncolumns && number; k++)
    if (number_at (x->columns, k) == number)
      {
	lp_bytes all = section_bytes (p, section_name (section));
	size_t at = (size_t) u * x->ncolumns + k;
	uint32_t offset = number_at (x->offsets, at);
	*share = (lp_bytes) { all.p + offset, number_at (x->sizes, at) };
	return lp_inside (offset, share->n, all.n);
      }
  return true;
}

static int
fail_damaged (const lp_package *p, lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "'%s' is damaged (its index is not that of a"
		  " package); make it again with dwp or llvm-dwp", p->path);
}

/* Refuse what is compressed: all units would be inflated for one.  */
static int
check_sections (const lp_package *p, lp_error *err)
{
  for (size_t i = 0; i < p->image.nsections; i++)
    if (p->image.sections[i].sh_flags & SHF_COMPRESSED)
      return lp_fail (err, LP_EUNSUPPORTED, "the package '%s' is compressed; run"
		      " objcopy --decompress-debug-sections on it", p->path);
  return 0;
}

static int
map_package (lp_package *p, lp_arena *arena, lp_error *err)
{
  struct stat st;
  if (fstat (p->fd, &st) || st.st_size < (off_t) sizeof (Elf64_Ehdr))
    return fail_damaged (p, err);
  void *map = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, p->fd, 0);
  if (map == MAP_FAILED)
    return lp_nomem (err);
  p->map = map;
  p->image.size = st.st_size;
  if (memcmp (map, ELFMAG, SELFMAG) || p->map[EI_CLASS] != ELFCLASS64
      || p->map[EI_DATA] != ELFDATA2LSB)
    return fail_damaged (p, err);
  if (lp_image_init (&p->image, arena, map, st.st_size, p->path, err)
      || check_sections (p, err))
    return -1;
  return read_index (p) ? 0 : fail_damaged (p, err);
}

/* The number that DIE itself has as attribute NAME.  */
static bool
own_number (Dwarf_Die *die, unsigned name, uint64_t *value)
{
  Dwarf_Attribute attr;
  Dwarf_Word word;
  if (!dwarf_attr (die, name, &attr) || dwarf_formudata (&attr, &word))
    return false;
  *value = word;
  return true;
}

static int
by_number (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Where each unit's shares begin: before DWARF 5 that of the next is where one's
   ends.  */
static int
list_bases (lp_dwarf *dw, lp_package *p, lp_error *err)
{
  Dwarf_CU *cu = NULL;
  Dwarf_Die die;
  uint64_t base;
  while (dwarf_get_units (dw->dbg, cu, &cu, NULL, NULL, &die, NULL) == 0)
    if ((own_number (&die, DW_AT_GNU_addr_base, &base)
	 && lp_vec_push (&p->addr_bases, base))
	|| (own_number (&die, DW_AT_GNU_ranges_base, &base)
	    && lp_vec_push (&p->ranges_bases, base)))
      return lp_nomem (err);
  if (p->addr_bases.n)
    qsort (p->addr_bases.v, p->addr_bases.n, sizeof base, by_number);
  if (p->ranges_bases.n)
    qsort (p->ranges_bases.v, p->ranges_bases.n, sizeof base, by_number);
  return 0;
}

/* Open the package of the file PATH; without one, nothing happens.  */
static int
open_beside (lp_dwarf *dw, const char *path, lp_error *err)
{
  lp_package *p = calloc (1, sizeof *p);
  if (!p || asprintf (&p->path, "%s.dwp", path) < 0)
    {
      free (p);
      return lp_nomem (err);
    }
  p->fd = open (p->path, O_RDONLY | O_CLOEXEC);
  int result = p->fd < 0 ? 0
    : map_package (p, dw->mod->arena, err) || list_bases (dw, p, err) ? -1 : 0;
  if (p->fd >= 0 && !result)
    dw->package = p;
  else
    lp_package_free (p);
  return result;
}

int
lp_package_open (lp_dwarf *dw, lp_error *err)
{
  size_t n = strlen (dw->path), tail = strlen (".debug");
  int result = open_beside (dw, dw->path, err);
  if (!result && !dw->package && n > tail
      && strcmp (dw->path + n - tail, ".debug") == 0)
    {
      char *stem = strndup (dw->path, n - tail);
      result = stem ? open_beside (dw, stem, err) : lp_nomem (err);
      free (stem);
    }
  if (!result && !dw->package && strcmp (dw->path, dw->mod->path))
    result = open_beside (dw, dw->mod->path, err);
  return result;
}

void
lp_package_free (lp_package *p)
{
  if (!p)
    return;
  for (size_t i = 0; i < p->taken.n; i++)
    {
      lp_line_header_free (&p->taken.v[i]->unit.files);
      lp_packview_free (&p->taken.v[i]->view);
      free (p->taken.v[i]);
    }
  lp_vec_free (&p->taken);
  lp_vec_free (&p->addr_bases);
  lp_vec_free (&p->ranges_bases);
  if (p->map)
    munmap ((void *) p->map, p->image.size);
  if (p->fd >= 0)
    close (p->fd);
  free (p->path);
  free (p);
}

/* The share of SECTION from BASE on, up to the next of the N sorted BASES.  */
static lp_bytes
share_from (lp_bytes section, uint64_t base, const uint64_t *bases, size_t n)
{
  uint64_t end = section.n;
  for (size_t lo = 0; lo < n;)
    {
      size_t mid = lo + (n - lo) / 2;
      if (bases[mid] <= base)
	lo = mid + 1;
      else
	{
	  n = mid;
	  end = bases[mid] < section.n ? bases[mid] : section.n;
	}
    }
  return base < end ? (lp_bytes) { section.p + base, end - base }
    : (lp_bytes) { NULL, 0 };
}

/* The end of the .debug_addr table (DWARF 5, 7.27) whose first address is at BASE, or
   0: a header of 8 bytes stands before it, whose first 4 are the length of what is
   behind them.  */
static uint64_t
table_end (lp_bytes section, uint64_t base)
{
  uint32_t length;
  if (base < 8 || base > section.n)
    return 0;
  memcpy (&length, section.p + base - 8, sizeof length);
  return lp_inside (base - 4, length, section.n) ? base - 4 + length : 0;
}

/* What unit SKELETON has in the program itself.  */
static void
find_in_program (const lp_dwarf *dw, Dwarf_Die *skeleton, lp_pack_parts *parts)
{
  const lp_package *p = dw->package;
  lp_bytes addr = lp_section_loaded (dw, ".debug_addr");
  uint64_t base = 0;
  Dwarf_Addr low;
  if (own_number (skeleton, DW_AT_addr_base, &base))
    {
      uint64_t end = table_end (addr, base);
      parts->addr = share_from (addr, base, &end, 1);
    }
  else if (own_number (skeleton, DW_AT_GNU_addr_base, &base))
    parts->addr = share_from (addr, base, p->addr_bases.v, p->addr_bases.n);
  if (own_number (skeleton, DW_AT_GNU_ranges_base, &base))
    parts->ranges = share_from (lp_section_loaded (dw, ".debug_ranges"), base,
				p->ranges_bases.v, p->ranges_bases.n);
  parts->base = dwarf_lowpc (skeleton, &low) == 0 ? low : 0;
}

/* The names of the unit's sources, where it has a list of its own.  */
static int
read_files (const lp_package *p, const lp_pack_parts *parts, lp_packaged *unit,
	    lp_error *err)
{
  lp_line_sections sections = { .line = parts->own[LP_PACK_LINE],
    .str = parts->str, .path = p->path };
  if (!sections.line.n)
    return 0;
  unit->has_files = true;
  return lp_line_header_read (&sections, 0, &unit->files, err);
}

static int
take_unit (lp_dwarf *dw, Dwarf_Die *skeleton, uint32_t u, lp_packaged **unit,
	   lp_error *err)
{
  lp_package *p = dw->package;
  lp_pack_parts parts = { .fd = p->fd, .size = p->image.size, .file = p->map,
    .str = section_bytes (p, ".debug_str.dwo") };
  for (int k = 0; k < LP_PACK_SECTIONS; k++)
    if (!find_share (p, u, k, &parts.own[k]))
      return fail_damaged (p, err);
  find_in_program (dw, skeleton, &parts);
  struct taken *taken = calloc (1, sizeof *taken);
  if (!taken || lp_vec_push (&p->taken, taken))
    {
      free (taken);
      return lp_nomem (err);
    }
  *unit = &taken->unit;
  return lp_packview_make (&parts, p->path, &taken->view, &taken->unit.die, err)
	 || read_files (p, &parts, &taken->unit, err) ? -1 : 0;
}

int
lp_package_unit (lp_dwarf *dw, Dwarf_Die *skeleton, lp_packaged **unit,
		 lp_error *err)
{
  uint64_t name;
  uint8_t type;
  *unit = NULL;
  if (!dw->package
      || dwarf_cu_info (skeleton->cu, NULL, &type, NULL, NULL, &name, NULL, NULL)
      || type != DW_UT_skeleton)
    return 0;
  long u = find_unit (&dw->package->index, name);
  return u < 0 ? 0 : take_unit (dw, skeleton, u, unit, err);
}
