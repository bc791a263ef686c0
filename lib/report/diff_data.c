/* diff_data.c: what changed, for other programs.  Times are nanoseconds.  */

#include "report/diff.h"

#include "profile/json.h"
#include "report/put.h"

static void
put_pair (json_t **o, const char *key, int64_t was, int64_t is)
{
  json_t *pair = lp_json_with (json_array (), json_integer (was));
  lp_json_put (o, key, lp_json_with (pair, json_integer (is)));
}

static json_t *
line_number (const lp_table_line *line)
{
  return line ? json_integer (line->line) : json_null ();
}

static json_t *
lines (const lp_diff_function *f)
{
  static const lp_line_stat none;
  json_t *array = json_array ();
  for (size_t i = 0; i < f->lines.n; i++)
    {
      const lp_diff_line *line = &f->lines.v[i];
      const lp_line_stat *a = line->was ? &line->was->stat : &none;
      const lp_line_stat *b = line->is ? &line->is->stat : &none;
      json_t *o = json_object ();
      lp_json_put (&o, "old_line", line_number (line->was));
      lp_json_put (&o, "new_line", line_number (line->is));
      lp_json_put (&o, "edited", json_boolean (line->how == LP_DIFF_EDITED));
      put_pair (&o, "hits", a->hits, b->hits);
      put_pair (&o, "time", a->time, b->time);
      array = lp_json_with (array, o);
    }
  return array;
}

static json_t *
functions (const lp_diff *diff)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < diff->functions.n; i++)
    {
      const lp_diff_function *f = &diff->functions.v[i];
      json_t *o = json_object ();
      lp_json_put (&o, "function", lp_json_text (f->name));
      lp_json_put (&o, "file", lp_json_text (f->file));
      lp_json_put (&o, "old_line",
		   f->in_old ? json_integer (f->old_line) : json_null ());
      lp_json_put (&o, "new_line",
		   f->in_new ? json_integer (f->new_line) : json_null ());
      put_pair (&o, "calls", f->was.hits, f->is.hits);
      put_pair (&o, "time", f->was.time, f->is.time);
      if (!diff->of_lines)
	put_pair (&o, "cumulative", f->was.cumulative, f->is.cumulative);
      else
	{
	  lp_json_put (&o, "by_number", json_boolean (f->by_number));
	  lp_json_put (&o, "lines", lines (f));
	}
      array = lp_json_with (array, o);
    }
  return array;
}

int
lp_diff_write_json (const lp_diff *diff, FILE *out, lp_error *err)
{
  json_t *o = json_object ();
  lp_json_put (&o, "old", lp_json_text (diff->options->old_name));
  lp_json_put (&o, "new", lp_json_text (diff->options->new_name));
  put_pair (&o, "time", diff->was.time, diff->is.time);
  lp_json_put (&o, "functions", functions (diff));
  if (diff->ranges.n)
    lp_json_put (&o, "ranges", lp_diff_ranges_json (diff));
  if (!o)
    return lp_nomem (err);
  json_dumpf (o, out, JSON_INDENT (1));
  fputc ('\n', out);
  json_decref (o);
  return 0;
}

/* The start of a row, up to the line numbers.  */
static void
put_function (FILE *out, const lp_diff_function *f)
{
  lp_put_field (out, f->file, ',');
  lp_put_field (out, f->name, ',');
}

/* LINE as a field; empty where there is none.  */
static void
put_number (FILE *out, bool there, uint32_t line)
{
  if (there)
    fprintf (out, "%lu,", (unsigned long) line);
  else
    fputc (',', out);
}

static void
put_lines (FILE *out, const lp_diff_function *f)
{
  static const lp_line_stat none;
  for (size_t i = 0; i < f->lines.n; i++)
    {
      const lp_diff_line *line = &f->lines.v[i];
      const lp_line_stat *a = line->was ? &line->was->stat : &none;
      const lp_line_stat *b = line->is ? &line->is->stat : &none;
      put_function (out, f);
      put_number (out, line->was, line->was ? line->was->line : 0);
      put_number (out, line->is, line->is ? line->is->line : 0);
      fprintf (out, "%lld,%lld,%lld,%lld\n", (long long) a->hits,
	       (long long) b->hits, (long long) a->time, (long long) b->time);
    }
}

void
lp_diff_write_csv (const lp_diff *diff, FILE *out)
{
  fputs (diff->of_lines
	 ? "file,function,old_line,new_line,old_hits,new_hits,old_time_ns,"
	   "new_time_ns\n"
	 : "file,function,old_line,new_line,old_calls,new_calls,old_tottime_ns,"
	   "new_tottime_ns,old_cumtime_ns,new_cumtime_ns\n", out);
  for (size_t i = 0; i < diff->functions.n; i++)
    {
      const lp_diff_function *f = &diff->functions.v[i];
      if (diff->of_lines)
	{
	  put_lines (out, f);
	  continue;
	}
      put_function (out, f);
      put_number (out, f->in_old, f->old_line);
      put_number (out, f->in_new, f->new_line);
      fprintf (out, "%lld,%lld,%lld,%lld,%lld,%lld\n", (long long) f->was.hits,
	       (long long) f->is.hits, (long long) f->was.time,
	       (long long) f->is.time, (long long) f->was.cumulative,
	       (long long) f->is.cumulative);
    }
  lp_diff_put_ranges_csv (diff, out);
}
