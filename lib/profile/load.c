/* load.c: reading a profile file (format.h says what is in it).

   Nothing in the file is believed: every member's type, every number's range,
   every index and every count is checked, so that what comes out keeps all
   promises of profile.h.  The reader keeps the first complaint and goes on with
   harmless values until the next check of it.  */

#include "profile/profile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "profile/format.h"
#include "profile/nodes.h"
#include "profile/parse.h"
#include "profile/ranges.h"

struct reader
{
  const char *path;
  lp_profile *profile;
  bool bad;			/* *err is filled */
  lp_error *err;
};

static void
corrupt (struct reader *r, const char *format, ...)
{
  char what[256];
  va_list ap;
  va_start (ap, format);
  vsnprintf (what, sizeof what, format, ap);
  va_end (ap);
  if (!r->bad)
    lp_fail (r->err, LP_EFORMAT, "'%s' is corrupt: %s", r->path, what);
  r->bad = true;
}

static void
nomem (struct reader *r)
{
  if (!r->bad)
    lp_nomem (r->err);
  r->bad = true;
}

/* VALUE as an integer in [LO, HI]; LO when it is not.  */
static int64_t
integer (struct reader *r, const json_t *value, int64_t lo, int64_t hi,
	 const char *what)
{
  int64_t i = json_integer_value (value);
  if (json_is_integer (value) && i >= lo && i <= hi)
    return i;
  corrupt (r, "%s is not a number from %lld to %lld", what, (long long) lo,
	   (long long) hi);
  return lo;
}

static uint32_t
index_below (struct reader *r, const json_t *value, size_t n, const char *what)
{
  int64_t i = json_integer_value (value);
  if (json_is_integer (value) && i >= 0 && (uint64_t) i < n)
    return (uint32_t) i;
  corrupt (r, "%s is not an index below %zu", what, n);
  return 0;
}

static double
real (struct reader *r, const json_t *value, const char *what)
{
  double d = json_number_value (value);
  if (json_is_number (value) && d >= 0)
    return d;
  corrupt (r, "%s is not a number", what);
  return 0;
}

/* VALUE's text, in the profile; "" when it is none.  */
static const char *
string (struct reader *r, const json_t *value, const char *what)
{
  if (!json_is_string (value))
    {
      corrupt (r, "%s is not a string", what);
      return "";
    }
  char *copy = strdup (json_string_value (value));
  const char *kept = NULL;
  if (copy)
    {
      lp_bytes_decode (copy);
      kept = lp_profile_string (r->profile, copy);
      free (copy);
    }
  if (!kept)
    nomem (r);
  return kept ? kept : "";
}

static const char *
string_or_null (struct reader *r, const json_t *value, const char *what)
{
  return json_is_null (value) ? NULL : string (r, value, what);
}

/* The array VALUE of at least MIN items; NULL, which jansson takes for an
   empty one, when it is not.  */
static const json_t *
array (struct reader *r, const json_t *value, size_t min, const char *what)
{
  if (json_is_array (value) && json_array_size (value) >= min)
    return value;
  if (json_is_array (value))
    corrupt (r, "%s has %zu items, not %zu", what, json_array_size (value),
	     min);
  else
    corrupt (r, "%s is not an array", what);
  return NULL;
}

/* The next members come from here: these name what they read.  */
#define STRING(o, key) string (r, json_object_get (o, key), key)
#define STRING_OR_NULL(o, key) string_or_null (r, json_object_get (o, key), key)
#define INTEGER(o, key, lo, hi) integer (r, json_object_get (o, key), lo, hi, key)
#define REAL(o, key) real (r, json_object_get (o, key), key)
#define INDEX(o, key, n) index_below (r, json_object_get (o, key), n, key)
#define ARRAY(o, key) array (r, json_object_get (o, key), 0, key)

static void
read_command (struct reader *r, const json_t *from)
{
  size_t n = json_array_size (from);
  const char **command = lp_profile_alloc (r->profile, n * sizeof *command);
  if (!command)
    {
      nomem (r);
      return;
    }
  for (size_t i = 0; i < n; i++)
    command[i] = string (r, json_array_get (from, i), "command");
  r->profile->command = command;
  r->profile->ncommand = n;
}

