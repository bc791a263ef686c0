/* nearest.c: why a pattern selects nothing, and what may have been meant.  */

#include <stdlib.h>
#include <string.h>

#include "debug/offer.h"
#include "debug/instances.h"
#include "debug/names.h"
#include "debug/pattern.h"
#include "debug/select.h"

static bool
is_called (void *name, lp_dwarf *dw, lp_unit *unit, Dwarf_Die *origin)
{
  (void) unit;
  const char *display = lp_origin_name (dw, origin);
  if (!display)
    lp_nomem (NULL);
  return display && lp_name_matches (name, display);
}

/* Fail when NAME was inlined everywhere; 0 when it was not.  */
static int
explain_inlined (lp_dwarf *dw, const char *name, lp_error *err)
{
  lp_instances c = { .wanted = is_called, .arg = (void *) name };
  if (lp_instances_count (&c, dw, err))
    return -1;
  if (c.n == 0)
    return 0;
  return lp_fail (err, LP_ENOMATCH, "'%s' was inlined at %zu place%s of '%s'"
		  " (%s%s:%u), without line information there, and has no"
		  " out-of-line code; rebuild with -g -fno-inline", name, c.n, c.n > 1 ? "s" : "",
		  dw->mod->path, c.n > 1 ? "first " : "", c.file, c.line);
}

/* Fail when the file has code of that name, but nothing is known of it.  KEY is the
   word that its symbol spells out.  */
static int
explain_symbol (lp_module *mod, const char *name, const char *key,
		lp_error *err)
{
  for (size_t i = 0; i < mod->symbols.n; i++)
    {
      const char *symbol = mod->symbols.v[i].name;
      if (!strstr (symbol, key))
	continue;
      char *demangled = lp_demangle (symbol);
      bool match = strcmp (symbol, name) == 0
	|| (demangled && lp_name_matches (name, demangled));
      free (demangled);
      if (match && mod->symbols.v[i].type == STT_GNU_IFUNC)
	return lp_fail (err, LP_ENOMATCH, "'%s' of '%s' is an indirect function:"
			" another one is chosen for it when the program starts;"
			" select that one", name, mod->path);
      if (match)
	return lp_fail (err, LP_ENOMATCH, "'%s' is in '%s' but has no line"
			" information; rebuild its source file with -g", name,
			mod->path);
    }
  return 0;
}

/* Fail when NAME is only declared here: the dynamic linker finds it in another
   object.  */
static int
explain_undefined (lp_module *mod, const char *name, const char *key,
		   lp_error *err)
{
  const Elf64_Shdr *section = lp_section_find (&mod->image, SHT_DYNSYM, NULL);
  size_t n = 0, names_n = 0;
  if (!section || section->sh_link >= mod->image.nsections)
    return 0;
  const uint8_t *syms = lp_section_bytes (&mod->image, section, &n);
  const char *names = (const char *)
    lp_section_bytes (&mod->image, &mod->image.sections[section->sh_link],
		      &names_n);
  if (!syms || !names || names[names_n - 1] != '\0')
    return 0;
  for (size_t i = 0; i < n / sizeof (Elf64_Sym); i++)
    {
      Elf64_Sym sym;
      memcpy (&sym, syms + i * sizeof sym, sizeof sym);
      if (sym.st_shndx == SHN_UNDEF && sym.st_name < names_n
	  && strstr (names + sym.st_name, key)
	  && lp_symbol_may_be (names + sym.st_name, name))
	return lp_fail (err, LP_ENOMATCH, "'%s' is not part of '%s', which calls"
			" it in a shared library; select a function of the"
			" program", name, mod->path);
    }
  return 0;
}

/* Fail when it is known what NAME, which is no glob, is.  */
static int
explain_known (lp_module *mod, const char *name, lp_error *err)
{
  bool known;
  char *key = lp_pattern_key (name);
  if (!key)
    return lp_nomem (err);
  int result = lp_dwarf_has_name (mod, name, &known, err);
  lp_dwarf *dw = !result && known ? lp_dwarf_open (mod, err) : NULL;
  result = result || (known && !dw) || explain_symbol (mod, name, key, err)
    || (dw && explain_inlined (dw, name, err))
    || explain_undefined (mod, name, key, err) ? -1 : 0;
  free (key);
  return result;
}

static int
explain_name (lp_module *mod, const char *name, lp_error *err)
{
  char text[768];
  lp_sought sought = lp_sought_of (name);
  if (!sought.word)
    return lp_nomem (err);
  lp_guess nearest = { .word = sought.word };
  int result = lp_is_glob (name) ? 0 : explain_known (mod, name, err);
  if (!result)
    lp_offer_symbols (mod, &nearest, &sought);
  const char *missing = mod->dwarf->missing;
  if (!result && missing)
    result = lp_fail (err, LP_ENOMATCH, "no function of '%s' matches '%s', as far as"
		      " can be told without '%s': put that file there, or the"
		      " package '%s.dwp', or build without -gsplit-dwarf", mod->path,
		      name, missing, mod->path);
  if (!result)
    result = lp_fail (err, LP_ENOMATCH, "no function of '%s' matches '%s'%s",
		      mod->path, name, lp_guess_question (&nearest, text, sizeof text));
  lp_guess_free (&nearest);
  lp_sought_free (&sought);
  return result;
}

