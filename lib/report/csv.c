/* csv.c: one row for each line with code (RFC 4180, with plain newlines).
   Times are nanoseconds.  */

#include "report/writers.h"

#include "report/put.h"

static void
put_line (const lp_tables *tables, const lp_table *table,
	  const lp_table_line *line, FILE *out)
{
  lp_put_field (out, tables->profile->sources.v[line->source].path, ',');
  lp_put_field (out, table->name, ',');
  fprintf (out, "%lu,%lu,%lld,%lld,%lld,", (unsigned long) table->line,
	   (unsigned long) line->line, (long long) line->stat.hits,
	   (long long) line->stat.time, (long long) line->stat.self);
  lp_put_field (out, line->note ? line->note : "", ',');
  fputs (line->stat.open ? "1" : "0", out);
  if (tables->part)
    {
      fprintf (out, ",%ld,%ld,", (long) tables->part->pid,
	       (long) tables->part->tid);
      lp_put_field (out, tables->part->name, ',');
    }
  else
    fputc (',', out);
  lp_put_field (out, tables->profile->objects.v[table->object].path, '\n');
}

int
lp_write_csv (const lp_tables *tables, FILE *out, lp_error *err)
{
  (void) err;
  if (!tables->later)
    {
      fputs ("file,function,function_line,line,hits,time_ns,self_ns,note,"
	     "did_not_return", out);
      fputs (tables->part ? ",pid,tid,name,object\n" : ",object\n", out);
    }
  for (size_t i = 0; i < tables->tables.n; i++)
    for (size_t j = 0; j < tables->tables.v[i].nlines; j++)
      put_line (tables, &tables->tables.v[i], &tables->tables.v[i].lines[j],
		out);
  return 0;
}
