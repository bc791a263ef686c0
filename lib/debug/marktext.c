/* marktext.c: a look at the source below a mark.

   Enough of C's tokens to see `;' and `}' outside of comments, literals,
   directives and brackets: what stands between a mark and its function is return
   types, attributes, and a template's parameters.  */

#include "debug/marktext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far a function may be below its mark, in lines, where nothing can be
   read.  */
enum { FAR = 8 };

struct scan
{
  int depth;			/* open brackets */
  bool comment;			/* inside one of several lines */
  bool directive;		/* a directive goes on */
};

/* Behind the literal that starts at P.  */
static const char *
skip_literal (const char *p)
{
  char quote = *p++;
  while (*p && *p != quote)
    p += *p == '\\' && p[1] ? 2 : 1;
  return *p ? p + 1 : p;
}

/* Behind the comment that P is in, or at the end of the line.  */
static const char *
skip_comment (struct scan *s, const char *p)
{
  const char *end = strstr (p, "*/");
  s->comment = !end;
  return end ? end + 2 : p + strlen (p);
}

static bool
is_directive (struct scan *s, const char *line)
{
  size_t n = strlen (line);
  bool starts = line[strspn (line, " \t")] == '#';
  if (!starts && !s->directive)
    return false;
  s->directive = n > 1 && line[n - 2] == '\\';
  return true;
}

/* Does one character end a declaration or a body?  */
static bool
ends_at (struct scan *s, char c)
{
  if (strchr ("([{", c))
    s->depth++;
  else if (strchr (")]}", c))
    return --s->depth <= 0 && c == '}';
  return c == ';' && s->depth == 0;
}

static bool
ends_in (struct scan *s, const char *line)
{
  if (!s->comment && is_directive (s, line))
    return false;
  for (const char *p = line; *p;)
    if (s->comment)
      p = skip_comment (s, p);
    else if (strncmp (p, "/*", 2) == 0)
      p = skip_comment (s, p + 2);
    else if (strncmp (p, "//", 2) == 0)
      return false;
    else if (*p == '"' || *p == '\'')
      p = skip_literal (p);
    else if (ends_at (s, *p++))
      return true;
  return false;
}

/* The part of a mark's LINE behind the macro: other declarations may precede
   it.  */
static const char *
behind_macro (const char *line)
{
  static const char *const macros[] = { "PROFILE_MEMBER_FN", "PROFILE_FN" };
  for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
    {
      const char *at = strstr (line, macros[i]);
      if (at)
	return at + strlen (macros[i]);
    }
  return "";			/* a macro of the program's own */
}

bool
lp_marks_another (const char *path, uint32_t mark, uint32_t found)
{
  FILE *source = found > mark ? fopen (path, "re") : NULL;
  if (!source)
    return found > mark + FAR;
  struct scan s = { .depth = 0 };
  char *line = NULL;
  size_t size = 0;
  bool another = false;
  for (uint32_t i = 1; i < found && !another
		       && getline (&line, &size, source) >= 0; i++)
    if (i >= mark)
      another = ends_in (&s, i == mark ? behind_macro (line) : line);
  free (line);
  fclose (source);
  return another;
}
