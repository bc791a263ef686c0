/* fuzz_lines.c: libFuzzer's target for the decoder of line tables, and for what else
   of DWARF is decoded here.

   The input is four sections, behind their sizes of two bytes each: .debug_line,
   .debug_line_str, .debug_str, .debug_abbrev; the last has what is left.  Each lies in
   storage of its own, so that the sanitizer sees what is read behind it.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/abbrevs.h"
#include "debug/linetable.h"

enum { SECTIONS = 4 };

static void
fail (const char *what)
{
  fprintf (stderr, "%s\n", what);
  abort ();
}

/* What was read is inside of the rows, and a refusal says why.  */
static void
check_rows (const lp_line_rows *rows)
{
  for (size_t s = 0; s < rows->sequences.n; s++)
    {
      const lp_sequence *seq = &rows->sequences.v[s];
      if (seq->n == 0 || seq->first > rows->rows.n
	  || seq->n > rows->rows.n - seq->first)
	fail ("a sequence of rows that are not there");
      for (size_t i = seq->first + 1; i < (size_t) seq->first + seq->n; i++)
	if (rows->rows.v[i - 1].addr > rows->rows.v[i].addr)
	  fail ("rows out of order");
    }
}

static void
check_names (const lp_line_header *header)
{
  size_t all = 0;
  for (size_t i = 0; i < header->dirs.n; i++)
    all += strlen (header->dirs.v[i]);
  for (size_t i = 0; i < header->files.n; i++)
    {
      all += strlen (header->files.v[i].name);
      for (int k = 0; header->files.v[i].md5 && k < 16; k++)
	all += header->files.v[i].md5[k];
    }
  if (all == (size_t) -1)
    fail ("so much cannot be");
}

static void
read_tables (const lp_line_sections *sections)
{
  for (uint64_t offset = 0; offset < sections->line.n;)
    {
      lp_line_header header;
      lp_line_rows rows = { 0 };
      lp_error e = { 0 };
      int result = lp_line_header_read (sections, offset, &header, &e)
	|| lp_line_rows_read (sections, &header, &rows, &e);
      if (result && (!e.code || !e.text[0] || strchr (e.text, '\n')))
	fail ("refused without a line that says why");
      if (!result && (header.next <= offset || header.next > sections->line.n))
	fail ("no way on");
      check_names (&header);
      check_rows (&rows);
      offset = result ? sections->line.n : header.next;
      lp_line_header_free (&header);
      lp_line_rows_free (&rows);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  lp_bytes part[SECTIONS];
  if (size < 2 * SECTIONS)
    return 0;
  const uint8_t *p = data + 2 * SECTIONS, *end = data + size;
  for (int i = 0; i < SECTIONS; i++)
    {
      size_t n = data[2 * i] | data[2 * i + 1] << 8, left = end - p;
      if (n > left || i == SECTIONS - 1)
	n = left;
      uint8_t *copy = malloc (n ? n : 1);
      memcpy (copy, p, n);
      part[i] = (lp_bytes) { copy, n };
      p += n;
    }
  lp_line_sections sections = { part[0], part[1], part[2], "fuzz" };
  read_tables (&sections);
  lp_abbrevs_read (part[3]);
  for (int i = 0; i < SECTIONS; i++)
    free ((void *) part[i].p);
  return 0;
}
