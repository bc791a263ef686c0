/* known.c: can the debug information tell of a function of some name?  The
   strings are asked, before any unit is read.

   gcc, clang and rustc write a string into .debug_str unless it is no longer than
   the reference to it: 4 bytes, in 64-bit DWARF 8, the NUL included.  gcc does so
   where the linker can merge what is there, which the section's flag tells: ld
   clears it unless all parts have it.  A compiler that has no .debug_str writes
   its own name into .debug_info, too, and the abbreviations say so.  */

#include "debug/abbrevs.h"
#include "debug/names.h"
#include "debug/sections.h"

#include <stdlib.h>
#include <string.h>

/* Do the N bytes at P hold the string WORD, or one that ends in it or has arguments
   behind it?  */
static bool
has_string (void *word, const uint8_t *p, size_t n)
{
  const uint8_t *end = p + n;
  size_t length = strlen (word);
  for (; n && (p = memmem (p, end - p, word, length)); p++)
    if (p + length < end && (p[length] == '\0' || p[length] == '<'))
      return true;
  return false;
}

static bool
is_dwarf64 (void *is, const uint8_t *p, size_t n)
{
  *(bool *) is = n >= 4 && memcmp (p, "\xff\xff\xff\xff", 4) == 0;
  return true;
}

/* Are there strings in other files?  */
static bool
has_more_strings (const lp_dwarf *dw)
{
  static const char *const tell[] = {
    ".debug_addr", ".gnu_debugaltlink", ".debug_sup"
  };
  for (size_t i = 0; i < sizeof tell / sizeof *tell; i++)
    if (lp_section_find (&dw->image, SHT_PROGBITS, tell[i]))
      return true;
  return false;
}

/* May the name BASE of a function stand in .debug_info instead of .debug_str?  */
static bool
may_be_inside (lp_dwarf *dw, const char *base)
{
  bool dwarf64 = false;
  const Elf64_Shdr *str = lp_section_find (&dw->image, SHT_PROGBITS,
					   ".debug_str");
  lp_abbrevs abbrevs
    = lp_abbrevs_read (lp_section_loaded (dw, ".debug_abbrev"));
  lp_section_look (dw, ".debug_info", 0, is_dwarf64, &dwarf64, NULL);
  size_t reference = dwarf64 ? 8 : 4;
  bool rule = str && str->sh_flags & SHF_MERGE && !abbrevs.foreign_inside
    && strlen (base) + 1 > reference;
  return abbrevs.damaged || (abbrevs.names_inside && !rule);
}

/* The same of strings in a .dwo or in dwz's file.  */
static int
search_more (lp_module *mod, char *base, bool *has, lp_error *err)
{
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  if (!dw)
    return -1;
  *has = dw->alt || has_string (base, dw->sections.str.p, dw->sections.str.n);
  for (uint32_t u = 0; u < dw->units.n && !*has; u++)
    *has = dw->units.v[u].split;
  return 0;
}

static int
search_section (lp_dwarf *dw, const char *name, char *base, bool *has,
		lp_error *err)
{
  int found = lp_section_look (dw, name, strlen (base), has_string, base, err);
  *has = found > 0;
  return found < 0 ? -1 : 0;
}

static int
search (lp_module *mod, char *base, bool *has, lp_error *err)
{
  static const char *const abbrevs[] = { ".debug_abbrev", NULL };
  lp_dwarf *dw = mod->dwarf;
  /* Sections in the old kind of compression wait for libdw.  */
  *has = !*base
    || lp_section_find (&dw->image, SHT_PROGBITS, ".zdebug_info");
  int result = *has ? 0 : search_section (dw, ".debug_str", base, has, err);
  if (!*has && !result && has_more_strings (dw))
    result = search_more (mod, base, has, err);
  if (!*has && !result)
    result = lp_sections_load (dw, abbrevs, err);
  if (!*has && !result && may_be_inside (dw, base))
    result = search_section (dw, ".debug_info", base, has, err);
  return result;
}

int
lp_dwarf_has_name (lp_module *mod, const char *name, bool *has, lp_error *err)
{
  if (lp_debug_find (mod, err))
    return -1;
  lp_dwarf *dw = mod->dwarf;
  char *base = lp_base_name (name);
  int result = base ? 0 : lp_nomem (err);
  if (!result && !(dw->asked && strcmp (dw->asked, base) == 0))
    {
      result = search (mod, base, &dw->has_asked, err);
      dw->asked = result ? NULL
	: lp_arena_copy (mod->arena, base, strlen (base));
    }
  *has = dw->has_asked;
  free (base);
  return result;
}
