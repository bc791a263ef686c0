/* generic.c: what an instance of Ada's is an instance of.  */

#define _GNU_SOURCE

#include "debug/generic.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of LINE of the file PATH, to be freed; NULL without one.  */
static char *
read_line (const char *path, uint32_t line)
{
  FILE *f = fopen (path, "re");
  char *text = NULL;
  size_t size = 0;
  bool there = f;
  for (uint32_t i = 0; i < line && there; i++)
    there = getline (&text, &size, f) > 0;
  if (f)
    fclose (f);
  if (there)
    return text;
  free (text);
  return NULL;
}

/* What the subprogram is called that TEXT, in lower case, begins: N bytes.  NULL: it
   begins none.  */
static const char *
declared (const char *text, size_t *n)
{
  static const char *const words[] = { "function", "procedure" };
  text += strspn (text, " \t");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    {
      size_t length = strlen (words[i]), space;
      if (strncmp (text, words[i], length))
	continue;
      space = strspn (text + length, " \t");
      text += length + space;
      *n = strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789_");
      return space && *n ? text : NULL;
    }
  return NULL;
}

/* Is the word of N bytes at WORD one of the names, separated by dots, in NAME?  */
static bool
is_part (const char *name, const char *word, size_t n)
{
  for (const char *p = name; *p; p += strcspn (p, "."), p += *p == '.')
    if (strcspn (p, ".") == n && memcmp (p, word, n) == 0)
      return true;
  return false;
}

char *
lp_ada_generic (const char *path, uint32_t line, const char *instance)
{
  char *text = read_line (path, line), *name = NULL;
  size_t n;
  for (char *p = text; p && *p; p++)
    *p = tolower ((unsigned char) *p);
  const char *word = text ? declared (text, &n) : NULL;
  const char *dot = strrchr (instance, '.');
  if (word && !is_part (instance, word, n)
      && asprintf (&name, "%.*s%.*s", dot ? (int) (dot + 1 - instance) : 0, instance,
		   (int) n, word) < 0)
    name = NULL;
  free (text);
  return name;
}
