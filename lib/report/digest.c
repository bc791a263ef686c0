/* digest.c: what the text of each line was, in few bytes: 32 bits of FNV-1a over
   the line without the blanks around it, so that moving it in or out of a block
   does not matter.  */

#include "report/digest.h"

#include <ctype.h>

#include "report/source.h"

static uint32_t
digest (const char *s, size_t n)
{
  uint32_t hash = 2166136261u;
  while (n && isspace ((unsigned char) *s))
    s++, n--;
  while (n && isspace ((unsigned char) s[n - 1]))
    n--;
  for (; n; n--)
    hash = (hash ^ (unsigned char) *s++) * 16777619u;
  return hash ? hash : 1;	/* 0 means unknown */
}

int
lp_profile_digest (lp_profile *profile, const lp_report_options *options,
		   lp_error *err)
{
  lp_report_options quiet = *options;
  quiet.warn = NULL;
  lp_sources *sources = lp_sources_new (profile, &quiet, err);
  if (!sources)
    return -1;
  for (size_t i = 0; i < profile->subjects.n; i++)
    {
      lp_subject *subject = &profile->subjects.v[i];
      for (size_t j = 0; j < subject->lines.n; j++)
	{
	  lp_code_line *line = &subject->lines.v[j];
	  size_t n;
	  if (line->digest || !lp_sources_unchanged (sources, line->source))
	    continue;
	  const lp_text *text = lp_sources_text (sources, line->source);
	  const char *s = lp_text_line (text, line->line, &n);
	  line->digest = digest (s, n);
	}
    }
  lp_sources_free (sources);
  return 0;
}
