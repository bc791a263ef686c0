/* nameparts.c: a display name taken apart.  */

#include "debug/nameparts.h"

#include <ctype.h>
#include <string.h>

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

const char *
lp_name_step (const char *start, const char *p, int *depth)
{
  const char *quote;
  if (at_operator (start, p))
    return p + 8 + operator_symbol (p + 8);
  switch (*p)
    {
    case '"':
      quote = strchr (p + 1, '"');
      return quote ? quote + 1 : p + 1;
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
      next = lp_name_step (s, p, &depth);
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
      p = lp_name_step (s, p, &depth);
    }
  return begin;
}

lp_name_parts
lp_name_split (const char *s)
{
  lp_name_parts parts;
  parts.end = find_params (s, &parts.params_end);
  parts.begin = skip_return_type (s, parts.end);
  return parts;
}

/* The length of the separator at P, 0 for none.  */
static size_t
separator (const char *p, const char *end)
{
  if (end - p >= 2 && p[0] == ':' && p[1] == ':')
    return 2;
  return *p == '.';
}

static lp_span
trim (const char *begin, const char *end)
{
  while (begin < end && *begin == ' ')
    begin++;
  while (end > begin && end[-1] == ' ')
    end--;
  return (lp_span) { begin, end };
}

/* The end of the brackets that open at P, NULL where they do not close.  */
static const char *
group_end (const char *p, const char *end)
{
  int depth = 0;
  const char *start = p;
  while (p < end)
    {
      p = lp_name_step (start, p, &depth);
      if (depth == 0)
	return p <= end ? p : NULL;
    }
  return NULL;
}

/* Which part of C stands in brackets at P, if any.  */
static lp_span *
group_at (const char *p, lp_component *c)
{
  return *p == '<' ? &c->arguments
    : *p == '(' || strncmp (p, "[abi:", 5) == 0 ? &c->params : NULL;
}

/* Read the component at BEGIN into *C; where it ends.  What stands in brackets at its
   start is its name: `(anonymous namespace)'.  */
static const char *
read_component (const char *begin, const char *end, lp_component *c)
{
  int depth = 0;
  const char *p = begin, *name_end = NULL, *next;
  *c = (lp_component) { .arguments = { end, end }, .params = { end, end } };
  for (; p < end && !separator (p, end); p = next)
    {
      lp_span *group = p > begin ? group_at (p, c) : NULL;
      const char *close = strchr ("<({[", *p) ? group_end (p, end) : NULL;
      next = close ? close : lp_name_step (begin, p, &depth);
      if (!group || !close)
	continue;
      name_end = name_end ? name_end : p;
      *group = (lp_span) { p, close };
    }
  p = p < end ? p : end;
  c->name = trim (begin, name_end ? name_end : p);
  return p;
}

size_t
lp_name_components (const char *s, const char *end,
		    lp_component components[LP_COMPONENTS], bool *rooted)
{
  size_t n = 0, length = s < end ? separator (s, end) : 0;
  *rooted = length;
  for (const char *p = s + length;;)
    {
      if (n == LP_COMPONENTS)
	memmove (components, components + 1, --n * sizeof *components);
      p = read_component (p, end, &components[n++]);
      if (p >= end)
	return n;
      p += separator (p, end);
    }
}
