/* library.c: the LIB of LIB:FUNC.  */

#define _GNU_SOURCE

#include "debug/library.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Where the base name of the N bytes at TEXT begins.  */
static const char *
base_of (const char *text, size_t n)
{
  const char *slash = memrchr (text, '/', n);
  return slash ? slash + 1 : text;
}

/* Is there a `.so' in [P, END) that ends a word?  */
static bool
has_so (const char *p, const char *end)
{
  while ((p = memmem (p, end - p, ".so", 3)))
    {
      p += 3;
      if (p == end || !isalnum ((unsigned char) *p))
	return true;
    }
  return false;
}

/* Is there a glob in [P, END), and no extension as sources have it?  */
static bool
is_plain_glob (const char *p, const char *end)
{
  bool glob = false;
  for (; p < end; p++)
    if (*p == '.' && p + 1 < end && isalnum ((unsigned char) p[1]))
      return false;
    else
      glob |= strchr ("*?[", *p) != NULL;
  return glob;
}

/* The first colon of TEXT that is not one of two.  */
static const char *
lone_colon (const char *text)
{
  for (const char *p = text; (p = strchr (p, ':')); p += 2)
    if (p[1] != ':')
      return p;
  return NULL;
}

const char *
lp_library_part (const char *pattern, size_t *n)
{
  const char *colon = lone_colon (pattern);
  const char *end = colon ? colon : pattern + strlen (pattern);
  *n = end - pattern;
  const char *base = base_of (pattern, *n);
  if (has_so (base, end) || (colon && is_plain_glob (base, end)))
    return colon ? colon + 1 : end;
  return NULL;
}

/* Does NAME match GLOB, whole or but for the versions behind it?  */
static bool
matches (const char *glob, const char *name, char *versioned)
{
  size_t n = strlen (glob);
  if (fnmatch (glob, name, 0) == 0)
    return true;
  if (n < 3 || !has_so (glob, glob + n))
    return false;
  strcpy (versioned, glob);
  strcat (versioned, ".[0-9]*");
  return fnmatch (versioned, name, 0) == 0;
}

bool
lp_library_is (const char *pattern, const char *path)
{
  size_t n;
  if (!lp_library_part (pattern, &n))
    return false;
  char *glob = strndup (pattern, n), *versioned = malloc (n + 16);
  const char *name = strchr (glob ? glob : "", '/')
		     ? path : base_of (path, strlen (path));
  bool is = glob && versioned && matches (glob, name, versioned);
  if (!glob || !versioned)
    lp_nomem (NULL);
  free (glob);
  free (versioned);
  return is;
}