static void
read_notes (struct reader *r, const json_t *from)
{
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    if (lp_vec_push (&r->profile->notes,
		     string (r, json_array_get (from, i), "notes")))
      nomem (r);
}

static void
read_objects (struct reader *r, const json_t *from)
{
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    {
      const json_t *row = array (r, json_array_get (from, i), 2, "objects");
      lp_object object
	= { .path = string (r, json_array_get (row, 0), "object's path"),
	    .build_id = string (r, json_array_get (row, 1), "build-id") };
      if (lp_vec_push (&r->profile->objects, object))
	nomem (r);
    }
}

static void
read_sources (struct reader *r, const json_t *from)
{
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    {
      const json_t *row = array (r, json_array_get (from, i), 3, "sources");
      lp_source source
	= { .path = string (r, json_array_get (row, 0), "source's path"),
	    .mtime = integer (r, json_array_get (row, 1), -1, INT64_MAX,
			      "source's mtime"),
	    .md5 = string_or_null (r, json_array_get (row, 2), "MD5") };
      if (lp_vec_push (&r->profile->sources, source))
	nomem (r);
    }
}

static enum lp_engine
engine (struct reader *r, const json_t *value)
{
  const char *name = json_string_value (value);
  for (enum lp_engine e = 0; name && lp_engine_name (e); e++)
    if (strcmp (name, lp_engine_name (e)) == 0)
      return e;
  corrupt (r, "engine is none of this version's");
  return LP_ENGINE_NONE;
}

static lp_code_line
code_line (struct reader *r, const json_t *item, uint32_t source)
{
  lp_code_line line = { .source = source };
  if (!json_is_integer (item))
    {
      item = array (r, item, 3, "line of a function");
      line.source = index_below (r, json_array_get (item, 1),
				 r->profile->sources.n, "line's source");
      line.note = string_or_null (r, json_array_get (item, 2), "line's note");
      item = json_array_get (item, 0);
    }
  line.line = (uint32_t) integer (r, item, 0, UINT32_MAX, "line");
  return line;
}

static void
read_lines (struct reader *r, const json_t *from, lp_subject *subject)
{
  if (lp_vec_reserve (&subject->lines, json_array_size (from)))
    nomem (r);
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    subject->lines.v[subject->lines.n++]
      = code_line (r, json_array_get (from, i), subject->source);
}

static void
read_digests (struct reader *r, const json_t *from, lp_subject *subject)
{
  if (from && json_array_size (from) != subject->lines.n)
    corrupt (r, "digests of a function has %zu items for %zu lines",
	     json_array_size (from), subject->lines.n);
  for (size_t i = 0; from && !r->bad && i < subject->lines.n; i++)
    subject->lines.v[i].digest
      = (uint32_t) integer (r, json_array_get (from, i), 0, UINT32_MAX,
			    "digest");
}

/* Members that only instances of inlined functions have.  */
static void
read_inlined (struct reader *r, const json_t *from, lp_subject *subject)
{
  if (!from)
    return;
  from = array (r, from, 3, "inlined");
  subject->holder = string (r, json_array_get (from, 0), "inlined's holder");
  subject->site_source = index_below (r, json_array_get (from, 1),
				      r->profile->sources.n, "inlined's source");
  subject->site_line = (uint32_t) integer (r, json_array_get (from, 2), 0,
					   UINT32_MAX, "inlined's line");
}

