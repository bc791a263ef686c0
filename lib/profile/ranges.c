/* ranges.c: adding up the named ranges of a profile.  */

#define _GNU_SOURCE

#include "profile/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "profile/format.h"
#include "profile/json.h"

/* Those that ended by themselves, of which there is a shortest and a longest.  */
static int64_t
closed (const lp_range_stat *stat)
{
  return stat->count - stat->open;
}

/* The limits of both together: not known where those of one are not.  */
static void
add_limits (lp_range_stat *to, const lp_range_stat *from)
{
  if (!closed (from))
    return;
  if (!closed (to))
    {
      to->min = from->min;
      to->max = from->max;
    }
  else if (to->min < 0 || from->min < 0)
    to->min = to->max = -1;
  else
    {
      to->min = from->min < to->min ? from->min : to->min;
      to->max = from->max > to->max ? from->max : to->max;
    }
}

static void
add (lp_range_stat *to, const lp_range_stat *from)
{
  add_limits (to, from);
  to->count = lp_add (to->count, from->count);
  to->total = lp_add (to->total, from->total);
  to->own = lp_add (to->own, from->own);
  to->open = lp_add (to->open, from->open);
}

int
lp_part_add_range (lp_profile *profile, lp_part *part,
		   const lp_range_stat *stat)
{
  lp_range_stat copy = *stat;
  copy.name = lp_profile_string (profile, stat->name);
  for (size_t i = 0; i < part->ranges.n; i++)
    if (part->ranges.v[i].name == copy.name)
      {
	add (&part->ranges.v[i], stat);
	return 0;
      }
  return !copy.name || lp_vec_push (&part->ranges, copy) ? -1 : 0;
}

int
lp_part_merge_ranges (lp_profile *profile, lp_part *part, const lp_part *from)
{
  for (size_t i = 0; i < from->ranges.n; i++)
    if (lp_part_add_range (profile, part, &from->ranges.v[i]))
      return -1;
  return 0;
}

void
lp_part_negate_ranges (lp_part *part)
{
  for (size_t i = 0; i < part->ranges.n; i++)
    {
      lp_range_stat *stat = &part->ranges.v[i];
      *stat = (lp_range_stat) { .name = stat->name, .count = -stat->count,
				.total = -stat->total, .own = -stat->own,
				.min = -1, .max = -1, .open = -stat->open };
    }
}

static int64_t
at_least_0 (int64_t n)
{
  return n < 0 ? 0 : n;
}

void
lp_part_clamp_ranges (lp_part *part)
{
  size_t kept = 0;
  for (size_t i = 0; i < part->ranges.n; i++)
    {
      lp_range_stat *stat = &part->ranges.v[i];
      stat->count = at_least_0 (stat->count);
      stat->total = at_least_0 (stat->total);
      stat->own = at_least_0 (stat->own);
      stat->open = at_least_0 (stat->open);
      if (stat->open > stat->count)
	stat->open = stat->count;
      if (!closed (stat))
	stat->min = stat->max = -1;
      if (stat->count || stat->total)
	part->ranges.v[kept++] = *stat;
    }
  part->ranges.n = kept;
}

static int
by_total (const void *a, const void *b)
{
  const lp_range_stat *x = a, *y = b;
  int c = (x->total < y->total) - (x->total > y->total);
  return c ? c : strcmp (x->name, y->name);
}

lp_range_stat *
lp_profile_range_totals (lp_profile *profile, size_t *n, lp_error *err)
{
  lp_part sum = { .pid = 0 };
  int bad = 0;
  for (size_t i = 0; i < profile->parts.n && !bad; i++)
    bad = lp_part_merge_ranges (profile, &sum, &profile->parts.v[i]);
  *n = sum.ranges.n;
  lp_range_stat *totals
    = bad ? NULL : lp_profile_alloc (profile, (*n + 1) * sizeof *totals);
  if (totals && *n)
    {
      memcpy (totals, sum.ranges.v, *n * sizeof *totals);
      qsort (totals, *n, sizeof *totals, by_total);
    }
  lp_vec_free (&sum.ranges);
  if (!totals)
    lp_nomem (err);
  return totals;
}

/* Files.  */

enum { COLUMNS = 6 };

json_t *
lp_ranges_encode (const lp_part *part)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < part->ranges.n; i++)
    {
      const lp_range_stat *s = &part->ranges.v[i];
      const int64_t numbers[COLUMNS] = { s->count, s->total, s->own, s->min,
					 s->max, s->open };
      json_t *row = lp_json_with (json_array (), lp_json_text (s->name));
      for (int c = 0; c < COLUMNS; c++)
	row = lp_json_with (row, json_integer (numbers[c]));
      array = lp_json_with (array, row);
    }
  return array;
}

/* Do the numbers of STAT make sense?  */
static bool
is_sane (const lp_range_stat *s)
{
  return s->count >= 0 && s->total >= 0 && s->own >= 0 && s->min >= -1
	 && s->max >= s->min && (s->min >= 0 || s->max < 0) && s->open >= 0
	 && s->open <= s->count;
}

static bool
decode_row (const json_t *row, lp_range_stat *stat)
{
  int64_t *const numbers[COLUMNS]
    = { &stat->count, &stat->total, &stat->own, &stat->min, &stat->max,
	&stat->open };
  if (json_array_size (row) < 1 + COLUMNS
      || !json_is_string (json_array_get (row, 0)))
    return false;
  for (size_t c = 0; c < COLUMNS; c++)
    {
      const json_t *value = json_array_get (row, 1 + c);
      if (!json_is_integer (value))
	return false;
      *numbers[c] = json_integer_value (value);
    }
  return is_sane (stat);
}

int
lp_ranges_decode (lp_profile *profile, lp_part *part, const json_t *value,
		  const char **what)
{
  *what = "the ranges of a part are not what they should be";
  if (value && !json_is_array (value))
    return -1;
  for (size_t i = 0; i < json_array_size (value); i++)
    {
      const json_t *row = json_array_get (value, i);
      lp_range_stat stat = { 0 };
      if (!decode_row (row, &stat))
	return -1;
      char *name = strdup (json_string_value (json_array_get (row, 0)));
      if (name)
	lp_bytes_decode (name);
      stat.name = name;
      int bad = !name || lp_part_add_range (profile, part, &stat);
      free (name);
      if (bad)
	{
	  *what = NULL;
	  return -1;
	}
    }
  return 0;
}
