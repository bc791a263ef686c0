/* nodes.c: the call tree in a file.  */

#include "profile/nodes.h"

#include <string.h>

#include "profile/json.h"

enum column { PARENT, SUBJECT, PART, CALLS, OWN, NCOLUMNS };

static const char *const names[NCOLUMNS]
  = { "parent", "subject", "part", "calls", "own" };

static uint64_t
get (const lp_call_node *node, enum column which)
{
  switch (which)
    {
    case PARENT: return node->parent == LP_NO_NODE ? 0 : node->parent + 1ULL;
    case SUBJECT: return node->subject;
    case PART: return node->part;
    case CALLS: return (uint64_t) node->calls;
    default: return (uint64_t) node->own;
    }
}

static void
set (lp_call_node *node, enum column which, uint64_t value)
{
  switch (which)
    {
    case PARENT:
      node->parent = value ? (uint32_t) (value - 1) : LP_NO_NODE;
      break;
    case SUBJECT: node->subject = (uint32_t) value; break;
    case PART: node->part = (uint32_t) value; break;
    case CALLS: node->calls = (int64_t) value; break;
    default: node->own = (int64_t) value; break;
    }
}

/* The decimal digits of VALUE end before END; where they begin.  */
static char *
digits (char *end, uint64_t value)
{
  do
    *--end = (char) ('0' + value % 10);
  while (value /= 10);
  return end;
}

/* Writing.  */

struct text
{
  LP_VEC (char) bytes;
};

static int
append (struct text *text, uint64_t value)
{
  char buffer[24], *end = buffer + sizeof buffer, *at = digits (end, value);
  if (text->bytes.n)
    *--at = ' ';
  size_t n = (size_t) (end - at);
  if (lp_vec_reserve (&text->bytes, n))
    return -1;
  memcpy (text->bytes.v + text->bytes.n, at, n);
  text->bytes.n += n;
  return 0;
}

static json_t *
column (const lp_profile *profile, enum column which)
{
  struct text text = { 0 };
  int bad = 0;
  for (size_t i = 0; i < profile->nodes.n && !bad; i++)
    bad = append (&text, get (&profile->nodes.v[i], which));
  json_t *string = bad ? NULL
		   : json_stringn_nocheck (text.bytes.n ? text.bytes.v : "",
					   text.bytes.n);
  lp_vec_free (&text.bytes);
  return string;
}

json_t *
lp_nodes_encode (const lp_profile *profile)
{
  json_t *o = json_object ();
  for (int which = 0; which < NCOLUMNS; which++)
    lp_json_put (&o, names[which], column (profile, which));
  return o;
}

/* Reading.  */

/* The largest number that column WHICH of node I may hold.  */
static uint64_t
limit (const lp_profile *profile, size_t i, enum column which)
{
  switch (which)
    {
    case PARENT: return i;
    case SUBJECT: return (uint64_t) profile->subjects.n - 1;
    case PART: return (uint64_t) profile->parts.n - 1;
    default: return INT64_MAX;
    }
}

/* The number at *AT, which moves behind it.  False: there is none.  */
static bool
number (const char **at, uint64_t *value)
{
  const char *s = *at;
  for (*value = 0; *s >= '0' && *s <= '9'; s++)
    if (__builtin_mul_overflow (*value, 10, value)
	|| __builtin_add_overflow (*value, *s - '0', value))
      return false;
  bool some = s > *at;
  *at = s;
  return some;
}

/* Fill column WHICH of the nodes from FIRST on from TEXT.  */
static int
read_column (lp_profile *profile, size_t first, enum column which,
	     const char *text)
{
  uint64_t value;
  for (size_t i = first; i < profile->nodes.n; i++)
    {
      if ((i > first && *text++ != ' ') || !number (&text, &value)
	  || value > limit (profile, i - first, which))
	return -1;
      set (&profile->nodes.v[i], which,
	   which == PARENT && value ? value + first : value);
    }
  return *text ? -1 : 0;
}

/* A node and its parent are in one thread.  */
static bool
is_forest (const lp_profile *profile)
{
  for (size_t i = 0; i < profile->nodes.n; i++)
    {
      const lp_call_node *node = &profile->nodes.v[i];
      if (node->parent != LP_NO_NODE
	  && profile->nodes.v[node->parent].part != node->part)
	return false;
    }
  return true;
}

/* How many numbers TEXT holds.  */
static size_t
count (const char *text)
{
  size_t n = *text != '\0';
  while ((text = strchr (text, ' ')))
    text++, n++;
  return n;
}

/* Append N empty nodes.  */
static int
add_empty (lp_profile *profile, size_t n)
{
  if (n > LP_NO_NODE - profile->nodes.n || lp_vec_reserve (&profile->nodes, n))
    return -1;
  for (; n; n--)
    profile->nodes.v[profile->nodes.n++] = (lp_call_node) { 0 };
  return 0;
}

int
lp_nodes_decode (lp_profile *profile, const json_t *value, const char **what)
{
  const char *text[NCOLUMNS];
  size_t first = profile->nodes.n;
  *what = "a column of its nodes is not a string";
  for (int which = 0; which < NCOLUMNS; which++)
    if (!(text[which] = json_string_value (json_object_get (value,
							    names[which]))))
      return -1;
  *what = NULL;
  if (add_empty (profile, count (text[0])))
    return -1;
  *what = "a column of its nodes is wrong";
  for (int which = 0; which < NCOLUMNS; which++)
    if (read_column (profile, first, which, text[which]))
      return -1;
  *what = "a node is in another thread than its parent";
  return is_forest (profile) ? 0 : -1;
}
