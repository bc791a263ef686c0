/* lineheader.c: the header of a line table: its parameters, directories and
   files.  */

#include "debug/linetable.h"

#include <dwarf.h>

#include "debug/cursor.h"

/* One column of version 5's directory and file tables.  */
struct column
{
  uint64_t content, form;
};

static int
fail_table (const lp_line_sections *sections, uint64_t offset,
	    const char *what, lp_error *err)
{
  return lp_fail (err, LP_EFORMAT, "the line table at offset 0x%llx of '%s' is"
		  " damaged (%s); rebuild the program with -g",
		  (unsigned long long) offset, sections->path, what);
}

/* The string at OFFSET of SECTION, "" when there is none.  */
static const char *
string_at (lp_bytes section, uint64_t offset)
{
  if (offset >= section.n
      || !memchr (section.p + offset, 0, section.n - offset))
    return "";
  return (const char *) section.p + offset;
}

/* What one value of a table may be.  */
struct value
{
  const char *string;
  uint64_t number;
  const uint8_t *md5;
};

/* The size of a value of FORM that is a number of fixed size or is not needed; 0
   for other forms.  */
static size_t
form_size (uint64_t form, bool dwarf64)
{
  switch (form)
    {
    case DW_FORM_data1:
    case DW_FORM_strx1:
      return 1;
    case DW_FORM_data2:
    case DW_FORM_strx2:
      return 2;
    case DW_FORM_strx3:
      return 3;
    case DW_FORM_data4:
    case DW_FORM_strx4:
      return 4;
    case DW_FORM_data8:
      return 8;
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
      return dwarf64 ? 8 : 4;
    default:
      return 0;
    }
}

/* Read a value of FORM.  False for a form whose size is unknown.  */
static bool
read_value (lp_cursor *c, uint64_t form, const lp_line_sections *sections,
	    bool dwarf64, struct value *value)
{
  size_t size = form_size (form, dwarf64);
  *value = (struct value) { .string = "" };
  if (size)
    value->number = lp_fixed (c, size);
  else if (form == DW_FORM_string)
    value->string = lp_string (c);
  else if (form == DW_FORM_line_strp)
    value->string = string_at (sections->line_str,
			       lp_fixed (c, dwarf64 ? 8 : 4));
  else if (form == DW_FORM_strp)
    value->string = string_at (sections->str, lp_fixed (c, dwarf64 ? 8 : 4));
  else if (form == DW_FORM_data16)
    value->md5 = lp_take (c, 16);
  else if (form == DW_FORM_udata || form == DW_FORM_strx)
    value->number = lp_uleb128 (c);
  else if (form == DW_FORM_block)
    lp_take (c, lp_uleb128 (c));
  else if (form == DW_FORM_block1)
    lp_take (c, lp_fixed (c, 1));
  else if (form == DW_FORM_block2)
    lp_take (c, lp_fixed (c, 2));
  else if (form == DW_FORM_block4)
    lp_take (c, lp_fixed (c, 4));
  else
    return false;
  return true;
}

/* Read one row of a version 5 table into FILE.  */
static bool
read_entry (lp_cursor *c, const struct column *columns, size_t ncolumns,
	    const lp_line_sections *sections, bool dwarf64, lp_line_file *file)
{
  struct value value;
  *file = (lp_line_file) { .name = "" };
  for (size_t i = 0; i < ncolumns; i++)
    {
      if (!read_value (c, columns[i].form, sections, dwarf64, &value))
	return false;
      if (columns[i].content == DW_LNCT_path)
	file->name = value.string;
      else if (columns[i].content == DW_LNCT_directory_index)
	file->dir = value.number;
      else if (columns[i].content == DW_LNCT_MD5)
	file->md5 = value.md5;
    }
  return !c->bad;
}

/* Read a table of version 5: of directories, or with FILES of files.  */
static int
read_table5 (lp_cursor *c, const lp_line_sections *sections,
	     lp_line_header *header, bool files, lp_error *err)
{
  struct column columns[255];
  lp_line_file file;
  size_t ncolumns = lp_fixed (c, 1);
  for (size_t i = 0; i < ncolumns; i++)
    {
      columns[i].content = lp_uleb128 (c);
      columns[i].form = lp_uleb128 (c);
    }
  uint64_t n = lp_uleb128 (c);
  /* Every entry takes a byte, so a larger number is a lie.  */
  if (c->bad || n > (uint64_t) (c->end - c->p) || (n && !ncolumns))
    return fail_table (sections, header->offset, "its names run beyond its"
		       " header", err);
  for (uint64_t i = 0; i < n; i++)
    {
      if (!read_entry (c, columns, ncolumns, sections, header->dwarf64, &file))
	return fail_table (sections, header->offset, "a name has an unknown"
			   " form", err);
      if (files ? lp_vec_push (&header->files, file)
	  : lp_vec_push (&header->dirs, file.name))
	return lp_nomem (err);
    }
  return 0;
}

