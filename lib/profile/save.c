/* save.c: writing a profile file (format.h says what is in it).  */

#include "profile/profile.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "profile/format.h"
#include "profile/json.h"
#include "profile/nodes.h"
#include "profile/output.h"
#include "profile/ranges.h"

static json_t *
real (double d)
{
  return json_real (isfinite (d) && d > 0 ? d : 0);
}

static json_t *
objects (const lp_profile *profile)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < profile->objects.n; i++)
    {
      const lp_object *object = &profile->objects.v[i];
      json_t *row = lp_json_with (json_array (), lp_json_text (object->path));
      array = lp_json_with (array, lp_json_with (row, lp_json_text (object->build_id)));
    }
  return array;
}

static json_t *
sources (const lp_profile *profile)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < profile->sources.n; i++)
    {
      const lp_source *source = &profile->sources.v[i];
      json_t *row = lp_json_with (json_array (), lp_json_text (source->path));
      row = lp_json_with (row, json_integer (source->mtime));
      array = lp_json_with (array, lp_json_with (row, lp_json_text (source->md5)));
    }
  return array;
}

static json_t *
code_lines (const lp_subject *subject)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < subject->lines.n; i++)
    {
      const lp_code_line *line = &subject->lines.v[i];
      json_t *item = json_integer (line->line);
      if (line->source != subject->source || line->note)
	{
	  item = lp_json_with (json_array (), item);
	  item = lp_json_with (item, json_integer (line->source));
	  item = lp_json_with (item, lp_json_text (line->note));
	}
      array = lp_json_with (array, item);
    }
  return array;
}

static bool
has_digests (const lp_subject *subject)
{
  for (size_t i = 0; i < subject->lines.n; i++)
    if (subject->lines.v[i].digest)
      return true;
  return false;
}

static json_t *
digests (const lp_subject *subject)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < subject->lines.n; i++)
    array = lp_json_with (array, json_integer (subject->lines.v[i].digest));
  return array;
}

static json_t *
inlined (const lp_subject *subject)
{
  json_t *array = lp_json_with (json_array (), lp_json_text (subject->holder));
  array = lp_json_with (array, json_integer (subject->site_source));
  return lp_json_with (array, json_integer (subject->site_line));
}

static json_t *
subjects (const lp_profile *profile)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < profile->subjects.n; i++)
    {
      const lp_subject *subject = &profile->subjects.v[i];
      json_t *o = json_object ();
      lp_json_put (&o, "name", lp_json_text (subject->name));
      lp_json_put (&o, "linkage", lp_json_text (subject->linkage));
      lp_json_put (&o, "object", json_integer (subject->object));
      lp_json_put (&o, "source", json_integer (subject->source));
      lp_json_put (&o, "line", json_integer (subject->line));
      lp_json_put (&o, "last_line", json_integer (subject->last_line));
      lp_json_put (&o, "engine", lp_json_text (lp_engine_name (subject->engine)));
      lp_json_put (&o, "reason", lp_json_text (subject->reason));
      if (subject->holder)
	lp_json_put (&o, "inlined", inlined (subject));
      if (subject->untimed)
	lp_json_put (&o, "untimed", json_true ());
      lp_json_put (&o, "lines", code_lines (subject));
      if (has_digests (subject))
	lp_json_put (&o, "digests", digests (subject));
      array = lp_json_with (array, o);
    }
  return array;
}

enum column { HITS, TIME, SELF, OPEN };

/* One number of each of the N lines at LINES; for OPEN the lines' indices.  */
static json_t *
column (const lp_line_stat *lines, size_t n, enum column which)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < n; i++)
    if (which != OPEN)
      array = lp_json_with (array, json_integer (which == HITS ? lines[i].hits
					 : which == TIME ? lines[i].time
					 : lines[i].self));
    else if (lines[i].open)
      array = lp_json_with (array, json_integer ((json_int_t) i));
  return array;
}

static json_t *
functions (const lp_profile *profile, const lp_part *part)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < part->functions.n; i++)
    {
      const lp_function_stat *stat = &part->functions.v[i];
      size_t n = profile->subjects.v[stat->subject].lines.n;
      json_t *row = lp_json_with (json_array (), json_integer (stat->subject));
      row = lp_json_with (row, json_integer (stat->calls));
      row = lp_json_with (row, json_integer (stat->primitive));
      row = lp_json_with (row, json_integer (stat->total));
      row = lp_json_with (row, json_integer (stat->self));
      for (int which = HITS; which <= OPEN; which++)
	row = lp_json_with (row, column (stat->lines, n, which));
      array = lp_json_with (array, row);
    }
  return array;
}

static json_t *
parts (const lp_profile *profile)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < profile->parts.n; i++)
    {
      const lp_part *part = &profile->parts.v[i];
      json_t *o = json_object ();
      lp_json_put (&o, "pid", json_integer (part->pid));
      lp_json_put (&o, "tid", json_integer (part->tid));
      lp_json_put (&o, "name", lp_json_text (part->name));
      lp_json_put (&o, "functions", functions (profile, part));
      if (part->ranges.n)
	lp_json_put (&o, "ranges", lp_ranges_encode (part));
      array = lp_json_with (array, o);
    }
  return array;
}

/* The whole file as a tree, or NULL when out of memory.  */
static json_t *
tree (const lp_profile *profile)
{
  json_t *o = json_object ();
  lp_json_put (&o, "format", json_string (LP_FORMAT_NAME));
  lp_json_put (&o, "format_version", json_integer (LP_FORMAT_VERSION));
  lp_json_put (&o, "kind", lp_json_text (profile->kind));
  lp_json_put (&o, "lineprof", lp_json_text (profile->version));
  lp_json_put (&o, "host", lp_json_text (profile->host));
  lp_json_put (&o, "machine", lp_json_text (profile->machine));
  lp_json_put (&o, "command", lp_json_texts (profile->command, profile->ncommand));
  lp_json_put (&o, "start", json_integer (profile->start));
  lp_json_put (&o, "duration", json_integer (profile->duration));
  lp_json_put (&o, "exit_status", json_integer (profile->exit_status));
  lp_json_put (&o, "clock", lp_json_text (profile->clock));
  lp_json_put (&o, "ticks_per_ns", real (profile->ticks_per_ns));
  lp_json_put (&o, "probe_cost", real (profile->probe_cost));
  lp_json_put (&o, "call_cost", real (profile->call_cost));
  lp_json_put (&o, "time_mode", lp_json_text (profile->time_mode));
  lp_json_put (&o, "selected", json_boolean (profile->selected));
  lp_json_put (&o, "notes", lp_json_texts (profile->notes.v, profile->notes.n));
  lp_json_put (&o, "objects", objects (profile));
  lp_json_put (&o, "sources", sources (profile));
  lp_json_put (&o, "subjects", subjects (profile));
  lp_json_put (&o, "parts", parts (profile));
  if (strcmp (profile->kind, LP_KIND_FUNCTIONS) == 0)
    lp_json_put (&o, "nodes", lp_nodes_encode (profile));
  return o;
}

static int
write_tree (FILE *file, const void *root)
{
  return json_dumpf (root, file, JSON_COMPACT) || fputc ('\n', file) == EOF
	 ? -1 : 0;
}

int
lp_profile_save (const lp_profile *profile, const char *path, lp_error *err)
{
  json_t *root = tree (profile);
  if (!root)
    return lp_nomem (err);
  int failed = lp_output_write (path, write_tree, root, err);
  json_decref (root);
  return failed;
}

int
lp_profile_check_output (const char *path, lp_error *err)
{
  return lp_output_check (path, err);
}
