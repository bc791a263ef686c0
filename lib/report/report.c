/* report.c: the table of writers.  */

#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/ranges.h"
#include "report/writers.h"

static const lp_writer writers[] = {
  { "text", 10, "", "", "", lp_write_text, NULL },
  { "json", LP_TOP_ALL, "[\n", ",\n", "]\n", lp_write_json, NULL },
  { "csv", LP_TOP_ALL, "", "", "", lp_write_csv, lp_ranges_write_csv },
};

static const lp_writer *
find_writer (const char *name)
{
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    if (strcmp (writers[i].name, name) == 0)
      return &writers[i];
  return NULL;
}

static int
by_pid (const void *a, const void *b)
{
  const lp_part *x = a, *y = b;
  int c = (x->pid > y->pid) - (x->pid < y->pid);
  return c ? c : strcmp (x->name, y->name);
}

static int
by_pid_and_tid (const void *a, const void *b)
{
  const lp_part *x = a, *y = b;
  int c = (x->pid > y->pid) - (x->pid < y->pid);
  if (!c)
    c = (x->tid > y->tid) - (x->tid < y->tid);
  return c ? c : strcmp (x->name, y->name);
}

/* Write the tables of PROFILE's parts together; PART is one of them, or NULL.  */
static int
write_tables (const lp_writer *writer, lp_profile *profile,
	      const lp_report_options *options, const lp_part *part,
	      bool later, FILE *out, lp_error *err)
{
  lp_tables tables;
  if (lp_tables_make (&tables, profile, options, writer->top, err))
    return -1;
  tables.part = part;
  tables.later = later;
  int failed = writer->write (&tables, out, err);
  lp_tables_free (&tables);
  return failed;
}

/* One part of several, or their ranges.  */
static int
write_group (const lp_writer *writer, lp_profile *profile,
	     const lp_report_options *options, const lp_part *part,
	     bool ranges, bool *later, FILE *out, lp_error *err)
{
  if (ranges)
    return writer->ranges (profile, part, later, out, err);
  fputs (*later ? writer->between : "", out);
  int failed = write_tables (writer, profile, options, part, *later, out, err);
  *later = true;
  return failed;
}

/* Each group of equal parts by itself, in a profile that has no others.  */
static int
write_groups (const lp_writer *writer, lp_profile *profile,
	      const lp_report_options *options, bool ranges, FILE *out,
	      lp_error *err)
{
  bool later = false, threads = options->by == LP_BY_THREAD;
  int (*order) (const void *, const void *)
    = threads ? by_pid_and_tid : by_pid;
  lp_part *parts = profile->parts.v;
  size_t n = profile->parts.n;
  int failed = 0;
  if (n)
    qsort (parts, n, sizeof *parts, order);
  for (size_t i = 0, j; i < n && !failed; i = j)
    {
      lp_profile some = *profile;
      lp_part part = parts[i];
      for (j = i + 1; j < n && order (&parts[i], &parts[j]) == 0; j++)
	;
      part.tid = threads ? part.tid : 0;
      some.parts.v = parts + i;
      some.parts.n = j - i;
      failed = write_group (writer, &some, options, &part, ranges, &later, out,
			    err);
    }
  return failed;
}

static int
write_all (const lp_writer *writer, lp_profile *profile,
	   const lp_report_options *options, FILE *out, lp_error *err)
{
  bool later = false;
  int failed = write_tables (writer, profile, options, NULL, false, out, err);
  return failed || !writer->ranges
	 ? failed : writer->ranges (profile, NULL, &later, out, err);
}

static int
write_parts (const lp_writer *writer, lp_profile *profile,
	     const lp_report_options *options, FILE *out, lp_error *err)
{
  fputs (writer->open, out);
  int failed = write_groups (writer, profile, options, false, out, err);
  fputs (writer->close, out);
  return failed || !writer->ranges
	 ? failed : write_groups (writer, profile, options, true, out, err);
}

int
lp_report_write (const char *name, lp_profile *profile,
		 const lp_report_options *options, FILE *out, lp_error *err)
{
  const lp_writer *writer = find_writer (name);
  if (!writer)
    return lp_fail (err, LP_EUSAGE, "there is no report in the form '%s'",
		    name);
  errno = 0;
  int failed = options->by == LP_BY_NOTHING
	       ? write_all (writer, profile, options, out, err)
	       : write_parts (writer, profile, options, out, err);
  if (!failed && (fflush (out) || ferror (out)))
    failed = lp_fail (err, LP_EIO, "cannot write the report: %s",
		      strerror (errno ? errno : EIO));
  return failed;
}
