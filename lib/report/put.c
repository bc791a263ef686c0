/* put.c: small things that several writers write.  */

#include "report/put.h"

#include <ctype.h>
#include <string.h>

void
lp_put (FILE *out, const char *s)
{
  for (; *s; s++)
    fputc (iscntrl ((unsigned char) *s) ? '?' : *s, out);
}

void
lp_format_time (char *cell, size_t size, double time, int width)
{
  if (snprintf (cell, size, "%5.1f", time) > width)
    snprintf (cell, size, "%5.3g", time);
}

void
lp_put_field (FILE *out, const char *s, char after)
{
  bool quoted = strpbrk (s, ",\"\r\n") != NULL;
  fputs (quoted ? "\"" : "", out);
  for (; *s; s++)
    fputs (*s == '"' ? "\"\"" : (char[]) { *s, '\0' }, out);
  fputs (quoted ? "\"" : "", out);
  fputc (after, out);
}

void
lp_put_part (const lp_part *part, FILE *out)
{
  fprintf (out, "Process: %ld", (long) part->pid);
  if (part->tid)
    fprintf (out, "  Thread: %ld", (long) part->tid);
  if (*part->name)
    {
      fputs (" (", out);
      lp_put (out, part->name);
      fputc (')', out);
    }
  fputs ("\n\n", out);
}
