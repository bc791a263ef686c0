/* merge.c: adding the numbers of one profile to another.

   First everything that OTHER names (objects, sources, subjects with their
   lines, parts) gets a place in INTO; a place found or made is kept in a map
   from OTHER's indices to INTO's.  Then the numbers are added through the maps.

   INTO is a copy until all has been added.  Numbers of lines are never changed where they
   stand, but in arrays that this merge has made (move_lines, fresh_stat).  */

#define _GNU_SOURCE

#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "profile/copy.h"
#include "profile/match.h"
#include "profile/ranges.h"

/* The maps; all of them, and what they hold, live in SCRATCH.  */
struct merge
{
  lp_profile *into;
  const lp_profile *other;
  lp_arena *scratch;
  uint32_t *object, *source, *subject;
  uint32_t **other_line;	/* of each of OTHER's subjects: its lines in INTO */
  uint32_t **into_line;		/* of each of INTO's subjects: where its lines moved; NULL
				   for one that OTHER does not have */
};

/* The keys of all things of one kind.  */
static const char **
keys (struct merge *m, const lp_profile *p, size_t n,
      const char *(*key) (struct merge *m, const lp_profile *p, size_t i))
{
  const char **v = lp_arena_alloc (m->scratch, n * sizeof *v);
  for (size_t i = 0; v && i < n; i++)
    if (!(v[i] = key (m, p, i)))
      return NULL;
  return v;
}

static const char *
object_key (struct merge *m, const lp_profile *p, size_t i)
{
  (void) m;
  const lp_object *object = &p->objects.v[i];
  return *object->build_id ? object->build_id : object->path;
}

static const char *
source_key (struct merge *m, const lp_profile *p, size_t i)
{
  (void) m;
  return p->sources.v[i].path;
}

static const char *
subject_key (struct merge *m, const lp_profile *p, size_t i)
{
  const lp_subject *s = &p->subjects.v[i];
  char *text;
  int n = asprintf (&text, "%s\037%s\037%s\037%u\037%s\037%s\037%u%s",
		    object_key (m, p, s->object),
		    s->linkage ? s->linkage : s->name,
		    p->sources.v[s->source].path, s->line,
		    s->holder ? s->holder : "",
		    s->holder ? p->sources.v[s->site_source].path : "",
		    s->site_line, s->untimed ? "\037" : "");
  if (n < 0)
    return NULL;
  const char *kept = lp_arena_copy (m->scratch, text, (size_t) n);
  free (text);
  return kept;
}

/* The map of one kind of thing, LP_NO_MATCH for what INTO does not have.  */
static uint32_t *
map_by (struct merge *m, size_t ninto, size_t nother,
	const char *(*key) (struct merge *m, const lp_profile *p, size_t i))
{
  const char **a = keys (m, m->into, ninto, key);
  const char **b = keys (m, m->other, nother, key);
  return a && b ? lp_match (m->scratch, a, ninto, b, nother) : NULL;
}

/* S in INTO's storage; *FAILED is set when out of memory.  */
static const char *
keep (struct merge *m, const char *s, bool *failed)
{
  const char *kept = lp_profile_string (m->into, s);
  *failed |= s && !kept;
  return kept;
}

static int
add_note (struct merge *m, const char *note)
{
  bool failed = false;
  for (size_t i = 0; i < m->into->notes.n; i++)
    if (strcmp (m->into->notes.v[i], note) == 0)
      return 0;
  const char *kept = keep (m, note, &failed);
  return failed || lp_vec_push (&m->into->notes, kept) ? -1 : 0;
}

static int
merge_objects (struct merge *m)
{
  bool failed = false;
  m->object
    = map_by (m, m->into->objects.n, m->other->objects.n, object_key);
  for (size_t i = 0; m->object && i < m->other->objects.n; i++)
    if (m->object[i] == LP_NO_MATCH)
      {
	lp_object object = m->other->objects.v[i];
	object.path = keep (m, object.path, &failed);
	object.build_id = keep (m, object.build_id, &failed);
	m->object[i] = (uint32_t) m->into->objects.n;
	if (failed || lp_vec_push (&m->into->objects, object))
	  return -1;
      }
  return m->object ? 0 : -1;
}

