/* diff_ranges.c: what changed in the named ranges.  */

#include "report/diff.h"

#include <stdlib.h>
#include <string.h>

#include "profile/json.h"
#include "profile/ranges.h"
#include "report/put.h"

static lp_diff_range *
range_of (lp_diff *diff, const char *name)
{
  for (size_t i = 0; i < diff->ranges.n; i++)
    if (strcmp (diff->ranges.v[i].name, name) == 0)
      return &diff->ranges.v[i];
  lp_diff_range range = { .name = name };
  return lp_vec_push (&diff->ranges, range) ? NULL
	 : &diff->ranges.v[diff->ranges.n - 1];
}

static lp_diff_numbers
numbers_of (const lp_range_stat *stat)
{
  return (lp_diff_numbers) { .hits = stat->count, .time = stat->total };
}

static int64_t
change (const lp_diff_range *range)
{
  return llabs (range->is.time - range->was.time);
}

static int
by_change (const void *a, const void *b)
{
  const lp_diff_range *x = a, *y = b;
  int c = (change (x) < change (y)) - (change (x) > change (y));
  return c ? c : strcmp (x->name, y->name);
}

int
lp_diff_ranges (lp_diff *diff)
{
  size_t nold, nnew;
  const lp_range_stat *was
    = lp_profile_range_totals (diff->old_profile, &nold, NULL);
  const lp_range_stat *is
    = lp_profile_range_totals (diff->new_profile, &nnew, NULL);
  for (size_t i = 0; was && is && i < nold + nnew; i++)
    {
      const lp_range_stat *stat = i < nold ? &was[i] : &is[i - nold];
      lp_diff_range *range = range_of (diff, stat->name);
      if (!range)
	return -1;
      *(i < nold ? &range->was : &range->is) = numbers_of (stat);
    }
  size_t kept = 0;
  for (size_t i = 0; i < diff->ranges.n; i++)
    if (change (&diff->ranges.v[i])
	|| diff->ranges.v[i].was.hits != diff->ranges.v[i].is.hits)
      diff->ranges.v[kept++] = diff->ranges.v[i];
  diff->ranges.n = kept;
  if (kept)
    qsort (diff->ranges.v, diff->ranges.n, sizeof *diff->ranges.v, by_change);
  return was && is ? 0 : -1;
}

static double
mean (const lp_diff_numbers *n)
{
  return n->hits ? (double) n->time / (double) n->hits : 0;
}

void
lp_diff_put_ranges (const lp_diff *diff, double unit, FILE *out)
{
  if (diff->ranges.n)
    fprintf (out, "%10s %10s %10s %10s %12s %12s  range\n", "old time",
	     "new time", "change", "count", "old mean", "new mean");
  for (size_t i = 0; i < diff->ranges.n; i++)
    {
      const lp_diff_range *r = &diff->ranges.v[i];
      char was[400], is[400];
      lp_format_time (was, sizeof was, mean (&r->was) * 1e-9 / unit, 12);
      lp_format_time (is, sizeof is, mean (&r->is) * 1e-9 / unit, 12);
      fprintf (out, "%10.4f %10.4f %+10.4f %+10lld %12s %12s  ",
	       (double) r->was.time * 1e-9, (double) r->is.time * 1e-9,
	       (double) (r->is.time - r->was.time) * 1e-9,
	       (long long) (r->is.hits - r->was.hits), was, is);
      lp_put (out, r->name);
      fputs (!r->was.hits ? "  (only in the new profile)\n"
	     : !r->is.hits ? "  (only in the old profile)\n" : "\n", out);
    }
  if (diff->ranges.n)
    fputc ('\n', out);
}

static json_t *
pair (int64_t was, int64_t is)
{
  return lp_json_with (lp_json_with (json_array (), json_integer (was)),
		       json_integer (is));
}

json_t *
lp_diff_ranges_json (const lp_diff *diff)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < diff->ranges.n; i++)
    {
      const lp_diff_range *r = &diff->ranges.v[i];
      json_t *o = json_object ();
      lp_json_put (&o, "range", lp_json_text (r->name));
      lp_json_put (&o, "count", pair (r->was.hits, r->is.hits));
      lp_json_put (&o, "total", pair (r->was.time, r->is.time));
      array = lp_json_with (array, o);
    }
  return array;
}

void
lp_diff_put_ranges_csv (const lp_diff *diff, FILE *out)
{
  if (diff->ranges.n)
    fputs ("\nrange,old_count,new_count,old_total_ns,new_total_ns\n", out);
  for (size_t i = 0; i < diff->ranges.n; i++)
    {
      const lp_diff_range *r = &diff->ranges.v[i];
      lp_put_field (out, r->name, ',');
      fprintf (out, "%lld,%lld,%lld,%lld\n", (long long) r->was.hits,
	       (long long) r->is.hits, (long long) r->was.time,
	       (long long) r->is.time);
    }
}
