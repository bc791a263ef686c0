/* text.c: the report that line_profiler prints, with what a compiled program
   needs besides: notes behind lines, lines of included files, functions that
   could not be profiled.  */

#define _GNU_SOURCE

#include "report/writers.h"

#include <string.h>

#include "report/put.h"
#include "report/ranges.h"
#include "report/source.h"

/* More lines in a row without code than this are not printed.  No function has
   so many, but a table about a file that is not there might.  The lines that a
   function has in an included file may be anywhere in it.  */
enum { MAX_GAP = 1000, MAX_INCLUDED_GAP = 8 };

/* Functions with a reason that are listed when all functions were profiled.  */
enum { MAX_REASONS = 10 };

/* Places where a function was inlined that are listed above its table.  */
enum { MAX_SITES = 8 };

/* Columns of numbers; also their order.  */
enum column { HITS, TIME, SELF, PER_HIT, PERCENT, COLUMNS };

static const struct { const char *title; int width; } columns[COLUMNS] = {
  [HITS] = { "Hits", 9 }, [TIME] = { "Time", 12 }, [SELF] = { "Self", 12 },
  [PER_HIT] = { "Per Hit", 8 }, [PERCENT] = { "% Time", 8 },
};

/* A number fits: the longest is a double without an exponent.  */
enum { CELL = 340 };
typedef char cells[COLUMNS][CELL];

struct writer
{
  const lp_tables *tables;
  lp_sources *sources;
  FILE *out;
};

static const char *
path_of (const struct writer *w, uint32_t source)
{
  return w->tables->profile->sources.v[source].path;
}

static void
format_time (char *cell, double time, int width)
{
  lp_format_time (cell, CELL, time, width);
}

/* The cells of LINE; all empty where it has code that did not run.  */
static void
fill_cells (const struct writer *w, const lp_table *table,
	    const lp_table_line *line, cells out)
{
  const lp_line_stat *stat = &line->stat;
  double scale = 1e-9 / w->tables->unit;
  for (int c = 0; c < COLUMNS; c++)
    out[c][0] = '\0';
  if (!stat->hits && !stat->time)
    return;
  if (stat->hits)
    {
      snprintf (out[HITS], CELL, "%lld", (long long) stat->hits);
      format_time (out[PER_HIT],
		   (double) stat->time * scale / (double) stat->hits,
		   columns[PER_HIT].width);
    }
  format_time (out[TIME], (double) stat->time * scale, columns[TIME].width);
  format_time (out[SELF], (double) stat->self * scale, columns[SELF].width);
  if (table->total)
    snprintf (out[PERCENT], CELL, "%5.1f",
	      100.0 * (double) stat->time / (double) table->total);
}

/* The widths that TABLE's cells need.  */
static void
find_widths (const struct writer *w, const lp_table *table, int width[COLUMNS])
{
  cells row;
  for (int c = 0; c < COLUMNS; c++)
    width[c] = columns[c].width;
  for (size_t i = 0; i < table->nlines; i++)
    {
      fill_cells (w, table, &table->lines[i], row);
      for (int c = 0; c < COLUMNS; c++)
	if ((int) strlen (row[c]) > width[c])
	  width[c] = (int) strlen (row[c]);
    }
}

/* `%6s %9s %12s %8s %8s  ', each cell from CELL_OF; returns its length.  */
static int
put_columns (const struct writer *w, const int width[COLUMNS],
	     const char *number, const char *const cell_of[COLUMNS])
{
  int n = fprintf (w->out, "%6s", number);
  for (int c = 0; c < COLUMNS; c++)
    if (c != SELF || w->tables->options->self)
      n += fprintf (w->out, " %*s", width[c], cell_of[c]);
  return n + fprintf (w->out, "  ");
}

static void
put_header (const struct writer *w, const int width[COLUMNS])
{
  const char *titles[COLUMNS];
  bool color = w->tables->options->color;
  for (int c = 0; c < COLUMNS; c++)
    titles[c] = columns[c].title;
  fputs (color ? "\033[1m" : "", w->out);
  int n = put_columns (w, width, "Line #", titles);
  n += fprintf (w->out, "Line Contents");
  fputs (color ? "\033[0m" : "", w->out);
  fputc ('\n', w->out);
  while (n-- > 0)
    fputc ('=', w->out);
  fputc ('\n', w->out);
}

