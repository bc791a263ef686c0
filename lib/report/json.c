/* json.c: the tables as one JSON object.  Times are nanoseconds.  */

#include "report/writers.h"

#include "profile/json.h"
#include "report/ranges.h"

static json_t *
path_of (const lp_tables *tables, uint32_t source)
{
  return lp_json_text (tables->profile->sources.v[source].path);
}

static json_t *
object_of (const lp_tables *tables, uint32_t object)
{
  return lp_json_text (tables->profile->objects.v[object].path);
}

static json_t *
lines (const lp_tables *tables, const lp_table *table)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < table->nlines; i++)
    {
      const lp_table_line *line = &table->lines[i];
      json_t *o = json_object ();
      if (line->source != table->source)
	lp_json_put (&o, "file", path_of (tables, line->source));
      lp_json_put (&o, "line", json_integer (line->line));
      lp_json_put (&o, "hits", json_integer (line->stat.hits));
      lp_json_put (&o, "time", json_integer (line->stat.time));
      lp_json_put (&o, "self", json_integer (line->stat.self));
      if (line->note)
	lp_json_put (&o, "note", lp_json_text (line->note));
      if (line->stat.open)
	lp_json_put (&o, "did_not_return", json_true ());
      array = lp_json_with (array, o);
    }
  return array;
}

static json_t *
instances (const lp_tables *tables, const lp_table *table)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < table->nsubjects; i++)
    {
      const lp_subject *s = &tables->profile->subjects.v[table->subjects[i]];
      json_t *o = json_object ();
      lp_json_put (&o, "name", lp_json_text (s->name));
      lp_json_put (&o, "symbol", lp_json_text (s->linkage));
      lp_json_put (&o, "engine", lp_json_text (lp_engine_name (s->engine)));
      if (s->holder)
	{
	  lp_json_put (&o, "inlined_into", lp_json_text (s->holder));
	  lp_json_put (&o, "file", path_of (tables, s->site_source));
	  lp_json_put (&o, "line", json_integer (s->site_line));
	}
      array = lp_json_with (array, o);
    }
  return array;
}

static json_t *
functions (const lp_tables *tables)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < tables->tables.n; i++)
    {
      const lp_table *table = &tables->tables.v[i];
      json_t *o = json_object ();
      lp_json_put (&o, "function", lp_json_text (table->name));
      lp_json_put (&o, "file", path_of (tables, table->source));
      lp_json_put (&o, "line", json_integer (table->line));
      lp_json_put (&o, "calls", json_integer (table->calls));
      lp_json_put (&o, "total", json_integer (table->total));
      lp_json_put (&o, "self", json_integer (table->self));
      lp_json_put (&o, "object", object_of (tables, table->object));
      lp_json_put (&o, "instances", instances (tables, table));
      lp_json_put (&o, "lines", lines (tables, table));
      array = lp_json_with (array, o);
    }
  return array;
}

/* The N subjects at V with the reason of each.  */
static json_t *
limited (const lp_tables *tables, const uint32_t *v, size_t n)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < n; i++)
    {
      const lp_subject *s = &tables->profile->subjects.v[v[i]];
      json_t *o = json_object ();
      lp_json_put (&o, "function", lp_json_text (s->name));
      lp_json_put (&o, "file", path_of (tables, s->source));
      lp_json_put (&o, "line", json_integer (s->line));
      lp_json_put (&o, "object", object_of (tables, s->object));
      lp_json_put (&o, "reason", lp_json_text (s->reason));
      array = lp_json_with (array, o);
    }
  return array;
}

int
lp_write_json (const lp_tables *tables, FILE *out, lp_error *err)
{
  const lp_profile *p = tables->profile;
  json_t *o = json_object ();
  lp_json_put (&o, "command", lp_json_texts (p->command, p->ncommand));
  lp_json_put (&o, "start", json_integer (p->start));
  lp_json_put (&o, "duration", json_integer (p->duration));
  lp_json_put (&o, "exit_status", json_integer (p->exit_status));
  lp_json_put (&o, "time_mode", lp_json_text (p->time_mode));
  if (tables->part)
    {
      lp_json_put (&o, "pid", json_integer (tables->part->pid));
      lp_json_put (&o, "tid", json_integer (tables->part->tid));
      lp_json_put (&o, "name", lp_json_text (tables->part->name));
    }
  lp_json_put (&o, "functions", functions (tables));
  lp_json_put (&o, "not_profiled",
	       limited (tables, tables->refused.v, tables->refused.n));
  lp_json_put (&o, "slower_engine",
	       limited (tables, tables->slower.v, tables->slower.n));
  json_t *ranges = lp_ranges_json (tables->profile);
  if (!ranges || json_array_size (ranges))
    lp_json_put (&o, "ranges", ranges);
  else
    json_decref (ranges);
  lp_json_put (&o, "notes", lp_json_texts (p->notes.v, p->notes.n));
  if (!o)
    return lp_nomem (err);
  json_dumpf (o, out, JSON_INDENT (1));
  fputc ('\n', out);
  json_decref (o);
  return 0;
}
