/* match.c: does a pattern mean a function's display name?  */

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "debug/nameparts.h"
#include "debug/names.h"
#include "debug/rust.h"

static bool
is_empty (lp_span span)
{
  return span.begin == span.end;
}

static bool
same_text (lp_span a, lp_span b)
{
  return a.end - a.begin == b.end - b.begin
    && memcmp (a.begin, b.begin, a.end - a.begin) == 0;
}

/* Are two lists of parameters, or of arguments, equal but for spaces?  `(void)' is
   `()'.  */
static bool
same_list (lp_span a, lp_span b)
{
  if (a.end - a.begin == 6 && memcmp (a.begin, "(void)", 6) == 0)
    return b.end - b.begin == 2;
  for (;;)
    {
      while (a.begin < a.end && *a.begin == ' ')
	a.begin++;
      while (b.begin < b.end && *b.begin == ' ')
	b.begin++;
      if (is_empty (a) || is_empty (b))
	return is_empty (a) && is_empty (b);
      if (*a.begin++ != *b.begin++)
	return false;
    }
}

/* Does P of a pattern mean D of a name?  Arguments and parameters count where P has
   them.  */
static bool
component_matches (const lp_component *p, const lp_component *d)
{
  return (same_text (p->name, d->name) || lp_rust_same_closure (p->name, d->name))
    && (is_empty (p->arguments) || same_list (p->arguments, d->arguments))
    && (is_empty (p->params) || same_list (p->params, d->params));
}

/* Is D a namespace without a name, which the source does not write?  */
static bool
is_unnamed (const lp_component *d)
{
  static const char text[] = "(anonymous namespace)";
  return same_text (d->name, (lp_span) { text, text + sizeof text - 1 });
}

/* Is the name in PATTERN that in DISPLAY, or its last components?  */
static bool
is_tail (const lp_name_parts *pattern, const lp_name_parts *display)
{
  lp_component p[LP_COMPONENTS], d[LP_COMPONENTS];
  bool whole, rooted;
  size_t m = lp_name_components (pattern->begin, pattern->end, p, &whole);
  size_t n = lp_name_components (display->begin, display->end, d, &rooted);
  if (is_empty (p[m - 1].name))
    return false;
  while (n && (m || whole))
    if (m && component_matches (&p[m - 1], &d[n - 1]))
      m--, n--;
    else if (is_unnamed (&d[n - 1]))
      n--;
    else
      return false;
  return m == 0 && (!whole || n == 0);
}

static bool
path_matches (const char *pattern, const char *display)
{
  lp_name_parts d = lp_name_split (display), p = lp_name_split (pattern);
  return is_tail (&p, &d)
    && (p.params_end == p.end
	|| same_list ((lp_span) { p.end, p.params_end },
		      (lp_span) { d.end, d.params_end }));
}

/* Does PATTERN match one of the N ways to DISPLAY's function?  */
static bool
any_path_matches (const char *pattern, char *const *paths, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (path_matches (pattern, paths[i]))
      return true;
  return false;
}

bool
lp_name_matches (const char *pattern, const char *display)
{
  if (!lp_rust_is_spelling (pattern) && !lp_rust_is_spelling (display))
    return path_matches (pattern, display);
  char *ways[LP_RUST_PATHS], *asked[LP_RUST_PATHS];
  size_t n = lp_rust_paths (display, ways), m = lp_rust_paths (pattern, asked);
  bool match = m;
  if (!n || !m)
    lp_nomem (NULL);
  for (size_t i = 0; i < m && match; i++)
    match = any_path_matches (asked[i], ways, n);
  lp_rust_free (ways, n);
  lp_rust_free (asked, m);
  return match;
}

/* The components of [S, END) without arguments and parameters; NULL when out of
   memory.  */
static char *
bare_name (const char *s, const char *end)
{
  lp_component c[LP_COMPONENTS];
  bool rooted;
  size_t n = lp_name_components (s, end, c, &rooted);
  char *copy = malloc (end - s + 1), *out = copy;
  if (!copy)
    return NULL;
  for (size_t i = 0; i < n; i++)
    {
      if (i || rooted)
	{
	  bool dot = c[i].name.begin > s && c[i].name.begin[-1] == '.';
	  out = stpcpy (out, dot ? "." : "::");
	}
      size_t m = c[i].name.end - c[i].name.begin;
      memcpy (out, c[i].name.begin, m);
      out += m;
    }
  *out = '\0';
  return copy;
}

/* Does the glob PATTERN match NAME or one of its `::' tails?  */
static bool
tail_globs (const char *pattern, const char *name)
{
  int depth = 0;
  if (fnmatch (pattern, name, 0) == 0)
    return true;
  for (const char *p = name; *p;)
    {
      if (depth == 0 && strncmp (p, "::", 2) == 0
	  && fnmatch (pattern, p + 2, 0) == 0)
	return true;
      if (depth == 0 && *p == '.' && fnmatch (pattern, p + 1, 0) == 0)
	return true;
      p = lp_name_step (name, p, &depth);
    }
  return false;
}

static bool
path_globs (const char *pattern, const char *display)
{
  lp_name_parts d = lp_name_split (display);
  if (fnmatch (pattern, display, 0) == 0 || fnmatch (pattern, d.begin, 0) == 0)
    return true;
  char *name = strndup (d.begin, d.end - d.begin);
  char *bare = bare_name (d.begin, d.end);
  if (!name || !bare)
    lp_nomem (NULL);
  bool match = name && bare
    && (tail_globs (pattern, name) || tail_globs (pattern, bare));
  free (name);
  free (bare);
  return match;
}

bool
lp_name_globs (const char *pattern, const char *display)
{
  if (path_globs (pattern, display))
    return true;
  if (!lp_rust_is_spelling (display))
    return false;
  char *ways[LP_RUST_PATHS];
  size_t n = lp_rust_paths (display, ways);
  bool match = false;
  if (!n)
    lp_nomem (NULL);
  for (size_t i = 0; i < n && !match; i++)
    match = path_globs (pattern, ways[i]);
  lp_rust_free (ways, n);
  return match;
}

char *
lp_plain_name (const char *display)
{
  if (lp_rust_is_spelling (display))
    {
      char *ways[LP_RUST_PATHS];
      size_t n = lp_rust_paths (display, ways);
      lp_name_parts d = { "", "", "" };
      d = n ? lp_name_split (ways[0]) : d;
      char *plain = bare_name (d.begin, d.end);
      lp_rust_free (ways, n);
      return plain;
    }
  lp_name_parts d = lp_name_split (display);
  return bare_name (d.begin, d.end);
}

char *
lp_base_name (const char *display)
{
  char *plain = lp_plain_name (display);
  lp_component c[LP_COMPONENTS];
  bool rooted;
  if (!plain)
    return NULL;
  size_t n = lp_name_components (plain, plain + strlen (plain), c, &rooted);
  const char *last = c[n - 1].name.begin;
  memmove (plain, last, strlen (last) + 1);
  return plain;
}