/* How a line of TABLE is coloured; "" for not at all.  */
static const char *
heat (const struct writer *w, const lp_table *table, const lp_table_line *line)
{
  if (!w->tables->options->color || !line)
    return "";
  if (!line->stat.hits && !line->stat.time)
    return "\033[2m";
  double share = table->total
		 ? (double) line->stat.time / (double) table->total : 0;
  return share >= 0.5 ? "\033[1;31m" : share >= 0.2 ? "\033[31m"
	 : share >= 0.05 ? "\033[33m" : "";
}

/* Row NUMBER of TABLE; LINE is what was measured there, or NULL.  */
static void
put_row (const struct writer *w, const lp_table *table,
	 const int width[COLUMNS], const lp_text *text, uint32_t number,
	 const lp_table_line *line)
{
  cells row = { "" };
  const char *cell_of[COLUMNS], *color = heat (w, table, line);
  char first[16];
  size_t n = 0;
  const char *contents = text ? lp_text_line (text, number, &n) : "";
  if (line)
    fill_cells (w, table, line, row);
  for (int c = 0; c < COLUMNS; c++)
    cell_of[c] = row[c];
  snprintf (first, sizeof first, "%lu", (unsigned long) number);
  fputs (color, w->out);
  put_columns (w, width, first, cell_of);
  fwrite (contents, 1, n, w->out);
  if (line && line->note)
    {
      fputs ("  ", w->out);
      lp_put (w->out, line->note);
    }
  if (line && line->stat.open)
    fputs ("  (did not return)", w->out);
  fputs (*color ? "\033[0m\n" : "\n", w->out);
}

/* A table's lines in one file: FIRST to LAST, of which the N at LINES have
   code.  */
struct section
{
  const lp_text *text;		/* or NULL */
  uint32_t first, last;
  const lp_table_line *lines;
  size_t n;
  unsigned max_gap;
};

static void
put_rows (const struct writer *w, const lp_table *table,
	  const int width[COLUMNS], const struct section *s)
{
  static const char *const none[COLUMNS] = { "", "", "", "", "" };
  size_t i = 0;
  while (i < s->n && s->lines[i].line < s->first)
    i++;
  for (uint64_t number = s->first; number <= s->last; number++)
    {
      uint64_t next = i < s->n ? s->lines[i].line : (uint64_t) s->last + 1;
      if (next - number > s->max_gap)
	{
	  put_columns (w, width, "...", none);
	  fputc ('\n', w->out);
	  number = next - 1;
	  continue;
	}
      put_row (w, table, width, s->text, (uint32_t) number,
	       number == next ? &s->lines[i] : NULL);
      i += number == next;
    }
}

static void
put_missing (const struct writer *w, uint32_t source)
{
  fputs ("\nCould not find file ", w->out);
  lp_put (w->out, path_of (w, source));
  fputs ("\nSay where it is with --source-map FROM=TO, or view the profile from "
	 "the\nfolder that holds the sources.\n"
	 "Continuing without the function's contents.\n", w->out);
}

/* The lines that TABLE has in files that its own file includes, one part for
   each file.  */
static void
put_included (const struct writer *w, const lp_table *table,
	      const int width[COLUMNS], size_t i)
{
  for (size_t j; i < table->nlines; i = j)
    {
      uint32_t source = table->lines[i].source;
      for (j = i; j < table->nlines && table->lines[j].source == source; j++)
	;
      struct section section = {
	.text = lp_sources_text (w->sources, source),
	.first = table->lines[i].line, .last = table->lines[j - 1].line,
	.lines = table->lines + i, .n = j - i, .max_gap = MAX_INCLUDED_GAP };
      fputs ("\nIncluded file: ", w->out);
      lp_put (w->out, path_of (w, source));
      fputc ('\n', w->out);
      if (!section.text)
	put_missing (w, source);
      fputc ('\n', w->out);
      put_header (w, width);
      put_rows (w, table, width, &section);
    }
}

