/* diff_text.c: what changed, for people.  */

#include "report/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/put.h"

enum { CELL = 340 };

struct writer
{
  const lp_diff *diff;
  lp_sources *old_sources, *new_sources;
  double unit;			/* seconds */
  FILE *out;
};

static double
seconds (int64_t ns)
{
  return (double) ns * 1e-9;
}

/* By how much IS is more than WAS, in percent of that; "new" where that is 0.  */
static void
percent (char *cell, int64_t was, int64_t is)
{
  if (was)
    snprintf (cell, CELL, "%+.1f",
	      100.0 * ((double) is - (double) was) / (double) was);
  else
    strcpy (cell, is ? "new" : "");
}

/* VALUE with its sign, in at most WIDTH characters where that is possible.  */
static void
signed_number (char *cell, double value, int width)
{
  if (snprintf (cell, CELL, "%+.1f", value) > width)
    snprintf (cell, CELL, "%+.3g", value);
}

static void
put_file (const struct writer *w, const char *title, const char *name,
	  const lp_profile *profile, int64_t time)
{
  fprintf (w->out, "%s: ", title);
  lp_put (w->out, name);
  fputs (" (", w->out);
  for (size_t i = 0; i < profile->ncommand; i++)
    {
      fputs (i ? " " : "", w->out);
      lp_put (w->out, profile->command[i]);
    }
  fprintf (w->out, "), %g s\n", seconds (time));
}

static void
put_place (const struct writer *w, const lp_diff_function *f)
{
  uint32_t line = f->in_new ? f->new_line : f->old_line;
  if (strcmp (f->file, "~") == 0)
    lp_put (w->out, f->name);
  else
    {
      lp_put (w->out, f->file);
      fprintf (w->out, ":%lu(", (unsigned long) line);
      lp_put (w->out, f->name);
      fputc (')', w->out);
    }
  if (!f->in_old)
    fputs ("  (only in the new profile)", w->out);
  if (!f->in_new)
    fputs ("  (only in the old profile)", w->out);
  fputc ('\n', w->out);
}

/* A row for each function.  */
static void
put_functions (const struct writer *w)
{
  const lp_diff *diff = w->diff;
  fprintf (w->out, "%10s %10s %10s %8s", "old time", "new time", "change", "%");
  if (!diff->of_lines)
    fprintf (w->out, " %10s", "cumtime");
  fprintf (w->out, " %10s %12s  %s\n", "calls", "per call",
	   "filename:lineno(function)");
  for (size_t i = 0; i < diff->functions.n; i++)
    {
      const lp_diff_function *f = &diff->functions.v[i];
      char share[CELL], each[CELL];
      percent (share, f->was.time, f->is.time);
      signed_number (each, lp_diff_change (&f->was, &f->is, LP_DIFF_PER_HIT)
			   * 1e-9 / w->unit, 12);
      fprintf (w->out, "%10.4f %10.4f %+10.4f %8s", seconds (f->was.time),
	       seconds (f->is.time), seconds (f->is.time - f->was.time), share);
      if (!diff->of_lines)
	fprintf (w->out, " %+10.4f",
		 seconds (f->is.cumulative - f->was.cumulative));
      fprintf (w->out, " %+10lld %12s  ", (long long) (f->is.hits - f->was.hits),
	       each);
      put_place (w, f);
    }
  fputc ('\n', w->out);
}

/* The text of LINE, from the sources of its own profile.  */
static void
put_source (const struct writer *w, const lp_diff_line *line)
{
  size_t n = 0;
  const lp_table_line *of = line->is ? line->is : line->was;
  lp_sources *sources = line->is ? w->new_sources : w->old_sources;
  const lp_text *text = lp_sources_unchanged (sources, of->source)
			? lp_sources_text (sources, of->source) : NULL;
  const char *s = text ? lp_text_line (text, of->line, &n) : "";
  fwrite (s, 1, n, w->out);
  if (of->note)
    {
      fputs ("  ", w->out);
      lp_put (w->out, of->note);
    }
  fputc ('\n', w->out);
}

static void
put_number (const struct writer *w, const lp_table_line *line)
{
  if (line)
    fprintf (w->out, " %6lu", (unsigned long) line->line);
  else
    fprintf (w->out, " %6s", "");
}

