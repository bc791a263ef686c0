/* ranges.c: the named ranges as text, JSON and CSV.  */

#include "report/ranges.h"

#include "profile/json.h"
#include "report/put.h"

enum { WIDTH = 12 };

static void
put_time (FILE *out, double ns, double unit)
{
  char cell[400];
  lp_format_time (cell, sizeof cell, ns * 1e-9 / unit, WIDTH);
  fprintf (out, " %*s", WIDTH, cell);
}

/* The shortest or the longest.  */
static void
put_limit (FILE *out, int64_t ns, double unit)
{
  if (ns < 0)
    fprintf (out, " %*s", WIDTH, "");
  else
    put_time (out, (double) ns, unit);
}

static void
put_row (FILE *out, const lp_range_stat *s, double unit)
{
  fprintf (out, "%9lld", (long long) s->count);
  put_time (out, (double) s->total, unit);
  put_time (out, (double) s->own, unit);
  if (s->count)
    put_time (out, (double) s->total / (double) s->count, unit);
  else
    fprintf (out, " %*s", WIDTH, "");
  put_limit (out, s->min, unit);
  put_limit (out, s->max, unit);
  fputs ("  ", out);
  lp_put (out, s->name);
  if (s->open)
    fprintf (out, "  (%lld did not end)", (long long) s->open);
  fputc ('\n', out);
}

int
lp_ranges_write (lp_profile *profile, double unit, FILE *out, lp_error *err)
{
  size_t n;
  const lp_range_stat *v = lp_profile_range_totals (profile, &n, err);
  if (!v || !n)
    return v ? 0 : -1;
  int width = fprintf (out, "%9s %12s %12s %12s %12s %12s  Range", "Count",
		       "Total", "Own", "Mean", "Min", "Max");
  fputc ('\n', out);
  while (width-- > 0)
    fputc ('=', out);
  fputc ('\n', out);
  for (size_t i = 0; i < n; i++)
    put_row (out, &v[i], unit);
  fputc ('\n', out);
  return 0;
}

static json_t *
limit (int64_t ns)
{
  return ns < 0 ? json_null () : json_integer (ns);
}

json_t *
lp_ranges_json (lp_profile *profile)
{
  size_t n;
  const lp_range_stat *v = lp_profile_range_totals (profile, &n, NULL);
  json_t *array = v ? json_array () : NULL;
  for (size_t i = 0; v && i < n; i++)
    {
      json_t *o = json_object ();
      lp_json_put (&o, "range", lp_json_text (v[i].name));
      lp_json_put (&o, "count", json_integer (v[i].count));
      lp_json_put (&o, "total", json_integer (v[i].total));
      lp_json_put (&o, "own", json_integer (v[i].own));
      lp_json_put (&o, "min", limit (v[i].min));
      lp_json_put (&o, "max", limit (v[i].max));
      lp_json_put (&o, "did_not_end", json_integer (v[i].open));
      array = lp_json_with (array, o);
    }
  return array;
}

static void
put_limit_field (FILE *out, int64_t ns)
{
  if (ns >= 0)
    fprintf (out, "%lld", (long long) ns);
  fputc (',', out);
}

static void
put_csv_row (FILE *out, const lp_range_stat *s, const lp_part *part)
{
  lp_put_field (out, s->name, ',');
  fprintf (out, "%lld,%lld,%lld,", (long long) s->count, (long long) s->total,
	   (long long) s->own);
  put_limit_field (out, s->min);
  put_limit_field (out, s->max);
  fprintf (out, "%lld", (long long) s->open);
  if (part)
    {
      fprintf (out, ",%ld,%ld,", (long) part->pid, (long) part->tid);
      lp_put_field (out, part->name, '\n');
    }
  else
    fputc ('\n', out);
}

int
lp_ranges_write_csv (lp_profile *profile, const lp_part *part, bool *later,
		     FILE *out, lp_error *err)
{
  size_t n;
  const lp_range_stat *v = lp_profile_range_totals (profile, &n, err);
  if (!v)
    return -1;
  if (n && !*later)
    fprintf (out, "\nrange,count,total_ns,own_ns,min_ns,max_ns,did_not_end%s\n",
	     part ? ",pid,tid,name" : "");
  *later |= n > 0;
  for (size_t i = 0; i < n; i++)
    put_csv_row (out, &v[i], part);
  return 0;
}