/* What tells instance SUBJECT from the others of TABLE.  */
static const char *
instance_name (const struct writer *w, const lp_table *table, uint32_t subject)
{
  const lp_subject *s = &w->tables->profile->subjects.v[subject];
  return s->holder ? NULL
	 : strcmp (s->name, table->name) == 0 && s->linkage ? s->linkage
	 : s->name;
}

/* The out-of-line instances that TABLE sums, those of equal names together; nothing
   for a function that is there once.  */
static void
put_instances (const struct writer *w, const lp_table *table)
{
  size_t shown = 0;
  for (size_t i = 0; i < table->nsubjects; i++)
    {
      const char *name = instance_name (w, table, table->subjects[i]);
      size_t same = 0, before = 0;
      for (size_t j = 0; name && j < table->nsubjects; j++)
	{
	  const char *other = instance_name (w, table, table->subjects[j]);
	  if (other && strcmp (name, other) == 0)
	    {
	      same++;
	      before += j < i;
	    }
	}
      if (!name || before)
	continue;
      fputs (shown++ ? ", " : "Instances: ", w->out);
      lp_put (w->out, name);
      if (same > 1)
	fprintf (w->out, " (%zu copies)", same);
    }
  if (shown)
    fputc ('\n', w->out);
}

static size_t
count_inlined (const struct writer *w, const lp_table *table)
{
  size_t n = 0;
  for (size_t i = 0; i < table->nsubjects; i++)
    n += w->tables->profile->subjects.v[table->subjects[i]].holder != NULL;
  return n;
}

/* "FILE:LINE (in HOLDER)", the file by its base name.  */
static void
put_site (const struct writer *w, const lp_subject *s)
{
  lp_put (w->out, basename (path_of (w, s->site_source)));
  fprintf (w->out, ":%lu (in ", (unsigned long) s->site_line);
  lp_put (w->out, s->holder);
  fputc (')', w->out);
}

/* Where the code of TABLE was inlined; all places only of a few.  */
static void
put_inlined (const struct writer *w, const lp_table *table, size_t n)
{
  size_t shown = 0;
  fputs ("Inlined: ", w->out);
  if (n > 1)
    fprintf (w->out, "at %zu places%s, ", n,
	     n == table->nsubjects ? ", no code of its own" : "");
  for (size_t i = 0; i < table->nsubjects && shown < MAX_SITES; i++)
    {
      const lp_subject *s
	= &w->tables->profile->subjects.v[table->subjects[i]];
      if (!s->holder)
	continue;
      fputs (shown++ ? ", " : "at ", w->out);
      put_site (w, s);
    }
  fputs (shown < n ? ", ...\n" : "\n", w->out);
}

static void
put_table (const struct writer *w, const lp_table *table)
{
  int width[COLUMNS];
  size_t own = 0;
  while (own < table->nlines && table->lines[own].source == table->source)
    own++;
  struct section section = {
    .text = lp_sources_text (w->sources, table->source),
    .first = table->first, .last = table->last, .lines = table->lines,
    .n = own, .max_gap = MAX_GAP };
  fprintf (w->out, "Total time: %g s\n", (double) table->total * 1e-9);
  fputs ("File: ", w->out);
  lp_put (w->out, path_of (w, table->source));
  fputs ("\nFunction: ", w->out);
  lp_put (w->out, table->name);
  fprintf (w->out, " at line %lu\n", (unsigned long) table->line);
  if (table->object)
    {
      fputs ("Object: ", w->out);
      lp_put (w->out, w->tables->profile->objects.v[table->object].path);
      fputc ('\n', w->out);
    }
  size_t inlined = count_inlined (w, table);
  if (table->nsubjects - inlined > 1)
    put_instances (w, table);
  if (inlined)
    put_inlined (w, table, inlined);
  if (!section.text)
    put_missing (w, table->source);
  fputc ('\n', w->out);
  find_widths (w, table, width);
  put_header (w, width);
  if (table->first)
    put_rows (w, table, width, &section);
  put_included (w, table, width, own);
  fputc ('\n', w->out);
}

