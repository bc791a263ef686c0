/* fill.c: cells to lines.  */

#include "collect/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "wire/layout.h"

void
lp_watch_list_free (lp_watch_list *list)
{
  for (size_t i = 0; i < list->n; i++)
    {
      lp_vec_free (&list->v[i].lines);
      lp_vec_free (&list->v[i].terms);
      lp_vec_free (&list->v[i].parts);
    }
  lp_vec_free (list);
}

/* Subjects.  */

static int64_t
mtime_of (const char *path)
{
  struct stat st;
  return stat (path, &st) ? -1 : st.st_mtime;
}

static const char *
hex (lp_profile *profile, const uint8_t md5[16])
{
  char text[33];
  for (int i = 0; i < 16; i++)
    sprintf (text + 2 * i, "%02x", md5[i]);
  return lp_profile_string (profile, text);
}

/* What the entries of one module's file table have become in the profile.  */
struct files
{
  lp_profile *profile;
  const lp_measure *how;
  const lp_module *mod;
  uint32_t object;
  uint32_t *source;		/* 1 + index into sources, by file; 0: not yet */
};

static int
source_of (struct files *f, uint32_t file, uint32_t *index)
{
  size_t n;
  const lp_file *files = lp_module_files (f->mod, &n);
  if (f->source[file])
    {
      *index = f->source[file] - 1;
      return 0;
    }
  lp_source source = { .path = lp_profile_string (f->profile,
						  files[file].path),
		       .mtime = mtime_of (files[file].path) };
  if (files[file].has_md5)
    source.md5 = hex (f->profile, files[file].md5);
  if (!source.path || lp_vec_push (&f->profile->sources, source))
    return -1;
  *index = f->profile->sources.n - 1;
  f->source[file] = *index + 1;
  return 0;
}

int
lp_fill_object (lp_profile *profile, const lp_module *mod, uint32_t *index)
{
  lp_object object = {
    .path = lp_profile_string (profile, lp_module_path (mod)),
    .build_id = lp_profile_string (profile, lp_module_build_id (mod)) };
  if (!object.path || !object.build_id)
    return -1;
  for (*index = 0; *index < profile->objects.n; ++*index)
    if (profile->objects.v[*index].path == object.path
	&& profile->objects.v[*index].build_id == object.build_id)
      return 0;
  return lp_vec_push (&profile->objects, object);
}

/* Start on the module MOD: its object, and an empty table of its files.  */
static int
open_files (struct files *f, const lp_module *mod)
{
  size_t n;
  lp_module_files (mod, &n);
  free (f->source);
  f->mod = mod;
  f->source = calloc (n + 1, sizeof *f->source);
  return f->source ? lp_fill_object (f->profile, mod, &f->object) : -1;
}

/* Append to TEXT, of SIZE bytes, the name of the PART that is inlined at a line.  */
static void
add_name (char *text, size_t size, const lp_watch_part *part)
{
  size_t n = strlen (text), m = strlen (part->inl->name);
  if (n + m + 16 < size)
    snprintf (text + n, size - n, "%s%s", n ? ", " : "(+inlined ",
	      part->inl->name);
  else if (n + 5 < size && (n < 3 || strcmp (text + n - 3, "...")))
    strcpy (text + n, n ? ", ..." : "(+inlined ...");
}

/* "(+inlined leaf, other)", what is inlined at LINE; NULL without.  *BAD when out of
   memory.  */
static const char *
note_inlined (struct files *f, const lp_watch *watch, const lp_watch_line *line,
	      bool *bad)
{
  char text[200] = "";
  const lp_watch_part *parts = watch->parts.v + line->first_part;
  for (uint32_t i = 0; i < line->nparts; i++)
    {
      bool again = !parts[i].inl;
      for (uint32_t j = 0; j < i && !again; j++)
	again = parts[j].inl && strcmp (parts[i].inl->name, parts[j].inl->name) == 0;
      if (!again)
	add_name (text, sizeof text - 1, &parts[i]);
    }
  if (!*text)
    return NULL;
  strcat (text, ")");
  const char *note = lp_profile_string (f->profile, text);
  *bad |= !note;
  return note;
}

