/* pstats_sort.c: the order of functions.  */

#include "report/pstats.h"

#include <stdlib.h>
#include <string.h>

enum field { CALLS, PRIMITIVE, OWN, CUMULATIVE, FILE_NAME, LINE, NAME, LABEL,
	     NFIELDS };

const lp_sort_key lp_sort_keys[] = {
  { "calls", "call count" }, { "ncalls", "call count" },
  { "cumtime", "cumulative time" }, { "cumulative", "cumulative time" },
  { "filename", "file name" }, { "line", "line number" },
  { "module", "file name" }, { "name", "function name" },
  { "nfl", "name/file/line" }, { "pcalls", "primitive call count" },
  { "stdname", "standard name" }, { "time", "internal time" },
  { "tottime", "internal time" }, { NULL, NULL }
};

/* What each key compares, NFIELDS behind the last.  */
static const enum field fields_of[][4] = {
  { CALLS, NFIELDS }, { CALLS, NFIELDS }, { CUMULATIVE, NFIELDS },
  { CUMULATIVE, NFIELDS }, { FILE_NAME, NFIELDS }, { LINE, NFIELDS },
  { FILE_NAME, NFIELDS }, { NAME, NFIELDS },
  { NAME, FILE_NAME, LINE, NFIELDS }, { PRIMITIVE, NFIELDS },
  { LABEL, NFIELDS }, { OWN, NFIELDS }, { OWN, NFIELDS },
};

/* The index of the key WORD or of the first of those that it is a prefix of,
   where all of these mean the same; -1.  */
static int
find_key (const char *word)
{
  int found = -1;
  for (int i = 0; lp_sort_keys[i].name; i++)
    {
      if (strcmp (word, lp_sort_keys[i].name) == 0)
	return i;
      if (!*word || strncmp (word, lp_sort_keys[i].name, strlen (word)) != 0)
	continue;
      if (found == -1)
	found = i;
      else if (found >= 0
	       && strcmp (lp_sort_keys[found].title, lp_sort_keys[i].title) != 0)
	found = -2;
    }
  return found < 0 ? -1 : found;
}

bool
lp_stats_is_key (const char *word)
{
  return find_key (word) >= 0;
}

static int
compare_field (const lp_stat_row *a, const lp_stat_row *b, enum field field)
{
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))
  switch (field)
    {
    case CALLS: return ORDER (b->n.calls, a->n.calls);
    case PRIMITIVE: return ORDER (b->n.primitive, a->n.primitive);
    case OWN: return ORDER (b->n.own, a->n.own);
    case CUMULATIVE: return ORDER (b->n.cumulative, a->n.cumulative);
    case FILE_NAME: return strcmp (a->file, b->file);
    case LINE: return ORDER (a->line, b->line);
    case NAME: return strcmp (a->name, b->name);
    default: return strcmp (a->label, b->label);
    }
}

struct sort
{
  const lp_stats *stats;
  LP_VEC (enum field) fields;
};

/* Rows that are equal stay as they came.  */
static int
compare (const void *a, const void *b, void *arg)
{
  const struct sort *sort = arg;
  uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
  int c = 0;
  for (size_t f = 0; !c && f < sort->fields.n; f++)
    c = compare_field (&sort->stats->rows.v[i], &sort->stats->rows.v[j],
		       sort->fields.v[f]);
  return c ? c : ORDER (i, j);
}

/* The fields of the N KEYS, and their titles in *TITLE (free it).  */
static int
read_keys (struct sort *sort, const char *const *keys, size_t n, char **title,
	   lp_error *err)
{
  *title = NULL;
  for (size_t i = 0; i < n; i++)
    {
      int key = find_key (keys[i]);
      if (key < 0)
	return lp_fail (err, LP_EUSAGE, "'%s' is no sort key, or the start of "
			"several: calls, cumulative, filename, line, name, nfl, "
			"pcalls, stdname, time", keys[i]);
      char *longer;
      if (asprintf (&longer, "%s%s%s", *title ? *title : "", i ? ", " : "",
		    lp_sort_keys[key].title) < 0)
	return lp_nomem (err);
      free (*title);
      *title = longer;
      for (const enum field *f = fields_of[key]; *f != NFIELDS; f++)
	if (lp_vec_push (&sort->fields, *f))
	  return lp_nomem (err);
    }
  return 0;
}

static int
fill_order (lp_stats *stats)
{
  lp_vec_free (&stats->order);
  if (lp_vec_reserve (&stats->order, stats->rows.n))
    return -1;
  for (size_t i = 0; i < stats->rows.n; i++)
    stats->order.v[stats->order.n++] = (uint32_t) i;
  return 0;
}

int
lp_stats_sort (lp_stats *stats, const char *const *keys, size_t n,
	       lp_error *err)
{
  struct sort sort = { .stats = stats };
  char *title;
  int failed = read_keys (&sort, keys, n, &title, err);
  if (!failed
      && (fill_order (stats)
	  || !(stats->ordered_by = lp_arena_intern (stats->arena,
						    title ? title : ""))))
    failed = lp_nomem (err);
  if (!failed && stats->order.n)
    qsort_r (stats->order.v, stats->order.n, sizeof *stats->order.v, compare,
	     &sort);
  lp_vec_free (&sort.fields);
  free (title);
  return failed;
}

void
lp_stats_reverse (lp_stats *stats)
{
  for (size_t i = 0, j = stats->order.n; i + 1 < j; i++)
    {
      uint32_t kept = stats->order.v[i];
      stats->order.v[i] = stats->order.v[--j];
      stats->order.v[j] = kept;
    }
}