/* What `top' left out.  */
static void
put_left_out (const struct writer *w)
{
  const lp_tables *t = w->tables;
  if (!t->left_out && !t->left_out_zero)
    return;
  if (t->left_out)
    fprintf (w->out, "%zu more function%s ran", t->left_out,
	     t->left_out == 1 ? "" : "s");
  if (t->left_out_zero)
    fprintf (w->out, "%s%zu function%s did not run",
	     t->left_out ? ", " : "", t->left_out_zero,
	     t->left_out_zero == 1 ? "" : "s");
  fputs ("; --top 0 shows all.\n\n", w->out);
}

/* SUBJECT with its reason.  */
static void
put_reason (const struct writer *w, const lp_subject *subject)
{
  fputs ("  ", w->out);
  lp_put (w->out, path_of (w, subject->source));
  fprintf (w->out, ":%lu - ", (unsigned long) subject->line);
  lp_put (w->out, subject->name);
  fputs (": ", w->out);
  lp_put (w->out, subject->reason ? subject->reason : "no reason is known");
  fputc ('\n', w->out);
}

/* The N SUBJECTS with their reasons below TITLE; not all of many where nobody
   asked for them by name or number.  */
static void
put_limited (const struct writer *w, const char *title,
	     const uint32_t *subjects, size_t n)
{
  const lp_profile *profile = w->tables->profile;
  bool open = w->tables->options->top == LP_TOP_DEFAULT && !profile->selected;
  size_t shown = open && n > MAX_REASONS ? MAX_REASONS : n;
  if (n)
    fprintf (w->out, "%s\n", title);
  for (size_t i = 0; i < shown; i++)
    put_reason (w, &profile->subjects.v[subjects[i]]);
  if (shown < n)
    fprintf (w->out, "  %zu more; --top 0 lists all.\n", n - shown);
  if (n)
    fputc ('\n', w->out);
}

static void
put_notes (const struct writer *w)
{
  const lp_profile *profile = w->tables->profile;
  for (size_t i = 0; i < profile->notes.n; i++)
    {
      fputs ("Note: ", w->out);
      lp_put (w->out, profile->notes.v[i]);
      fputc ('\n', w->out);
    }
  if (profile->notes.n)
    fputc ('\n', w->out);
}

/* A line for each function; line_profiler takes one without time for one that
   never ran.  */
static void
put_summary (const struct writer *w)
{
  for (size_t i = 0; i < w->tables->tables.n; i++)
    {
      const lp_table *table = &w->tables->tables.v[i];
      if (w->tables->options->skip_zero && !table->total)
	continue;
      fprintf (w->out, "%6.2f seconds - ", (double) table->total * 1e-9);
      lp_put (w->out, path_of (w, table->source));
      fprintf (w->out, ":%lu - ", (unsigned long) table->line);
      lp_put (w->out, table->name);
      fputc ('\n', w->out);
    }
}

int
lp_write_text (const lp_tables *tables, FILE *out, lp_error *err)
{
  struct writer w = { .tables = tables, .out = out };
  w.sources = lp_sources_new (tables->profile, tables->options, err);
  if (!w.sources)
    return -1;
  if (!tables->later)
    fprintf (out, "Timer unit: %g s\n\n", tables->unit);
  if (tables->part)
    lp_put_part (tables->part, out);
  for (size_t i = 0; i < tables->tables.n && !tables->options->brief; i++)
    put_table (&w, &tables->tables.v[i]);
  put_left_out (&w);
  int failed = lp_ranges_write (tables->profile, tables->unit, out, err);
  put_limited (&w, "Not profiled:", tables->refused.v, tables->refused.n);
  put_limited (&w, "Profiled by a slower engine:", tables->slower.v,
	       tables->slower.n);
  put_notes (&w);
  if (tables->options->summarize)
    put_summary (&w);
  lp_sources_free (w.sources);
  return failed;
}
