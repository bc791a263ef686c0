/* pstats_json.c: functions and their calls for other programs.  Times are
   nanoseconds.  */

#include "report/pstats.h"

#include "profile/json.h"
#include "report/put.h"
#include "report/ranges.h"

static void
put_numbers (json_t **o, const lp_call_numbers *n)
{
  lp_json_put (o, "ncalls", json_integer (n->calls));
  lp_json_put (o, "pcalls", json_integer (n->primitive));
  lp_json_put (o, "tottime", json_integer (n->own));
  lp_json_put (o, "cumtime", json_integer (n->cumulative));
  if (n->untimed)
    lp_json_put (o, "untimed", json_integer (n->untimed));
}

static void
put_name (json_t **o, const lp_stat_row *row)
{
  lp_json_put (o, "function", lp_json_text (row->name));
  lp_json_put (o, "file", lp_json_text (row->file));
  lp_json_put (o, "line", json_integer (row->line));
}

/* The edges as two arrays for each row: [0] its callers, [1] its callees.  */
struct ends
{
  json_t *(*of_row)[2];
  size_t n;
};

static int
collect (const lp_stats *stats, struct ends *ends, lp_arena *scratch)
{
  ends->n = stats->rows.n;
  ends->of_row = lp_arena_alloc (scratch, ends->n * sizeof *ends->of_row);
  if (!ends->of_row)
    return -1;
  for (size_t i = 0; i < ends->n; i++)
    for (int side = 0; side < 2; side++)
      ends->of_row[i][side] = json_array ();
  for (size_t i = 0; i < stats->edges.n; i++)
    {
      const lp_stat_edge *edge = &stats->edges.v[i];
      const uint32_t row[2] = { edge->callee, edge->caller };
      for (int side = 0; side < 2; side++)
	{
	  json_t *o = json_object (), **array = &ends->of_row[row[side]][side];
	  put_name (&o, &stats->rows.v[row[!side]]);
	  put_numbers (&o, &edge->n);
	  *array = lp_json_with (*array, o);
	}
    }
  return 0;
}

static json_t *
functions (const lp_stats *stats, const lp_stat_list *list, struct ends *ends)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < list->rows.n; i++)
    {
      uint32_t at = list->rows.v[i];
      json_t *o = json_object ();
      put_name (&o, &stats->rows.v[at]);
      put_numbers (&o, &stats->rows.v[at].n);
      lp_json_put (&o, "callers", ends->of_row[at][0]);
      lp_json_put (&o, "callees", ends->of_row[at][1]);
      ends->of_row[at][0] = ends->of_row[at][1] = NULL;
      array = lp_json_with (array, o);
    }
  return array;
}

/* The whole as a tree, or NULL when out of memory.  */
static json_t *
tree (const lp_stats *stats, const lp_stat_list *list, lp_arena *scratch)
{
  struct ends ends;
  if (collect (stats, &ends, scratch))
    return NULL;
  json_t *o = json_object ();
  lp_json_put (&o, "ncalls", json_integer (stats->total.calls));
  lp_json_put (&o, "pcalls", json_integer (stats->total.primitive));
  lp_json_put (&o, "tottime", json_integer (stats->total.own));
  lp_json_put (&o, "functions", functions (stats, list, &ends));
  if (stats->ranges->parts.v->ranges.n)
    lp_json_put (&o, "ranges", lp_ranges_json (stats->ranges));
  for (size_t i = 0; i < ends.n; i++)
    for (int side = 0; side < 2; side++)
      json_decref (ends.of_row[i][side]);
  return o;
}

int
lp_stats_write_json (const lp_stats *stats, const char *const *restrictions,
		     size_t n, FILE *out, lp_error *err)
{
  lp_stat_list list;
  if (lp_stats_select (stats, restrictions, n, &list, err))
    return -1;
  lp_arena *scratch = lp_arena_new ();
  json_t *root = scratch ? tree (stats, &list, scratch) : NULL;
  lp_stats_list_free (&list);
  lp_arena_free (scratch);
  if (!root)
    return lp_nomem (err);
  json_dumpf (root, out, JSON_INDENT (1));
  fputc ('\n', out);
  json_decref (root);
  return 0;
}

int
lp_stats_write_csv (const lp_stats *stats, const char *const *restrictions,
		    size_t n, FILE *out, lp_error *err)
{
  lp_stat_list list;
  if (lp_stats_select (stats, restrictions, n, &list, err))
    return -1;
  fputs ("file,line,function,ncalls,pcalls,tottime_ns,cumtime_ns\n", out);
  for (size_t i = 0; i < list.rows.n; i++)
    {
      const lp_stat_row *row = &stats->rows.v[list.rows.v[i]];
      lp_put_field (out, row->file, ',');
      fprintf (out, "%lu,", (unsigned long) row->line);
      lp_put_field (out, row->name, ',');
      fprintf (out, "%lld,%lld,", (long long) row->n.calls,
	       (long long) row->n.primitive);
      if (lp_call_numbers_are_bare (&row->n))
	fputs (",\n", out);
      else
	fprintf (out, "%lld,%lld\n", (long long) row->n.own,
		 (long long) row->n.cumulative);
    }
  lp_stats_list_free (&list);
  bool later = false;
  return lp_ranges_write_csv (stats->ranges, NULL, &later, out, err);
}