static void
read_subjects (struct reader *r, const json_t *from)
{
  lp_profile *p = r->profile;
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    {
      const json_t *o = json_array_get (from, i);
      lp_subject subject = {
	.name = STRING (o, "name"),
	.linkage = STRING_OR_NULL (o, "linkage"),
	.object = INDEX (o, "object", p->objects.n),
	.source = INDEX (o, "source", p->sources.n),
	.line = (uint32_t) INTEGER (o, "line", 0, UINT32_MAX),
	.last_line = (uint32_t) INTEGER (o, "last_line", 0, UINT32_MAX),
	.engine = engine (r, json_object_get (o, "engine")),
	.reason = STRING_OR_NULL (o, "reason"),
      };
      read_inlined (r, json_object_get (o, "inlined"), &subject);
      subject.untimed = json_is_true (json_object_get (o, "untimed"));
      if (lp_vec_push (&p->subjects, subject))
	{
	  nomem (r);
	  return;
	}
      read_lines (r, ARRAY (o, "lines"), &p->subjects.v[i]);
      read_digests (r, json_object_get (o, "digests"), &p->subjects.v[i]);
    }
}

/* The number of each of the N lines, one of three.  */
static void
read_column (struct reader *r, const json_t *from, lp_line_stat *lines,
	     size_t n, int which, const char *what)
{
  from = array (r, from, 0, what);
  if (json_array_size (from) != n)
    corrupt (r, "%s of a function has %zu items for %zu lines", what,
	     json_array_size (from), n);
  for (size_t i = 0; !r->bad && i < n; i++)
    {
      int64_t value = integer (r, json_array_get (from, i), 0, INT64_MAX, what);
      if (which == 0)
	lines[i].hits = value;
      else if (which == 1)
	lines[i].time = value;
      else
	lines[i].self = value;
    }
}

static void
read_open (struct reader *r, const json_t *from, lp_line_stat *lines, size_t n)
{
  from = array (r, from, 0, "open lines");
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    {
      uint32_t line
	= index_below (r, json_array_get (from, i), n, "open line");
      if (!r->bad)
	lines[line].open = true;
    }
}

static lp_function_stat
function_stat (struct reader *r, const json_t *row)
{
  static const char *const columns[] = { "hits", "time", "self" };
  lp_function_stat stat = {
    .subject = index_below (r, json_array_get (row, 0),
			    r->profile->subjects.n, "function"),
    .calls = integer (r, json_array_get (row, 1), 0, INT64_MAX, "calls"),
    .primitive
      = integer (r, json_array_get (row, 2), 0, INT64_MAX, "primitive calls"),
    .total = integer (r, json_array_get (row, 3), 0, INT64_MAX, "total"),
    .self = integer (r, json_array_get (row, 4), 0, INT64_MAX, "self"),
  };
  if (r->bad)
    return stat;
  size_t n = r->profile->subjects.v[stat.subject].lines.n;
  stat.lines = lp_profile_alloc (r->profile, n * sizeof *stat.lines);
  if (!stat.lines)
    {
      nomem (r);
      return stat;
    }
  for (int c = 0; c < 3; c++)
    read_column (r, json_array_get (row, 5 + c), stat.lines, n, c, columns[c]);
  read_open (r, json_array_get (row, 8), stat.lines, n);
  return stat;
}

static void
read_functions (struct reader *r, const json_t *from, lp_part *part)
{
  if (lp_vec_reserve (&part->functions, json_array_size (from)))
    nomem (r);
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    {
      const json_t *row = array (r, json_array_get (from, i), 9, "function");
      lp_function_stat stat = function_stat (r, row);
      if (i && part->functions.v[i - 1].subject >= stat.subject)
	corrupt (r, "functions of a part are not ascending");
      part->functions.v[part->functions.n++] = stat;
    }
}

static void
read_ranges (struct reader *r, const json_t *from, lp_part *part)
{
  const char *what;
  if (r->bad || lp_ranges_decode (r->profile, part, from, &what) == 0)
    return;
  if (what)
    corrupt (r, "%s", what);
  else
    nomem (r);
}

static void
read_parts (struct reader *r, const json_t *from)
{
  lp_profile *p = r->profile;
  for (size_t i = 0; !r->bad && i < json_array_size (from); i++)
    {
      const json_t *o = json_array_get (from, i);
      lp_part part = { .pid = (int32_t) INTEGER (o, "pid", 0, INT32_MAX),
		       .tid = (int32_t) INTEGER (o, "tid", 0, INT32_MAX),
		       .name = STRING (o, "name") };
      if (lp_vec_push (&p->parts, part))
	{
	  nomem (r);
	  return;
	}
      read_functions (r, ARRAY (o, "functions"), &p->parts.v[i]);
      read_ranges (r, json_object_get (o, "ranges"), &p->parts.v[i]);
    }
}

