/* guess.c: names by their distance.  */

#define _GNU_SOURCE

#include "debug/guess.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MAX_WORD = 128,
  MAX_SPELLED = 500		/* of a word in a symbol that is looked at */
};

#define DIGITS "0123456789"

static unsigned
least (unsigned a, unsigned b, unsigned c)
{
  unsigned ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Which letters are in S, whatever their case.  */
static uint64_t
letters (const char *s)
{
  uint64_t set = 0;
  for (; *s; s++)
    set |= (uint64_t) 1 << (tolower ((unsigned char) *s) & 63);
  return set;
}

/* Can LIMIT letters make A of B?  Each changes two of their sets at most.  */
static bool
share_letters (const char *a, const char *b, unsigned limit)
{
  return (unsigned) __builtin_popcountll (letters (a) ^ letters (b))
    <= 2 * limit;
}

/* The number of letters to insert, delete, change or swap with their neighbour
   to make A of B; case does not count.  More than LIMIT is as good as any such
   number.  */
static unsigned
edit_distance (const char *a, const char *b, unsigned limit)
{
  unsigned row[3][MAX_WORD + 1];
  size_t n = strnlen (a, MAX_WORD), m = strnlen (b, MAX_WORD);
  for (size_t j = 0; j <= m; j++)
    row[0][j] = j;
  for (size_t i = 1; i <= n; i++)
    {
      unsigned *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
      unsigned best = now[0] = i;
      for (size_t j = 1; j <= m; j++)
	{
	  bool same = tolower ((unsigned char) a[i - 1])
	    == tolower ((unsigned char) b[j - 1]);
	  now[j] = least (up[j] + 1, now[j - 1] + 1, up[j - 1] + !same);
	  if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]
	      && up2[j - 2] + 1 < now[j])
	    now[j] = up2[j - 2] + 1;
	  if (now[j] < best)
	    best = now[j];
	}
      if (best > limit + 1)	/* a swap reaches back two rows */
	return best;
    }
  return row[n % 3][m];
}

/* Does TEXT contain WORD, from the start of one of its own words on?  */
static bool
has_word (const char *text, const char *word)
{
  const char *at = strcasestr (text, word);
  return at && (at == text || at[-1] == '_');
}

/* A name that contains the word, or the reverse, is near whatever its length.  */
unsigned
lp_guess_distance (const char *word, const char *name)
{
  size_t n = strlen (word), m = strlen (name);
  size_t shorter = n < m ? n : m, longer = n < m ? m : n;
  unsigned limit = longer / 3 + 1;
  unsigned d = longer - shorter > limit || !share_letters (word, name, limit)
    ? limit + 1 : edit_distance (word, name, limit);
  if (d <= limit)
    return d;
  return shorter >= 3 && (has_word (name, word) || has_word (word, name))
    ? limit + longer - shorter : ~0u;
}

void
lp_guess_offer (lp_guess *guess, const char *name, unsigned farther,
		const char *shown)
{
  unsigned d = lp_guess_distance (guess->word, name);
  size_t at = guess->n;
  if (d != ~0u)
    d += farther;
  for (size_t i = 0; i < guess->n; i++)
    if (strcmp (guess->names[i], shown) == 0)
      return;
  while (at > 0 && guess->distance[at - 1] > d)
    at--;
  if (d == ~0u || at == LP_GUESSES)
    return;
  char *copy = strdup (shown);
  if (!copy)
    return;			/* a suggestion less */
  if (guess->n == LP_GUESSES)
    free (guess->names[--guess->n]);
  for (size_t i = guess->n; i > at; i--)
    {
      guess->names[i] = guess->names[i - 1];
      guess->distance[i] = guess->distance[i - 1];
    }
  guess->names[at] = copy;
  guess->distance[at] = d;
  guess->n++;
}

/* FNV-1a, whose 64 bits no two words of one program share.  */
static uint64_t
hash (const char *s)
{
  uint64_t h = 14695981039346656037u;
  for (; *s; s++)
    h = (h ^ (unsigned char) *s) * 1099511628211u;
  return h;
}

/* Is WORD, of which many symbols may consist, near?  */
static bool
is_near (lp_guess *guess, const char *word)
{
  uint64_t key = hash (word);
  int64_t known = lp_intmap_get (&guess->spelled, key);
  if (known < 0)
    {
      known = lp_guess_distance (guess->word, word) != ~0u;
      lp_intmap_put (&guess->spelled, key, known);
    }
  return known;
}

bool
lp_guess_may_be (lp_guess *guess, const char *symbol)
{
  char word[MAX_SPELLED + 1];
  /* The symbols of these do not spell them.  */
  if (strncmp (guess->word, "operator", 8) == 0
      || strpbrk (guess->word, "{( "))
    return true;
  for (const char *p = strpbrk (symbol, DIGITS); p; p = strpbrk (p, DIGITS))
    {
      char *at;
      size_t n = strtoul (p, &at, 10), left = strlen (at);
      p = at;
      at += *at == '_';		/* Rust may put it there */
      if (n > left || n == 0)
	continue;
      if (n > MAX_SPELLED)
	return true;
      memcpy (word, at, n);
      word[n] = '\0';
      if (is_near (guess, word))
	return true;
    }
  return false;
}

void
lp_guess_free (lp_guess *guess)
{
  lp_intmap_free (&guess->spelled);
  while (guess->n)
    free (guess->names[--guess->n]);
}

/* "; did you mean 'a', 'b' or 'c'?" in TEXT.  */
const char *
lp_guess_question (const lp_guess *guess, char *text, size_t size)
{
  *text = '\0';
  size_t n = 0;
  for (size_t i = 0; i < guess->n && n < size; i++)
    n += snprintf (text + n, size - n, "%s'%s'",
		   i == 0 ? "; did you mean "
		   : i + 1 == guess->n ? " or " : ", ", guess->names[i]);
  if (guess->n && n < size)
    snprintf (text + n, size - n, "?");
  return text;
}