static void
put_line (const struct writer *w, const lp_diff_line *line)
{
  static const lp_line_stat none;
  const lp_line_stat *a = line->was ? &line->was->stat : &none;
  const lp_line_stat *b = line->is ? &line->is->stat : &none;
  lp_diff_numbers was = { .hits = a->hits, .time = a->time };
  lp_diff_numbers is = { .hits = b->hits, .time = b->time };
  char time[CELL], each[CELL];
  double scale = 1e-9 / w->unit;
  signed_number (time, lp_diff_change (&was, &is, LP_DIFF_TIME) * scale, 12);
  signed_number (each, lp_diff_change (&was, &is, LP_DIFF_PER_HIT) * scale, 10);
  fputc (line->how, w->out);
  put_number (w, line->was);
  put_number (w, line->is);
  fprintf (w->out, " %+10lld %12s %10s  ", (long long) (b->hits - a->hits), time,
	   each);
  put_source (w, line);
}

static void
put_table (const struct writer *w, const lp_diff_function *f)
{
  char share[CELL];
  percent (share, f->was.time, f->is.time);
  fprintf (w->out, "Total time: %g s, was %g s (%+g s%s%s%s)\nFile: ",
	   seconds (f->is.time), seconds (f->was.time),
	   seconds (f->is.time - f->was.time), *share ? ", " : "", share,
	   f->was.time ? "%" : "");
  lp_put (w->out, f->file);
  fputs ("\nFunction: ", w->out);
  lp_put (w->out, f->name);
  if (f->in_new)
    fprintf (w->out, " at line %lu", (unsigned long) f->new_line);
  if (f->in_old && f->old_line != f->new_line)
    fprintf (w->out, "%s at line %lu", f->in_new ? ", was" : " was",
	     (unsigned long) f->old_line);
  fputs (!f->in_new ? ", only in the old profile"
	 : !f->in_old ? ", only in the new profile" : "", w->out);
  if (f->by_number)
    fputs ("\nThe text of its lines is not known in both: they are matched by "
	   "number", w->out);
  fputs ("\n\n", w->out);
  int n = fprintf (w->out, "   Old #  New # %10s %12s %10s  Line Contents", "Hits",
		   "Time", "Per Hit");
  fputc ('\n', w->out);
  while (n-- > 0)
    fputc ('=', w->out);
  fputc ('\n', w->out);
  for (size_t i = 0; i < f->lines.n; i++)
    put_line (w, &f->lines.v[i]);
  fputc ('\n', w->out);
}

/* The lines of the functions that changed most.  */
static void
put_tables (const struct writer *w)
{
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < w->diff->functions.n; i++)
    {
      const lp_diff_function *f = &w->diff->functions.v[i];
      if (!f->lines.n)
	continue;
      if (w->diff->options->top && shown == (size_t) w->diff->options->top)
	left++;
      else
	{
	  put_table (w, f);
	  shown++;
	}
    }
  if (left)
    fprintf (w->out, "The lines of %zu more function%s changed; --top 0 shows "
	     "all.\n\n", left, left == 1 ? "" : "s");
}

int
lp_diff_write (const lp_diff *diff, FILE *out, lp_error *err)
{
  const lp_report_options *report = diff->options->report;
  lp_report_options quiet = *report;
  struct writer w = { .diff = diff, .out = out,
		      .unit = report->unit > 0 ? report->unit : 1e-6 };
  quiet.warn = NULL;
  w.old_sources = lp_sources_new (diff->old_profile, &quiet, err);
  w.new_sources = lp_sources_new (diff->new_profile, &quiet, err);
  if (w.old_sources && w.new_sources)
    {
      put_file (&w, "Old", diff->options->old_name, diff->old_profile,
		diff->was.time);
      put_file (&w, "New", diff->options->new_name, diff->new_profile,
		diff->is.time);
      fprintf (out, "Unit of Time, Per Hit and per call: %g s\n\n", w.unit);
      if (diff->functions.n)
	put_functions (&w);
      else
	fputs ("No change.\n", out);
      put_tables (&w);
      lp_diff_put_ranges (diff, w.unit, out);
    }
  bool failed = !w.old_sources || !w.new_sources;
  lp_sources_free (w.old_sources);
  lp_sources_free (w.new_sources);
  return failed ? -1 : 0;
}