/* What is said of the run as a whole.  */
static void
read_run (struct reader *r, const json_t *root)
{
  lp_profile *p = r->profile;
  p->kind = STRING (root, "kind");
  p->version = STRING (root, "lineprof");
  p->host = STRING_OR_NULL (root, "host");
  p->machine = STRING_OR_NULL (root, "machine");
  read_command (r, ARRAY (root, "command"));
  p->start = INTEGER (root, "start", 0, INT64_MAX);
  p->duration = INTEGER (root, "duration", 0, INT64_MAX);
  p->exit_status = (int32_t) INTEGER (root, "exit_status", -1, INT32_MAX);
  p->clock = STRING_OR_NULL (root, "clock");
  p->ticks_per_ns = REAL (root, "ticks_per_ns");
  p->probe_cost = REAL (root, "probe_cost");
  p->call_cost = REAL (root, "call_cost");
  p->time_mode = STRING (root, "time_mode");
  const json_t *selected = json_object_get (root, "selected");
  p->selected = json_is_true (selected);
  if (!json_is_boolean (selected))
    corrupt (r, "selected is neither true nor false");
  read_notes (r, ARRAY (root, "notes"));
}

/* Is it ours, of a version that we know?  */
static void
check_format (struct reader *r, const json_t *root)
{
  const char *format = json_string_value (json_object_get (root, "format"));
  if (!format || strcmp (format, LP_FORMAT_NAME) != 0)
    {
      lp_fail (r->err, LP_EFORMAT, "'%s' is not a lineprof profile", r->path);
      r->bad = true;
      return;
    }
  int64_t version = INTEGER (root, "format_version", 1, INT64_MAX);
  if (version > LP_FORMAT_VERSION && !r->bad)
    {
      lp_fail (r->err, LP_EFORMAT,
	       "'%s' was written by a newer lineprof: its format is %lld, this "
	       "version reads up to %d; upgrade lineprof", r->path,
	       (long long) version, LP_FORMAT_VERSION);
      r->bad = true;
    }
  const char *kind = json_string_value (json_object_get (root, "kind"));
  if (!r->bad && kind && strcmp (kind, LP_KIND_LINES) != 0
      && strcmp (kind, LP_KIND_FUNCTIONS) != 0)
    {
      lp_fail (r->err, LP_EFORMAT, "'%s' holds a profile of %.40s, which this "
	       "version does not know; upgrade lineprof", r->path, kind);
      r->bad = true;
    }
}

static void
read_nodes (struct reader *r, const json_t *from)
{
  const char *what;
  if (r->bad || strcmp (r->profile->kind, LP_KIND_FUNCTIONS) != 0
      || lp_nodes_decode (r->profile, from, &what) == 0)
    return;
  if (what)
    corrupt (r, "%s", what);
  else
    nomem (r);
}

lp_profile *
lp_profile_load (const char *path, lp_error *err)
{
  struct reader reader = { .path = path, .err = err }, *r = &reader;
  json_t *root = lp_json_parse (path, LP_FORMAT_NAME, err);
  if (!root)
    return NULL;
  check_format (r, root);
  if (!r->bad && !(r->profile = lp_profile_new (err)))
    r->bad = true;
  if (!r->bad)
    {
      read_run (r, root);
      read_objects (r, ARRAY (root, "objects"));
      read_sources (r, ARRAY (root, "sources"));
      read_subjects (r, ARRAY (root, "subjects"));
      read_parts (r, ARRAY (root, "parts"));
      read_nodes (r, json_object_get (root, "nodes"));
    }
  json_decref (root);
  if (!r->bad)
    return r->profile;
  lp_profile_free (r->profile);
  return NULL;
}
