/* pattern.c: what a user's pattern asks for.  */

#include "debug/pattern.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "debug/generic.h"
#include "debug/language.h"
#include "debug/nameparts.h"
#include "debug/names.h"
#include "debug/path.h"
#include "debug/rust.h"

/* The colon that separates a file from what is sought in it, or NULL.  */
static const char *
find_colon (const char *text)
{
  for (const char *p = text; (p = strchr (p, ':')); p++)
    {
      if (p[1] == ':')
	p++;
      else if (memchr (text, '.', p - text) || memchr (text, '/', p - text))
	return p;
    }
  return NULL;
}

static bool
is_number (const char *s)
{
  return *s && s[strspn (s, "0123456789")] == '\0';
}

int
lp_pattern_parse (const char *text, lp_pattern *pattern)
{
  *pattern = (lp_pattern) { .text = text };
  const char *colon = find_colon (text);
  bool slash = strchr (text, '/') && !strstr (text, "operator");
  if (colon)
    {
      pattern->file = strndup (text, colon - text);
      if (is_number (colon + 1))
	pattern->line = strtoul (colon + 1, NULL, 10);
      else if (!(pattern->name = strdup (colon + 1)))
	goto nomem;
      return pattern->file ? 0 : -1;
    }
  pattern->maybe_name = !slash;
  if (slash || strchr (text, '.'))
    pattern->file = strdup (text);
  if (!slash)
    pattern->name = strdup (text);
  if (pattern->file || pattern->name)
    return 0;
nomem:
  lp_pattern_free (pattern);
  return -1;
}

void
lp_pattern_free (lp_pattern *pattern)
{
  free (pattern->file);
  free (pattern->name);
  pattern->file = pattern->name = NULL;
}

bool
lp_is_glob (const char *name)
{
  const char *params = strchr (name, '(');
  int depth = 0;
  for (const char *p = name, *next; *p; p = next)
    {
      next = lp_name_step (name, p, &depth);
      if (next == p + 1 && strchr ("*?[", *p)
	  && (!params || p < params || p[1] == '\0'))
	return true;
    }
  return false;
}

char *
lp_pattern_key (const char *name)
{
  char *base = lp_base_name (name);
  if (!base)
    return NULL;
  char *best = base;
  size_t best_n = 0;
  for (char *p = base; *p; p++)
    {
      size_t n = 0;
      while (isalnum ((unsigned char) p[n]) || p[n] == '_')
	n++;
      if (n > best_n)
	best = p, best_n = n;
      p += n ? n - 1 : 0;
    }
  /* An operator's symbol, a lambda's and a closure's do not spell their name;
     a constructor's may not, for its class may be abbreviated.  */
  if (strncmp (base, "operator", 8) == 0 || strchr (base, '{')
      || strchr (base, '~'))
    best_n = 0;
  memmove (base, best, best_n);
  base[best_n] = '\0';
  return base;
}

/* Does the symbol of FPC, module, types and all, have BASE in it?  */
static bool
pascal_symbol_may_be (const char *symbol, const char *base)
{
  return strstr (symbol, "_$") && strcasestr (symbol, base);
}

/* Does the C, Fortran or Ada SYMBOL end in NAME's last component?  Numbers behind it tell
   overloads apart.  */
static bool
plain_symbol_may_be (const char *symbol, const char *name)
{
  char *base = lp_base_name (name);
  if (!base)
    lp_nomem (NULL);
  size_t m = base ? strlen (base) : 0, n = strcspn (symbol, ".");
  /* The symbol of a main program in Fortran does not name it.  */
  bool may_be = m && (pascal_symbol_may_be (symbol, base)
		      || (*base == '"' && strstr (symbol, "__O"))
		      || strcmp (symbol, "MAIN__") == 0);
  size_t digits = n;
  while (digits > 0 && isdigit ((unsigned char) symbol[digits - 1]))
    digits--;
  if (digits < n && digits > 2 && memcmp (symbol + digits - 2, "__", 2) == 0)
    n = digits - 2;
  for (int underscores = 0; underscores < 2 && !may_be && m && m <= n;
       underscores++)
    {
      const char *at = symbol + n - m;
      may_be = strncasecmp (at, base, m) == 0
	&& (at == symbol || (at - symbol > 1 && at[-1] == '_' && at[-2] == '_')
	    || (at - symbol > 4 && memcmp (at - 5, "_MOD_", 5) == 0)
	    || (at - symbol == 5 && memcmp (symbol, "_ada_", 5) == 0));
      /* Fortran appends an underscore to names outside of modules.  */
      if (n == 0 || symbol[n - 1] != '_')
	break;
      n--;
    }
  free (base);
  return may_be;
}

