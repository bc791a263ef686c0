/* offer.c: the names of a program to choose the nearest from.  */

#include "debug/offer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debug/nameparts.h"
#include "debug/names.h"

/* The last component but one of PLAIN, "" where there is but one.  */
static char *
scope_of (const char *plain)
{
  lp_component c[LP_COMPONENTS];
  bool rooted;
  size_t n = lp_name_components (plain, plain + strlen (plain), c, &rooted);
  lp_span name = n > 1 ? c[n - 2].name : (lp_span) { plain, plain };
  return strndup (name.begin, name.end - name.begin);
}

lp_sought
lp_sought_of (const char *name)
{
  char *plain = lp_plain_name (name);
  lp_sought sought = { lp_base_name (name), plain ? scope_of (plain) : NULL };
  free (plain);
  return sought;
}

void
lp_sought_free (lp_sought *sought)
{
  free (sought->word);
  free (sought->scope);
}

/* How much farther a name in SCOPE is.  */
static unsigned
scope_distance (const lp_sought *sought, const char *scope)
{
  enum { OTHER = 3 };
  unsigned d = *sought->scope && *scope
    ? lp_guess_distance (sought->scope, scope) : *sought->scope ? OTHER : 0;
  return d < OTHER ? d : OTHER;
}

void
lp_offer_display (lp_guess *guess, const lp_sought *sought, const char *display)
{
  char *base = lp_base_name (display), *shown = lp_plain_name (display);
  char *scope = shown ? scope_of (shown) : NULL;
  if (base && scope && sought->scope)
    lp_guess_offer (guess, base, scope_distance (sought, scope), shown);
  free (base);
  free (shown);
  free (scope);
}

/* The last WORD in S, or NULL.  */
static const char *
last_of (const char *s, const char *word)
{
  const char *last = NULL;
  for (const char *p = s; (p = strstr (p, word)); p++)
    last = p;
  return last;
}

/* The name that SYMBOL, which is not mangled, spells in its own way: of gfortran
   `__module_MOD_name', `name_' and `inner.0', of GNAT `package__name.12', of FPC
   `P$PROGRAM_$$_NAME$TYPES'.  To be freed; NULL where it is the symbol.  */
static char *
word_of (const char *symbol)
{
  static const char *const before[] = { "_$$_", "_MOD_", "__" };
  const char *start = symbol;
  for (size_t i = 0; i < sizeof before / sizeof *before && start == symbol; i++)
    {
      const char *at = last_of (symbol + (*symbol != 0), before[i]);
      if (at && isalpha ((unsigned char) at[strlen (before[i])]))
	start = at + strlen (before[i]);
    }
  size_t n = strcspn (start, start > symbol ? ".$" : ".");
  bool numbered = start[n] == '.' && isdigit ((unsigned char) start[n + 1]);
  bool ends_in_line = n > 1 && start[n - 1] == '_';
  if (start == symbol && !numbered && !ends_in_line)
    return NULL;
  return strndup (start, n - ends_in_line);
}

/* Offer what the debug information calls the function of SYMBOL, which is not
   mangled.  */
static void
offer_plain (lp_module *mod, lp_guess *guess, const lp_sought *sought,
	     const lp_symbol *symbol)
{
  char *word = word_of (symbol->name);
  lp_function *fn = NULL;
  lp_error ignored = { 0 };
  if (word && lp_guess_distance (guess->word, word) != ~0u)
    {
      lp_dwarf *dw = lp_dwarf_open (mod, &ignored);
      if (dw && lp_function_at (dw, symbol->value, &fn, &ignored))
	fn = NULL;
    }
  lp_offer_display (guess, sought, fn ? fn->name : symbol->name);
  free (word);
}

void
lp_offer_symbols (lp_module *mod, lp_guess *guess, const lp_sought *sought)
{
  for (size_t i = 0; i < mod->symbols.n; i++)
    {
      const lp_symbol *symbol = &mod->symbols.v[i];
      if (!lp_is_mangled (symbol->name))
	offer_plain (mod, guess, sought, symbol);
      else if (lp_guess_may_be (guess, symbol->name))
	{
	  char *demangled = lp_demangle (symbol->name);
	  lp_offer_display (guess, sought, demangled ? demangled : symbol->name);
	  free (demangled);
	}
    }
}