/* Is there a source file that PATTERN means?  Else offer what there is.  */
static bool
know_file (lp_dwarf *dw, const lp_pattern *pattern, lp_guess *nearest)
{
  for (size_t u = 0; u < dw->units.n; u++)
    {
      const char *name = dw->units.v[u].name;
      if (lp_unit_may_have (dw, &dw->units.v[u], pattern))
	return true;
      lp_guess_offer (nearest, basename (name), 0, basename (name));
    }
  return false;
}

/* The function that ROW of FN was inlined from when it is the pattern's line.  */
static const char *
inlined_from (const lp_dwarf *dw, const lp_function *fn, const lp_row *row,
	      const lp_pattern *pattern)
{
  return row->inl && row->line == pattern->line
    && lp_pattern_has_file (pattern, dw->mod->files.v[row->file].path)
    ? fn->inlines[row->inl - 1].name : NULL;
}

/* Only those functions have their rows that the search for the line looked
   into.  */
static int
explain_line (const lp_dwarf *dw, const lp_pattern *pattern, lp_error *err)
{
  const char *name = NULL;
  for (size_t i = 0; i < dw->functions.n && !name; i++)
    for (size_t k = 0; k < dw->functions.v[i]->nrows && !name; k++)
      name = inlined_from (dw, dw->functions.v[i],
			   &dw->functions.v[i]->rows[k], pattern);
  if (name)
    return lp_fail (err, LP_ENOMATCH, "line %u of %s belongs to '%s', which was"
		    " inlined and has no out-of-line code in '%s'; select its"
		    " callers, or rebuild with -fno-inline", pattern->line,
		    pattern->file, name, dw->mod->path);
  return lp_fail (err, LP_ENOMATCH, "no function of '%s' has code for line %u of"
		  " %s; name a line inside a function", dw->mod->path,
		  pattern->line, pattern->file);
}

/* The file is known, but not what is sought in it.  */
static int
explain_in_file (lp_dwarf *dw, const lp_pattern *pattern, lp_error *err)
{
  lp_module *mod = dw->mod;
  char text[768];
  if (pattern->line)
    return explain_line (dw, pattern, err);
  if (!pattern->name || pattern->maybe_name)
    return lp_fail (err, LP_ENOMATCH, "no function of %s has code of its own in"
		    " '%s'", pattern->file, mod->path);
  lp_sought sought = lp_sought_of (pattern->name);
  if (!sought.word)
    return lp_nomem (err);
  lp_guess nearest = { .word = sought.word };
  lp_function_list list = { 0 };
  int result = lp_select (mod, pattern->file, &list, err) < 0 ? -1 : 0;
  for (size_t i = 0; i < list.n; i++)
    lp_offer_display (&nearest, &sought, list.v[i]->name);
  if (!result)
    result = lp_fail (err, LP_ENOMATCH, "no function of %s in '%s' matches"
		      " '%s'%s", pattern->file, mod->path, pattern->name,
		      lp_guess_question (&nearest, text, sizeof text));
  lp_vec_free (&list);
  lp_guess_free (&nearest);
  lp_sought_free (&sought);
  return result;
}

static int
explain_file (lp_module *mod, const lp_pattern *pattern, lp_error *err)
{
  char text[768];
  lp_guess nearest = { .word = basename (pattern->file) };
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  if (!dw)
    return -1;
  int result = know_file (dw, pattern, &nearest)
    ? explain_in_file (dw, pattern, err)
    : nearest.n == 0 && pattern->maybe_name
    ? explain_name (mod, pattern->name, err)
    : lp_fail (err, LP_ENOMATCH, "'%s' has no code from a source file that"
	       " matches '%s'%s", mod->path, pattern->file,
	       lp_guess_question (&nearest, text, sizeof text));
  lp_guess_free (&nearest);
  return result;
}

int
lp_select_nearest (lp_module *mod, const char *text, lp_error *err)
{
  lp_pattern pattern;
  if (lp_pattern_parse (text, &pattern))
    return lp_nomem (err);
  int result = pattern.file ? explain_file (mod, &pattern, err)
    : lp_debug_find (mod, err) ? -1
    : !mod->dwarf->path ? (lp_dwarf_open (mod, err), -1)
    : explain_name (mod, pattern.name, err);
  lp_pattern_free (&pattern);
  return result;
}