/* The symbols of Rust may leave arguments out, which the debug information has.  */
static bool
mangled_symbol_may_be (const char *symbol, const char *demangled,
		       const char *name)
{
  if (lp_name_matches (name, demangled))
    return true;
  if (!lp_rust_is_symbol (symbol, lp_clone_base (symbol)))
    return false;
  char *asked = lp_base_name (name), *base = lp_base_name (demangled);
  if (!asked || !base)
    lp_nomem (NULL);
  bool may_be = asked && base
    && (strcmp (asked, base) == 0 || (*asked == '{' && *base == '{'));
  free (asked);
  free (base);
  return may_be;
}

bool
lp_symbol_may_be (const char *symbol, const char *name)
{
  if (strcmp (symbol, name) == 0)
    return true;
  char *demangled = lp_demangle (symbol);
  bool may_be = demangled ? mangled_symbol_may_be (symbol, demangled, name)
    : plain_symbol_may_be (symbol, name);
  free (demangled);
  return may_be;
}

static bool
is_called (const char *display, const char *name, bool glob)
{
  return glob ? lp_name_globs (name, display) : lp_name_matches (name, display);
}

/* Is SYMBOL, of a function that is called otherwise, called NAME?  */
static bool
symbol_is (const lp_symbol *symbol, const char *name, bool glob)
{
  /* The symbol of an indirect function names its resolver only by address.  */
  if (symbol->type == STT_GNU_IFUNC)
    return false;
  char *demangled = lp_demangle (symbol->name);
  char *plain = strndup (symbol->name, strcspn (symbol->name, "."));
  if (!plain)
    lp_nomem (NULL);
  bool match = strcmp (symbol->name, name) == 0
    || (plain && is_called (demangled ? demangled : plain, name, glob))
    || (glob && fnmatch (name, symbol->name, 0) == 0);
  free (demangled);
  free (plain);
  return match;
}

/* S in lower case; NULL when out of memory.  */
static char *
lower (const char *s)
{
  char *copy = strdup (s);
  for (char *p = copy; p && *p; p++)
    *p = tolower ((unsigned char) *p);
  return copy;
}

/* Is DISPLAY called NAME, whatever the case of their letters?  */
static bool
is_called_so (const char *display, const char *name, bool glob)
{
  char *a = lower (display), *b = lower (name);
  if (!a || !b)
    lp_nomem (NULL);
  bool match = a && b && is_called (a, b, glob);
  free (a);
  free (b);
  return match;
}

/* Is FN an instance of the generic NAME?  */
static bool
is_instance_of (const lp_dwarf *dw, const lp_function *fn, const char *name,
		bool glob)
{
  if (!fn->made || !lp_is_ada (dw->units.v[fn->unit].language))
    return false;
  char *generic = lp_ada_generic (dw->mod->files.v[fn->file].path, fn->line,
				  fn->name);
  bool match = generic && is_called_so (generic, name, glob);
  free (generic);
  return match;
}

bool
lp_function_is (const lp_dwarf *dw, const lp_function *fn, const char *name)
{
  bool glob = lp_is_glob (name);
  bool match = lp_ignores_case (dw->units.v[fn->unit].language)
    ? is_called_so (fn->name, name, glob) : is_called (fn->name, name, glob);
  const lp_symbol *symbols;
  size_t n = match ? 0 : lp_symbols_at (dw->mod, fn->entry, &symbols);
  for (size_t i = 0; i < n && !match; i++)
    match = symbol_is (&symbols[i], name, glob);
  return match || is_instance_of (dw, fn, name, glob);
}

bool
lp_pattern_has_file (const lp_pattern *pattern, const char *path)
{
  size_t n = strlen (pattern->file);
  return n && pattern->file[n - 1] == '/'
    ? lp_path_in_dir (path, pattern->file)
    : lp_path_ends_with (path, pattern->file);
}

/* Is file N of UNIT's line table in the pattern's directory?  */
static bool
is_in_dir (lp_dwarf *dw, lp_unit *unit, size_t n, const lp_pattern *pattern)
{
  uint32_t file = lp_unit_file (dw, unit, n);
  return file != LP_NO_FILE
    && lp_pattern_has_file (pattern, dw->mod->files.v[file].path);
}

bool
lp_unit_may_have (lp_dwarf *dw, lp_unit *unit, const lp_pattern *pattern)
{
  const char *last = strrchr (pattern->file, '/');
  last = last ? last + 1 : pattern->file;
  lp_unit_header (dw, unit, NULL);
  if (unit->split || (*last && lp_path_ends_with (unit->name, last)))
    return true;
  for (size_t i = 0; i < unit->header.files.n; i++)
    if (*last ? lp_path_ends_with (unit->header.files.v[i].name, last)
	: is_in_dir (dw, unit, i, pattern))
      return true;
  return false;
}

char *
lp_pattern_word (const char *name, bool *whole)
{
  char *base = lp_base_name (name);
  char *key = !base ? NULL
    : lp_is_glob (name) ? strdup ("") : lp_pattern_key (name);
  *whole = key && *key && strcmp (key, base) == 0;
  free (base);
  return key;
}