/* Did the file change between the two runs?  */
static bool
differs (const lp_source *a, const lp_source *b)
{
  if (a->md5 && b->md5)
    return strcmp (a->md5, b->md5) != 0;
  return a->mtime >= 0 && b->mtime >= 0 && a->mtime != b->mtime;
}

static int
note_difference (struct merge *m, const char *path)
{
  char *note;
  if (asprintf (&note, "%s changed between the profiles: its lines may not "
		"match", path) < 0)
    return -1;
  int failed = add_note (m, note);
  free (note);
  return failed;
}

static int
merge_sources (struct merge *m)
{
  bool failed = false;
  m->source
    = map_by (m, m->into->sources.n, m->other->sources.n, source_key);
  for (size_t i = 0; m->source && i < m->other->sources.n; i++)
    {
      lp_source source = m->other->sources.v[i];
      if (m->source[i] != LP_NO_MATCH)
	{
	  if (differs (&source, &m->into->sources.v[m->source[i]])
	      && note_difference (m, source.path))
	    return -1;
	  continue;
	}
      source.path = keep (m, source.path, &failed);
      source.md5 = keep (m, source.md5, &failed);
      m->source[i] = (uint32_t) m->into->sources.n;
      if (failed || lp_vec_push (&m->into->sources, source))
	return -1;
    }
  return m->source ? 0 : -1;
}

/* A line of a subject on its way into the union: which of the two subjects
   has it, and where.  */
struct origin
{
  lp_code_line line;
  uint32_t i;
  bool other;
};

