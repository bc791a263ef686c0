/* rust.c: the spellings that names of Rust functions have.  */

#include "debug/rust.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
starts (const char *s, const char *with)
{
  return strncmp (s, with, strlen (with)) == 0;
}

/* Legacy symbols end in a hash, `17h' and 16 digits.  */
bool
lp_rust_is_symbol (const char *symbol, size_t n)
{
  enum { HASH = 16 };
  if (starts (symbol, "_R"))
    return true;
  if (!starts (symbol, "_ZN") || n < HASH + 8 || symbol[n - 1] != 'E')
    return false;
  const char *digits = symbol + n - 1 - HASH;
  return memcmp (digits - 3, "17h", 3) == 0
    && strspn (digits, "0123456789abcdef") == HASH;
}

/* The bracket that closes the one at P, or NULL.  */
static char *
closing (char *p)
{
  int depth = 0;
  for (char *s = p, *next; *s; s = next)
    {
      next = s + (lp_name_step (p, s, &depth) - s);
      if (depth == 0)
	return next - 1;
    }
  return NULL;
}

/* WORD outside of all brackets in [S, END), or NULL.  */
static char *
find_word (char *s, const char *end, const char *word)
{
  int depth = 0;
  for (char *p = s; p < end; p += lp_name_step (s, p, &depth) - p)
    if (depth == 0 && starts (p, word))
      return p;
  return NULL;
}

/* `f::<T>' becomes `f<T>'.  */
static void
drop_turbofish (char *s)
{
  char *out = s;
  for (const char *p = s; *p;)
    if (p > s && starts (p, "::<") && !starts (p, "::<impl "))
      p += 2;
    else
      *out++ = *p++;
  *out = '\0';
}

/* Is TYPE, up to END, spelled without brackets around it before `::'?  */
static bool
is_path (const char *type, const char *end)
{
  return type < end && (isalpha ((unsigned char) *type) || *type == '_')
    && !starts (type, "dyn ") && !starts (type, "fn(");
}

/* OPEN is the bracket of `<impl Tr for S>' or `<impl S>', CLOSE its end: the name from
   there on, in the one spelling.  */
static char *
spell_impl (char *open, char *close)
{
  char *inner = open + strlen ("<impl "), *s = NULL;
  char *of = find_word (inner, close, " for ");
  int type = of ? close - (of + 5) : close - inner;
  if (of)
    return asprintf (&s, "<%.*s as %.*s>%s", type, of + 5, (int) (of - inner),
		     inner, close + 1) < 0 ? NULL : s;
  const char *format = is_path (inner, close) ? "%.*s%s" : "<%.*s>%s";
  return asprintf (&s, format, type, inner, close + 1) < 0 ? NULL : s;
}

/* The `<impl' of NAME: outside of other brackets.  */
static char *
find_impl (char *name)
{
  if (starts (name, "<impl "))
    return name;
  char *at = find_word (name, name + strlen (name), "::<impl ");
  return at ? at + 2 : NULL;
}

char *
lp_rust_canonical (const char *name)
{
  char *s = strdup (name);
  if (!s)
    return NULL;
  drop_turbofish (s);
  char *open = find_impl (s), *close = open ? closing (open) : NULL;
  if (open && close)
    {
      char *spelled = spell_impl (open, close);
      free (s);
      return spelled;
    }
  close = *s == '<' ? closing (s) : NULL;
  if (close && close[1] == ':' && is_path (s + 1, close)
      && !find_word (s + 1, close, " as "))
    {
      memmove (s, s + 1, close - s - 1);
      memmove (close - 1, close + 1, strlen (close + 1) + 1);
    }
  return s;
}

char *
lp_rust_complete (const char *demangled, const char *die_name)
{
  static const char any[] = "{{closure}}";
  size_t n = strlen (demangled), base = strcspn (die_name, "<");
  char *s = NULL;
  int written = -1;
  if (n > sizeof any && strcmp (demangled + n - (sizeof any - 1), any) == 0)
    written = starts (die_name, "{closure#")
      ? asprintf (&s, "%.*s%.*s", (int) (n - (sizeof any - 1)), demangled,
		  (int) base, die_name) : -1;
  else if (die_name[base] && base && base <= n
	   && memcmp (demangled + n - base, die_name, base) == 0)
    written = asprintf (&s, "%s%s", demangled, die_name + base);
  return written < 0 ? NULL : s;
}

bool
lp_rust_is_spelling (const char *name)
{
  return *name == '<' || strstr (name, "::<") || strstr (name, "<impl ");
}

/* TYPE, up to END, behind what only says how it is passed.  */
static const char *
behind_references (const char *type, const char *end)
{
  static const char *const marks[] = { "&", "*const ", "*mut ", "mut ", "dyn " };
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (type < end && starts (type, marks[i]))
      {
	type += strlen (marks[i]);
	i = -1;
      }
  return type;
}

/* The path to REST through the type or trait from BEGIN to END.  */
static char *
path_through (const char *begin, const char *end, const char *rest)
{
  char *s = NULL;
  begin = behind_references (begin, end);
  return asprintf (&s, "%.*s%s", (int) (end - begin), begin, rest) < 0 ? NULL : s;
}

/* Replace PATHS[I], if it begins with `<S as Tr>', by the paths through S and through
   Tr, of which one is put behind the *N that are there.  1 when that was done, 0, or -1:
   out of memory.  */
static int
part (char **paths, size_t i, size_t *n)
{
  char *s = paths[i], *close = *s == '<' ? closing (s) : NULL;
  if (!close || *n == LP_RUST_PATHS)
    return 0;
  char *as = find_word (s + 1, close, " as ");
  paths[i] = path_through (s + 1, as ? as : close, close + 1);
  bool bad = !paths[i];
  if (as)
    {
      paths[*n] = path_through (as + 4, close, close + 1);
      bad |= !paths[(*n)++];
    }
  free (s);
  return bad ? -1 : 1;
}

size_t
lp_rust_paths (const char *name, char *paths[LP_RUST_PATHS])
{
  size_t n = 1;
  paths[0] = lp_rust_canonical (name);
  int done = paths[0] ? 1 : -1;
  for (size_t i = 0; i < n && done >= 0; i++)
    do
      done = part (paths, i, &n);
    while (done > 0);
  if (done == 0)
    return n;
  lp_rust_free (paths, n);
  return 0;
}

void
lp_rust_free (char **paths, size_t n)
{
  while (n)
    free (paths[--n]);
}

bool
lp_rust_same_closure (lp_span pattern, lp_span name)
{
  size_t n = pattern.end - pattern.begin;
  bool any = (n == 9 && memcmp (pattern.begin, "{closure}", n) == 0)
    || (n == 11 && memcmp (pattern.begin, "{{closure}}", n) == 0);
  return any && name.end - name.begin > 9
    && (starts (name.begin, "{closure#") || starts (name.begin, "{{closure}}"));
}