static int
fill_lines (struct files *f, const lp_watch *watch, lp_subject *subject)
{
  for (size_t i = 0; i < watch->lines.n; i++)
    {
      const lp_watch_line *line = &watch->lines.v[i];
      bool bad = false;
      lp_code_line out = { .line = line->line };
      out.note = f->how->scale != 1 ? "(estimate)"
		 : line->exact ? note_inlined (f, watch, line, &bad)
		 : "(hits are the nearest sum)";
      if (bad || source_of (f, line->file, &out.source)
	  || lp_vec_push (&subject->lines, out))
	return -1;
      if (out.source == subject->source && line->line > subject->last_line)
	subject->last_line = line->line;
    }
  return 0;
}

/* "REASON (N breakpoints of 21.3 us each subtracted)"; what they cost is only known
   where they were expected (session.c).  */
static const char *
reason_of (const struct files *f, const lp_watch *watch)
{
  char text[1200], cost[64] = "whose cost is in the times";
  bool steps = watch->engine == LP_ENGINE_STEP;
  double ns = steps ? f->how->step : f->how->trap;
  if (watch->inl && watch->engine == LP_ENGINE_NONE)
    {
      snprintf (text, sizeof text, "inlined into %.200s, which cannot be profiled: "
		"%.900s", watch->fn->name, watch->reason);
      return lp_profile_string (f->profile, text);
    }
  if (!watch->reason || !watch->stops || watch->engine == LP_ENGINE_NONE)
    return lp_profile_string (f->profile, watch->reason);
  if (ns > 0)
    snprintf (cost, sizeof cost, "of %.1f us each subtracted", ns / 1e3);
  snprintf (text, sizeof text, "%.1000s (%llu %s %s)", watch->reason,
	    (unsigned long long) watch->stops, steps ? "steps" : "breakpoints",
	    cost);
  return lp_profile_string (f->profile, text);
}

/* Where the instance that S is about was inlined.  */
static int
fill_site (struct files *f, const lp_watch *watch, lp_subject *s)
{
  s->holder = lp_profile_string (f->profile, watch->fn->name);
  s->site_line = watch->inl->call_line;
  s->untimed = watch->untimed;
  return !s->holder || source_of (f, watch->inl->call_file, &s->site_source)
	 ? -1 : 0;
}

static int
fill_subject (struct files *f, const lp_watch *watch)
{
  const lp_function *fn = watch->fn;
  const lp_inline *inl = watch->inl;
  lp_subject s = { .line = inl ? inl->decl_line : fn->line,
		   .engine = watch->engine, .object = f->object };
  s.last_line = s.line;
  s.name = lp_profile_string (f->profile, inl ? inl->name : fn->name);
  s.linkage = inl ? NULL : lp_profile_string (f->profile, fn->linkage);
  s.reason = reason_of (f, watch);
  if (!s.name || source_of (f, inl ? inl->decl_file : fn->file, &s.source)
      || (inl && fill_site (f, watch, &s)) || fill_lines (f, watch, &s)
      || lp_vec_push (&f->profile->subjects, s))
    {
      lp_vec_free (&s.lines);
      return -1;
    }
  return 0;
}

int
lp_fill_subjects (lp_profile *profile, const lp_watch_list *watches,
		  const lp_measure *how, lp_error *err)
{
  struct files f = { .profile = profile, .how = how };
  int bad = 0;
  for (size_t i = 0; i < watches->n && !bad; i++)
    {
      if (watches->v[i].mod != f.mod)
	bad = open_files (&f, watches->v[i].mod);
      bad = bad || fill_subject (&f, &watches->v[i]);
    }
  free (f.source);
  return bad ? lp_nomem (err) : 0;
}

/* Parts.  */

