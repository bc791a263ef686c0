/* pstats.c: the functions of profiles and who called them, summed by name.  */

#include "report/pstats.h"

#include <stdlib.h>
#include <string.h>

#include "profile/ranges.h"

lp_stats *
lp_stats_new (lp_error *err)
{
  lp_stats *stats = calloc (1, sizeof *stats);
  if (stats && (stats->arena = lp_arena_new ())
      && (stats->ranges = lp_profile_new (err))
      && lp_vec_push (&stats->ranges->parts, (lp_part) { .name = "" }) == 0)
    return stats;
  lp_stats_free (stats);
  lp_nomem (err);
  return NULL;
}

static void
release (lp_stats *stats)
{
  lp_vec_free (&stats->rows);
  lp_vec_free (&stats->edges);
  lp_vec_free (&stats->headings);
  lp_vec_free (&stats->order);
  lp_vec_free (&stats->reasons);
  lp_intmap_free (&stats->row_of_key);
  lp_intmap_free (&stats->edge_of_pair);
  lp_intmap_free (&stats->reason_of_key);
  lp_arena_free (stats->arena);
  lp_profile_free (stats->ranges);
}

void
lp_stats_free (lp_stats *stats)
{
  if (stats)
    release (stats);
  free (stats);
}

/* The bytes of S that do not continue a character.  */
size_t
lp_stats_width (const char *s)
{
  size_t n = 0;
  for (; *s; s++)
    n += ((unsigned char) *s & 0xc0) != 0x80;
  return n;
}

/* FILE:LINE(NAME), or {WHAT} for `<WHAT>' of no file.  */
static const char *
make_label (lp_stats *stats, const char *file, uint32_t line, const char *name)
{
  size_t n = strlen (name);
  char *text;
  int length;
  if (strcmp (file, "~") == 0 && line == 0 && n > 1 && *name == '<'
      && name[n - 1] == '>')
    length = asprintf (&text, "{%.*s}", (int) n - 2, name + 1);
  else
    length = asprintf (&text, "%s:%lu(%s)", file, (unsigned long) line, name);
  if (length < 0)
    return NULL;
  const char *kept = lp_arena_intern (stats->arena, text);
  free (text);
  return kept;
}

int64_t
lp_stats_row (lp_stats *stats, const char *file, uint32_t line,
	      const char *name)
{
  /* The label says it all: no file is called `~' with line 0.  */
  file = stats->base_names ? basename (file) : file;
  const char *label = make_label (stats, file, line, name);
  if (!label)
    return -1;
  int64_t known = lp_intmap_get (&stats->row_of_key, (uintptr_t) label);
  if (known >= 0)
    return known;
  lp_stat_row row = { .file = lp_arena_intern (stats->arena, file),
		      .name = lp_arena_intern (stats->arena, name),
		      .line = line, .label = label };
  if (!row.file || !row.name || lp_vec_push (&stats->rows, row)
      || lp_intmap_put (&stats->row_of_key, (uintptr_t) label,
			(uint32_t) (stats->rows.n - 1)))
    return -1;
  size_t width = lp_stats_width (label);
  if (width > stats->label_width)
    stats->label_width = width;
  return (int64_t) stats->rows.n - 1;
}

int64_t
lp_stats_subject_row (lp_stats *stats, const lp_profile *profile,
		      uint32_t subject)
{
  const lp_subject *s = &profile->subjects.v[subject];
  const char *file = profile->sources.v[s->source].path;
  if (*file)
    return lp_stats_row (stats, file, s->line, s->name);
  char *name;
  if (asprintf (&name, "<%s %s>", basename (profile->objects.v[s->object].path),
		s->name) < 0)
    return -1;
  int64_t row = lp_stats_row (stats, "~", 0, name);
  free (name);
  return row;
}

