/* match.c: does a pattern mean a function's display name?  */

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "debug/names.h"

/* The parts of a display name: `int C<int>::f<3>(int) const' has its name from
   BEGIN to END, and its parameters from there to PARAMS_END, which are equal
   where it has none.  */
struct parts
{
  const char *begin, *end, *params_end;
};

static bool
is_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == '$' || c & 0x80;
}

/* Is the word `operator' at P, in a name that starts at START?  */
static bool
at_operator (const char *start, const char *p)
{
  return *p == 'o' && strncmp (p, "operator", 8) == 0 && !is_word (p[8])
    && (p == start || !is_word (p[-1]));
}

/* How many bytes the symbol of an operator at P has: `()', `<<=', `->'.  */
static size_t
operator_symbol (const char *p)
{
  if (strncmp (p, "()", 2) == 0 || strncmp (p, "[]", 2) == 0)
    return 2;
  return strspn (p, "+-*/%^&|~!=<>,");
}

/* Skip one character or one operator's name at P, keeping DEPTH, the number of
   open brackets.  */
static const char *
step (const char *start, const char *p, int *depth)
{
  if (at_operator (start, p))
    return p + 8 + operator_symbol (p + 8);
  switch (*p)
    {
    case '-':
      return p + 1 + (p[1] == '>');
    case '<': case '(': case '{': case '[':
      ++*depth;
      break;
    case '>': case ')': case '}': case ']':
      *depth -= *depth > 0;
      break;
    }
  return p + 1;
}

/* Where the name in S ends: at the parenthesis that opens the parameters of
   the outermost function, that is the last one outside of all brackets that no
   further component follows.  */
static const char *
find_params (const char *s, const char **params_end)
{
  int depth = 0;
  const char *open = NULL, *close = NULL;
  for (const char *p = s, *next; *p; p = next)
    {
      int before = depth;
      next = step (s, p, &depth);
      if (before == 0 && *p == '(' && next == p + 1)
	open = p;
      else if (before == 1 && depth == 0 && *p == ')')
	close = next;
      else if (depth == 0 && strncmp (p, "::", 2) == 0)
	open = close = NULL;
    }
  if (!open || !close || close < open
      || strncmp (open, "(anonymous namespace)", 21) == 0)
    {
      *params_end = s + strlen (s);
      return *params_end;
    }
  *params_end = close;
  return open;
}

/* Where the name in [S, END) starts: behind the return type that the demangler
   puts before templates.  */
static const char *
skip_return_type (const char *s, const char *end)
{
  int depth = 0;
  const char *begin = s;
  for (const char *p = s; p < end;)
    {
      if (depth == 0 && at_operator (s, p))
	break;			/* `operator new' has a space of its own */
      if (depth == 0 && *p == ' ')
	begin = p + 1;
      p = step (s, p, &depth);
    }
  return begin;
}

static struct parts
split (const char *s)
{
  struct parts parts;
  parts.end = find_params (s, &parts.params_end);
  parts.begin = skip_return_type (s, parts.end);
  return parts;
}

/* A copy of [S, END) without template arguments and ABI tags.  */
static char *
without_arguments (const char *s, const char *end)
{
  char *copy = malloc (end - s + 1), *out = copy;
  int depth = 0;
  for (const char *p = s, *next; copy && p < end; p = next)
    {
      int before = depth;
      next = step (s, p, &depth);
      bool keep = before == 0 && depth == 0;
      /* Only <> and [] go; brackets of other kinds stay with their contents.  */
      if (before == 0 && depth == 1 && *p != '<'
	  && strncmp (p, "[abi:", 5) != 0)
	{
	  while (next < end && depth > 0)
	    next = step (s, next, &depth);
	  keep = true;
	}
      if (keep)
	{
	  memcpy (out, p, next - p);
	  out += next - p;
	}
    }
  if (copy)
    {
      while (out > copy && out[-1] == ' ')
	out--;
      *out = '\0';
    }
  return copy;
}

/* Is [P, P_END) the whole name NAME or its last components?  */
static bool
is_tail (const char *name, const char *p, const char *p_end)
{
  bool whole = strncmp (p, "::", 2) == 0;
  if (whole)
    p += 2;
  size_t n = strlen (name), m = p_end - p;
  if (m == 0 || m > n || memcmp (name + n - m, p, m) != 0)
    return false;
  /* Ada and Go separate by a dot.  */
  return m == n || (!whole && (name[n - m - 1] == '.'
			       || (n - m >= 2 && memcmp (name + n - m - 2, "::",
							 2) == 0)));
}

/* Are two parameter lists equal but for spaces?  `(void)' is `()'.  */
static bool
same_params (const char *a, const char *a_end, const char *b, const char *b_end)
{
  if (a_end - a == 6 && memcmp (a, "(void)", 6) == 0)
    return b_end - b == 2;
  for (;;)
    {
      while (a < a_end && *a == ' ')
	a++;
      while (b < b_end && *b == ' ')
	b++;
      if (a == a_end || b == b_end)
	return a == a_end && b == b_end;
      if (*a++ != *b++)
	return false;
    }
}

bool
lp_name_matches (const char *pattern, const char *display)
{
  struct parts d = split (display), p = split (pattern);
  char *full = strndup (d.begin, d.end - d.begin);
  char *bare = without_arguments (d.begin, d.end);
  bool match = full && bare
    && (is_tail (full, p.begin, p.end) || is_tail (bare, p.begin, p.end))
    && (p.params_end == p.end
	|| same_params (p.end, p.params_end, d.end, d.params_end));
  free (full);
  free (bare);
  return match;
}

bool
lp_name_globs (const char *pattern, const char *display)
{
  struct parts d = split (display);
  if (fnmatch (pattern, display, 0) == 0 || fnmatch (pattern, d.begin, 0) == 0)
    return true;
  char *name = strndup (d.begin, d.end - d.begin);
  int depth = 0;
  bool match = name && fnmatch (pattern, name, 0) == 0;
  for (const char *p = name; p && *p && !match;)
    {
      if (depth == 0 && strncmp (p, "::", 2) == 0)
	match = fnmatch (pattern, p + 2, 0) == 0;
      p = step (name, p, &depth);
    }
  free (name);
  return match;
}

char *
lp_plain_name (const char *display)
{
  struct parts d = split (display);
  return without_arguments (d.begin, d.end);
}

char *
lp_base_name (const char *display)
{
  char *bare = lp_plain_name (display);
  char *last = bare;
  int depth = 0;
  for (char *p = bare; p && *p;)
    {
      if (depth == 0 && strncmp (p, "::", 2) == 0)
	last = p + 2;
      p = (char *) step (bare, p, &depth);
    }
  if (last && last > bare)
    memmove (bare, last, strlen (last) + 1);
  return bare;
}
