/* names.c: what a function is called: its display name, its symbol, and the
   other symbols of its address.  */

#include "debug/names.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"
#include "debug/language.h"
#include "debug/rust.h"

size_t
lp_symbols_at (const lp_module *mod, uint64_t addr, const lp_symbol **first)
{
  size_t lo = 0, hi = mod->symbols.n, n = 0;
  while (lo < hi)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (mod->symbols.v[mid].value < addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  *first = mod->symbols.v + lo;
  while (lo + n < mod->symbols.n && mod->symbols.v[lo + n].value == addr)
    n++;
  return n;
}

static bool
is_base (const char *symbol, const char *name)
{
  size_t n = lp_clone_base (symbol);
  return name && strlen (name) == n && memcmp (symbol, name, n) == 0;
}

/* How well SYMBOL names a function that DWARF calls LINKAGE or NAME.  */
static int
rank (const lp_symbol *symbol, const char *linkage, const char *name)
{
  int bound = symbol->bind == STB_GLOBAL ? 2 : symbol->bind == STB_WEAK;
  if (symbol->type == STT_GNU_IFUNC)
    return -1;			/* the address is its resolver's */
  if (is_base (symbol->name, linkage))
    return 20 + bound;
  if (is_base (symbol->name, name))
    return 10 + bound;
  return bound + (symbol->type == STT_FUNC ? 4 : 0);
}

static const lp_symbol *
best_symbol (const lp_symbol *symbols, size_t n, const char *linkage,
	     const char *name)
{
  const lp_symbol *best = NULL;
  int best_rank = -1;
  for (size_t i = 0; i < n; i++)
    if (rank (&symbols[i], linkage, name) > best_rank)
      {
	best = &symbols[i];
	best_rank = rank (best, linkage, name);
      }
  return best;
}

static const char *
inherited_string (Dwarf_Die *die, unsigned name)
{
  Dwarf_Attribute attr;
  return dwarf_formstring (dwarf_attr_integrate (die, name, &attr));
}

static const char *
linkage_of (Dwarf_Die *die)
{
  const char *s = inherited_string (die, DW_AT_linkage_name);
  return s ? s : inherited_string (die, DW_AT_MIPS_linkage_name);
}

/* The display name of SYMBOL in the arena: demangled, or the symbol itself
   without clone suffixes.  */
static const char *
display_symbol (lp_arena *arena, const char *symbol)
{
  char *demangled = lp_demangle (symbol);
  const char *s = demangled ? lp_arena_intern (arena, demangled)
    : lp_arena_copy (arena, symbol, lp_clone_base (symbol));
  free (demangled);
  return s;
}

/* SCOPE and NAME in one string.  */
static const char *
join_scope (lp_arena *arena, const char *scope, const char *name)
{
  size_t n = strlen (scope), m = strlen (name);
  char *s = lp_arena_alloc (arena, n + m + 1);
  if (s)
    {
      memcpy (s, scope, n);
      memcpy (s + n, name, m);
    }
  return s;
}

/* The DWARF number of the language of DIE's unit, or -1.  */
static int
language_of (Dwarf_Die *die)
{
  Dwarf_Die unit;
  return dwarf_diecu (die, &unit, NULL, NULL) ? dwarf_srclang (&unit) : -1;
}

/* DEMANGLED, to be freed, with what a DIE of LANGUAGE knows better by its NAME, in the
   arena.  */
static const char *
complete_name (lp_arena *arena, int language, const char *name,
	       const char *mangled, char *demangled)
{
  bool legacy = mangled[1] == 'Z' && name && strpbrk (name, "<{")
    && language == DW_LANG_Rust;
  char *more = legacy ? lp_rust_complete (demangled, name) : NULL;
  const char *s = lp_arena_intern (arena, more ? more : demangled);
  free (more);
  free (demangled);
  return s;
}

/* The display name of DIE, whose symbol is SYMBOL or NULL.  */
static const char *
display_name (lp_arena *arena, Dwarf_Die *die, const char *linkage,
	      const char *symbol, const char *scope)
{
  const char *name = die ? inherited_string (die, DW_AT_name) : NULL;
  const char *mangled = linkage && lp_is_mangled (linkage) ? linkage
    : symbol && lp_is_mangled (symbol) ? symbol : NULL;
  int language = name ? language_of (die) : -1;
  char *demangled = mangled ? lp_demangle (mangled) : NULL;
  if (demangled)
    return complete_name (arena, language, name, mangled, demangled);
  if (name && lp_is_ada (language))
    return lp_ada_name (arena, name);
  if (name)
    return *scope ? join_scope (arena, scope, name) : name;
  const char *other = symbol ? symbol : linkage;
  return other ? display_symbol (arena, other) : "(unnamed)";
}

/* Is ITEM one of the names in LIST, which `, ' separates?  */
static bool
in_list (const char *list, const char *item)
{
  size_t n = strlen (item);
  for (const char *p = list; (p = strstr (p, item)); p++)
    if ((p == list || p[-1] == ' ') && (p[n] == ',' || !p[n]))
      return true;
  return false;
}

/* Does SYMBOL, displayed as S, only spell FN's name in another way?  */
static bool
is_same_name (const lp_function *fn, const char *symbol, const char *s)
{
  return strcmp (s, fn->name) == 0 || strcmp (symbol, fn->name) == 0
    || (fn->linkage && strcmp (symbol, fn->linkage) == 0)
    || (fn->linkage && is_base (symbol, fn->linkage));
}

static int
add_alias (lp_arena *arena, lp_function *fn, const char *symbol)
{
  const char *s = display_symbol (arena, symbol);
  if (s && (is_same_name (fn, symbol, s)
	    || (fn->aliases && in_list (fn->aliases, s))))
    return 0;
  if (s && fn->aliases)
    s = join_scope (arena, ", ", s);
  if (s && fn->aliases)
    s = join_scope (arena, fn->aliases, s);
  fn->aliases = s;
  return s ? 0 : -1;
}

/* Other symbols of FN's address become its aliases.  */
static int
add_aliases (lp_arena *arena, lp_function *fn, const lp_symbol *symbols,
	     size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (symbols[i].type == STT_FUNC
	&& add_alias (arena, fn, symbols[i].name))
      return -1;
  return 0;
}

int
lp_name_function (lp_dwarf *dw, Dwarf_Die *die, const char *scope,
		  lp_function *fn, lp_error *err)
{
  const lp_symbol *symbols;
  size_t n = lp_symbols_at (dw->mod, fn->entry, &symbols);
  const char *linkage = die ? linkage_of (die) : NULL;
  const char *name = die ? inherited_string (die, DW_AT_name) : NULL;
  const lp_symbol *best = best_symbol (symbols, n, linkage, name);
  fn->linkage = best ? best->name : linkage;
  fn->name = display_name (dw->mod->arena, die, linkage, fn->linkage, scope);
  if (!fn->name || (n > 1 && add_aliases (dw->mod->arena, fn, symbols, n)))
    return lp_nomem (err);
  return 0;
}

/* The function of UNIT that holds INNER, as their symbols say, or NULL.  */
static const lp_function *
holder_of (const lp_unit *unit, const lp_function *inner)
{
  for (size_t i = 0; inner->linkage && i < unit->functions.n; i++)
    {
      const lp_function *outer = unit->functions.v[i];
      if (outer->linkage && lp_pascal_holds (outer->linkage, inner->linkage))
	return outer;
    }
  return NULL;
}

/* FN's name behind those of what holds it; NULL: out of memory.  */
static const char *
nested_name (lp_arena *arena, const lp_unit *unit, const lp_function *fn)
{
  const lp_function *outer = holder_of (unit, fn);
  const char *s = outer ? nested_name (arena, unit, outer) : fn->name;
  if (s && outer && (s = join_scope (arena, s, ".")))
    s = join_scope (arena, s, fn->name);
  return s;
}

int
lp_name_nested (lp_dwarf *dw, const lp_unit *unit, lp_error *err)
{
  if (unit->language != DW_LANG_Pascal83)
    return 0;
  const char **names = malloc ((unit->functions.n + 1) * sizeof *names);
  bool bad = !names;
  for (size_t i = 0; i < unit->functions.n && !bad; i++)
    bad = !(names[i] = nested_name (dw->mod->arena, unit, unit->functions.v[i]));
  for (size_t i = 0; i < unit->functions.n && !bad; i++)
    unit->functions.v[i]->name = names[i];
  free (names);
  return bad ? lp_nomem (err) : 0;
}

const char *
lp_origin_name (lp_dwarf *dw, Dwarf_Die *die)
{
  return display_name (dw->mod->arena, die, linkage_of (die), NULL, "");
}
