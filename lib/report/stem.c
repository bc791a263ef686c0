/* stem.c: the name that all instances of a template share.

   Works on demangled names: `int add<int>(int)' and `double add<double>(double)'
   both are instances of `add'.  */

#include "report/tables.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char anonymous[] = "(anonymous namespace)";

static bool
starts (const char *s, const char *with)
{
  return strncmp (s, with, strlen (with)) == 0;
}

/* The end of the group that opens at S, brackets inside skipped; NULL where it
   is not closed.  The > of -> closes nothing.  */
static const char *
group_end (const char *s)
{
  char open = *s, close = open == '<' ? '>' : ')';
  int depth = 0;
  for (; *s; s++)
    {
      depth += *s == open;
      if (*s == close && s[-1] != '-' && --depth == 0)
	return s + 1;
    }
  return NULL;
}

/* Length of the name at S, which is at the start of a word, of an operator with
   brackets in it: they are no groups.  0 for anything else.  */
static size_t
operator_length (const char *s)
{
  static const char *const brackets[] = {
    "<=>", "<<=", ">>=", "->*", "()", "<<", ">>", "<=", ">=", "->", "<", ">",
  };
  const size_t word = strlen ("operator");
  if (starts (s, "operator"))
    for (size_t i = 0; i < sizeof brackets / sizeof *brackets; i++)
      if (starts (s + word, brackets[i]))
	return word + strlen (brackets[i]);
  return 0;
}

/* Copy NAME to OUT without template arguments and, inside parentheses,
   parameters.  What it starts with are no arguments: Rust's `<Type as Trait>'.
   *TEMPLATES: were there any of the former?  */
static void
strip_groups (const char *name, char *out, bool *templates)
{
  *templates = false;
  for (const char *s = name, *end; *s;)
    {
      bool word = s == name || !(isalnum ((unsigned char) s[-1]) || s[-1] == '_');
      size_t n = word ? operator_length (s) : 0;
      if (!n && starts (s, anonymous))
	n = strlen (anonymous);
      if (n)
	{
	  memcpy (out, s, n);
	  out += n;
	  s += n;
	  s += starts (s, " <");	/* operator< <int> */
	}
      else if ((*s == '(' || (*s == '<' && s > name)) && (end = group_end (s)))
	{
	  *templates |= *s == '<';
	  if (*s == '(')
	    {
	      *out++ = '(';
	      *out++ = ')';
	    }
	  s = end;
	}
      else
	*out++ = *s++;
    }
  *out = '\0';
}

/* Where the qualified name starts in S, of LEN bytes before its parameters: a
   return type may stand before it.  */
static size_t
name_start (const char *s, size_t len)
{
  static const char op[] = "operator";
  for (size_t i = len; i-- > 0;)
    {
      if (s[i] == ')')		/* of the anonymous namespace */
	while (i > 0 && s[i] != '(')
	  i--;
      bool conversion = i >= strlen (op)
			&& starts (s + i - strlen (op), op);
      if (s[i] == ' ' && !conversion)
	return i + 1;
    }
  return 0;
}

/* Length of the part of S before the first parameter list.  */
static size_t
before_parameters (const char *s)
{
  size_t i = 0;
  for (; s[i]; i++)
    if (starts (s + i, anonymous))
      i += strlen (anonymous) - 1;
    else if (s[i] == '(' && !(i >= 8 && starts (s + i - 8, "operator()")))
      break;
  return i;
}

bool
lp_name_stem (const char *name, char *out)
{
  bool templates;
  strip_groups (name, out, &templates);
  if (!templates)
    {
      strcpy (out, name);
      return false;
    }
  size_t len = before_parameters (out);
  size_t start = *out == '<' ? 0 : name_start (out, len);
  memmove (out, out + start, strlen (out + start) + 1);
  size_t n = strlen (out);
  if (n > 2 && strcmp (out + n - 2, "()") == 0 && len - start == n - 2)
    out[n - 2] = '\0';
  return true;
}
