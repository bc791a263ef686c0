/* path.c: names of source files as text.  */

#include "debug/path.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Append the component of N bytes at S to the path that starts at START and
   ends at END; returns the new end.  `..' at the root stays there; in front of
   a relative path it is kept.  */
static char *
add_component (char *start, char *end, const char *s, size_t n)
{
  bool absolute = *start == '/';
  if (n == 0 || (n == 1 && s[0] == '.'))
    return end;
  if (n == 2 && memcmp (s, "..", 2) == 0)
    {
      char *last = end;
      while (last > start && last[-1] != '/')
	last--;
      bool is_up = end - last == 2 && memcmp (last, "..", 2) == 0;
      if (end == start + absolute && absolute)
	return end;
      if (end > start && !is_up)
	return last > start + absolute ? last - 1 : start + absolute;
    }
  if (end > start + absolute)
    *end++ = '/';
  memcpy (end, s, n);
  return end + n;
}

static char *
add_part (char *start, char *end, const char *part)
{
  while (*part)
    {
      size_t n = strcspn (part, "/");
      end = add_component (start, end, part, n);
      part += n + (part[n] == '/');
    }
  return end;
}

char *
lp_path_join (const char *base, const char *dir, const char *name)
{
  if (*name == '/')
    base = dir = "";
  else if (*dir == '/')
    base = "";
  char *path = malloc (strlen (base) + strlen (dir) + strlen (name) + 4);
  if (!path)
    return NULL;
  path[0] = *base == '/' || (!*base && (*dir == '/' || (!*dir && *name == '/')))
    ? '/' : '\0';
  char *end = path + (path[0] == '/');
  end = add_part (path, end, base);
  end = add_part (path, end, dir);
  end = add_part (path, end, name);
  *end = '\0';
  return path;
}

bool
lp_path_ends_with (const char *path, const char *tail)
{
  if (*tail == '/')
    return fnmatch (tail, path, FNM_PATHNAME) == 0 || strcmp (tail, path) == 0;
  while (strncmp (tail, "./", 2) == 0)
    tail += 2;
  size_t n = strlen (path), m = strlen (tail);
  if (m && m <= n && strcmp (path + n - m, tail) == 0
      && (m == n || path[n - m - 1] == '/'))
    return true;
  if (!strpbrk (tail, "*?["))
    return false;
  for (const char *p = path; p; p = strchr (p, '/'))
    {
      p += *p == '/';
      if (fnmatch (tail, p, FNM_PATHNAME) == 0)
	return true;
    }
  return false;
}

bool
lp_path_in_dir (const char *path, const char *dir)
{
  size_t n = strlen (dir);
  if (*dir == '/')
    return strncmp (path, dir, n) == 0;
  while (strncmp (dir, "./", 2) == 0)
    dir += 2, n -= 2;
  if (!n)
    return false;
  for (const char *p = path; p; p = strchr (p, '/'))
    {
      p += *p == '/';
      if (strncmp (p, dir, n) == 0)
	return true;
    }
  return false;
}

bool
lp_path_is_system (const char *path)
{
  static const char *const dirs[] = {
    "/usr/include/", "/usr/local/include/", "/usr/lib/gcc/",
    "/usr/lib/gcc-cross/", "/usr/lib/llvm-", "/usr/lib/clang/",
    "/usr/lib/go", "/usr/local/go/", "/usr/share/ada/",
    "/rustc/",			/* where rustc says its library is from */
    "/usr/src/rustc-"		/* Debian's does so */
  };
  for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
    if (strncmp (path, dirs[i], strlen (dirs[i])) == 0)
      return true;
  return !*path || path[strcspn (path, "<")] == '<'
    || strstr (path, "/lib/rustlib/src/rust/") != NULL;
}
