/* source.c: the text of the source files, and whether it is still the text that
   was compiled.  */

#define _GNU_SOURCE

#include "report/source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/find.h"

/* Of libiberty, whose md5.h is not installed: the MD5 of LEN bytes at BUFFER
   into the 16 at RESULT.  */
extern void *md5_buffer (const char *buffer, size_t len, void *result);

struct entry
{
  bool tried;
  lp_text *text;		/* or NULL */
  bool changed;			/* TEXT is not what was profiled */
};

struct lp_sources
{
  const lp_profile *profile;
  const lp_report_options *options;
  struct entry *entries;	/* one for each of the profile's sources */
  lp_file_list list;
};

lp_sources *
lp_sources_new (const lp_profile *profile, const lp_report_options *options,
		lp_error *err)
{
  lp_sources *sources = calloc (1, sizeof *sources);
  struct entry *entries = calloc (profile->sources.n + 1, sizeof *entries);
  if (!sources || !entries)
    {
      free (sources);
      free (entries);
      lp_nomem (err);
      return NULL;
    }
  sources->profile = profile;
  sources->options = options;
  sources->entries = entries;
  return sources;
}

static void
free_text (lp_text *text)
{
  if (!text)
    return;
  free (text->path);
  free (text->bytes);
  lp_vec_free (&text->starts);
  free (text);
}

void
lp_sources_free (lp_sources *sources)
{
  if (!sources)
    return;
  for (size_t i = 0; i < sources->profile->sources.n; i++)
    free_text (sources->entries[i].text);
  free (sources->entries);
  lp_file_list_free (&sources->list);
  free (sources);
}

__attribute__ ((format (printf, 2, 3)))
static void
warn (const lp_sources *sources, const char *format, ...)
{
  char *text;
  va_list ap;
  va_start (ap, format);
  int n = vasprintf (&text, format, ap);
  va_end (ap);
  if (n < 0)
    return;
  if (sources->options->warn)
    sources->options->warn (sources->options->warn_arg, text);
  free (text);
}

/* All of FILE's bytes into TEXT.  */
static int
read_all (FILE *file, lp_text *text)
{
  LP_VEC (char) bytes = { 0 };
  size_t got = 1;
  while (got)
    {
      if (lp_vec_reserve (&bytes, 65536))
	break;
      got = fread (bytes.v + bytes.n, 1, 65536, file);
      bytes.n += got;
    }
  text->bytes = bytes.v;
  text->size = bytes.n;
  return got || ferror (file) ? -1 : 0;
}

static int
cut_lines (lp_text *text)
{
  for (size_t at = 0; at < text->size;)
    {
      if (lp_vec_push (&text->starts, at))
	return -1;
      const char *end = memchr (text->bytes + at, '\n', text->size - at);
      at = end ? (size_t) (end - text->bytes) + 1 : text->size;
    }
  return 0;
}

/* The text of the file PATH, which it takes over, or NULL.  */
static lp_text *
read_text (char *path)
{
  lp_text *text = calloc (1, sizeof *text);
  FILE *file = text ? fopen (path, "re") : NULL;
  if (!text)
    free (path);
  else
    text->path = path;
  bool good = file && !read_all (file, text) && !cut_lines (text);
  if (file)
    fclose (file);
  if (good)
    return text;
  free_text (text);
  return NULL;
}

static bool
has_md5 (const lp_text *text, const char *md5)
{
  unsigned char digest[16];
  char hex[33];
  md5_buffer (text->bytes ? text->bytes : "", text->size, digest);
  for (int i = 0; i < 16; i++)
    sprintf (hex + 2 * i, "%02x", digest[i]);
  return strcasecmp (hex, md5) == 0;
}

/* Find out, and tell, where TEXT is not what was compiled.  A time says something
   only of the very file that was there when the program ran.  */
static bool
check_age (const lp_sources *sources, const lp_source *source,
	   const lp_text *text, enum lp_found how)
{
  struct stat st;
  bool changed = source->md5 ? !has_md5 (text, source->md5)
		 : how == LP_FOUND_THERE && source->mtime >= 0
		   && stat (text->path, &st) == 0
		   && st.st_mtime != source->mtime;
  if (changed)
    warn (sources, "'%s' is not as it was when the program was %s: its lines "
	  "may not match", text->path, source->md5 ? "compiled" : "profiled");
  return changed;
}

const lp_text *
lp_sources_text (lp_sources *sources, uint32_t source)
{
  struct entry *entry = &sources->entries[source];
  if (entry->tried)
    return entry->text;
  entry->tried = true;
  const lp_source *wanted = &sources->profile->sources.v[source];
  enum lp_found how;
  char *path = lp_find_source (sources->profile, sources->options,
			       &sources->list, wanted->path, &how);
  if (path)
    entry->text = read_text (path);
  if (!entry->text)
    return NULL;
  if (how == LP_FOUND_ELSEWHERE)
    warn (sources, "the source '%s' is taken from '%s'", wanted->path,
	  entry->text->path);
  entry->changed = check_age (sources, wanted, entry->text, how);
  return entry->text;
}

bool
lp_sources_unchanged (lp_sources *sources, uint32_t source)
{
  return lp_sources_text (sources, source) && !sources->entries[source].changed;
}

const char *
lp_text_line (const lp_text *text, uint32_t line, size_t *n)
{
  *n = 0;
  if (line == 0 || line > text->starts.n)
    return "";
  size_t start = text->starts.v[line - 1];
  size_t end = line < text->starts.n ? text->starts.v[line] : text->size;
  while (end > start && text->bytes[end - 1] == '\n')
    end--;
  while (end > start && text->bytes[end - 1] == '\r')
    end--;
  *n = end - start;
  return text->bytes + start;
}
