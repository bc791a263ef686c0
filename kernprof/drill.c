/* drill.c: from the function-level run to the lines of what is hot.  */

#include "kernprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
kernprof_take_hot (struct options *options, const char *program,
		   lp_profile **profile)
{
  lp_error err;
  char *file = NULL;
  lp_hot_list hot = { 0 };
  *profile = lp_drill_find (program, ".", &file, &err);
  if (!*profile)
    return kernprof_complain (&err, kernprof_status_of (&err));
  int bad = lp_hot_functions (*profile, options->hot, &hot, &err);
  if (!bad && !hot.n)
    bad = lp_fail (&err, LP_ENOMATCH, "'%s' has no function with source that ran; "
		   "choose functions with -f", file);
  for (size_t i = 0; i < hot.n && !bad; i++)
    if (lp_vec_push (&options->patterns, hot.v[i]))
      bad = lp_fail (&err, LP_ENOMEM, "out of memory");
  if (!bad && options->verbosity >= 0)
    fprintf (stderr, "kernprof: the %zu hottest function%s of '%s'\n", hot.n,
	     hot.n == 1 ? "" : "s", file);
  lp_vec_free (&hot);
  free (file);
  return bad ? kernprof_complain (&err, STATUS_BAD_INPUT) : 0;
}

/* WORD as a shell reads it.  */
static void
print_word (FILE *out, const char *word)
{
  if (*word && !word[strspn (word, "abcdefghijklmnopqrstuvwxyz0123456789"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-+=./:,@%")])
    {
      fputs (word, out);
      return;
    }
  putc ('\'', out);
  for (; *word; word++)
    if (*word == '\'')
      fputs ("'\\''", out);
    else
      putc (*word, out);
  putc ('\'', out);
}

void
kernprof_print_drill (lp_profile *profile, FILE *out)
{
  lp_hot_list hot = { 0 };
  if (lp_hot_functions (profile, DRILL_ROWS, &hot, NULL) == 0 && hot.n
      && profile->ncommand)
    {
      fputs ("Look at their lines with: kernprof -l -v", out);
      for (size_t i = 0; i < hot.n; i++)
	{
	  fputs (" -f ", out);
	  print_word (out, hot.v[i]);
	}
      for (size_t i = 0; i < profile->ncommand; i++)
	{
	  putc (' ', out);
	  print_word (out, profile->command[i]);
	}
      putc ('\n', out);
    }
  lp_vec_free (&hot);
}
