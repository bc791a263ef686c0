/* demangle.c: from symbols to display names.  */

#include "debug/names.h"
#include "debug/rust.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"

/* Is the N-byte word at S one that compilers put behind a dot?  */
static bool
is_clone_word (const char *s, size_t n)
{
  static const char *const words[] = {
    "part", "constprop", "isra", "cold", "lto_priv", "localalias", "llvm",
    "__uniq", "actor", "resume", "destroy", "cleanup", "ipcp", "unlikely",
    "hot", "warm", "simdclone", "default", "resolver"
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen (words[i]) == n && memcmp (words[i], s, n) == 0)
      return true;
  return false;
}

/* The length of SYMBOL's first N bytes without one suffix `.word' or
   `.word.NUMBER'; N when there is none.  */
static size_t
drop_suffix (const char *symbol, size_t n)
{
  size_t end = n, at = n;
  for (;;)
    {
      while (at > 0 && symbol[at - 1] != '.')
	at--;
      if (at <= 1)
	return n;
      if (is_clone_word (symbol + at, end - at))
	return at - 1;
      if (strspn (symbol + at, "0123456789") < end - at)
	return n;
      end = --at;
    }
}

size_t
lp_clone_base (const char *symbol)
{
  size_t n = strlen (symbol), next;
  while ((next = drop_suffix (symbol, n)) < n)
    n = next;
  return n;
}

bool
lp_is_mangled (const char *symbol)
{
  return strncmp (symbol, "_Z", 2) == 0 || strncmp (symbol, "_R", 2) == 0;
}

/* Text that grows.  */
struct text
{
  LP_VEC (char) chars;
  bool failed;			/* out of memory */
};

static void
add_text (const char *s, size_t n, void *arg)
{
  struct text *text = arg;
  if (text->failed || lp_vec_reserve (&text->chars, n + 1))
    {
      text->failed = true;
      return;
    }
  memcpy (text->chars.v + text->chars.n, s, n);
  text->chars.n += n;
  text->chars.v[text->chars.n] = '\0';
}

/* What SYMBOL, whose suffixes are gone, stands for; to be freed.  libiberty's
   cplus_demangle does not tell a lack of memory from a name that is not mangled.  */
static char *
demangle (const char *symbol)
{
  enum { HOW = DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO };
  struct text text = { 0 };
  bool known = rust_demangle_callback (symbol, HOW, add_text, &text);
  if (!known)
    {
      text.chars.n = 0;
      known = cplus_demangle_v3_callback (symbol, HOW, add_text, &text);
    }
  if (text.failed)
    lp_nomem (NULL);
  if (known && !text.failed && text.chars.n)
    return text.chars.v;
  lp_vec_free (&text.chars);
  return NULL;
}

char *
lp_demangle (const char *symbol)
{
  if (!lp_is_mangled (symbol))
    return NULL;
  size_t n = lp_clone_base (symbol);
  char *base = strndup (symbol, n);
  char *demangled = base ? demangle (base) : NULL;
  if (!base)
    lp_nomem (NULL);
  free (base);
  if (!demangled || !lp_rust_is_symbol (symbol, n))
    return demangled;
  char *spelled = lp_rust_canonical (demangled);
  if (!spelled)
    lp_nomem (NULL);
  free (demangled);
  return spelled;
}
