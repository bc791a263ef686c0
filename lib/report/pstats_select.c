/* pstats_select.c: restrictions, which choose what is shown.  */

#define _GNU_SOURCE

#include "report/pstats.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum lp_restriction
lp_stats_restriction (const char *word, double *value)
{
  char *end;
  *value = 0;
  if (!word[strcspn (word, "0123456789")])
    return LP_RESTRICT_MATCH;	/* not even "inf" is a number */
  errno = 0;
  long long whole = strtoll (word, &end, 10);
  *value = (double) whole;
  if (end != word && !*end)
    return LP_RESTRICT_COUNT;
  *value = strtod (word, &end);
  if (end == word || *end)
    return LP_RESTRICT_MATCH;
  return *value >= 0 && *value <= 1 ? LP_RESTRICT_SHARE : LP_RESTRICT_BAD_SHARE;
}

/* WORD as Python's repr shows it: a text in quotes.  */
static void
put_text (FILE *out, const char *word)
{
  char quote = strchr (word, '\'') && !strchr (word, '"') ? '"' : '\'';
  fputc (quote, out);
  for (; *word; word++)
    {
      if (*word == '\\' || *word == quote)
	fputc ('\\', out);
      fputc (*word, out);
    }
  fputc (quote, out);
}

/* The shortest decimal that is VALUE.  */
static void
put_share (FILE *out, double value)
{
  char text[40];
  for (int digits = 1; digits <= 17; digits++)
    {
      snprintf (text, sizeof text, "%.*g", digits, value);
      if (strtod (text, NULL) == value)
	break;
    }
  fputs (text, out);
  fputs (strpbrk (text, ".e") ? "" : ".0", out);
}

/* How a digit is matched, of \d and \D, in and outside of brackets.  */
static const char *
digit (char letter, bool in_brackets)
{
  if (letter == 'd')
    return in_brackets ? "[:digit:]" : "[[:digit:]]";
  return letter == 'D' && !in_brackets ? "[^[:digit:]]" : NULL;
}

/* WORD as POSIX has it, which knows no \d and leaves it undefined what `{libc' matches:
   there a brace that begins no number of repetitions gets a backslash.  Free it; NULL
   when out of memory.  */
static char *
to_posix (const char *word)
{
  char *text = malloc (12 * strlen (word) + 1), *to = text;
  bool in_brackets = false;
  for (; text && *word; word++)
    {
      const char *class = *word == '\\' ? digit (word[1], in_brackets) : NULL;
      if (class)
	{
	  to = stpcpy (to, class);
	  word++;
	  continue;
	}
      if (*word == '{' && !in_brackets && !isdigit ((unsigned char) word[1]))
	*to++ = '\\';
      else if (*word == '\\' && word[1] && !in_brackets)
	*to++ = *word++;
      else if (*word == '[')
	in_brackets = true;
      else if (*word == ']')
	in_brackets = false;
      *to++ = *word;
    }
  if (text)
    *to = '\0';
  return text;
}

static int
compile (regex_t *regex, const char *word)
{
  char *text = to_posix (word);
  int failed = !text || regcomp (regex, text, REG_EXTENDED | REG_NOSUB);
  free (text);
  return failed;
}

/* Drop the rows of LIST that do not match WORD.  */
static void
keep_matching (const lp_stats *stats, lp_stat_list *list, const char *word,
	       FILE *message)
{
  regex_t regex;
  if (compile (&regex, word))
    {
      fputs ("   <Invalid regular expression ", message);
      put_text (message, word);
      fputs (">\n", message);
      return;
    }
  size_t kept = 0;
  for (size_t i = 0; i < list->rows.n; i++)
    {
      uint32_t row = list->rows.v[i];
      if (regexec (&regex, stats->rows.v[row].label, 0, NULL, 0) == 0)
	list->rows.v[kept++] = row;
    }
  list->rows.n = kept;
  regfree (&regex);
}

static void
restrict_list (const lp_stats *stats, lp_stat_list *list, const char *word,
	       FILE *message)
{
  double value;
  size_t before = list->rows.n;
  enum lp_restriction what = lp_stats_restriction (word, &value);
  if (what == LP_RESTRICT_MATCH)
    keep_matching (stats, list, word, message);
  else if (what == LP_RESTRICT_COUNT && value >= 0 && value < (double) before)
    list->rows.n = (size_t) value;
  else if (what == LP_RESTRICT_SHARE && value < 1)
    list->rows.n = (size_t) ((double) before * value + .5);
  if (list->rows.n == before)
    return;
  fprintf (message, "   List reduced from %zu to %zu due to restriction <",
	   before, list->rows.n);
  if (what == LP_RESTRICT_MATCH)
    put_text (message, word);
  else if (what == LP_RESTRICT_COUNT)
    fprintf (message, "%.0f", value);
  else
    put_share (message, value);
  fputs (">\n", message);
}

static size_t
widest (const lp_stats *stats, const lp_stat_list *list)
{
  if (list->rows.n == stats->rows.n)
    return stats->label_width;
  size_t width = 0;
  for (size_t i = 0; i < list->rows.n; i++)
    {
      size_t n = lp_stats_width (stats->rows.v[list->rows.v[i]].label);
      width = n > width ? n : width;
    }
  return width;
}

/* All rows in their order, with what there is to say about it.  */
static int
start_list (const lp_stats *stats, lp_stat_list *list, FILE *message)
{
  bool sorted = stats->order.n > 0;
  if (lp_vec_reserve (&list->rows, stats->rows.n))
    return -1;
  for (size_t i = 0; i < stats->rows.n; i++)
    list->rows.v[list->rows.n++] = sorted ? stats->order.v[i] : (uint32_t) i;
  if (sorted)
    fprintf (message, "   Ordered by: %s\n", stats->ordered_by);
  else
    fputs ("   Random listing order was used\n", message);
  return 0;
}

int
lp_stats_select (const lp_stats *stats, const char *const *restrictions,
		 size_t n, lp_stat_list *list, lp_error *err)
{
  size_t size;
  *list = (lp_stat_list) { 0 };
  FILE *message = open_memstream (&list->message, &size);
  if (!message)
    return lp_nomem (err);
  int failed = start_list (stats, list, message);
  for (size_t i = 0; !failed && i < n; i++)
    restrict_list (stats, list, restrictions[i], message);
  failed |= fclose (message);
  if (!failed)
    {
      list->label_width = widest (stats, list);
      return 0;
    }
  lp_stats_list_free (list);
  return lp_nomem (err);
}

void
lp_stats_list_free (lp_stat_list *list)
{
  lp_vec_free (&list->rows);
  free (list->message);
  list->message = NULL;
}
