/* hot.c: the functions with the most own time, as patterns.  */

#define _GNU_SOURCE

#include "profile/hot.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heat
{
  int64_t own;
  uint32_t subject;
};

static int
hottest_first (const void *a, const void *b)
{
  const struct heat *x = a, *y = b;
  if (x->own != y->own)
    return x->own > y->own ? -1 : 1;
  return x->subject < y->subject ? -1 : x->subject > y->subject;
}

/* Are these one function of the source?  */
static bool
same_source (const lp_subject *a, const lp_subject *b)
{
  return a->object == b->object && a->source == b->source
	 && a->line == b->line;
}

static int
by_source (const void *a, const void *b, void *arg)
{
  const lp_profile *p = arg;
  const struct heat *i = a, *j = b;
  const lp_subject *x = &p->subjects.v[i->subject], *y = &p->subjects.v[j->subject];
  if (x->object != y->object)
    return x->object < y->object ? -1 : 1;
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return i->subject < j->subject ? -1 : i->subject > j->subject;
}

/* The instances of a function are hot together.  */
static void
add_up (const lp_profile *profile, struct heat *heats)
{
  size_t n = profile->subjects.n;
  qsort_r (heats, n, sizeof *heats, by_source, (void *) profile);
  for (size_t i = n; i-- > 1;)
    if (same_source (&profile->subjects.v[heats[i].subject],
		     &profile->subjects.v[heats[i - 1].subject]))
      {
	heats[i - 1].own = lp_add (heats[i - 1].own, heats[i].own);
	heats[i].own = 0;
      }
}

/* Own times by function.  */
static struct heat *
heats_of (const lp_profile *profile)
{
  size_t n = profile->subjects.n;
  struct heat *heats = calloc (n + 1, sizeof *heats);
  for (size_t i = 0; heats && i < n; i++)
    heats[i].subject = i;
  for (size_t i = 0; heats && i < profile->nodes.n; i++)
    {
      const lp_call_node *node = &profile->nodes.v[i];
      heats[node->subject].own = lp_add (heats[node->subject].own, node->own);
    }
  if (heats && n)
    add_up (profile, heats);
  return heats;
}

/* Is NAME a plain name that no other function of PROFILE has?  */
static bool
is_unmistakable (const lp_profile *profile, const lp_subject *subject,
		 const char *name)
{
  size_t len = strlen (name);
  for (const char *s = name; *s; s++)
    if (!isalnum ((unsigned char) *s) && *s != '_' && *s != ':' && *s != '~')
      return false;
  for (size_t i = 0; i < profile->subjects.n; i++)
    {
      const lp_subject *other = &profile->subjects.v[i];
      const char *tail = strrchr (other->name, ':');
      if (!same_source (subject, other)
	  && (strncmp (other->name, name, len) == 0
	      || (tail && strncmp (tail + 1, name, len) == 0)))
	return false;
    }
  return *name != '\0';
}

/* A pattern for SUBJECT in PROFILE's storage, or NULL when out of memory.  */
static const char *
pattern_of (lp_profile *profile, const lp_subject *subject)
{
  char *name = strdup (subject->name), *text = NULL, *paren;
  const char *source = profile->sources.v[subject->source].path;
  const char *object = basename (profile->objects.v[subject->object].path);
  const char *kept = NULL;
  bool library = subject->object > 0;
  if (name && (paren = strchr (name, '(')))
    *paren = '\0';
  int n = !name ? -1
	  : is_unmistakable (profile, subject, name)
	  ? asprintf (&text, "%s%s%s", library ? object : "",
		      library ? ":" : "", name)
	  : asprintf (&text, "%s%s%s:%u", library ? object : "",
		      library ? ":" : "", source, (unsigned) subject->line);
  if (n >= 0)
    kept = lp_profile_string (profile, text);
  free (name);
  if (n >= 0)
    free (text);
  return kept;
}

/* Does HOT's function of an earlier heat share SUBJECT's source?  */
static bool
is_listed (const lp_profile *profile, const struct heat *heats, size_t i)
{
  const lp_subject *subject = &profile->subjects.v[heats[i].subject];
  for (size_t k = 0; k < i; k++)
    if (same_source (&profile->subjects.v[heats[k].subject], subject))
      return true;
  return false;
}

int
lp_hot_functions (lp_profile *profile, size_t n, lp_hot_list *hot,
		  lp_error *err)
{
  struct heat *heats = heats_of (profile);
  if (!heats)
    return lp_nomem (err);
  size_t most = hot->n + n;
  qsort (heats, profile->subjects.n, sizeof *heats, hottest_first);
  int bad = 0;
  for (size_t i = 0; i < profile->subjects.n && heats[i].own > 0
		     && hot->n < most && !bad; i++)
    {
      const lp_subject *subject = &profile->subjects.v[heats[i].subject];
      if (!*profile->sources.v[subject->source].path
	  || is_listed (profile, heats, i))
	continue;
      const char *pattern = pattern_of (profile, subject);
      bad = !pattern || lp_vec_push (hot, pattern);
    }
  free (heats);
  return bad ? lp_nomem (err) : 0;
}

bool
lp_hot_is_of (const lp_profile *profile, const char *build_id,
	      const char *path, int64_t mtime)
{
  const lp_object *object = profile->objects.n ? profile->objects.v : NULL;
  if (!object)
    return false;
  if (*build_id || *object->build_id)
    return strcmp (object->build_id, build_id) == 0;
  return strcmp (object->path, path) == 0 && profile->start >= mtime;
}
