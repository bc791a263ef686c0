/* diff_align.c: which line of an old function is which of the new one.

   By their text: the longest common subsequence keeps the order; what is left and
   occurs once on either side has moved; what is left between the same neighbours,
   as many lines on either side, was edited.  Where the text of a line is not known,
   by number.  */

#include "report/diff.h"

#include <stdlib.h>

/* A table of more cells is not filled: the lines between the common start and the
   common end are then left to the rules that come after.  */
enum { MAX_CELLS = 16 << 20 };

#define NONE UINT32_MAX

struct align
{
  const lp_table_line *a, *b;
  size_t m, n;
  uint32_t *a_of_b, *b_of_a;	/* NONE: no partner */
  bool *edited;			/* of b: the partner has another text */
};

static void
join (struct align *s, size_t i, size_t j)
{
  s->b_of_a[i] = (uint32_t) j;
  s->a_of_b[j] = (uint32_t) i;
}

static bool
same (const struct align *s, size_t i, size_t j)
{
  return s->a[i].digest == s->b[j].digest;
}

/* The common subsequence of a[I..M) and b[J..N), through the table LENGTH of that
   of all their ends.  */
static int
join_common (struct align *s, size_t i, size_t j, size_t m, size_t n)
{
  size_t width = n - j + 1;
  if ((m - i + 1) > MAX_CELLS / width)
    return 0;
  uint32_t *length = calloc ((m - i + 1) * width, sizeof *length);
  if (!length)
    return -1;
#define AT(x, y) length[((x) - i) * width + ((y) - j)]
  for (size_t x = m; x-- > i;)
    for (size_t y = n; y-- > j;)
      AT (x, y) = same (s, x, y) ? AT (x + 1, y + 1) + 1
		  : AT (x + 1, y) > AT (x, y + 1) ? AT (x + 1, y)
		  : AT (x, y + 1);
  for (size_t x = i, y = j; x < m && y < n;)
    if (same (s, x, y))
      join (s, x++, y++);
    else if (AT (x + 1, y) >= AT (x, y + 1))
      x++;
    else
      y++;
#undef AT
  free (length);
  return 0;
}

static int
join_in_order (struct align *s)
{
  size_t i = 0, m = s->m, n = s->n;
  for (; i < m && i < n && same (s, i, i); i++)
    join (s, i, i);
  for (; m > i && n > i && same (s, m - 1, n - 1); m--, n--)
    join (s, m - 1, n - 1);
  return join_common (s, i, i, m, n);
}

/* How many lines of the N at V without a partner have DIGEST; one of them goes to
   *AT.  */
static size_t
count (const lp_table_line *v, size_t n, const uint32_t *partner,
       uint32_t digest, size_t *at)
{
  size_t found = 0;
  for (size_t i = 0; i < n; i++)
    if (partner[i] == NONE && v[i].digest == digest)
      {
	*at = i;
	found++;
      }
  return found;
}

static void
join_moved (struct align *s)
{
  size_t i = 0, same_as_j = 0;
  for (size_t j = 0; j < s->n; j++)
    if (s->a_of_b[j] == NONE
	&& count (s->b, s->n, s->a_of_b, s->b[j].digest, &same_as_j) == 1
	&& count (s->a, s->m, s->b_of_a, s->b[j].digest, &i) == 1)
      join (s, i, j);
}

/* Are a[I..I+K) without partners, and is what follows them and b[J..J+K) the
   same, or the end?  */
static bool
fits (const struct align *s, size_t i, size_t j, size_t k)
{
  if (i + k > s->m)
    return false;
  for (size_t x = i; x < i + k; x++)
    if (s->b_of_a[x] != NONE)
      return false;
  return j + k == s->n ? i + k == s->m
	 : i + k < s->m && s->a_of_b[j + k] == i + k;
}

static void
join_edited (struct align *s)
{
  for (size_t j = 0, end; j < s->n; j = end)
    {
      for (end = j; end < s->n && s->a_of_b[end] == NONE; end++)
	;
      size_t i = j ? s->a_of_b[j - 1] + (size_t) 1 : 0;
      bool fit = fits (s, i, j, end - j);
      for (size_t k = 0; fit && k < end - j; k++)
	{
	  join (s, i + k, j + k);
	  s->edited[j + k] = true;
	}
      end += end == j;
    }
}

static void
join_by_number (struct align *s)
{
  for (size_t i = 0, j = 0; i < s->m && j < s->n;)
    if (s->a[i].line == s->b[j].line)
      join (s, i++, j++);
    else if (s->a[i].line < s->b[j].line)
      i++;
    else
      j++;
}

static bool
is_known (const lp_table_line *v, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!v[i].digest)
      return false;
  return true;
}

static int
put_lines (const struct align *s, lp_diff_function *function)
{
  for (size_t j = 0; j < s->n; j++)
    {
      bool paired = s->a_of_b[j] != NONE;
      lp_diff_line line = { .how = !paired ? LP_DIFF_ONLY_NEW
				   : s->edited[j] ? LP_DIFF_EDITED : LP_DIFF_SAME,
			    .was = paired ? &s->a[s->a_of_b[j]] : NULL,
			    .is = &s->b[j] };
      if (lp_vec_push (&function->lines, line))
	return -1;
    }
  for (size_t i = 0; i < s->m; i++)
    if (s->b_of_a[i] == NONE
	&& lp_vec_push (&function->lines,
			(lp_diff_line) { LP_DIFF_ONLY_OLD, &s->a[i], NULL }))
      return -1;
  return 0;
}

int
lp_diff_align (lp_diff_function *function, const lp_table_line *a, size_t m,
	       const lp_table_line *b, size_t n)
{
  struct align s = { .a = a, .b = b, .m = m, .n = n };
  s.a_of_b = malloc ((n + 1) * sizeof *s.a_of_b);
  s.b_of_a = malloc ((m + 1) * sizeof *s.b_of_a);
  s.edited = calloc (n + 1, sizeof *s.edited);
  int failed = !s.a_of_b || !s.b_of_a || !s.edited;
  for (size_t i = 0; !failed && i < m; i++)
    s.b_of_a[i] = NONE;
  for (size_t j = 0; !failed && j < n; j++)
    s.a_of_b[j] = NONE;
  if (!failed && is_known (a, m) && is_known (b, n))
    {
      failed = join_in_order (&s);
      join_moved (&s);
      join_edited (&s);
    }
  else if (!failed)
    {
      function->by_number |= m && n;
      join_by_number (&s);
    }
  failed = failed || put_lines (&s, function);
  free (s.a_of_b);
  free (s.b_of_a);
  free (s.edited);
  return failed ? -1 : 0;
}