struct cells
{
  const lp_sums *sums;
  uint32_t first;
  double ticks_per_ns, scale;
};

static uint64_t
cell (const struct cells *c, uint32_t offset)
{
  return c->sums->cells[(offset - c->first) / 8];
}

/* Ticks to nanoseconds.  A sum can be a little below 0 where the probes cost
   less than was measured.  */
static int64_t
to_ns (const struct cells *c, uint64_t ticks)
{
  int64_t t = ticks;
  return t <= 0 ? 0 : (int64_t) (t / c->ticks_per_ns * c->scale + 0.5);
}

static int64_t
scaled (const struct cells *c, uint64_t count)
{
  return c->scale == 1 ? (int64_t) count
	 : (int64_t) ((double) count * c->scale + 0.5);
}

static uint64_t
line_hits (const struct cells *c, const lp_watch *watch,
	   const lp_watch_line *line)
{
  uint64_t plus = 0, minus = 0;
  for (uint32_t t = 0; t < line->nterms; t++)
    {
      uint64_t n = cell (c, watch->terms.v[line->first_term + t]);
      *(t < line->nterms - line->nminus ? &plus : &minus) += n;
    }
  return plus > minus ? plus - minus : 0;
}

static lp_line_stat
line_stat (const struct cells *c, const lp_watch *watch, size_t i)
{
  const lp_watch_line *line = &watch->lines.v[i];
  lp_line_stat s = { 0 };
  s.hits = scaled (c, line_hits (c, watch, line));
  uint64_t self = cell (c, line->cell);
  uint64_t callees = cell (c, line->cell
			      + offsetof (lp_line_cell, callees));
  s.open = c->sums->open[(line->cell - c->first) / 8];
  for (uint32_t k = 0; k < line->nparts; k++)
    {
      const lp_watch_part *part = &watch->parts.v[line->first_part + k];
      if (!part->inl)
	{
	  self += cell (c, part->cell);
	  s.open |= c->sums->open[(part->cell - c->first) / 8];
	  continue;
	}
      callees += cell (c, part->cell)
		 + cell (c, part->cell + offsetof (lp_line_cell, callees));
    }
  s.self = to_ns (c, self);
  s.time = to_ns (c, self + callees);
  return s;
}

static int
fill_function (lp_profile *profile, lp_part *part, const struct cells *c,
	       const lp_watch *watch, uint32_t subject)
{
  lp_function_stat f = { .subject = subject };
  bool ran = false;
  f.calls = scaled (c, watch->inl ? line_hits (c, watch, &watch->entered)
		       : cell (c, watch->func_cell));
  f.lines = lp_profile_alloc (profile, watch->lines.n * sizeof *f.lines);
  if (!f.lines)
    return -1;
  for (size_t i = 0; i < watch->lines.n; i++)
    {
      f.lines[i] = line_stat (c, watch, i);
      f.total += f.lines[i].time;
      f.self += f.lines[i].self;
      ran |= f.lines[i].hits || f.lines[i].time;
    }
  return ran || f.calls ? lp_vec_push (&part->functions, f) : 0;
}

int
lp_fill_part (lp_profile *profile, const lp_watch_list *watches,
	      uint32_t first_subject, const lp_sums *sums,
	      uint32_t first_cell, const lp_measure *how, lp_error *err)
{
  struct cells c = { sums, first_cell, profile->ticks_per_ns, how->scale };
  lp_part part = { .pid = sums->pid, .tid = sums->tid };
  part.name = lp_profile_string (profile, sums->name);
  int bad = part.name ? 0 : -1;
  for (size_t i = 0; i < watches->n && !bad; i++)
    if (watches->v[i].func_cell)
      bad = fill_function (profile, &part, &c, &watches->v[i],
			   first_subject + i);
  if (bad || lp_vec_push (&profile->parts, part))
    {
      lp_vec_free (&part.functions);
      return lp_nomem (err);
    }
  return 0;
}