/* The tables of versions 2 to 4: strings up to an empty one.  */
static int
read_tables2 (lp_cursor *c, const lp_line_sections *sections,
	      lp_line_header *header, lp_error *err)
{
  lp_line_file file = { .name = "" };
  if (lp_vec_push (&header->dirs, "") || lp_vec_push (&header->files, file))
    return lp_nomem (err);
  for (const char *s; *(s = lp_string (c));)
    if (lp_vec_push (&header->dirs, s))
      return lp_nomem (err);
  while (*(file.name = lp_string (c)))
    {
      file.dir = lp_uleb128 (c);
      lp_uleb128 (c);		/* time of modification */
      lp_uleb128 (c);		/* length */
      if (lp_vec_push (&header->files, file))
	return lp_nomem (err);
    }
  return c->bad ? fail_table (sections, header->offset, "its names run beyond"
			      " its header", err) : 0;
}

/* Set C to the table's bytes behind its length.  */
static int
enter_table (const lp_line_sections *sections, lp_line_header *header,
	     lp_cursor *c, lp_error *err)
{
  if (header->offset >= sections->line.n)
    return fail_table (sections, header->offset, "it starts beyond the section",
		       err);
  *c = (lp_cursor) { sections->line.p + header->offset,
    sections->line.p + sections->line.n, false };
  uint64_t length = lp_fixed (c, 4);
  header->dwarf64 = length == 0xffffffff;
  if (header->dwarf64)
    length = lp_fixed (c, 8);
  if (c->bad || length > (uint64_t) (c->end - c->p))
    return fail_table (sections, header->offset, "it runs beyond the section",
		       err);
  c->end = c->p + length;
  header->next = c->end - sections->line.p;
  return 0;
}

/* Read the fixed fields behind the header's length.  */
static void
read_parameters (lp_cursor *c, lp_line_header *header)
{
  header->min_inst = lp_fixed (c, 1);
  header->max_ops = header->version >= 4 ? lp_fixed (c, 1) : 1;
  header->default_is_stmt = lp_fixed (c, 1);
  header->line_base = (int8_t) lp_fixed (c, 1);
  header->line_range = lp_fixed (c, 1);
  header->opcode_base = lp_fixed (c, 1);
  if (header->opcode_base)
    header->lengths = lp_take (c, header->opcode_base - 1);
}

int
lp_line_header_read (const lp_line_sections *sections, uint64_t offset,
		     lp_line_header *header, lp_error *err)
{
  lp_cursor c;
  *header = (lp_line_header) { .offset = offset };
  if (enter_table (sections, header, &c, err))
    return -1;
  header->version = lp_fixed (&c, 2);
  if (!c.bad && (header->version < 2 || header->version > 5))
    return lp_fail (err, LP_EUNSUPPORTED, "'%s' has a line table of DWARF"
		    " version %u; rebuild it with -gdwarf-5", sections->path,
		    header->version);
  if (header->version == 5)
    lp_take (&c, 2);		/* sizes of an address and of a segment selector */

  uint64_t length = lp_fixed (&c, header->dwarf64 ? 8 : 4);
  if (c.bad || length > (uint64_t) (c.end - c.p))
    return fail_table (sections, offset, "its header runs beyond it", err);
  header->program = (lp_bytes) { c.p + length, c.end - c.p - length };
  c.end = c.p + length;
  read_parameters (&c, header);
  if (c.bad || !header->line_range || !header->opcode_base || !header->max_ops)
    return fail_table (sections, offset, "its parameters are impossible", err);

  if (header->version < 5)
    return read_tables2 (&c, sections, header, err);
  return read_table5 (&c, sections, header, false, err)
    || read_table5 (&c, sections, header, true, err) ? -1 : 0;
}

void
lp_line_header_free (lp_line_header *header)
{
  lp_vec_free (&header->dirs);
  lp_vec_free (&header->files);
}
