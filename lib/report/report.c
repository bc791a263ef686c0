/* report.c: the table of writers.  */

#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "report/writers.h"

static const lp_writer writers[] = {
  { "text", 10, lp_write_text },
  { "json", LP_TOP_ALL, lp_write_json },
  { "csv", LP_TOP_ALL, lp_write_csv },
};

static const lp_writer *
find_writer (const char *name)
{
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    if (strcmp (writers[i].name, name) == 0)
      return &writers[i];
  return NULL;
}

int
lp_report_write (const char *name, lp_profile *profile,
		 const lp_report_options *options, FILE *out, lp_error *err)
{
  lp_tables tables;
  const lp_writer *writer = find_writer (name);
  if (!writer)
    return lp_fail (err, LP_EUSAGE, "there is no report in the form '%s'",
		    name);
  if (lp_tables_make (&tables, profile, options, writer->top, err))
    return -1;
  errno = 0;
  int failed = writer->write (&tables, out, err);
  if (!failed && (fflush (out) || ferror (out)))
    failed = lp_fail (err, LP_EIO, "cannot write the report: %s",
		      strerror (errno ? errno : EIO));
  lp_tables_free (&tables);
  return failed;
}