void
lp_call_numbers_add (lp_call_numbers *to, const lp_call_numbers *from)
{
  to->calls = lp_add (to->calls, from->calls);
  to->primitive = lp_add (to->primitive, from->primitive);
  to->own = lp_add (to->own, from->own);
  to->cumulative = lp_add (to->cumulative, from->cumulative);
  to->untimed = lp_add (to->untimed, from->untimed);
  to->untimed_primitive
    = lp_add (to->untimed_primitive, from->untimed_primitive);
}

void
lp_stats_count (lp_stats *stats, uint32_t row, const lp_call_numbers *numbers)
{
  lp_call_numbers_add (&stats->rows.v[row].n, numbers);
  lp_call_numbers_add (&stats->total, numbers);
}

int64_t
lp_stats_edge (lp_stats *stats, uint32_t caller, uint32_t callee)
{
  uint64_t pair = (uint64_t) caller << 32 | callee;
  int64_t known = lp_intmap_get (&stats->edge_of_pair, pair);
  if (known >= 0)
    return known;
  if (lp_vec_push (&stats->edges,
		   (lp_stat_edge) { .caller = caller, .callee = callee })
      || lp_intmap_put (&stats->edge_of_pair, pair,
			(uint32_t) (stats->edges.n - 1)))
    return -1;
  return (int64_t) stats->edges.n - 1;
}

int
lp_stats_reason (lp_stats *stats, const lp_stat_reason *reason)
{
  const char *file = stats->base_names ? basename (reason->file) : reason->file;
  const char *label = make_label (stats, file, reason->line, reason->name);
  if (!label)
    return -1;
  if (lp_intmap_get (&stats->reason_of_key, (uintptr_t) label) >= 0)
    return 0;
  lp_stat_reason kept = { .file = lp_arena_intern (stats->arena, file),
			  .name = lp_arena_intern (stats->arena, reason->name),
			  .reason = lp_arena_intern (stats->arena, reason->reason),
			  .line = reason->line, .refused = reason->refused };
  return !kept.file || !kept.name || !kept.reason
	 || lp_intmap_put (&stats->reason_of_key, (uintptr_t) label, 1)
	 || lp_vec_push (&stats->reasons, kept) ? -1 : 0;
}

/* Put into TO all that FROM has, with other file names.  */
static int
copy_stripped (lp_stats *to, const lp_stats *from)
{
  uint32_t *map = lp_arena_alloc (to->arena, from->rows.n * sizeof *map);
  if (!map)
    return -1;
  for (size_t i = 0; i < from->rows.n; i++)
    {
      const lp_stat_row *row = &from->rows.v[i];
      int64_t at = lp_stats_row (to, row->file, row->line, row->name);
      if (at < 0)
	return -1;
      map[i] = (uint32_t) at;
      lp_stats_count (to, map[i], &row->n);
    }
  for (size_t i = 0; i < from->edges.n; i++)
    {
      const lp_stat_edge *edge = &from->edges.v[i];
      int64_t at = lp_stats_edge (to, map[edge->caller], map[edge->callee]);
      if (at < 0)
	return -1;
      lp_call_numbers_add (&to->edges.v[at].n, &edge->n);
    }
  for (size_t i = 0; i < from->headings.n; i++)
    {
      const char *kept = lp_arena_intern (to->arena, from->headings.v[i]);
      if (!kept || lp_vec_push (&to->headings, kept))
	return -1;
    }
  to->selected = from->selected;
  for (size_t i = 0; i < from->reasons.n; i++)
    if (lp_stats_reason (to, &from->reasons.v[i]))
      return -1;
  return lp_part_merge_ranges (to->ranges, to->ranges->parts.v,
			       from->ranges->parts.v);
}

int
lp_stats_strip_dirs (lp_stats *stats, lp_error *err)
{
  lp_stats *stripped = lp_stats_new (err);
  if (!stripped)
    return -1;
  stripped->base_names = true;
  int failed = copy_stripped (stripped, stats);
  stripped->base_names = stats->base_names;
  lp_stats old = failed ? *stripped : *stats;
  if (!failed)
    *stats = *stripped;
  release (&old);
  free (stripped);
  return failed ? lp_nomem (err) : 0;
}