static int
by_line (const void *a, const void *b)
{
  const lp_code_line *x = &((const struct origin *) a)->line;
  const lp_code_line *y = &((const struct origin *) b)->line;
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

/* All lines of TO (the first NA) and FROM, ascending.  */
static struct origin *
all_lines (struct merge *m, const lp_subject *to, const lp_subject *from)
{
  size_t na = to->lines.n, n = na + from->lines.n;
  struct origin *v = lp_arena_alloc (m->scratch, n * sizeof *v);
  if (!v)
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (i < na)
      v[i] = (struct origin) { to->lines.v[i], (uint32_t) i, false };
    else
      {
	v[i] = (struct origin) { from->lines.v[i - na], (uint32_t) (i - na),
				 true };
	v[i].line.source = m->source[v[i].line.source];
      }
  qsort (v, n, sizeof *v, by_line);
  return v;
}

/* Unite the lines of FROM with those of TO, which is INTO's subject S; keep
   where both sets of lines went.  */
static int
unite_lines (struct merge *m, uint32_t s, const lp_subject *from,
	     uint32_t **other_line)
{
  lp_subject *to = &m->into->subjects.v[s];
  size_t na = to->lines.n, n = na + from->lines.n;
  uint32_t *into_line = lp_arena_alloc (m->scratch, na * sizeof *into_line);
  *other_line
    = lp_arena_alloc (m->scratch, from->lines.n * sizeof **other_line);
  struct origin *v = all_lines (m, to, from);
  bool failed = !into_line || !*other_line || !v;
  if (failed || lp_vec_reserve (&to->lines, from->lines.n))
    return -1;
  to->lines.n = 0;
  for (size_t i = 0; i < n; i++)
    {
      if (i == 0 || by_line (&v[i - 1], &v[i]))
	to->lines.v[to->lines.n++]
	  = (lp_code_line) { .source = v[i].line.source,
			     .line = v[i].line.line };
      lp_code_line *line = &to->lines.v[to->lines.n - 1];
      if (!line->note)
	line->note = keep (m, v[i].line.note, &failed);
      if (!line->digest)
	line->digest = v[i].line.digest;
      (v[i].other ? *other_line : into_line)[v[i].i]
	= (uint32_t) (to->lines.n - 1);
    }
  m->into_line[s] = into_line;
  return failed ? -1 : 0;
}

/* How the two together were measured: by the worse of the two engines that
   measured at all.  */
static int
merge_engine (struct merge *m, lp_subject *to, const lp_subject *from)
{
  bool failed = false;
  bool worse = from->engine != LP_ENGINE_NONE && from->engine > to->engine;
  if (worse || (to->engine == LP_ENGINE_NONE && from->engine != LP_ENGINE_NONE))
    {
      to->engine = from->engine;
      to->reason = keep (m, from->reason, &failed);
    }
  if (to->last_line < from->last_line)
    to->last_line = from->last_line;
  return failed ? -1 : 0;
}

static int
add_subject (struct merge *m, const lp_subject *from)
{
  bool failed = false;
  lp_subject subject = *from;
  subject.name = keep (m, from->name, &failed);
  subject.linkage = keep (m, from->linkage, &failed);
  subject.reason = keep (m, from->reason, &failed);
  subject.holder = keep (m, from->holder, &failed);
  subject.site_source = from->holder ? m->source[from->site_source] : 0;
  subject.object = m->object[from->object];
  subject.source = m->source[from->source];
  memset (&subject.lines, 0, sizeof subject.lines);
  return failed || lp_vec_push (&m->into->subjects, subject) ? -1 : 0;
}

static int
merge_subjects (struct merge *m)
{
  size_t n = m->other->subjects.n, ninto = m->into->subjects.n;
  m->subject = map_by (m, ninto, n, subject_key);
  m->other_line = lp_arena_alloc (m->scratch, n * sizeof *m->other_line);
  m->into_line
    = lp_arena_alloc (m->scratch, (ninto + n) * sizeof *m->into_line);
  if (!m->subject || !m->other_line || !m->into_line)
    return -1;
  for (size_t i = 0; i < n; i++)
    {
      const lp_subject *from = &m->other->subjects.v[i];
      if (m->subject[i] == LP_NO_MATCH)
	{
	  m->subject[i] = (uint32_t) m->into->subjects.n;
	  if (add_subject (m, from))
	    return -1;
	}
      else if (merge_engine (m, &m->into->subjects.v[m->subject[i]], from))
	return -1;
      if (unite_lines (m, m->subject[i], from, &m->other_line[i]))
	return -1;
    }
  return 0;
}

/* Numbers for all lines of INTO's subject, with those of FROM in them; MAP and N
   say where FROM's lines are.  */
static int
fresh_stat (struct merge *m, uint32_t subject, const lp_function_stat *from,
	    const uint32_t *map, size_t n, lp_function_stat *out)
{
  *out = (lp_function_stat) { .subject = subject };
  out->lines = lp_profile_alloc (m->into,
				 m->into->subjects.v[subject].lines.n
				 * sizeof *out->lines);
  if (!out->lines)
    return -1;
  lp_function_stat_add (out, from, map, n);
  return 0;
}

/* INTO's own numbers follow their lines.  OLD is the number of lines that each
   subject had.  */
static int
move_lines (struct merge *m, const size_t *old)
{
  for (size_t p = 0; p < m->into->parts.n; p++)
    {
      lp_part *part = &m->into->parts.v[p];
      for (size_t f = 0; f < part->functions.n; f++)
	{
	  lp_function_stat *stat = &part->functions.v[f], was = *stat;
	  const uint32_t *map = m->into_line[stat->subject];
	  if (map
	      && fresh_stat (m, was.subject, &was, map, old[was.subject], stat))
	    return -1;
	}
    }
  return 0;
}

/* INTO's part of the same process and thread as FROM; a new one where there is
   none; NULL when out of memory.  */
static lp_part *
find_part (struct merge *m, const lp_part *from)
{
  for (size_t p = 0; p < m->into->parts.n; p++)
    {
      lp_part *part = &m->into->parts.v[p];
      if (part->pid == from->pid && part->tid == from->tid
	  && strcmp (part->name, from->name) == 0)
	return part;
    }
  bool failed = false;
  lp_part part = { .pid = from->pid, .tid = from->tid,
		   .name = keep (m, from->name, &failed) };
  if (failed || lp_vec_push (&m->into->parts, part))
    return NULL;
  return &m->into->parts.v[m->into->parts.n - 1];
}

static int
by_subject (const void *a, const void *b)
{
  const lp_function_stat *x = a, *y = b;
  return (x->subject > y->subject) - (x->subject < y->subject);
}

/* FROM's numbers into PART.  PLACE has room for a number for each subject.  */
static int
merge_part (struct merge *m, lp_part *part, const lp_part *from,
	    uint32_t *place)
{
  memset (place, 0xff, m->into->subjects.n * sizeof *place);
  for (size_t f = 0; f < part->functions.n; f++)
    place[part->functions.v[f].subject] = (uint32_t) f;
  for (size_t f = 0; f < from->functions.n; f++)
    {
      const lp_function_stat *stat = &from->functions.v[f];
      const uint32_t *map = m->other_line[stat->subject];
      uint32_t subject = m->subject[stat->subject];
      size_t n = m->other->subjects.v[stat->subject].lines.n;
      lp_function_stat fresh;
      if (place[subject] != LP_NO_MATCH)
	lp_function_stat_add (&part->functions.v[place[subject]], stat, map, n);
      else if (fresh_stat (m, subject, stat, map, n, &fresh)
	       || lp_vec_push (&part->functions, fresh))
	return -1;
    }
  if (part->functions.n)
    qsort (part->functions.v, part->functions.n, sizeof *part->functions.v,
	   by_subject);
  return 0;
}

static int
merge_parts (struct merge *m)
{
  size_t n = m->into->subjects.n, nodes = m->other->nodes.n;
  uint32_t *place = lp_arena_alloc (m->scratch, n * sizeof *place);
  uint32_t *at = lp_arena_alloc (m->scratch, nodes * sizeof *at);
  uint32_t *into
    = lp_arena_alloc (m->scratch, m->other->parts.n * sizeof *into);
  if (!place || !at || !into)
    return -1;
  for (size_t p = 0; p < m->other->parts.n; p++)
    {
      lp_part *part = find_part (m, &m->other->parts.v[p]);
      if (!part || merge_part (m, part, &m->other->parts.v[p], place)
	  || lp_part_merge_ranges (m->into, part, &m->other->parts.v[p]))
	return -1;
      into[p] = (uint32_t) (part - m->into->parts.v);
    }
  return lp_profile_merge_nodes (m->into, m->other, m->subject, into, at);
}

/* What is said of the run as a whole.  */
static int
merge_run (struct merge *m)
{
  lp_profile *into = m->into;
  const lp_profile *other = m->other;
  into->duration = lp_add (into->duration, other->duration);
  if (other->start < into->start)
    into->start = other->start;
  if (into->exit_status != other->exit_status)
    into->exit_status = -1;
  into->selected &= other->selected;
  for (size_t i = 0; i < other->notes.n; i++)
    if (add_note (m, other->notes.v[i]))
      return -1;
  if (strcmp (into->time_mode, other->time_mode) != 0)
    return add_note (m, "the profiles were timed in different ways: only the "
			"hits add up");
  return 0;
}

static int
merge_all (struct merge *m)
{
  size_t n = m->into->subjects.n;
  size_t *old = lp_arena_alloc (m->scratch, n * sizeof *old);
  for (size_t i = 0; old && i < n; i++)
    old[i] = m->into->subjects.v[i].lines.n;
  return !old || merge_run (m) || merge_objects (m) || merge_sources (m)
	 || merge_subjects (m) || move_lines (m, old) || merge_parts (m);
}

int
lp_profile_merge (lp_profile *into, const lp_profile *other, lp_error *err)
{
  if (strcmp (into->kind, other->kind) != 0)
    return lp_fail (err, LP_EUSAGE,
		    "a profile of %s and one of %s do not add up", into->kind,
		    other->kind);
  lp_profile sum;
  if (lp_profile_copy (&sum, into))
    return lp_nomem (err);
  struct merge m = { .into = &sum, .other = other,
		     .scratch = lp_arena_new () };
  int failed = !m.scratch || merge_all (&m);
  lp_arena_free (m.scratch);
  lp_profile_drop (failed ? &sum : into);
  if (failed)
    return lp_nomem (err);
  *into = sum;
  return 0;
}
